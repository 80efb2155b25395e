"""The pages on scenarios, on two runs and on a tournament as a designer reads and hands them on."""

import base64
import re
from html import unescape
from pathlib import Path

import pytest

from tests.analyses.numbers_of_pages import text_of, tree_of
from tests.cli.commands import done
from tests.refusals import assert_names
from wallsim.analysis.contrasts.scenarios import compare_scenarios, fairness
from wallsim.analysis.tournament.results import judge
from wallsim.experiment.experiment import Experiment
from wallsim.folder.interim_analyses import looks_of
from wallsim.folder.scenarios import Scenarios
from wallsim.play.scenarios.file import load_experiments
from wallsim.play.shared_experiment import FILE
from wallsim.play.tournament.play import play_tournament
from wallsim.play.tournament.tournament import Tournament
from wallsim.report.html.comparison import fairness_lines, scenarios_page, value_in_words
from wallsim.report.html.folder import tournament_page
from wallsim.report.html.played import in_players_words
from wallsim.report.tables.estimates import number

TEXT = """
policies = "casual-4p"
games = 1500
[scenario.printed]
[scenario.poor]
thalers = { A = 0, B = 40 }
[scenario.thalers]
thalers = { A = 8, D = 19 }
[scenario.exchange]
lineup.A.exchange = { Baden = "Breisgau", Anhalt = "Vogtland" }
lineup.D.exchange = { Vogtland = "Anhalt" }
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Scenarios with line-ups that are played again in no time."""
    path = tmp_path_factory.mktemp("designer")
    (path / "x.toml").write_text(TEXT, "utf-8")
    done("run", path / "x.toml", "--out", path / "out")
    return path / "out"


def page_of(folder, to=None):
    return scenarios_page(compare_scenarios(Scenarios.open(folder), to), folder)


def saved(page, folder):
    """The file that the link of a page saves."""
    [data] = re.findall(rf'download="{FILE}" href="data:application/octet-stream;base64,([^"]+)"', page)
    (folder / FILE).write_bytes(base64.b64decode(unescape(data)))
    return folder / FILE


def test_imbalance_before_and_after_comes_first_and_the_fairest_scenario_on_top(folder):
    page, found = page_of(folder), fairness(compare_scenarios(Scenarios.open(folder)))
    first = re.search(r"<li>(.*?)</li>", page)[1]
    assert value_in_words(found.baseline) in first
    assert value_in_words(found.ranked[0]) in first
    order = [each.scenario for each in found.ranked]
    assert re.findall(r'<article class="mini"><h3>([^<]+)', page) == order
    table = page.split("<tbody>")[1].split("</tbody>")[0]
    assert re.findall(r"<tr><td>([^<]+)", table) == order
    known = [each.scenario for each in found.fairest if each in found.known(-1)]
    assert known
    assert f"<h1>Fairer than printed: {', '.join(known)}</h1>" in page
    assert [each.scenario for each in found.known(1)] == ["poor"]
    assert any(line.endswith(" than printed: poor.") for line in fairness_lines(found))


def test_all_contrasts_are_there_and_both_commands_write_the_same_page(folder, tmp_path):
    page, result = page_of(folder), compare_scenarios(Scenarios.open(folder))
    for contrast in (each for one in result.comparisons.values() for each in one.contrasts):
        assert f"<td>{number((100 if contrast.column == 'win' else 1) * contrast.second.value, 2)}</td>" in page
    done("report", folder, "--out", tmp_path / "report.html")
    done("compare", folder, "--html", tmp_path / "compare.html")
    for name in ("report.html", "compare.html"):
        assert (tmp_path / name).read_text("utf-8") == page


def test_every_scenario_has_a_chart_with_a_dot_for_each_line_up_on_one_axis(folder):
    charts = re.findall(r'<svg class="dots".*?</svg>', page_of(folder).split('id="panels"')[1].split("</section>")[0])
    assert [chart.count("<circle") for chart in charts] == [4] * 4
    assert len({re.search(r'class="fair" d="M(\d+)', chart)[1] for chart in charts}) == 1


def test_what_changed_is_in_words_and_what_was_played_is_named(folder):
    page = page_of(folder)
    assert_names(page, "<p>A: Vogtland in place", "Breisgau in place of Baden</p>", "<p>D: 19 starting Thalers")
    rests = page.split('id="assumed"')[1]
    played = {"Bots": "casual-4p", "Tower": "spielbyweb", "Games": "1,500"}
    assert_names(rests, *(f"<dt>{name}</dt><dd>{words}" for name, words in played.items()))
    assert_names(rests, "line-ups, A, D edited", "not people: casual-4p")


def test_the_page_plays_itself_again_and_names_no_folder(folder, tmp_path):
    page = page_of(folder, to="thalers")
    assert str(folder.parent) not in page
    assert str(Path.cwd()) not in page
    again = load_experiments(saved(page, tmp_path)).experiments
    runs = Scenarios.open(folder).runs
    assert {name: each.hash() for name, each in again.items()} == {name: run.hash for name, run in runs.items()}
    assert next(iter(again)) == "thalers"  # the baseline is the first one, as the commands of the page need it
    shown = unescape(re.search(r'<pre tabindex="0" id="experiment">(.*?)</pre>', page, re.DOTALL)[1])
    assert shown == (tmp_path / FILE).read_text("utf-8")


