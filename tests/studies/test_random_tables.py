"""Random tables are played by any study's code as one experiment, and the table is the unit of errors."""

import numpy as np
import pytest

from wallsim.analyses.price.study import STUDY as PRICE
from wallsim.experiment.experiment import Experiment
from wallsim.policies.catalogue import load_policy
from wallsim.stats.blocks import block_mean
from wallsim.stats.intervals import Confidence
from wallsim.studies.random_tables import TablesArena, by_table, random_tables, seated_at_random, zoo_of

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


def test_each_table_plays_its_games_as_it_does_alone():
    base = Experiment(seed=5, setup="draft")
    arena = seated_at_random(base, TABLES, 3).arena()
    assert isinstance(arena, TablesArena)
    played = arena.play(1, 5, seasons=True, counties=True)
    alone = [Experiment(seed=5, setup="draft", policies=list(table)).arena() for table in TABLES]
    parts = [alone[0].play(1, 2, seasons=True, counties=True), alone[1].play(3, 3, seasons=True, counties=True)]
    parts[1].counties[:, 0] += 2
    for name in ("games", "seats", "seasons", "counties"):
        assert np.array_equal(getattr(played, name), np.concatenate([getattr(part, name) for part in parts]))
    with pytest.raises(ValueError, match="2 tables play 3 each"):
        arena.play(4, 3)


def test_a_copy_with_other_policies_or_rules_keeps_what_it_must():
    tables = seated_at_random(Experiment(seed=5), TABLES, 3)
    other = tables.changed(policies=("random",) * 4)
    assert np.array_equal(
        other.arena().play(0, 6).seats, Experiment(seed=5, policies="random").arena().play(0, 6).seats
    )
    expanded = tables.changed(expansions=("court",))
    alone = Experiment(seed=5, policies=list(TABLES[1]), expansions=["court"]).arena()
    assert np.array_equal(expanded.arena().play(3, 3).seats, alone.play(3, 3).seats)


def test_the_hash_tells_tables_and_their_games_apart():
    base = Experiment(seed=5)
    first = seated_at_random(base, TABLES, 3)
    swapped = (TABLES[0], tuple(reversed(TABLES[1])))
    others = [base, seated_at_random(base, swapped, 3), seated_at_random(base, TABLES, 2)]
    assert len({each.hash() for each in (first, *others)}) == 4
    assert first.hash() == seated_at_random(base, TABLES, 3).hash()


def test_the_error_of_a_pool_is_that_of_its_tables():
    """Planted: tables differ by 1, games of a table hardly at all; so 6 games a table tell no more than one."""
    rng = np.random.default_rng(3)
    tables, games, sure = 60, 6, Confidence()
    covered = {"games": 0, "tables": 0}
    widths = []
    for _ in range(400):
        values = np.repeat(rng.normal(0, 1, tables), games) + rng.normal(0, 0.1, tables * games)
        by_game = block_mean(values)
        result = by_table({"it": by_game}, tables)["it"]
        assert (result.value, result.blocks) == (by_game.value, tables)
        for name, each in (("games", by_game), ("tables", result)):
            low, high = each.interval(sure)
            covered[name] += low <= 0 <= high
        widths.append(result.error * np.sqrt(tables))
    assert 370 <= covered["tables"] <= 392  # 380 expected
    assert covered["games"] < 280
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
    result = outcomes(seated_at_random(Experiment(seed=5), tables, 3), 1, workers=1)
    whole = result[FOUR]
    each = [outcomes(Experiment(seed=5, policies=list(table)), 1, workers=1)[FOUR] for table in tables]
    values = [
        (one.influence + one.value)[3 * place : 3 * place + 3].mean() for place, one in enumerate(each)
    ]  # each table's own three games
    assert whole.value == pytest.approx(np.mean(values))
    assert by_table(result, 8)[FOUR].influence + whole.value == pytest.approx(values)
