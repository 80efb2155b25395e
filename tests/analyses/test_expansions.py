"""The study `expansions` plays every subset of the expansions, and gives and denies their cards."""

import numpy as np
import polars as pl
import pytest

from tests.analyses.studies import look
from wallsim.analyses.expansions import boards as expansion_boards
from wallsim.analyses.expansions import cards as expansion_cards
from wallsim.analyses.expansions import effects as expansion_effects
from wallsim.analyses.expansions import skill as expansion_skill
from wallsim.analyses.expansions import study as expansion_study
from wallsim.analyses.expansions.boards import MOVED, Boards, variants
from wallsim.analyses.expansions.cards import DENIED, GIVEN, NO_STATUE, all_three, treated_arena
from wallsim.analyses.expansions.effects import (
    CLAIMS,
    SUBSETS,
    changes_of_lead,
    claimed,
    effects_of,
    experiment_of,
    play,
    with_subset,
)
from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.plays import MIDDLING, STRONG
from wallsim.analysis.tournament.skill import skill
from wallsim.engine.columns import SEASON_COLUMNS
from wallsim.rules.board import load_board
from wallsim.rules.terms import EXPANSIONS, FAVORS, ROUND_NAMES
from wallsim.runs.play import play_run
from wallsim.runs.tournament.play import play_tournament
from wallsim.stats.blocks import block_mean
from wallsim.stats.intervals import Confidence
from wallsim.studies.cache import Cache
from wallsim.studies.catalogue import load_study
from wallsim.studies.games import Games
from wallsim.studies.outcomes import POINTS, SPREAD, wins_of
from wallsim.studies.quantities import Key
from wallsim.studies.running import digest_of
from wallsim.studies.study import Choices

HOME = Cell(MIDDLING, "spielbyweb", "lineup")
TRUTH = {("court",): 1.5, ("landsknechte",): -0.5, ("leaders",): 7.0, ("court", "leaders"): 0.4}


def synthetic(rng, blocks):
    """Eight subsets of known effects, each on blocks of its own and with a spread of its own."""
    result = {}
    for subset in SUBSETS:
        signs = {name: 1 if name in subset else -1 for name in EXPANSIONS}
        mean = 40 + sum(size / 2 * np.prod([signs[name] for name in effect]) for effect, size in TRUTH.items())
        result[subset] = {POINTS: block_mean(mean + rng.normal(0, 1 + len(subset), blocks))}
    return result


def test_a_synthetic_factorial_is_recovered_with_its_coverage():
    """The subsets share no block and differ in spread; the family of seven intervals misses in at most 5 of 100."""
    rng, trials, missed = np.random.default_rng(6), 400, 0
    for _ in range(trials):
        effects = effects_of(synthetic(rng, 100))[POINTS]
        assert len(effects) == 7
        intervals = {effect: result.interval(Confidence(n_comparisons=7)) for effect, result in effects.items()}
        missed += any(not low <= TRUTH.get(effect, 0.0) <= high for effect, (low, high) in intervals.items())
    assert 2 <= missed <= 0.05 * trials + 3 * np.sqrt(0.05 * 0.95 * trials)
    large = effects_of(synthetic(rng, 40_000))[POINTS]
    for effect, result in large.items():
        assert result.value == pytest.approx(TRUTH.get(effect, 0.0), abs=0.1)


@pytest.mark.parametrize("subset", [(), ("court",), EXPANSIONS])
def test_a_subset_s_row_equals_the_plain_run_of_that_subset(subset, tmp_path):
    experiment = with_subset(experiment_of(HOME), subset)
    rows = play(experiment, 2, Cache(None), workers=1)
    run = play_run(experiment.changed(games=48), tmp_path / "run")
    seats, seasons = run.scan("seats").collect(), run.scan("seasons").collect()
    assert rows[POINTS].mean() == pytest.approx(seats["vp"].mean())
    spread = seats.group_by("game").agg(pl.col("vp").cast(pl.Float64).std(ddof=0))["vp"].mean()
    assert rows[SPREAD].mean() == pytest.approx(spread)
    for seat in range(4):
        wins = 100 * seats.filter(pl.col("seat").cast(pl.String) == str(seat))["win"].mean()
        assert rows[wins_of(seat)].mean() == pytest.approx(wins)
    assert seasons.height == 48 * 8 * 4
    assert sum(rows[wins_of(seat)].mean() for seat in range(4)) == pytest.approx(100)


