"""The study `tower` plays its design, and measures its tables, pairs of policies, and what a defender is worth."""

from collections import Counter
from math import isnan, nan
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest

from tests.analyses.studies import LINES, hashes_of, look, published
from tests.refusals import refused
from wallsim.analyses.tower import played, study
from wallsim.analyses.tower.played import ATTACKERS, DEFENDERS, attacks_of, gain_as_met, recast, typical_mix, versus
from wallsim.analyses.tower.study import OUTCOMES
from wallsim.analysis.battle.odds import Battle, Cubes, battle_odds
from wallsim.analysis.claims.cells import SETUPS, TOWERS, Cell, default_plays
from wallsim.experiment.experiment import Experiment
from wallsim.experiment.file import load_experiment
from wallsim.folder.results import Run
from wallsim.play.play import play_run
from wallsim.rules.tower import load_tower
from wallsim.stats.blocks import block_ratio
from wallsim.stats.intervals import Confidence
from wallsim.studies.catalogue import load_study
from wallsim.studies.figure import quantity_of
from wallsim.studies.scope import THREE_TABLES
from wallsim.studies.study import Choices
from wallsim.studies.two_lines import Plays
from wallsim.trace.match import Match

GAMES = 40
PLAYS = default_plays("builder", "banker")
FORM = (len(ATTACKERS), len(DEFENDERS))  # of the counts of battles in a game
OTHER_GAMES = 10  # a quarter: blocks of the plays that are not the middling one
FEW_TOWERS = {name: TOWERS[name] for name in ("spielbyweb", "mid")}  # of nine, so that the tests are quick


def test_every_table_and_pair_meets_every_tower_and_every_play_both_set_ups():
    tables = played.experiments(Plays(GAMES, PLAYS))
    policies = {play.name: play.policy for play in PLAYS}
    home = {Cell(name, study.BASELINE, setup) for name in (*policies, *played.PAIRS) for setup in SETUPS}
    seen = {cell[::2] for cell in (*THREE_TABLES, study.HOME)} | {(pair, "lineup") for pair in played.PAIRS}
    assert set(tables) == home | {Cell(name, tower, setup) for name, setup in seen for tower in TOWERS}
    for cell, seated in tables.items():
        middling, alike, seats = cell.play == "middling", cell.play in policies, Counter()
        for name, experiment in seated.items():
            assert (experiment.games, experiment.battles) == (GAMES if middling or not alike else OTHER_GAMES, middling)
            assert (experiment.tower, experiment.setup, experiment.seed) == (cell.tower, cell.setup, 2026)
            one, other = (policies[cell.play],) * 2 if alike else played.PAIRS[cell.play]
            assert [*experiment.policies] == [one if str(seat) in name else other for seat in range(4)]
            seats.update(name)
        assert seats == (Counter("alike") if alike else dict.fromkeys("0123", 3))  # each has every seat equally often
    assert load_experiment(played.EXPERIMENT).tower == study.BASELINE


@pytest.mark.one_in(4, "file")
def test_estimates_are_those_of_the_tables(tmp_path, monkeypatch):
    for module in (played, study):
        monkeypatch.setattr(module, "TOWERS", FEW_TOWERS)
    folder, printed = tmp_path, look("tower", tmp_path, GAMES, quick=False, **LINES).text
    assert hashes_of(folder) == {
        (cell.play.replace(" ", "-"), cell.tower, cell.setup, name): experiment.hash()
        for cell, tables in played.experiments(Plays(GAMES, PLAYS)).items() for name, experiment in tables.items()
    }  # fmt: skip
    drafted = Run.open(folder / "strong" / "mid" / "draft" / "alike")
    assert set(played.of_table(drafted)) == set(list(OUTCOMES)[:5])  # without line-up A
    run = Run.open(folder / "middling" / "mid" / "lineup" / "alike")
    seats = run.scan("seats").collect()
    won, made = seats["attacks_on_players_won"].sum(), seats["attacks_on_players"].sum()
    lost = seats["times_attacked_lost"].sum() + seats["revolts_lost"].sum()
    spread = [points.max() - points.min() for points in seats["vp"].to_numpy().reshape(GAMES, 4)]
    assert {name: each.value for name, each in played.of_table(run).items()} == pytest.approx({
        "success against players": 100 * won / made,
        "attacks on players": made / GAMES,
        "success against neutrals": 100 * (seats["attacks_won"].sum() - won) / (seats["attacks"].sum() - made),
        "counties changing hands": lost / GAMES,
        "first above last": sum(spread) / GAMES,
        "line-up A": 100 * seats.filter(seat=0)["win"].sum() / GAMES,
    })  # fmt: skip
    assert f"| `mid` | {GAMES} | {lost / GAMES:.2f} |" in printed  # too few blocks for so many intervals


