"""The review of a game: its numbers are those of the trace, the odds and the register; its page is one safe file."""

import base64
import hashlib
import random
import re
from dataclasses import replace

import pytest

import wallsim
from tests.api.conftest import EXAMPLE
from tests.cli.commands import refusal
from tests.cli.commands import wallsim as command
from tests.refusals import assert_names, refused
from wallsim.analysis.battle.odds import Battle, battle_odds
from wallsim.api.game_review.chances import COVERED, chances_of, is_known, plausible_states
from wallsim.api.game_review.luck import battle_chances, luck_of
from wallsim.api.game_review.standing import winners_of
from wallsim.api.game_review.start import PLAYS, start_of
from wallsim.api.outlook import FIRST_KNOWN as FIRST
from wallsim.api.outlook import TABLES
from wallsim.api.review import SAMPLES, read_game, text_of_game
from wallsim.api.trace import traces
from wallsim.experiment.experiment import Experiment
from wallsim.rules.tower import load_tower
from wallsim.studies.figure import figure_id
from wallsim.studies.published import figures
from wallsim.trace.game_text.from_trace import game_of_trace
from wallsim.trace.game_text.model import START
from wallsim.trace.game_text.position import state_of

FORBIDDEN = ("blunder", "mistake", "accuracy", "inaccura", "best move", "you should")
PLAYED = Experiment(players=4, policies="casual", seed=3, games=20)


@pytest.fixture(scope="module")
def traced():
    return wallsim.trace(PLAYED, 5)


@pytest.fixture(scope="module")
def game(traced):
    """A game of which everything is known."""
    return game_of_trace(traced.match, traced)


def test_known_chances_are_those_of_the_outlook(traced, game):
    states = {state.after: state for state in traced.states()}
    chances = chances_of(game)
    assert [each.time for each in chances] == [time for time in states if time not in ("spring 1", "summer 1")]
    assert chances[0].time == FIRST
    for each in chances:
        assert each.known
        for table in TABLES:
            wins = [seat.wins for seat in wallsim.outlook(states[each.time], table)]
            assert [(one.wins, one.low, one.high) for one in each.chances[table]] == [(win, win, win) for win in wins]


def test_draws_change_only_what_is_unknown_and_are_repeated_by_a_seed(game):
    section = replace(game.sections["fall 1"], tray=None, events=None)
    row = section.rows[2]
    hidden = replace(row, grain=None, holdings=[replace(row.holdings[0], armies=None), *row.holdings[1:]])
    section.rows = {**section.rows, 2: hidden}
    truth = state_of(game, game.sections["fall 1"])
    draws = plausible_states(game, section, 30, 1)
    assert [each.record().tobytes() for each in draws] == [
        each.record().tobytes() for each in plausible_states(game, section, 30, 1)
    ]
    county = row.holdings[0].county
    for each in draws:
        same = {name: facts for name, facts in each.counties.items() if name != county}
        assert same == {name: facts for name, facts in truth.counties.items() if name != county}
        assert each.grain[:2] + each.grain[3:] == truth.grain[:2] + truth.grain[3:]
        assert (each.thalers, each.vp, each.tower) == (truth.thalers, truth.vp, truth.tower)
        assert len(each.events) == 1
    for values in ([each.grain[2] for each in draws], [each.counties[county]["armies"] for each in draws]):
        assert len(set(values)) > 1
    assert not is_known(game, section)


def test_of_unknown_events_those_of_later_seasons_lie_open_and_none_of_the_other_year(game):  # B1.8
    section = replace(game.sections["spring 1"], events=None)
    later = {*game.sections["summer 1"].events, *game.sections["fall 1"].events}
    other = {event for time, each in game.sections.items() if time.endswith("2") for event in each.events or ()}
    drawn = [each.events for each in plausible_states(game, section, 30, 1)]
    assert all(len(set(each)) == 3 and later < set(each) and not other & set(each) for each in drawn)
    assert len(set(map(tuple, drawn))) > 1


def test_a_seat_with_all_its_cubes_on_the_board_lends_none_to_the_tower(game):
    section = replace(game.sections["fall 1"], tray=None, inside=None)
    row = section.rows[0]
    full = 62 - (len(row.holdings) - 1)
    holdings = [replace(row.holdings[0], armies=full), *(replace(each, armies=None) for each in row.holdings[1:])]
    section.rows = {**section.rows, 0: replace(row, holdings=holdings)}
    for each in plausible_states(game, section, 5, 1):
        assert each.record()[0].supply[0] == 0
        assert each.tower["0"] == each.tray["0"] == 0


