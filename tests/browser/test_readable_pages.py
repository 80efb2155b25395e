"""Every page is readable, usable and quiet: at all widths, light and dark, with large text, and without scripts."""

import pytest

import wallsim
from tests.browser.looks import axe_violations, dead_anchors, faint_letters, misfits, open_all, texts_outside, too_wide
from tests.docs.pages import DOCS
from wallsim.analysis.openings.forced import explore
from wallsim.experiment.experiment import Experiment
from wallsim.play.scenarios.file import ScenarioSet
from wallsim.play.scenarios.play import play_scenarios
from wallsim.play.tournament.play import play_tournament
from wallsim.play.tournament.tournament import Tournament
from wallsim.report.html.folder import folder_page
from wallsim.report.pages.openings import openings_page

REPORT = ("chapters.html", "counties.html", "index.html", "openings.html", "run.html", "tonight.html")
ON_GAMES = ("review.html", "report-of-game.html", "openings-of-run.html")
OF_DESIGNERS = ("fix.html", "cup.html")
LONG = "a.scenario-with+a.rather-long_name" * 2


@pytest.fixture(scope="session", autouse=True)
def pages(page_folder):
    """Beside the report: reviews of the examples, openings of a run, scenarios, one with a long name, a tournament."""
    place = page_folder.parent
    plain = Experiment(games=800, policies="casual-4p")
    fixed = plain.changed(lineup={"A": {"exchange": {"Baden": "Breisgau"}}}, thalers={"C": 19})
    play_scenarios(ScenarioSet({"printed": plain, LONG: fixed}), place / "fix")
    play_tournament(Tournament(["builder", "casual-4p", "balanced"], fixed, 144), place / "cup")
    run = wallsim.play(Experiment(games=300, seed=4, plans=True), place / "plans")
    reviews = [wallsim.review(DOCS / "examples" / name).page() for name in ("evening.txt", "report.txt")]
    of_designers = (folder_page(place / name) for name in ("fix", "cup"))
    texts = (*reviews, openings_page([explore(run, lineup="A")]), *of_designers)
    for name, text in zip((*ON_GAMES, *OF_DESIGNERS), texts, strict=True):
        (page_folder / name).write_text(text, "utf-8")


@pytest.mark.parametrize("path", [*REPORT, *ON_GAMES, *OF_DESIGNERS])
def test_a_page_is_readable_on_every_screen(open_page, path):
    page = open_all(open_page(path, 390))
    assert dead_anchors(page) == []
    assert misfits(page) == []
    assert axe_violations(page) == []
    assert faint_letters(page) == []  # axe does not look into pictures
    page.emulate_media(color_scheme="dark")  # changes colours alone
    assert axe_violations(page, "color-contrast") == []
    assert faint_letters(page) == []
    for width in (768, 1280):  # changes places and sizes alone
        page.set_viewport_size({"width": width, "height": 900})
        assert misfits(page) == []
    assert axe_violations(page, "target-size", "scrollable-region-focusable") == []


@pytest.mark.parametrize("path", REPORT)
def test_a_page_fits_with_text_of_twice_the_size_and_can_be_read_without_scripts(open_page, path):
    page = open_page(path, 1280, text=200)
    assert too_wide(page) == []
    assert texts_outside(page) == []
    page = open_page(path, 390, scripts=False)
    assert page.locator(".script-only:visible").count() == 0
    assert page.locator("h1").is_visible()


@pytest.mark.parametrize("path", OF_DESIGNERS)
def test_the_experiment_can_be_saved_without_scripts(open_page, path):
    page = open_page(path, scripts=False)
    with page.expect_download() as download:
        page.click("a.file >> nth=0")
    assert download.value.suggested_filename == "experiment.toml"
    assert download.value.path().read_text("utf-8") == page.inner_text("#experiment")
