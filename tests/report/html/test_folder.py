"""`wallsim report FOLDER`, the page on a run, and `wallsim study NAME --report`."""

import re

import pytest
from markupsafe import escape

from tests.analyses.numbers_of_pages import text_of, tree_of
from tests.cli.commands import done
from tests.refusals import assert_names
from wallsim.analyses.strategy_report.chapters import study_page
from wallsim.analysis.games.summary import summarise
from wallsim.experiment.experiment import Experiment
from wallsim.play.play import play_run
from wallsim.report.html import folder as page_of_folder
from wallsim.report.html.played import in_players_words
from wallsim.report.html.sheets import Page, sheets_page
from wallsim.report.tables.columns import Sheet
from wallsim.studies.catalogue import load_study
from wallsim.studies.publishing import as_published


def test_the_page_on_a_run_has_its_wins_points_and_assumptions(tmp_path):
    run = play_run(Experiment(games=1_200, seed=4), tmp_path / "run")  # one policy with the printed line-ups
    file, summary = tmp_path / "new" / "mine.html", summarise(run)
    assert str(file) in done("report", run.folder, "--out", file).output
    text = file.read_text("utf-8")
    rows = {text_of(row[0]): text_of(row) for row in tree_of(text).findall(".//section[@id='sheet-1']//tbody/tr")}
    for seat in summary.seats:
        row = rows[f"Line-up {seat.lineup} in seat {seat.seat} (balanced)"]
        assert f"{100 * seat.share:.1f} ± " in row
        assert f"{seat.vp:.2f} ± " in row
    assert all(str(escape(in_players_words(line))) in text for line in summary.assumptions)
    known = [seat for seat in summary.seats if seat.against(summary.fair)]
    assert known
    assert text.count("its share") == len(known)
    assert_names(text, "1,200 games", "imbalance", "run experiment.toml")
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
    assert_names(line, "No seat", "needed")
    assert page_of_folder.chart(summarise(few)) == ""
    assert "±" not in page_of_folder.run_page(few).split("<main>")[1].split("</main>")[0]


def test_texts_of_files_are_no_markup_in_a_page():
    sheet = Sheet("<s>", ("<p>",), [("<q>",)], ["<a>"])
    text = sheets_page(Page("<b>", ["<i>"], ["<u>"], [sheet], "<h1>", "<h2>", ["<h3>"]))
    assert not re.search("<(?:i|u|s|q|a|h3)>", text)
    assert "&lt;q&gt;" in text


def test_the_page_of_a_study_has_its_tables_and_ids(tmp_path):
    file, result = tmp_path / "casual.html", as_published(load_study("casual"))
    assert str(file) in done("study", "casual", "--report", file).output
    text, tables = file.read_text("utf-8"), (result.page.table, result.page.tables)
    assert text == study_page(result)
    assert text.count('<table class="sortable">') == sum(each.count("\n| --- ") for each in tables)
    ids = set(re.findall(r'data-id="([^" ]+)"', text))
    assert ids
    assert ids <= set(result.figures)
    assert 'href="data/' not in text
