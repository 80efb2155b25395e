"""The first screen of the study `draft`: it follows the worths of counties, and says what is not told apart."""

import numpy as np

from tests.analyses.studies import table_of
from wallsim.analyses.draft.cells import scope_of
from wallsim.analyses.draft.claims import BAD, CHOSEN, CLAIMS, GOOD
from wallsim.analyses.draft.figures import BY_PLAY, QUANTITIES, at, ground_of
from wallsim.analyses.draft.finding import LINES, best_of, best_picks, candidates, finding_of
from wallsim.analyses.draft.study import STUDY
from wallsim.stats.blocks import Estimate
from wallsim.studies.figure import Rows
from wallsim.studies.finding import finding_errors
from wallsim.studies.quantities import Key, add_values
from wallsim.studies.study import Choices

SCOPE = scope_of(Choices())
NAMES = ground_of(SCOPE).names
GAMES = 400
CASUAL, STRONG, SECOND = "casual", *LINES


def planted(worths, error=0.05):
    """The figures of a study in which the counties are worth so much by play, and all others from 0 down."""
    rows, values = Rows("draft", 1, "0" * 12), {}
    for play in (play.name for play in SCOPE.plays):
        for place, name in enumerate(NAMES):
            influence = np.tile([-1.0, 1.0], GAMES // 2) * error * np.sqrt(GAMES - 1)
            worth = Estimate(worths.get(play, {}).get(name, -0.01 * place), influence)
            values[Key(BY_PLAY, name, 4, at(play))] = worth
    add_values(rows, QUANTITIES, values)
    return rows.done()


def first_screen(worths):
    """The finding, which obeys the limits of a first screen."""
    figures = planted(worths)
    finding = finding_of(figures, SCOPE)
    assert finding_errors(finding, best_picks(figures, SCOPE)) == []
    return finding


def test_the_best_pick_of_each_kind_of_player_is_named():
    one = first_screen({play: {"Bremen": 2.0} for play in (CASUAL, STRONG, SECOND)})
    assert one.title == "Bremen is worth most to all who draft"
    assert "+2.0 ± " in one.casual
    assert "told from" not in one.casual + one.experienced
    two = first_screen({CASUAL: {"Lausitz": 1.5}, STRONG: {"Bremen": 2.0}, SECOND: {"Bremen": 1.0}})
    assert "Lausitz" in two.casual
    assert "+2.0" in two.experienced
    assert "+1.0" in two.experienced
    assert two.title.index("Bremen") < two.title.index("Lausitz")


def test_a_best_pick_that_is_not_told_from_the_next_is_said_to_be_so():
    found = first_screen({
        CASUAL: {"Lausitz": 2.0, "Schlesien": 1.9}, STRONG: {"Bremen": 2.0}, SECOND: {"Bremen": 2.0, "Tirol": 1.9},
    })  # fmt: skip
    assert "not distinguishable from Schlesien" in found.casual
    assert "in the second not distinguishable from Tirol" in found.experienced
    assert "Lausitz or Schlesien" in found.title
    assert "Tirol" not in found.title  # the other line tells it from Bremen
    apart = first_screen({CASUAL: {"Lausitz": 2.0}, STRONG: {"Bremen": 2.0}, SECOND: {"Tirol": 2.0}})
    assert "Bremen or Tirol" in apart.title
    assert "in the other" in apart.experienced


def test_long_names_and_many_ties_leave_it_short():
    long = sorted(NAMES, key=len)[-3:]
    found = first_screen({play: dict.fromkeys(long, 12.0) for play in (CASUAL, STRONG, SECOND)})
    assert "and others" in found.casual
    assert candidates(planted({}), SCOPE, LINES) == best_of(planted({}), SCOPE, STRONG)


def test_the_table_has_the_ten_best_of_both_by_the_lower_of_two_lines():
    figures = planted({CASUAL: {"Lausitz": 2.0}, STRONG: {"Bremen": 3.0, "Tirol": 2.0}, SECOND: {"Tirol": 2.0}})
    rows = table_of(best_picks(figures, SCOPE), "pick")
    assert len(rows) == 10
    assert (rows[0][1], rows[0][3]) == ("Lausitz", "Tirol")
    quick = scope_of(Choices(quick=True))
    assert finding_of(figures, quick) is None
    assert len(table_of(best_picks(figures, quick), "pick")) == 10


def test_the_claims_about_counties_were_chosen_and_no_others():
    [judged] = STUDY.judged
    assert judged.chosen == CHOSEN == tuple(claim.outcome for claim in CLAIMS[: len(GOOD) + len(BAD)])
    assert all(any(name in outcome for outcome in CHOSEN) for name in (*GOOD, *BAD))