def test_every_subset_has_games_of_its_own():
    experiments = [with_subset(experiment_of(HOME), subset) for subset in SUBSETS]
    assert [each.expansions for each in experiments] == list(SUBSETS)
    assert len({each.seed for each in experiments}) == 8


def test_only_weights_tuned_with_all_expansions_are_called_strong():
    strong = [play for play in expansion_effects.plays() if play.strength == STRONG]
    assert [play.policy for play in strong] == ["strong-4p-bigbox"]
    assert [play.policy for play in expansion_effects.plays() if play.name in expansion_effects.WITHOUT] == [
        "expert-4p", "scholar-4p",
    ]  # fmt: skip


def seasons_of(leads):
    """Games of two seats, of which in each season one or both lead."""
    names = [column.name for column in SEASON_COLUMNS]
    table = np.zeros((len(leads[0]) * len(leads) * 2, len(names)), np.int16)
    points = np.array([[[10 * (seat in after) for seat in (0, 1)] for after in game] for game in leads]).reshape(-1)
    for column in ("vp", "vp_with_board"):
        table[:, names.index(column)] = points

    class Tables:
        games, seasons = np.zeros((len(leads), 1), np.int16), table

    return Games(0, 2, Tables())


def test_the_lead_changes_where_no_leader_stays():
    alone = [{0}] * 8
    changing = [{0}, {1}, {1}, {0}, {0, 1}, {1}, {0}, {0}]
    games = seasons_of([alone, changing])
    assert changes_of_lead(games).tolist() == [0, 3]


def test_treatments_change_nothing_but_the_treated_choice():
    experiment = all_three(HOME)
    plain, given, denied = (treated_arena(experiment, arm).play(0, 168) for arm in (None, GIVEN, DENIED))
    counted = [expansion_cards.count_favors(Games(0, 4, tables)) for tables in (plain, given, denied)]
    chosen, more, none = (each["taken"] for each in counted)
    assert none.sum() == 0
    assert more.sum() > chosen.sum() > 0
    same = (plain.games == denied.games).all(axis=1)
    assert same[chosen == 0].all()  # who would not have taken it plays the same game
    assert not same[chosen == 1].all()
    assert (plain.games == given.games).all(axis=1)[more == 0].all()


def test_every_favor_and_seat_is_treated_by_turn():
    numbers = np.arange(84)
    pairs = set(zip(numbers % 4, expansion_cards.treated_favor(numbers, 4), strict=True))
    assert pairs == {(seat, favor) for seat in range(4) for favor in range(1, FAVORS + 1)}


def test_a_statue_in_the_last_fall_brings_its_one_point():
    """It scores in the winter that follows, and nothing can happen to it before; the winter ends the game."""
    result = dict(expansion_cards.statues(HOME, 20, Cache(None), workers=1))
    last = result[Key("statue", "", 4, HOME, ROUND_NAMES[-1])]
    assert (last.value, last.error) == (pytest.approx(1.0), pytest.approx(0.0))
    assert result[Key("statues-left", "", 4, HOME, ROUND_NAMES[0])].value > 0


def test_a_denied_statue_is_missing_in_its_round_alone():
    experiment = all_three(HOME)
    plain, denied = (treated_arena(experiment, arm).play(0, 24) for arm in (None, NO_STATUE))
    left = [expansion_cards.count_statues(Games(0, 4, tables))["taken"] for tables in (plain, denied)]
    last = np.arange(24) // 4 == 5  # in the last fall nothing that follows can make up for it
    assert ((left[0] - left[1])[last] <= 1).all()
    assert ((left[0] - left[1])[last] >= 0).all()
    assert (left[0] - left[1]).sum() > 0


