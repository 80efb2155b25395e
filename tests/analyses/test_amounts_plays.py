"""What every number changes in all kinds of play beside each other, in the study `amounts`."""

from dataclasses import replace

import pytest

from tests.analyses.studies import number, table_of
from wallsim.analyses.amounts.estimates import scope_of, turned
from wallsim.analyses.amounts.figures import WINS_BY_PLAY, item, play_cells, sure_of_plays
from wallsim.analyses.amounts.play_tables import play_tables, turns_words
from wallsim.studies.figure import Figures
from wallsim.studies.register import read_register
from wallsim.studies.study import Choices


@pytest.fixture(scope="module")
def published():
    return read_register("amounts"), scope_of(Choices())


def test_every_number_has_a_row_and_every_kind_of_play_a_column(published):
    figures, scope = published
    tables = play_tables(figures, scope)
    assert len(tables) == 3 + 4 + 1
    rows = {row[0]: row for row in table_of(tables[3], "change of: wins of line-up A, % points")}
    assert len(rows) == len(turned())
    for column, cell in enumerate(play_cells(scope), start=2):
        figure = figures.of(WINS_BY_PLAY, item("county_points", "A"), players=4, cell=cell)
        assert number(rows["`county_points`"][column]) == pytest.approx(figure.value, abs=0.051)


def test_a_number_that_turns_a_line_up_between_two_lines_is_named(published):
    figures, scope = published
    cells = [cell for cell in play_cells(scope) if "strong" in cell.play]
    assert len(cells) == 2
    turn = {
        figures.of(WINS_BY_PLAY, item("county_points", "A"), players=4, cell=cell).id: value
        for cell, value in zip(cells, (-20.0, 20.0), strict=True)
    }
    planted = Figures(
        "amounts",
        [
            replace(row, value=turn[row.id], low=turn[row.id] - 1, high=turn[row.id] + 1) if row.id in turn else row
            for row in figures.values()
        ],
    )
    assert "`county_points` helps line-up A in second strong play and harms it in strong play" in turns_words(
        planted, scope
    )
    assert sure_of_plays(scope).min_blocks <= 300
