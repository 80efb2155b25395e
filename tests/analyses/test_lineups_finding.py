"""What the study `lineups` recommends: its first screen for each kind of table, and the files that are ready."""

import pytest

from tests.analyses.test_lineups import made, synthetic
from tests.docs.pages import DOCS
from wallsim.analyses.lineups import finding
from wallsim.analyses.lineups.adjustments import COUNTIES, GROUPS, POINTS, PRINTED, THALERS, VERSIONS
from wallsim.analyses.lineups.estimates import adjustments_of, design_of, means_of
from wallsim.rules.board import load_board
from wallsim.runs.experiment_file import load_experiment
from wallsim.runs.scenarios.file import load_experiments
from wallsim.studies.catalogue import load_study
from wallsim.studies.figure import Rows
from wallsim.studies.finding import finding_errors
from wallsim.studies.study import Choices

STUDY = load_study("lineups")


@pytest.fixture(scope="module")
def base():
    """Games at the casual table and in both lines of strong play, with 4 players under one tower."""
    design = design_of(Choices())._replace(sizes=(4,), towers=("spielbyweb",))
    return made(design._replace(plays=("casual", "strong", "second strong")), 800)


def planted(result, best):
    """Figures in which the version that `best` names for a play is the most even one there, and all others are not."""
    size = result.sizes[4]
    even = {
        cell: {
            kind: means_of(synthetic((0, 0, 0, 0) if kind == best[cell.play] else (9, 0, 0, -9), 800).arranged())
            for kind in VERSIONS
        }
        for cell in size.cells
    }
    rows = Rows("lineups", 202671, "0" * 12)
    STUDY.figures(result._replace(sizes={4: size._replace(cells=even)}), rows)
    return rows.done()


def test_the_finding_is_short_and_names_the_version_with_the_least_spread_at_each_table(base):
    """Whatever version is the most even in planted games is named for that table; the words change with it."""
    titles, design = set(), base.design
    for casual, strong in ((GROUPS, GROUPS), (PRINTED, COUNTIES), (THALERS, POINTS)):
        best = {play: casual if play == "casual" else strong for play in design.plays}
        figures = planted(base, best)
        page = STUDY.page(figures, design)
        assert finding_errors(page.finding, page.table) == []
        assert finding.nearest(figures, [finding.CASUAL_TABLE]) == [casual]
        assert finding.nearest(figures, finding.LINES) == [strong]
        assert finding.agree(figures, finding.LINES)
        assert finding.NAMES[casual] in page.finding.title
        assert finding.NAMES[strong] in page.finding.title
        assert ("Line-up A wins too often" in page.finding.title) == (PRINTED not in best.values())
        titles.add(page.finding.title)
        assert STUDY.page(figures, design._replace(quick=True)).finding is None
    assert len(titles) == 3


def test_where_the_lines_of_strong_play_differ_the_finding_says_so(base):
    figures = planted(base, {"casual": POINTS, "strong": COUNTIES, "second strong": GROUPS})
    page = STUDY.page(figures, base.design)
    assert not finding.agree(figures, finding.LINES)
    assert page.finding.title.endswith("fairest with a handicap; experienced players differ by line of play")
    assert "Best are swapped counties (" in page.finding.experienced
    assert "in one line, swapped army groups (" in page.finding.experienced
    assert finding_errors(page.finding, page.table) == []


def test_the_ready_handicap_in_whole_points_is_that_of_the_study_rounded():
    """The example has another one, too, that is fairer between casual players."""
    scenarios = load_experiments(DOCS / "examples" / "fair-4p-handicap.toml").experiments
    assert list(scenarios) == ["printed", "study", "casual"]
    halves = adjustments_of(4)[POINTS].halves
    steps = {step["seat"]: step["vp"] for step in scenarios["study"].interventions}
    assert all(abs(2 * steps.get(letter, 0) - half) <= 1 for letter, half in zip("ABCD", halves, strict=True))
    assert all(each.policies == ("amateur",) * 4 for each in scenarios.values())


@pytest.mark.parametrize(("players", "kind"), [(4, THALERS), (5, COUNTIES)])
def test_ready_files_have_the_changes_that_the_study_plays(players, kind):
    """They stand in docs/examples for those who want to play with them."""
    found = load_experiment(DOCS / "examples" / f"fair-{players}p-casual.toml")
    change = adjustments_of(players)[kind].changes(load_board())
    same = found.changed(thalers={}, lineup={}).changed(**change)
    assert (found.players, found.policies) == (players, ("amateur",) * players)
    assert found.hash() == same.hash()
    assert found.hash() != found.changed(thalers={}, lineup={}).hash()