def test_recasts_are_enough_for_intervals_of_all_comparisons():
    """The study has 42 cells of outcomes, fewer of some, and compares every outcome by all pairs of towers."""
    every, whole = Confidence(0.95, 6 * 42 + 21 + 4 * 10 + len(OUTCOMES) * (36 + 1)), load_experiment(played.EXPERIMENT)
    assert played.recasts(whole) >= played.MIN_RECAST >= every.min_blocks <= whole.games / played.OTHERS


def test_what_has_no_interval_is_hollow_in_the_picture():
    def changed(row):
        return {"low": nan, "high": nan} if row.tower == "rulebook" and quantity_of(row.id) == "outcome" else {}

    tower = load_study("tower")
    axes = tower.picture(published("tower", changed), tower.design(Choices())).axes[0]
    faces = [line.get_markerfacecolor() for line in axes.lines if line.get_marker() in ("o", "s", "^")]
    assert [face == "white" for face in faces] == [name == "rulebook" for name in TOWERS]
    assert len(axes.containers) == len(TOWERS) - 1
    tower.picture(published("tower", lambda _: dict.fromkeys(("value", "low", "high"), nan)), tower.design(Choices()))


def seatings(one, other):
    """One policy per seat, in every way that the study plays."""
    return [[one if seat in seats else other for seat in range(4)] for seats in played.SEATINGS]


def planted(policies, wins, points):
    """What `versus` asks of a run: its seats win and score as given, [games, seats] each."""
    games = len(wins)
    rows = pl.LazyFrame(
        {"game": np.repeat(np.arange(games), 4), "policy": list(policies) * games, "win": wins.ravel(),
         "vp": points.ravel()},
        schema_overrides={"vp": pl.Int16, "win": pl.Float32},
    )  # fmt: skip
    return SimpleNamespace(manifest={"games": games}, scan=lambda _: rows)


def test_planted_wins_and_points_come_back():
    """Seat 0 is good for 9 points and wins; policy a is worth 4 points and nothing else."""
    rng, runs = np.random.default_rng(1), []
    for policies in seatings("a", "b"):
        points = rng.integers(40, 50, (400, 4)) + [9, 0, 0, 0] + 4 * np.array([name == "a" for name in policies])
        runs.append(planted(policies, np.tile([0.5, 0.25, 0.25, 0.0], (400, 1)), points))
    win, ahead = versus(runs, "a")
    assert win.value == pytest.approx(0.5)
    assert win.interval(Confidence()) is None  # no block differed
    low, high = ahead.interval(Confidence(0.997))
    assert low < 4 < high
    assert high - low < 0.8
    theirs, behind = versus(runs, "b")
    assert (win.value + theirs.value, behind.value) == pytest.approx((1, -ahead.value))
    assert (win.blocks, ahead.blocks) == (400, 400)


def fights(rng, chance, most=6, games=800):
    """Battles by game and size, and those held, where `chance` has the form FORM."""
    fought = rng.integers(0, most, (games, *FORM))
    return fought.astype(float), rng.binomial(fought, chance).astype(float)


def traced(experiment, games):
    """The first games of an experiment: their numbers, what is known of them, and their logs."""
    parts, arena = experiment.components(), experiment.arena()
    for game in range(games):
        yield game, Match(parts.board, parts.ruleset, parts.tower, 5, experiment.policies, game), arena.trace(game)


def test_a_planted_gain_comes_back_as_often_as_the_interval_says():
    rng, covered = np.random.default_rng(2), 0
    chance = 0.3 - 0.03 * np.arange(FORM[0])[:, None] + 0.07 * np.arange(FORM[1])
    for _ in range(150):
        fought, held = fights(rng, chance, games=100)
        low, high = gain_as_met(fought, held, typical_mix([fought])).interval(Confidence())
        covered += low <= 0.07 <= high
    assert 0.89 * 150 < covered < 0.99 * 150