def test_landsknechte_are_worth_something_to_their_seat(tmp_path):
    result = dict(expansion_cards.landsknechte(HOME, 12, Boards(tmp_path), Cache(None), workers=1))
    assert expansion_cards.CARDS == (2, 3, 4)
    turned, worth = ([result[Key(quantity, card, 4, HOME)].value for card in "234"]
                     for quantity in ("cards-turned", "card-own-seat"))  # fmt: skip
    assert 2 > turned[0] > turned[1] > turned[2] > 0
    assert sum(worth) > 0


def test_boards_differ_from_the_printed_one_in_the_named_figures_alone(tmp_path):
    printed, boards = load_board(), Boards(tmp_path)
    assert len(variants()) == 3 + 5 + 5
    for name, values in variants().items():
        board = load_board(boards.with_favors(name))
        for one, other in zip(printed.favors, board.favors, strict=True):
            assert (one["number"], one["kind"]) == (other["number"], other["kind"])
            wanted = values.get(str(one["number"]), str(one["value"]))
            assert str(other["value"]) == wanted
        assert board.landsknechte == printed.landsknechte
    halved = load_board(boards.with_favors("amounts halved"))
    assert [halved.favors[number - 1]["value"] for number in (2, 9, 16, 12)] == [1, 2, 3, 3]  # 12 is not assumed
    blank = load_board(boards.blank(3))
    assert [blank.landsknechte[2][kind] for kind in ("thalers", "tray_armies", "grain", "victory_points")] == [0] * 4
    assert blank.favors == printed.favors
    assert blank.landsknechte[3] == printed.landsknechte[3]


def test_doubled_favors_bring_more_points(tmp_path):
    experiment = all_three(HOME)
    doubled = experiment.changed(board=str(Boards(tmp_path).with_favors("amounts doubled")))
    printed, other = (play(each, 25, Cache(None), workers=1)[POINTS] for each in (experiment, doubled))
    change = block_mean(other - printed)
    assert change.value > 3 * change.error > 0


@pytest.mark.slow
def test_what_every_board_moves_is_compared_on_the_same_games(tmp_path):
    one, other = (
        dict(expansion_boards.moves(HOME, all_three(HOME), 2, Boards(tmp_path), Cache(tmp_path), workers=workers))
        for workers in (1, 2)
    )
    assert len(one) == len(variants()) * len(MOVED)
    assert {key: each.estimate.value for key, each in one.items()} == {k: v.estimate.value for k, v in other.items()}
    for name in variants():
        wins = [one[Key("favors-varied-by-play", f"{name} {wins_of(seat)}", 4, HOME)] for seat in range(4)]
        assert sum(each.estimate.value for each in wins) == pytest.approx(0, abs=1e-9)


def test_shares_by_derivatives_agree_with_those_by_resampling(tmp_path):
    tournament = expansion_skill.tournaments(HOME, 40)["ladder", ()]
    rows = play_tournament(tournament, tmp_path / "ladder").rows()
    result = expansion_skill.shares_of(rows, "ladder")
    whole = skill(rows, "vp", level=0.5)
    for part in whole.parts:
        if part.name in expansion_skill.PARTS:
            share, (low, high) = result["share-of-points", f"ladder {part.name}"], part.interval
            assert share.value == pytest.approx(100 * part.share)
            width = Confidence(0.5, len(whole.parts)).t(40) * share.error
            assert width == pytest.approx(100 * (high - low) / 2, rel=0.15)
    wins = expansion_skill.wins_of(rows, "ladder")
    assert [about for _, about in wins] == [f"ladder {policy}" for policy in expansion_skill.FIELDS["ladder"]]
    assert np.mean([each.value for each in wins.values()]) == pytest.approx(25)