def test_luck_adds_up_the_odds_of_each_seat(game):
    chances = battle_chances(game)
    luck = luck_of(game, chances)
    assert len(chances) == len(game.battles)
    for seat in range(4):
        mine = [each for each in chances if each.battle.attacker == seat]
        theirs = [each for each in chances if each.battle.defender == seat]
        expected = sum(each.win for each in mine) + sum(each.hold for each in theirs)
        assert luck[seat].expected == pytest.approx(expected)
        assert luck[seat].battles == len(mine) + len(theirs)
        assert luck[seat].low <= luck[seat].expected <= luck[seat].high
    assert sum(each.battles for each in luck.values()) == sum(
        (each.attacker is not None) + (each.defender is not None) for each in game.battles
    )


def test_marked_counties_have_the_odds_without_peasants(game):
    [one] = [each for each in game.battles if each.kind == "player"][:1]
    pair = [replace(one, marked=marked) for marked in (False, True)]
    free, marked = battle_chances(replace(game, battles=pair))
    assert free.win < marked.win  # peasants in the tower help the owner
    empty = battle_odds(load_tower(), Battle(one.attackers, one.defenders))
    assert free.win + free.tie + free.hold == pytest.approx(1)
    assert 0 < empty.win < 1


def test_the_worth_of_the_start_is_that_of_the_register(game):
    table = dict(figures("lineups.wins.4p.*").select("id", "value").iter_rows())
    for seat, start in start_of(game).seats.items():
        letter = game.sections["start"].rows[seat].lineup
        for play in PLAYS:
            key = figure_id("lineups", "wins", letter, players=4, play=play)
            assert start.values[play].startswith(f"{table[key]:.1f} ± ")
    rows = game.sections["start"].rows
    drafted = replace(game, sections={"start": replace(game.sections["start"], rows={
        seat: replace(row, lineup="") for seat, row in rows.items()})})  # fmt: skip
    worths = dict(figures("draft.worth-by-play.4p.*").select("id", "value").iter_rows())
    for seat, start in start_of(drafted).seats.items():
        keys = [
            figure_id("draft", "worth-by-play", each.county, players=4, play="casual") for each in rows[seat].holdings
        ]
        assert start.values["casual"] == f"{sum(worths[key] for key in keys):+.1f} VP".replace("-", "−")
    assert "base game" in start_of(replace(game, expansions=("court",))).missing


def test_ties_in_points_are_broken_by_thalers(game):  # B7.6
    end = game.sections["winter 2"]
    rows = {seat: replace(row, vp=40, thalers=thalers) for (seat, row), thalers in zip(end.rows.items(), (3, 5, 5, 1))}  # noqa: B905

    def won(rows):
        return winners_of(replace(game, sections={**game.sections, "winter 2": replace(end, rows=rows)}))

    assert won(rows) == (1, 2)
    assert won({**rows, 3: replace(rows[3], vp=41)}) == (3,)
    assert won({**rows, 3: replace(rows[3], vp=None)}) == ()


def test_the_page_shows_the_numbers_of_the_review(found, page):
    for season in found.chances:
        for table in TABLES:
            for each in season.chances[table]:
                assert f"<td>{100 * each.wins:.0f} ({100 * each.low:.0f}–{100 * each.high:.0f})</td>" in page
    for each in found.luck.values():
        assert f"<td>{each.expected:.1f} ({each.low:.1f}–{each.high:.1f})</td>" in page
    for start in found.start.seats.values():
        assert all(f"<td>{text}</td>" in page for text in start.values.values())
    for points in found.points.values():
        assert all(f"<td>{each.total}</td><td>{each.tie_cost}</td>" in page for each in points)
    assert_names(page, "A (Red) won", "3 points ahead")


def test_the_page_judges_nobody_and_says_that_bots_played(page):
    words = re.sub(r"<[^>]+>", " ", page).lower()
    assert not [word for word in FORBIDDEN if word in words]
    assert "bots, not people" in words
    assert_names(
        words, f"before {FIRST} no probability", "(dots; casual-4p)", "(squares; master-4p, scholar-4p, expert-4p)"
    )


def test_the_page_allows_its_own_style_and_script_alone(page):
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', page)[1].replace("&#39;", "'")
    for tag in ("style", "script"):
        [inside] = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.S)
        digest = base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert not re.search(r"https?:|url\(|@import|\bstyle=|\bon\w+=", page)


def test_a_game_with_expansions_has_points_and_battles_but_no_chances(tmp_path):
    file = tmp_path / "g.txt"
    file.write_text(text_of_game(Experiment(players=5, policies="random", expansions="all", games=3), 2), "utf-8")
    review = wallsim.review(file)
    page = review.page()
    assert review.chances == []
    assert_names(page, "No win probabilities: ", "court, landsknechte, leaders", "No comparison with")
    assert page.count("<th>expansions</th>") == 2
    for time, points in review.points.items():
        before = 0 if time == "winter 1" else review.points["winter 1"][0].total
        assert review.game.sections[time].rows[0].vp >= points[0].total + before