def test_the_same_mix_is_asked_of_every_condition():
    """Two conditions with the same chances but other attackers: their gains are equal, the plain differences not."""
    rng = np.random.default_rng(3)
    chance = 0.6 - 0.1 * np.arange(FORM[0])[:, None] * np.ones(FORM[1]) + [0.0, 0.1, 0.15]
    one, other = fights(rng, chance), fights(rng, chance)
    for values in one:
        values[:, 4:, :1] = 0  # here the strong attack only where many defend
    one[0][:, 4:, :1], one[1][:, 4:, :1] = 1, rng.random((800, 2, 1)) < chance[4:, :1]
    mix = typical_mix([one[0], other[0]])
    gains = [gain_as_met(*fight, mix) for fight in (one, other)]
    assert [gain.value for gain in gains] == pytest.approx([0.075] * 2, abs=0.03)
    assert mix.sum() == pytest.approx(1)
    plain = [held.sum(axis=(0, 1))[:2] / fought.sum(axis=(0, 1))[:2] for fought, held in (one, other)]
    assert abs(np.diff(plain[0]) - np.diff(plain[1])) > 0.03


def test_a_size_that_never_occurred_has_no_gain():
    fought, held = fights(np.random.default_rng(4), np.full(FORM, 0.2))
    mix = typical_mix([fought])
    fought[:, 2, 1] = held[:, 2, 1] = 0
    assert isnan(gain_as_met(fought, held, mix).value)
    mix[2] = 0
    assert not isnan(gain_as_met(fought, held, mix).value)


def test_battles_are_counted_by_size_as_the_table_has_them(tmp_path):
    run = play_run(Experiment(games=150, seed=8, battles=True), tmp_path / "run", workers=1)
    fought, held = played.battles_by_size(run)
    rows = run.scan("battles").filter(pl.col("kind").cast(pl.String) == "player").collect()
    for attackers, defenders in ((4, 1), (5, 2), (8, 3)):
        these = rows.filter(engaged_attacker=attackers, engaged_defender=defenders)
        place = (slice(None), ATTACKERS.index(attackers), DEFENDERS.index(defenders))
        assert fought[place].sum() == these.height
        assert held[place].sum() == (these["result"].cast(pl.String) == "defender").sum()
    game = int(rows["game"][0])
    assert fought[game].sum() <= rows.filter(game=game).height
    assert 1000 < fought.sum() < rows.height


@pytest.mark.parametrize("tower", ["spielbyweb", "spielbyweb-urn", "mid-layered", "rulebook"])
def test_attacks_cast_again_hold_as_often_as_they_were_held(tower):
    again = recast(Experiment(tower=tower, seed=5), 60, casts=10)
    assert again["attacks"].sum() > 250
    bias = block_ratio(again["again"] - again["held"], again["attacks"])
    assert abs(bias.value) < 4 * bias.error
    gain = block_ratio(again["with more"] - again["again"], again["attacks"])
    assert 0 < gain.value - 4 * gain.error < gain.value + 4 * gain.error < 0.15


def test_the_gain_of_one_attack_is_that_of_the_exact_odds():
    """The first attack of a game, cast often, against `battle_odds` of what lay in tray and tower (B6)."""
    experiment = Experiment(seed=5)
    again, seen = recast(experiment, 3, casts=6000), False
    for game, match, log in traced(experiment, 3):
        expected = np.zeros(2)
        for line, loyal in attacks_of(match, log):
            sides = (str(line["attacker"]), str(line["defender"]), "peasants")
            tray, thrown = ([line[where][side] for side in sides] for where in ("tray_before", "engaged"))
            fallen = [line["tower_after"][side] + line["tray_after_drop"][side] for side in sides]
            tower = Cubes(*(after - lay - cast for after, lay, cast in zip(fallen, tray, thrown, strict=True)))
            for more in (0, 1):
                fight = Battle(thrown[0], thrown[1] + more, peasants_join=loyal, tray=Cubes(*tray), tower=tower)
                expected[more] += battle_odds(load_tower("spielbyweb"), fight).lose
            seen = True
        assert [again["again"][game], again["with more"][game]] == pytest.approx(expected, abs=0.08)
        assert expected[1] - expected[0] > 0.2
    assert seen


def test_peasants_are_loyal_where_they_left_the_tray():  # B6.6
    seen = set()
    for _, match, log in traced(Experiment(seed=5), 40):
        for line, loyal in attacks_of(match, log):
            if line["p"] > 0:
                seen.add(loyal)
                assert loyal == (line["tray_after"]["peasants"] == 0)
    assert seen == {True, False}


def test_the_first_edition_is_not_cast_again():
    with refused("1e", by=ValueError):
        recast(Experiment(edition="1e"), 1)
