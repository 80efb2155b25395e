"""The design of a tournament is balanced: in every block by seat and line-up, over a cycle by neighbour too."""

from collections import Counter
from hashlib import sha256
from itertools import combinations
from math import comb, factorial

import numpy as np
import pytest

from tests.analysis.planted import frame
from tests.refusals import refused
from wallsim.analysis.tournament.payoffs import payoffs
from wallsim.analysis.tournament.ratings import rate
from wallsim.folder.tournament_design import MAX_GAMES, MAX_GAMES_PER_BLOCK, STRETCH, Design

SIZES = [(policies, seats) for seats in (3, 4, 5) for policies in (2, 3, 5, 6)]
INCOMPLETE = [(23, 3), (41, 3), (15, 4), (20, 4), (41, 4), (13, 5), (20, 5), (41, 5)]


def seatings(design, blocks):
    """(block, shift, seating) of every game of some blocks."""
    for block in blocks:
        dealing = design.dealing(block)
        for game in range(design.games_per_block):
            yield block, dealing.shift, design.seating(*divmod(game, design.seats), dealing)


def even(counts, cells):
    """Whether all of a number of cells were counted, equally often."""
    return len(counts) == cells and len(set(counts.values())) == 1


@pytest.mark.parametrize(("policies", "seats"), SIZES)
def test_companies_are_all_sets_or_as_even_as_can_be(policies, seats):
    tables = Design(policies, seats).tables
    assert len(set(tables)) == len(tables) == (comb(policies, seats) or comb(policies, seats % policies))
    assert all(list(table) == sorted(table) and len(table) == seats for table in tables)
    for table in tables:
        held = [table.count(policy) for policy in range(policies)]
        assert max(held) - min(held) <= 1
    assert even(Counter(policy for table in tables for policy in table), policies)


def assert_even_in(design, block):
    """In a block every policy has every seat and every line-up equally often."""
    in_seat, with_lineup = Counter(), Counter()
    for _, shift, seating in seatings(design, [block]):
        in_seat.update((policy, seat) for seat, policy in enumerate(seating))
        with_lineup.update((policy, (seat + shift) % design.seats) for seat, policy in enumerate(seating))
    assert even(in_seat, design.policies * design.seats)
    assert even(with_lineup, design.policies * design.seats)


@pytest.mark.parametrize(("policies", "seats"), SIZES)
def test_in_every_block_a_policy_has_every_seat_and_every_line_up_equally_often(policies, seats):
    design = Design(policies, seats)
    for block in (0, 1, seats, 7, design.cycle - 1, design.cycle + 2, 10**6 + 1):
        assert_even_in(design, block)


@pytest.mark.parametrize(("policies", "seats"), SIZES)
def test_over_a_cycle_seat_line_up_and_neighbours_go_together_in_every_way(policies, seats):
    design = Design(policies, seats)
    assert design.cycle == factorial(seats)
    where, beside = Counter(), [Counter() for _ in range(seats)]
    for _, shift, seating in seatings(design, range(design.cycle)):
        for seat, policy in enumerate(seating):
            where[policy, seat, (seat + shift) % seats] += 1
            for away in range(1, seats):
                other = seating[(seat + away) % seats]
                if other != policy:
                    beside[away][policy, other, seat, (seat + shift) % seats] += 1
    assert even(where, policies * seats**2)
    for away in range(1, seats):
        assert even(beside[away], policies * (policies - 1) * seats**2)
    assert beside[1] == beside[seats - 1]


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_shifts_go_round_from_block_to_block_and_orders_after_each_round(seats):
    design = Design(6, seats)
    dealings = [design.dealing(block) for block in range(3 * design.cycle)]
    assert [dealing.shift for dealing in dealings] == [block % seats for block in range(len(dealings))]
    assert len(set(dealings)) == design.cycle
    assert len({dealing.order for dealing in dealings}) == factorial(seats - 1)
    assert dealings[: design.cycle] == dealings[design.cycle : 2 * design.cycle]
    assert all(len({d.order for d in dealings[k : k + seats]}) == 1 for k in range(0, len(dealings), seats))


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_every_block_has_a_number_of_its_own_and_blocks_dealt_alike_neighbouring_ones(seats):
    design = Design(4, seats)
    blocks = range(2 * STRETCH * design.cycle)
    assert sorted(design.number(block) for block in blocks) == list(blocks)
    first_blocks = [design.number(block) for block in range(1, STRETCH * design.cycle, design.cycle)]
    assert first_blocks == list(range(first_blocks[0], first_blocks[0] + STRETCH))


