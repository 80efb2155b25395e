"""Random tables are played by any study's code as one experiment, and the table is the unit of errors."""

import pickle

import numpy as np
import pytest

from tests.refusals import refused
from wallsim.analyses.price.study import STUDY as PRICE
from wallsim.experiment.experiment import Experiment
from wallsim.policies.catalogue import load_policy
from wallsim.stats.blocks import block_mean
from wallsim.stats.intervals import Confidence
from wallsim.studies.random_tables import by_table, random_tables, seated_at_random, zoo_of

TABLES = (("random", "balanced", "turtle", "random"), ("strong-4p", "random", "random", "banker"))


def test_a_seat_draws_any_policy_that_fits_the_number_of_players_and_is_quick():
    for players, others in ((3, ("-4p", "-5p")), (4, ("-3p", "-5p")), (5, ("-3p", "-4p"))):
        names = zoo_of(players)
        assert {"random", "casual", "balanced", f"strong-{players}p", f"rival-{players}p"} <= set(names)
        assert not [name for name in names if any(other in name for other in others)]
        assert all(policy.search is None and policy.correction is None for policy in map(load_policy, names))


def test_tables_are_drawn_from_the_seed_with_every_policy_in_every_seat():
    drawn = random_tables(4, 400, 7)
    assert drawn == random_tables(4, 400, 7)
    assert drawn != random_tables(4, 400, 8)
    for seat in range(4):
        assert {table[seat] for table in drawn} == set(zoo_of(4))
    assert max(len(set(table)) for table in drawn) == 4


def of_table(place, **changes):
    """What a table plays alone."""
    return Experiment(**{"seed": 5, "policies": list(TABLES[place]), **changes}).arena()


def test_each_table_plays_its_games_as_it_does_alone():
    arena = seated_at_random(Experiment(seed=5, setup="draft"), TABLES, 3).arena()
    played, alone = arena.play(1, 5, seasons=True, counties=True), [of_table(at, setup="draft") for at in (0, 1)]
    parts = [alone[0].play(1, 2, seasons=True, counties=True), alone[1].play(3, 3, seasons=True, counties=True)]
    parts[1].counties[:, 0] += 2
    for name in ("games", "seats", "seasons", "counties"):
        assert np.array_equal(getattr(played, name), np.concatenate([getattr(part, name) for part in parts]))
    assert np.array_equal(pickle.loads(pickle.dumps(arena)).play(1, 5).seats, played.seats)
    assert np.array_equal(arena.trace(4).lines, alone[1].trace(4).lines)
    with refused("2 tables", "3 each", by=ValueError):
        arena.play(4, 3)


def test_a_copy_with_other_policies_or_rules_keeps_what_it_must():
    tables, other = seated_at_random(Experiment(seed=5), TABLES, 3), {"policies": ("random",) * 4}
    assert np.array_equal(tables.changed(**other).arena().play(0, 6).seats, of_table(0, **other).play(0, 6).seats)
    court = {"expansions": ("court",)}
    assert np.array_equal(tables.changed(**court).arena().play(3, 3).seats, of_table(1, **court).play(3, 3).seats)


def test_the_hash_tells_tables_and_their_games_apart():
    base = Experiment(seed=5)
    first = seated_at_random(base, TABLES, 3)
    swapped = (TABLES[0], tuple(reversed(TABLES[1])))
    others = [base, seated_at_random(base, swapped, 3), seated_at_random(base, TABLES, 2)]
    assert len({each.hash() for each in (first, *others)}) == 4
    assert first.hash() == seated_at_random(base, TABLES, 3).hash()


def test_the_error_of_a_pool_is_that_of_its_tables():
    """Planted: tables differ by 1, games of a table hardly at all; so 6 games a table tell no more than one."""
    rng, tables, games = np.random.default_rng(3), 60, 6
    found = {"games": [], "tables": []}
    for _ in range(400):
        by_game = block_mean(np.repeat(rng.normal(0, 1, tables), games) + rng.normal(0, 0.1, tables * games))
        result = by_table({"it": by_game}, tables)["it"]
        assert (result.value, result.blocks) == (by_game.value, tables)
        found["games"].append(by_game)
        found["tables"].append(result)
    ends = {name: np.array([each.interval(Confidence()) for each in values]) for name, values in found.items()}
    covered = {name: ((low <= 0) & (0 <= high)).sum() for name, (low, high) in ((k, v.T) for k, v in ends.items())}
    assert 370 <= covered["tables"] <= 392  # 380 expected
    assert covered["games"] < 280
    widths = [each.error * np.sqrt(tables) for each in found["tables"]]
    assert np.mean(widths) == pytest.approx(np.sqrt(1 + 0.1**2 / games), rel=0.02)


def test_without_differences_between_tables_the_error_is_that_of_games():
    values = np.random.default_rng(4).normal(0, 1, 12_000)
    result = by_table({"it": block_mean(values)}, 2_000)["it"]
    assert result.error == pytest.approx(1 / np.sqrt(12_000), rel=0.05)
    with pytest.raises(ValueError, match="reshape"):
        by_table({"it": block_mean(values)}, 7)


FOUR, outcomes = "VP of four Thalers", PRICE.judged[0].outcomes


def test_a_study_plays_the_tables_and_its_units_are_theirs():
    tables = random_tables(4, 8, 1)
    result = outcomes(seated_at_random(Experiment(seed=5), tables, 3), 1)
    alone = [outcomes(Experiment(seed=5, policies=list(table)), 1)[FOUR] for table in tables]
    values = [  # each table's own three games
        (one.influence + one.value)[3 * place : 3 * place + 3].mean() for place, one in enumerate(alone)
    ]
    assert result[FOUR].value == pytest.approx(np.mean(values))
    assert by_table(result, 8)[FOUR].influence + result[FOUR].value == pytest.approx(values)