def test_two_runs_have_their_imbalance_and_play_themselves_again(folder, tmp_path):
    runs = [folder / f"scenario={name}" for name in ("printed", "exchange")]
    done("compare", *runs, "--html", tmp_path / "two.html")
    page = (tmp_path / "two.html").read_text("utf-8")
    assert "A: Vogtland in place" in page
    assert re.search(r"<li>Imbalance: \d+\.\d \(.*? to .*?\) percentage points in A, ", page)
    assert str(folder.parent) not in page
    again, opened = load_experiments(saved(page, tmp_path)).experiments, Scenarios.open(folder).runs
    assert [each.hash() for each in again.values()] == [opened["printed"].hash, opened["exchange"].hash]


def test_runs_of_different_length_name_no_folder_either(folder, tmp_path):
    done("run", "--games", 40, "--policies", "casual-4p", "--out", tmp_path / "short")
    done("compare", tmp_path / "short", folder / "scenario=printed", "--html", tmp_path / "two.html")
    page = (tmp_path / "two.html").read_text("utf-8")
    assert_names(page, "A has 40 games", "B 1,500")
    assert str(tmp_path) not in page


def page_of_file(folder, text):
    """The page on the scenarios of a file, which are played."""
    (folder / "x.toml").write_text(text, "utf-8")
    done("run", folder / "x.toml", "--out", folder / "out")
    return page_of(folder / "out")


def test_scenarios_without_line_ups_are_listed_with_their_changes_and_what_is_known_of_them(tmp_path):
    head = 'policies = "random"\ngames = 150\nsetup = "draft"\n[scenario.a]\n'
    more = "".join(f"[scenario.points-{points}]\namounts.county_points = {points}\n" for points in (0, 2))
    page = page_of_file(tmp_path, head + more)
    assert_names(page, "<h1>Scenarios compared</h1>", "<p>county_points: 1 → 2</p>", "Wins by seat")
    known = re.findall(r"<li>points-(\d): [^<]* (rises|falls): ([+−])", page)
    assert {*known} == {("0", "falls", "−"), ("2", "rises", "+")}


def test_few_games_make_no_scenario_fairer(tmp_path):
    page = page_of_file(tmp_path, TEXT.replace("1500", "20"))
    assert "<h1>No scenario" in page
    assert "<svg" not in page


POLICIES = ["builder", "random", "casual-4p"]


@pytest.fixture(scope="module")
def cup(tmp_path_factory):
    table = Experiment(seed=5, lineup={"B": {"exchange": {"Tirol": "Burgund"}}}, amounts={"palace_price": 4})
    design = Tournament(POLICIES, table, 120)
    return play_tournament(design, tmp_path_factory.mktemp("cup") / "cup", workers=1)


def test_a_tournament_says_what_was_changed_and_plays_itself_again(cup, tmp_path):
    page = tournament_page(cup, judge(cup), (120,))
    assert_names(page, "B: Burgund in place of Tirol", "palace_price: 3 → 4", "<h1>builder ranks first")
    assert_names(page, "tournament builder,casual-4p,random", "--experiment experiment.toml", "--blocks 120")
    assert str(cup.folder.parent) not in page
    table = load_experiments(saved(page, tmp_path))
    assert Tournament(["builder", "casual-4p", "random"], table, 120).identity() == cup.identity


def test_a_tournament_has_its_ladder_and_its_looks(cup, tmp_path):
    done("report", cup.folder, "--out", tmp_path / "new" / "cup.html")
    page = (tmp_path / "new" / "cup.html").read_text("utf-8")
    assert page == tournament_page(cup, judge(cup), looks_of(cup.folder, cup.hash))
    ladder = tree_of(page).find(".//section[@id='sheet-1']")
    names = [text_of(cell) for cell in ladder.iter("td")]
    assert [name for name in names if name in POLICIES] == list(judge(cup).ratings.policies)
    assert len(ladder.findall(".//circle")) == 3
    assert_names(page, "analysed once", "120 blocks")


def test_a_tournament_has_wins_by_line_up_and_the_share_of_skill(cup):
    findings = judge(cup)
    page = tournament_page(cup, findings, (120,))
    charts = re.findall(r"<h3>([^<]+)</h3>", page.split('id="panels"')[1].split("</section>")[0])
    assert charts[:2] == ["All bots", "builder"]
    assert_names(page, "Skill: ", f" {100 * findings.skill.share('policy'):.1f} %")
    assert not re.search(r"\bpolic(y|ies)\b", re.sub(r"<(style|head|code|pre).*?</\1>", "", page, flags=re.DOTALL))


def test_only_our_own_words_become_those_of_players():
    assert in_players_words("Each policy, policies/policy.toml") == "Each bot, policies/policy.toml"
    assert in_players_words("my-policy; both policies.") == "my-policy; both bots."
