"""The pages of scenarios and of a tournament, on wide and narrow screens, by day and by night."""

import pytest

from tests.browser.looks import axe_violations, misfits
from wallsim.experiment.experiment import Experiment
from wallsim.play.scenarios.file import ScenarioSet
from wallsim.play.scenarios.play import play_scenarios
from wallsim.play.tournament.play import play_tournament
from wallsim.play.tournament.tournament import Tournament
from wallsim.report.html.folder import folder_page
from wallsim.report.html.sheets import write_page

LONG = "a.scenario-with+a.rather-long_name" * 2


@pytest.fixture(scope="session")
def pages(page_folder):
    """Pages beside those of the report: of scenarios, one of which has a long name, and of a tournament."""
    plain = Experiment(games=800, policies="casual-4p")
    fixed = plain.changed(lineup={"A": {"exchange": {"Baden": "Breisgau"}}}, thalers={"C": 19})
    play_scenarios(ScenarioSet({"printed": plain, LONG: fixed}), page_folder.parent / "fix")
    design = Tournament(["builder", "casual-4p", "balanced"], fixed, 144)
    play_tournament(design, page_folder.parent / "cup")
    for name in ("fix", "cup"):
        write_page(folder_page(page_folder.parent / name), page_folder / f"{name}.html", "--out")
    return ("fix.html", "cup.html")


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [390, 1280])
def test_they_fit_are_legible_and_accessible(pages, open_page, width, dark):
    for path in pages:
        page = open_page(path, width=width, dark=dark)
        assert misfits(page) == []
        assert axe_violations(page) == []


def test_the_experiment_can_be_saved_without_scripts(pages, open_page):
    for path in pages:
        page = open_page(path, scripts=False)
        with page.expect_download() as download:
            page.click("a.file >> nth=0")
        saved = download.value
        assert saved.suggested_filename == "experiment.toml"
        with open(saved.path(), encoding="utf-8") as file:
            assert file.read() == page.inner_text("#experiment")
