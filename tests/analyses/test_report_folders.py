"""`wallsim report FOLDER`: pages on a tournament and on scenarios; `wallsim study NAME --report`."""

import re

import pytest

from tests.cli.test_games import refusal
from tests.cli.test_games import wallsim as command
from wallsim.analyses.strategy_report.study_page import study_page
from wallsim.analysis.contrasts.scenarios import compare_scenarios
from wallsim.report.html.comparison import scenarios_page
from wallsim.report.html.sheets import Sheet, sheets_page
from wallsim.report.tables.estimates import number
from wallsim.runs.experiment import Experiment
from wallsim.runs.scenarios.folder import Scenarios
from wallsim.runs.tournament.interim_analyses import looks_of
from wallsim.runs.tournament.play import play_tournament
from wallsim.runs.tournament.tournament import Tournament
from wallsim.studies.catalogue import load_study
from wallsim.studies.publishing import as_published


@pytest.fixture(scope="module")
def tournament(tmp_path_factory):
    """A finished tournament of two policies, with blocks enough for intervals."""
    design = Tournament(["random", "amateur"], Experiment(players=3, seed=3), 60)
    return play_tournament(design, tmp_path_factory.mktemp("tournament") / "ladder")


def test_the_page_on_a_tournament_has_its_ladder_and_its_looks(tournament, tmp_path):
    file = tmp_path / "new" / "ladder.html"
    assert f"Open {file}" in command("report", str(tournament.folder), "--out", str(file)).output
    text = file.read_text("utf-8")
    assert looks_of(tournament.folder, tournament.hash) == (60,)
    ladder = re.search(r'<section id="sheet-1">(.*?)</section>', text, re.S)[1]
    assert [text.strip() for text in re.findall(r"<td>(amateur|random)</td>", ladder)] == ["amateur", "random"]
    assert ladder.count("<circle") == 2
    assert "amateur ranks first" in text
    assert re.search(r"analysed once, at\s+60 blocks", text)
    command("report", str(tournament.folder), "--out", str(file))
    assert file.read_text("utf-8") == text


@pytest.fixture(scope="module")
def scenarios(tmp_path_factory):
    """A folder of two scenarios, of which the second has two-point counties, which everybody sees in the points."""
    folder = tmp_path_factory.mktemp("scenarios")
    (folder / "x.toml").write_text(
        'games = 90\npolicies = "random"\n[scenario.plain]\n[scenario.rich]\namounts.county_points = 2\n', "utf-8"
    )
    assert command("run", str(folder / "x.toml"), "--out", str(folder / "out")).exit_code == 0
    return folder / "out"


def test_the_page_on_scenarios_has_all_contrasts_and_says_what_is_known(scenarios, tmp_path):
    file = tmp_path / "scenarios.html"
    assert command("report", str(scenarios), "--out", str(file)).exit_code == 0
    text = file.read_text("utf-8")
    result = compare_scenarios(Scenarios.open(scenarios))
    for contrast in result.comparisons["rich"].contrasts:
        assert f"<td>{number((100 if contrast.column == 'win' else 1) * contrast.second.value, 2)}</td>" in text
    assert re.search(r"<li>rich: line-up A: VP rises: \+\d", text)
    assert scenarios_page(result, str(scenarios)) == text
    assert command("compare", str(scenarios), "--html", str(tmp_path / "same.html")).exit_code == 0
    assert (tmp_path / "same.html").read_text("utf-8") == text


def test_what_has_no_page_is_refused(scenarios, tournament, tmp_path):
    for folder in (scenarios, tournament.folder):
        assert "name a file that ends with .html" in refusal("report", str(folder), "--out", str(tmp_path))
    assert "contains no run" in refusal("report", str(tmp_path), "--out", str(tmp_path / "x.html"))
    assert not (tmp_path / "x.html").exists()


def test_texts_of_files_are_no_markup_in_a_page():
    sheet = Sheet("<s>", ("<p>",), [("<q>",)], ["<a>"])
    text = sheets_page("<b>", ["<i>"], ["<u>"], [sheet], ("<h1>", "<h2>"), ["<h3>"])
    assert not re.search("<(?:i|u|s|q|a|h3)>", text)
    assert "&lt;q&gt;" in text


def test_the_page_of_a_study_has_its_tables_and_ids(tmp_path):
    file = tmp_path / "casual.html"
    assert f"Open {file}" in command("study", "casual", "--report", str(file)).output
    text = file.read_text("utf-8")
    result = as_published(load_study("casual"))
    assert text == study_page(result)
    tables = result.page.table, result.page.tables
    assert text.count('<table class="sortable">') == sum(each.count("\n| --- ") for each in tables)
    ids = set(re.findall(r'data-id="([^" ]+)"', text))
    assert ids
    assert ids <= set(result.figures)
    assert 'href="data/' not in text


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("casual", "--report", "x.txt"), "--report: x.txt: name a file that ends with .html"),
        (("casual", "--page", "--report", "x.html"), "--report: cannot be combined with --page"),
        (("casual", "--publish", "--report", "x.html"), "--report: cannot be combined with --publish"),
        (("casual", "--verify", "--report", "x.html"), "--report: cannot be combined with --verify"),
        (("--all", "--report", "x.html"), "--report: cannot be combined with --all"),
    ],
)
def test_what_a_page_of_a_study_cannot_be_is_refused(words, why):
    assert why in refusal("study", *words)
