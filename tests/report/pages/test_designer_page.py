"""The pages on scenarios, on two runs and on a tournament as a designer reads and hands them on."""

import base64
import re
from html import unescape
from pathlib import Path

import pytest

from tests.cli.test_games import wallsim as command
from wallsim.analysis.contrasts.scenarios import compare_scenarios, fairness
from wallsim.analysis.tournament.results import judge
from wallsim.experiment.experiment import Experiment
from wallsim.folder.scenarios import Scenarios
from wallsim.play.scenarios.file import load_experiments
from wallsim.play.shared_experiment import FILE
from wallsim.play.tournament.play import play_tournament
from wallsim.play.tournament.tournament import Tournament
from wallsim.report.html.comparison import scenarios_page, value_in_words
from wallsim.report.html.folder import tournament_page
from wallsim.report.html.played import in_players_words

TEXT = """
policies = "casual-4p"
games = 1500
[scenario.printed]
[scenario.poor]
thalers = { A = 2 }
[scenario.thalers]
thalers = { A = 8, C = 19 }
[scenario.exchange]
lineup.A.exchange = { Baden = "Breisgau", Anhalt = "Vogtland" }
lineup.D.exchange = { Vogtland = "Anhalt" }
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Scenarios with line-ups that are played again in no time."""
    path = tmp_path_factory.mktemp("designer")
    (path / "x.toml").write_text(TEXT, "utf-8")
    result = command("run", str(path / "x.toml"), "--out", str(path / "out"))
    assert result.exit_code == 0, result.output
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


def test_every_scenario_has_a_chart_with_a_dot_for_each_line_up_on_one_axis(folder):
    charts = re.findall(r'<svg class="dots".*?</svg>', page_of(folder).split('id="panels"')[1].split("</section>")[0])
    assert [chart.count("<circle") for chart in charts] == [4] * 4
    assert len({re.search(r'class="fair" d="M(\d+)', chart)[1] for chart in charts}) == 1


def test_what_changed_is_in_words_and_what_was_played_is_named(folder):
    page = page_of(folder)
    assert "<p>A: Vogtland in place of Anhalt, Breisgau in place of Baden</p>" in page
    assert "<p>C: 19 starting Thalers in place of 15</p>" in page
    rests = page.split('id="assumed"')[1]
    for name, words in {
        "Bots": "casual-4p",
        "Tower": "spielbyweb",
        "Board": "that of the game",
        "Games": "1,500",
    }.items():
        assert re.search(rf"<dt>{name}</dt><dd>{words}", rests)
    assert "exchange: line-ups, A, D edited" in rests
    assert "Bots played, not people: casual-4p." in rests


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
    file = tmp_path / "two.html"
    runs = [str(folder / f"scenario={name}") for name in ("printed", "exchange")]
    assert command("compare", *runs, "--html", str(file)).exit_code == 0
    page = file.read_text("utf-8")
    assert "Changed: A: Vogtland in place of Anhalt" in page
    assert re.search(r"<li>Imbalance: \d+\.\d \(.*? to .*?\) percentage points in A, ", page)
    assert str(folder.parent) not in page
    again = load_experiments(saved(page, tmp_path)).experiments
    opened = Scenarios.open(folder).runs
    assert [each.hash() for each in again.values()] == [opened["printed"].hash, opened["exchange"].hash]


def test_runs_of_different_length_name_no_folder_either(folder, tmp_path):
    short, file = tmp_path / "short", tmp_path / "two.html"
    assert command("run", "--games", "40", "--policies", "casual-4p", "--out", str(short)).exit_code == 0
    assert command("compare", str(short), str(folder / "scenario=printed"), "--html", str(file)).exit_code == 0
    page = file.read_text("utf-8")
    assert "A has 40 games, B 1,500." in page
    assert str(tmp_path) not in page


def test_scenarios_without_line_ups_are_listed_with_their_changes(tmp_path):
    text = 'policies = "random"\ngames = 80\nsetup = "draft"\n[scenario.a]\n[scenario.b]\nrules.combat = "may"\n'
    (tmp_path / "x.toml").write_text(text, "utf-8")
    assert command("run", str(tmp_path / "x.toml"), "--out", str(tmp_path / "out")).exit_code == 0
    page = page_of(tmp_path / "out")
    assert "<h1>Scenarios compared</h1>" in page
    assert "<p>combat: must → may</p>" in page
    assert "Wins by seat and scenario" in page


def test_few_games_make_no_scenario_fairer(tmp_path):
    (tmp_path / "x.toml").write_text(TEXT.replace("1500", "20"), "utf-8")
    assert command("run", str(tmp_path / "x.toml"), "--out", str(tmp_path / "out")).exit_code == 0
    page = page_of(tmp_path / "out")
    assert "<h1>No scenario is known to be fairer than printed</h1>" in page
    assert "<svg" not in page


@pytest.fixture(scope="module")
def cup(tmp_path_factory):
    table = Experiment(seed=5, lineup={"B": {"exchange": {"Tirol": "Burgund"}}}, amounts={"palace_price": 4})
    design = Tournament(["builder", "random", "casual-4p"], table, 120)
    return play_tournament(design, tmp_path_factory.mktemp("cup") / "cup", workers=1)


def test_a_tournament_says_what_was_changed_and_plays_itself_again(cup, tmp_path):
    page = tournament_page(cup, judge(cup), (120,))
    assert "Changed from the printed game: B: Burgund in place of Tirol; palace_price: 3 → 4." in page
    assert "<h1>builder ranks first of 3 bots</h1>" in page
    assert "wallsim tournament builder,casual-4p,random --experiment experiment.toml --blocks 120" in page
    assert str(cup.folder.parent) not in page
    table = load_experiments(saved(page, tmp_path))
    assert Tournament(["builder", "casual-4p", "random"], table, 120).identity() == cup.identity


def test_a_tournament_has_wins_by_line_up_and_the_share_of_skill(cup):
    findings = judge(cup)
    page = tournament_page(cup, findings, (120,))
    charts = re.findall(r"<h3>([^<]+)</h3>", page.split('id="panels"')[1].split("</section>")[0])
    assert charts[:2] == ["All bots", "builder"]
    assert f"Skill: the choice of the bot makes {100 * findings.skill.share('policy'):.1f} %" in page
    assert not re.search(r"\bpolic(y|ies)\b", re.sub(r"<(style|head|code|pre).*?</\1>", "", page, flags=re.DOTALL))


def test_only_our_own_words_become_those_of_players():
    text = "Each policy plays policies/policy.toml and my-policy; both policies."
    assert in_players_words(text) == "Each bot plays policies/policy.toml and my-policy; both bots."
