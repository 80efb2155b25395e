"""The page of picks: every county once with its worth, and nothing outside of the page or over anything else."""

from itertools import combinations

from matplotlib import pyplot as plt

from wallsim.analyses.draft.sheet import A4, Pick, pick_sheet
from wallsim.rules.board import load_board

RULES = [("for each neighbouring county that you hold", 0.25), ("for each that another player holds", -0.2)]


def test_every_county_stands_on_the_page_and_no_letters_touch():
    board = load_board()
    regions = {
        region: [
            Pick(name, place / 10 - 2, place % 7 == 0)
            for place, name in enumerate(board.counties)
            if board.region[place] == number
        ]
        for number, region in enumerate(board.regions)
    }
    figure = pick_sheet(regions, RULES, "What to pick", "Take the best of them. " * 12, "How it was measured. " * 12)
    assert tuple(figure.get_size_inches()) == A4
    figure.canvas.draw()
    texts = [text for text in figure.texts if text.get_text()]
    shown = [text.get_text() for text in texts]
    assert all(shown.count(name) == 1 for name in (*board.counties, *board.regions))
    assert shown.count("−2.0") == 1
    assert shown.count("+2.4") == 1
    boxes = [text.get_window_extent() for text in texts]
    page = figure.get_window_extent()
    assert all(page.x0 < box.x0 and box.x1 < page.x1 and page.y0 < box.y0 and box.y1 < page.y1 for box in boxes)
    assert not [pair for pair in combinations(boxes, 2) if pair[0].overlaps(pair[1].padded(-0.5))]
    bold = {text.get_text() for text in texts if text.get_weight() == "bold"}
    assert board.counties[7] in bold
    assert board.counties[8] not in bold
    plt.close(figure)
