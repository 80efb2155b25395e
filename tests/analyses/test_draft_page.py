"""The first screen and the sheet of the study `draft`: the best picks, what is not told apart, and room for all."""

from itertools import combinations

import numpy as np
import pytest

from tests.analyses.studies import figures_in, table_of
from tests.refusals import assert_names
from tests.studies.first_screens import finding_errors
from wallsim.analyses.draft.deals import LINES, ground_of, scope_of
from wallsim.analyses.draft.estimates import BY_PLAY
from wallsim.analyses.draft.study import best_of, best_picks, candidates, finding_of
from wallsim.report.figures.pick_sheet import A4, pick_sheet
from wallsim.rules.board import load_board
from wallsim.stats.blocks import Estimate
from wallsim.studies.figure import NOWHERE
from wallsim.studies.quantities import Key
from wallsim.studies.study import Choices

SCOPE = scope_of(Choices())
NAMES = ground_of(SCOPE).names
CASUAL, STRONG, SECOND = PLAYS = "casual", *LINES
NOT_APART = "not distinguishable from"
RULES = [("for each neighbouring county that you hold", 0.25), ("for each that another player holds", -0.2)]


def planted(worths):
    """The figures of a study in which the counties are worth so much by play, and all others from 0 down."""
    influence = np.tile([-1.0, 1.0], 200) * 0.05 * np.sqrt(399)
    values = {
        Key(BY_PLAY, name, 4, NOWHERE._replace(play=play.name)): Estimate(
            worths.get(play.name, {}).get(name, -0.01 * place), influence
        )
        for play in SCOPE.plays
        for place, name in enumerate(NAMES)
    }
    return figures_in("draft", values)


def first_screen(worths):
    """The finding, which obeys the limits of a first screen."""
    figures = planted(worths)
    finding = finding_of(figures, SCOPE)
    assert finding_errors(finding, best_picks(figures, SCOPE).text(figures)) == []
    return finding


def test_the_best_pick_of_each_kind_of_player_is_named():
    one = first_screen({play: {"Bremen": 2.0} for play in PLAYS})
    assert one.title.startswith("Bremen is worth most")
    assert_names(one.title, "casual", "expert", "scholar")
    assert "+2.0 ± " in one.casual
    assert NOT_APART not in one.casual + one.experienced
    two = first_screen({CASUAL: {"Lausitz": 1.5}, STRONG: {"Bremen": 2.0}, SECOND: {"Bremen": 1.0}})
    assert "Lausitz" in two.casual
    assert_names(two.experienced, "+2.0", "+1.0")
    assert two.title.index("Bremen") < two.title.index("Lausitz")


def test_a_best_pick_that_is_not_told_from_the_next_is_said_to_be_so():
    found = first_screen({
        CASUAL: {"Lausitz": 2.0, "Schlesien": 1.9}, STRONG: {"Bremen": 2.0}, SECOND: {"Bremen": 2.0, "Tirol": 1.9},
    })  # fmt: skip
    assert f"{NOT_APART} Schlesien" in found.casual
    assert f"scholar bots {NOT_APART} Tirol" in found.experienced
    assert "Lausitz or Schlesien" in found.title
    assert "Tirol" not in found.title  # the other line tells it from Bremen
    apart = first_screen({CASUAL: {"Lausitz": 2.0}, STRONG: {"Bremen": 2.0}, SECOND: {"Tirol": 2.0}})
    assert "Bremen or Tirol" in apart.title
    assert "Tirol to scholar bots" in apart.experienced


def test_many_best_picks_leave_a_short_title():
    long = first_screen({play: dict.fromkeys(sorted(NAMES, key=len)[-3:], 12.0) for play in PLAYS})
    assert long.title.count(" or ") == 1
    many = first_screen({play: dict.fromkeys(NAMES[:5], 12.0) for play in PLAYS})
    assert "or 4 others" in many.title
    assert candidates(planted({}), SCOPE, LINES) == best_of(planted({}), SCOPE, STRONG)


def test_the_table_has_the_ten_best_of_both_by_the_lower_of_two_lines():
    figures = planted({CASUAL: {"Lausitz": 2.0}, STRONG: {"Bremen": 3.0, "Tirol": 2.0}, SECOND: {"Tirol": 2.0}})
    full, quick = (
        table_of(best_picks(figures, scope).text(figures), "pick") for scope in (SCOPE, scope_of(Choices(quick=True)))
    )
    assert len(full) == len(quick) == 10
    assert (full[0][1], full[0][3]) == ("Lausitz", "Tirol")


@pytest.mark.one_in(4, "file")
def test_every_county_stands_on_the_page_and_no_letters_touch():
    board, regions = load_board(), {}
    for place, name in enumerate(board.counties):
        region = regions.setdefault(board.regions[board.region[place]], [])
        region.append((name, place / 10 - 2, place % 7 == 0))
    figure = pick_sheet(regions, RULES, "What to pick", "Take the best of them. " * 12, "How it was measured. " * 12)
    assert tuple(figure.get_size_inches()) == A4
    figure.canvas.draw()
    texts = [text for text in figure.texts if text.get_text()]
    shown = [text.get_text() for text in texts]
    assert all(shown.count(each) == 1 for each in (*board.counties, *board.regions, "−2.0", "+2.4"))
    boxes, page = [text.get_window_extent() for text in texts], figure.get_window_extent()
    assert all(page.x0 < box.x0 and box.x1 < page.x1 and page.y0 < box.y0 and box.y1 < page.y1 for box in boxes)
    assert not [pair for pair in combinations(boxes, 2) if pair[0].overlaps(pair[1].padded(-0.5))]
    bold = {text.get_text() for text in texts if text.get_weight() == "bold"}
    assert board.counties[7] in bold
    assert board.counties[8] not in bold
