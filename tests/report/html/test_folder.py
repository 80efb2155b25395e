"""`wallsim report FOLDER`: pages on a run, a tournament and scenarios; `wallsim study NAME --report`."""

import re

import pytest
from markupsafe import escape

from tests.analyses.numbers_of_pages import text_of, tree_of
from tests.cli.test_games import refusal
from tests.cli.test_games import wallsim as command
from wallsim.analyses.strategy_report.chapters import study_page
from wallsim.analysis.contrasts.scenarios import compare_scenarios
from wallsim.analysis.games.summary import summarise
from wallsim.experiment.experiment import Experiment
from wallsim.folder.interim_analyses import looks_of
from wallsim.folder.scenarios import Scenarios
from wallsim.play.play import play_run
from wallsim.play.tournament.play import play_tournament
from wallsim.play.tournament.tournament import Tournament
from wallsim.report.html import folder as page_of_folder
from wallsim.report.html.comparison import scenarios_page
from wallsim.report.html.played import in_players_words
from wallsim.report.html.sheets import Page, sheets_page
from wallsim.report.tables.columns import Sheet
from wallsim.report.tables.estimates import number
from wallsim.studies.catalogue import load_study
from wallsim.studies.publishing import as_published


def written(folder, file):
    """The text of the page on a folder, which the command writes."""
    assert f"Open {file}" in command("report", str(folder), "--out", str(file)).output
    return file.read_text("utf-8")


def test_the_page_on_a_run_has_its_wins_points_and_assumptions(tmp_path):
    run = play_run(Experiment(games=1_200, seed=4), tmp_path / "run")  # one policy with the printed line-ups
    text, summary = written(run.folder, tmp_path / "new" / "mine.html"), summarise(run)
    rows = {text_of(row[0]): text_of(row) for row in tree_of(text).findall(".//section[@id='sheet-1']//tbody/tr")}
    for seat in summary.seats:
        row = rows[f"Line-up {seat.lineup} in seat {seat.seat} (balanced)"]
        assert f"{100 * seat.share:.1f} ± " in row
        assert f"{seat.vp:.2f} ± " in row
    assert all(str(escape(in_players_words(line))) in text for line in summary.assumptions)
    assert "1,200 games" in text
    known = [seat for seat in summary.seats if seat.against(summary.fair)]
    assert known
    assert text.count("than its share") == len(known)
    assert "The imbalance between line-ups" in text
    assert "wallsim run experiment.toml" in text
    assert str(tmp_path) not in text


@pytest.mark.parametrize("expansions", [(), "all"])
def test_points_by_source_add_up(expansions, tmp_path):
    run = play_run(Experiment(games=60, expansions=expansions), tmp_path / "run")
    rows = tree_of(page_of_folder.run_page(run)).findall(".//section[@id='sheet-2']//tbody/tr")
    for seat, row in zip(summarise(run).seats, rows, strict=True):
        each = [float(text_of(cell).partition(" ")[0].replace("−", "-")) for cell in row.findall("td")[1:]]
        assert sum(each) == pytest.approx(seat.vp, abs=0.05 * len(each))  # each is rounded


def test_a_run_of_few_games_makes_no_claim(tmp_path):
    few = play_run(Experiment(games=8, seed=4), tmp_path / "few")
    [line] = page_of_folder.takeaways(summarise(few))
    assert line.startswith("No seat is known to win more or less")
    assert "needed for intervals" in line
    assert page_of_folder.chart(summarise(few)) == ""
    assert "±" not in page_of_folder.run_page(few).split("<main>")[1].split("</main>")[0]


@pytest.fixture(scope="module")
def tournament(tmp_path_factory):
    """A finished tournament of two policies, with blocks enough for intervals."""
    design = Tournament(["random", "amateur"], Experiment(players=3, seed=3), 60)
    return play_tournament(design, tmp_path_factory.mktemp("tournament") / "ladder")


def test_the_page_on_a_tournament_has_its_ladder_and_its_looks(tournament, tmp_path):
    text = written(tournament.folder, tmp_path / "new" / "ladder.html")
    assert looks_of(tournament.folder, tournament.hash) == (60,)
    ladder = tree_of(text).find(".//section[@id='sheet-1']")
    names = [text_of(cell) for cell in ladder.iter("td")]
    assert [name for name in names if name in ("amateur", "random")] == ["amateur", "random"]
    assert len(ladder.findall(".//circle")) == 2
    assert "amateur ranks first" in text
    assert re.search(r"analysed once, at\s+60 blocks", text)
    assert written(tournament.folder, tmp_path / "again.html") == text


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
    text, result = written(scenarios, tmp_path / "scenarios.html"), compare_scenarios(Scenarios.open(scenarios))
    for contrast in result.comparisons["rich"].contrasts:
        assert f"<td>{number((100 if contrast.column == 'win' else 1) * contrast.second.value, 2)}</td>" in text
    assert re.search(r"<li>rich: line-up A: VP rises: \+\d", text)
    assert scenarios_page(result, str(scenarios)) == text
    assert command("compare", str(scenarios), "--html", str(tmp_path / "same.html")).exit_code == 0
    assert (tmp_path / "same.html").read_text("utf-8") == text


def test_what_has_no_page_is_refused(scenarios, tournament, tmp_path):
    file = tmp_path / "new" / "x.html"
    for folder in (scenarios, tournament.folder):
        assert "name a file that ends with .html" in refusal("report", str(folder), "--out", str(file.parent))
    assert "contains no run" in refusal("report", str(tmp_path), "--out", str(file))
    assert not file.parent.exists()


def test_texts_of_files_are_no_markup_in_a_page():
    sheet = Sheet("<s>", ("<p>",), [("<q>",)], ["<a>"])
    text = sheets_page(Page("<b>", ["<i>"], ["<u>"], [sheet], "<h1>", "<h2>", ["<h3>"]))
    assert not re.search("<(?:i|u|s|q|a|h3)>", text)
    assert "&lt;q&gt;" in text


def test_the_page_of_a_study_has_its_tables_and_ids(tmp_path):
    file, result = tmp_path / "casual.html", as_published(load_study("casual"))
    assert f"Open {file}" in command("study", "casual", "--report", str(file)).output
    text, tables = file.read_text("utf-8"), (result.page.table, result.page.tables)
    assert text == study_page(result)
    assert text.count('<table class="sortable">') == sum(each.count("\n| --- ") for each in tables)
    ids = set(re.findall(r'data-id="([^" ]+)"', text))
    assert ids
    assert ids <= set(result.figures)
    assert 'href="data/' not in text


@pytest.mark.parametrize("option", ["--page", "--publish", "--verify", "--all"])
def test_what_a_page_of_a_study_cannot_be_is_refused(option):
    study = ("casual",) if option != "--all" else ()
    words = refusal("study", *study, option, "--report", "x.html")
    assert f"--report: cannot be combined with {option}" in words
    assert "--report: x.txt: name a file that ends with .html" in refusal("study", "casual", "--report", "x.txt")