@pytest.mark.parametrize(("first", "blocks"), [(0, 1), (0, 24), (5, 7), (17, 900), (0, 960)])
def test_stretches_cover_the_blocks_once_with_neighbouring_numbers(first, blocks):
    design = Design(5, 4)
    covered = []
    for place, dealing in enumerate(design.dealings):
        stretches = list(design.stretches(place, first, blocks))
        for stretch, number in stretches:
            assert [design.number(block) for block in stretch] == list(range(number, number + len(stretch)))
            assert all(design.dealing(block) == dealing for block in stretch)
            covered += stretch
        assert len(stretches) <= 1 + -(-blocks // (STRETCH * design.cycle))
    assert sorted(covered) == list(range(first, first + blocks))


@pytest.mark.parametrize(("policies", "seats"), SIZES)
def test_no_game_of_a_block_is_the_same_as_another(policies, seats):
    design = Design(policies, seats)
    for block in range(design.cycle):
        dealing = design.dealing(block)
        games = set()
        for game in range(design.games_per_block):
            table, rotation = divmod(game, seats)
            number = design.seeded_number(design.number(block), design.replay(table, rotation, dealing))
            games.add((number, design.seating(table, rotation, dealing)))
        assert len(games) == design.games_per_block


def test_two_policies_in_turn_at_four_seats_are_replayed_with_other_numbers():
    design = Design(2, 4)
    [in_turn] = {dealing.order for dealing in design.dealings if design.replay(0, 2, dealing)} - {(0, 3, 1, 2)}
    assert [design.tables[0][place] for place in in_turn] == [0, 1, 0, 1]
    dealing = next(dealing for dealing in design.dealings if dealing.order == in_turn)
    assert [design.replay(0, rotation, dealing) for rotation in range(4)] == [0, 0, 1, 1]
    assert design.seeded_number(5, 1) == 5 + MAX_GAMES


@pytest.mark.parametrize(
    ("policies", "seats", "names"),
    [(1, 4, ["policies: 1 ", "at least two"]), (90, 4, ["policies: ", "90 policies", "5,760", "at most 5,000"])],
)
def test_too_few_or_too_many_policies_are_refused_with_the_size_they_would_make(policies, seats, names):
    assert Design(14, 4).games_per_block == 4004
    with refused(*names):
        Design(policies, seats)


@pytest.mark.parametrize(("policies", "seats"), INCOMPLETE)
def test_in_an_incomplete_block_all_sit_equally_often_and_any_two_meet_about_equally_often(policies, seats):
    design = Design(policies, seats)
    assert not design.complete
    assert design.games_per_block <= MAX_GAMES_PER_BLOCK
    assert len(set(design.tables)) == len(design.tables)
    assert all(list(table) == sorted(set(table)) and len(table) == seats for table in design.tables)
    assert even(Counter(policy for table in design.tables for policy in table), policies)
    met = Counter(pair for table in design.tables for pair in combinations(table, 2))
    assert len(met) == comb(policies, 2)
    assert max(met.values()) - min(met.values()) <= 2
    assert Design(policies, seats).tables == design.tables
    for block in (0, 7):
        assert_even_in(design, block)


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_every_number_of_policies_up_to_the_bound_has_a_design(seats):
    sizes = [policies for policies in range(2, 70) if not Design(policies, seats).complete]
    for policies in sizes[::5]:
        met = Counter(pair for table in Design(policies, seats).tables for pair in combinations(table, 2))
        assert len(met) == comb(policies, 2)
        assert max(met.values()) - min(met.values()) <= 2


@pytest.mark.parametrize(("policies", "seats"), [(22, 3), (14, 4), (12, 5)])
def test_the_largest_complete_blocks_have_every_set_as_before(policies, seats):
    assert Design(policies, seats).tables == tuple(combinations(range(policies), seats))
    assert not Design(policies + 1, seats).complete


def test_the_tables_of_an_incomplete_block_are_always_the_same():
    """A tournament of yesterday goes on with the tables of yesterday."""
    digest = {each: sha256(repr(Design(*each).tables).encode()).hexdigest()[:12] for each in ((20, 4), (41, 4))}
    assert digest == {(20, 4): "4bc8cd6186c3", (41, 4): "a08202aed855"}


def test_planted_strengths_are_recovered_from_incomplete_blocks():
    rng, design, blocks = np.random.default_rng(7), Design(20, 4), 40
    planted = np.linspace(1.5, -1.5, 20)
    policy = np.array([seating for _, _, seating in seatings(design, range(blocks))])
    ratings = rate(frame(policy, planted[policy] + rng.gumbel(size=policy.shape), design.games_per_block))
    found = {each.policy: each for each in ratings.ladder}
    gaps = [found[f"p{number}"].strength - strength for number, strength in enumerate(planted)]
    assert np.abs(gaps).max() < 0.1
    matrix = payoffs(frame(policy, planted[policy] + rng.gumbel(size=policy.shape), design.games_per_block))
    assert (matrix.games + np.eye(20) > 0).all()