def test_names_cannot_write_html(tmp_path):
    text = text_of_game(PLAYED, 5).replace("A: casual", "A: <b>&\x1b[1m").replace("game: game", "game: </title>")
    (tmp_path / "g.txt").write_text(text, "utf-8")
    page = wallsim.review(tmp_path / "g.txt").page()
    assert "<b>" not in page
    assert "&lt;b&gt;&amp;" in page
    assert page.count("</title>") == 1


def test_the_same_game_and_seed_give_the_same_bytes(page, tmp_path):
    out = tmp_path / "new" / "page.html"
    assert str(out) in command("review", str(EXAMPLE), "--out", str(out)).output
    assert out.read_text("utf-8") == page


def test_the_command_refuses_what_it_cannot_do(tmp_path):
    bad = tmp_path / "bad.txt"
    bad.write_text(EXAMPLE.read_text("utf-8").replace("Lün5", "Lyn5").replace("Hol4pc!", "Hol4ppt"), "utf-8")
    for words in (("review", str(bad), "--check"), ("review", str(bad), "--out", str(tmp_path / "p.html"))):
        lines = refusal(*words).splitlines()
        assert len(lines) >= 2
        assert all(re.match(rf"{re.escape(str(bad))}:[0-9]+:[0-9]+: ", line) for line in lines)
    assert not (tmp_path / "p.html").exists()
    (few := tmp_path / "few.txt").write_text("scores: 45 38\n", "utf-8")
    for words, name in (
        ((few, "--check"), "players: is missing"), ((), "one of them"),
        ((EXAMPLE, "--out", tmp_path / "p.txt"), "ends with .html"),
        ((EXAMPLE, "--samples", 3), "200 to"), (("--from", tmp_path, "--check"), "--check"),
        (("--from", "analyses/first_look/experiment.toml", "--game", -1), '--game: "-1"'),
    ):  # fmt: skip
        assert name in refusal("review", *map(str, words))
    assert "numbers unknown" in command("review", str(EXAMPLE), "--check").output
    tower = tmp_path / "tower.txt"
    tower.write_text(EXAMPLE.read_text("utf-8").replace("A: Red", "tower: babel\nA: Red"), "utf-8")
    with refused("tower.txt:4:8: ", "babel"):
        read_game(tower)


def test_a_simulated_game_is_written_as_text(tmp_path):
    out, source = tmp_path / "g.txt", "analyses/first_look/experiment.toml"
    assert command("review", "--from", source, "--game", "3", "--out", str(out)).exit_code == 0
    assert (read_game(out).players, "line-up A" in out.read_text("utf-8")) == (4, True)


LATER = ("fall 1", "winter 1", "spring 2", "summer 2", "fall 2")
LEAST = 0.9  # share of chances that bands must hold


def hidden(game, rng):
    """The same game with one season end, where nobody knows tray, tower and events, and some other numbers."""
    time = rng.choice(LATER)
    section = game.sections[time]
    rows = {}
    for seat, row in section.rows.items():
        holdings = [replace(each, armies=None) if rng.random() < 0.3 else each for each in row.holdings]
        known = {name: None for name in ("grain", "thalers") if rng.random() < 0.3}
        rows[seat] = replace(row, holdings=holdings, **known)
    unknown = replace(section, rows=rows, tray=None, inside=None, events=None)
    return replace(game, sections={START: game.sections[START], time: unknown}), time


def coverage(games, players, seed):
    """The share of chances of all facts that lie in the bands, by kind of table."""
    experiment = Experiment(players=players, policies="casual", setup="draft", seed=seed, games=games)
    rng, inside, cases = random.Random(seed), dict.fromkeys(TABLES, 0), 0
    for events in traces(experiment, range(games)):
        game = game_of_trace(events.match, events)
        unknown, time = hidden(game, rng)
        [truth] = chances_of(replace(game, sections={time: game.sections[time]}))
        [band] = chances_of(unknown)
        assert truth.known
        assert not band.known
        cases += players
        for table in TABLES:
            pairs = zip(truth.chances[table], band.chances[table], strict=True)
            inside[table] += sum(each.low <= true.wins <= each.high for true, each in pairs)
    return {table: count / cases for table, count in inside.items()}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("games", "players", "least"),
    [
        pytest.param(3, 3, 0.5, marks=pytest.mark.one_in(2)),
        pytest.param(100, 4, LEAST, marks=pytest.mark.one_in(8)),
        *(pytest.param(100, players, LEAST, marks=pytest.mark.nightly) for players in (3, 5)),
    ],
)
def test_bands_hold_the_chances_of_nine_games_in_ten(games, players, least):
    assert (SAMPLES >= 200, COVERED >= LEAST) == (True, True)
    assert min(coverage(games, players, 72).values()) >= least
