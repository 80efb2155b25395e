"""What every number changes in all kinds of play beside each other, in the study `amounts`."""

from dataclasses import replace

from wallsim.analyses.amounts.estimates import scope_of
from wallsim.analyses.amounts.study import play_cells, turns_words
from wallsim.studies.figure import Figures
from wallsim.studies.register import read_register
from wallsim.studies.study import Choices


def test_a_number_that_turns_a_line_up_between_two_lines_is_named():
    figures, scope = read_register("amounts"), scope_of(Choices())
    cells = [cell for cell in play_cells(scope) if "strong" in cell.play]
    assert len(cells) == 2
    turn = {
        figures.of("wins-by-play", "county_points A", players=4, cell=cell).id: value
        for cell, value in zip(cells, (-20.0, 20.0), strict=True)
    }
    planted = [
        replace(row, value=turn[row.id], low=turn[row.id] - 1, high=turn[row.id] + 1) if row.id in turn else row
        for row in figures.values()
    ]
    words = turns_words(Figures("amounts", planted), scope)
    assert "`county_points` helps line-up A in second strong play and harms it in strong play" in words
    assert all(figures[key].n >= 300 for key in turn)
