"""The first screen of the study `lineups`: it names the most even version for each kind of table."""

from tests.analyses.test_lineups import made, synthetic
from wallsim.analyses.lineups import finding
from wallsim.analyses.lineups.adjustments import COUNTIES, GROUPS, POINTS, PRINTED, THALERS, VERSIONS
from wallsim.analyses.lineups.estimates import design_of, means_of
from wallsim.studies.catalogue import load_study
from wallsim.studies.figure import Rows
from wallsim.studies.finding import finding_errors
from wallsim.studies.study import Choices


def test_the_finding_is_short_and_names_the_version_with_the_least_spread_at_each_table():
    """Whatever version is the most even in planted games is named for that table; the words change with it."""
    study, titles = load_study("lineups"), set()
    design = design_of(Choices())._replace(sizes=(4,), towers=("spielbyweb",))
    result = made(design._replace(plays=("casual", "strong", "second strong")), 800)
    design, size = result.design, result.sizes[4]
    for casual, strong in ((GROUPS, GROUPS), (PRINTED, COUNTIES), (THALERS, POINTS)):
        best = {play: casual if play == "casual" else strong for play in design.plays}
        even = {
            cell: {
                kind: means_of(synthetic((0, 0, 0, 0) if kind == best[cell.play] else (9, 0, 0, -9), 800).arranged())
                for kind in VERSIONS
            }
            for cell in size.cells
        }
        rows = Rows("lineups", 202671, "0" * 12)
        study.figures(result._replace(sizes={4: size._replace(cells=even)}), rows)
        figures = rows.done()
        page = study.page(figures, design)
        assert finding_errors(page.finding, page.table) == []
        assert finding.nearest(figures, design, [finding.CASUAL_TABLE]) == [casual]
        assert finding.nearest(figures, design, finding.LINES) == [strong]
        assert finding.NAMES[casual] in page.finding.title
        assert finding.NAMES[strong] in page.finding.title
        assert ("Line-up A wins too often" in page.finding.title) == (PRINTED not in best.values())
        titles.add(page.finding.title)
        assert study.page(figures, design._replace(quick=True)).finding is None
    assert len(titles) == 3