@pytest.mark.slow
def test_the_study_plays_all_of_its_parts(tmp_path):
    result = look("expansions", tmp_path, 24)
    figures, home = result.figures, result.design.baseline_cell()
    assert {path.name for path in tmp_path.iterdir()} == {
        "boards", "expansions.ipynb", "expansions.md", "expansions.png", "figures.csv", "parts", "record.json",
        "tournaments",
    }  # fmt: skip
    cell = Cell(MIDDLING, "spielbyweb", "draft")
    played = with_subset(experiment_of(cell), ("court", "leaders"))
    subset = figures["expansions.subset-by-cell.4p.court-+-leaders-wins-of-seat-2/middling/spielbyweb/draft"]
    assert subset.value == pytest.approx(play(played, 1, Cache(None), workers=1)[wins_of(2)].mean())
    assert (subset.seed, subset.null) == (played.seed, 25)
    favor = figures.of("favor", "18", players=4, cell=home)
    assert (favor.n, favor.n_unit) == (2, "blocks of 84 games")


def test_what_is_played_is_in_the_key_of_what_is_kept(keys, tmp_path, monkeypatch):
    """Other subsets, blocks, boards, treatments, or other code of a treatment are not in the cache."""
    nothing, experiment = Cache(None), all_three(HOME)
    play(experiment, 7, nothing)
    play(experiment, 14, nothing)
    play(experiment_of(HOME), 7, nothing)
    play(experiment.changed(seed=1), 7, nothing)
    play(experiment.changed(board=str(Boards(tmp_path).with_favors("amounts halved"))), 7, nothing)
    play(experiment.changed(board=str(Boards(tmp_path).blank(3))), 7, nothing)
    list(expansion_cards.favors(HOME, 7, nothing))
    list(expansion_cards.statues(HOME, 7, nothing))
    assert len(set(keys)) == len(keys) == 6 + 3 + 2
    for path in expansion_cards._TREATMENTS.glob("*.py"):
        other = path.read_bytes() + b"# other code\n" if path.stem == GIVEN else path.read_bytes()
        (tmp_path / path.name).write_bytes(other)
    monkeypatch.setattr(expansion_cards, "_TREATMENTS", tmp_path)
    before = keys[6:9]
    list(expansion_cards.favors(HOME, 7, nothing))
    given, chosen, denied = keys[11:]
    assert given not in keys[:11]
    assert [chosen, denied] == before[1:]  # where a file lies counts nowhere


@pytest.mark.slow
def test_what_is_played_is_in_the_digest(monkeypatch):
    study = load_study("expansions")
    scope = study.design(Choices(quick=True))
    before, treated = digest_of(study, scope), expansion_cards.treatments()
    few = dict(list(variants().items())[1:])
    for other in (scope._replace(others=scope.others + 1), scope._replace(baseline=scope.baseline - 1)):
        assert digest_of(study, other) != before
    for module, name, value in (
        (expansion_effects, "QUICK_BOARDS", 59), (expansion_effects, "QUICK_TOURNAMENTS", 5),
        (expansion_effects, "QUICK_FAVOR_GAMES", 1), (expansion_study, "variants", lambda: few),
        (expansion_study, "treatments", lambda: treated | {GIVEN: "other code"}),
    ):  # fmt: skip
        with monkeypatch.context() as changed:
            changed.setattr(module, name, value)
            assert digest_of(study, scope) != before
    assert digest_of(study, scope) == before


def test_the_claims_are_judged_anew_by_game():
    [judged] = load_study("expansions").judged
    assert (judged.claims, judged.games_a_row) == (CLAIMS, 2)
    assert judged.plays is expansion_effects.plays_with_expansions
    for setup in ("lineup", "draft"):
        experiment = experiment_of(HOME._replace(setup=setup)).changed(
            policies=("balanced", "raider", "builder", "casual")
        )
        result = judged.outcomes(experiment, 2, 1)
        blocks = claimed(effects_of(expansion_effects.play_subsets(experiment, 2, Cache(None), 1)))
        assert {name: each.value for name, each in result.items()} == pytest.approx(
            {name: each.value for name, each in blocks.items()}
        )
        assert {each.blocks for each in result.values()} == {48}  # the unit of errors is the game
