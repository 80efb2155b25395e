"""Leaders in a story: their ways, statues and trophies, and what they add to actions."""

from tests.trace.recorded import FULL, flat, record, state_before
from wallsim.trace.story.actions import action_story, skipped_story
from wallsim.trace.story.leaders import moves_story, placed_story


def leaders_table(**switches):
    """A state in which seat 0 has two adjacent counties, and a third that is not adjacent to the first."""
    recorded = record(*FULL, tuple(switches.items()))
    state, board = state_before(recorded, "action"), recorded.match.board
    names, around = board.counties, board.neighbours
    own = state.owned(0)
    pairs = [(a, b) for a in own for b in own if around[names.index(a)] >> names.index(b) & 1]
    here, near = pairs[0]
    far = next(c for c in own if c != here and not around[names.index(here)] >> names.index(c) & 1)
    state.order, state.leaders = [0], [here, None, None, None]
    return recorded.match, state, here, near, far


def move(seat, origin, county, statue, *trophies):
    trophy = trophies[0] if trophies else None
    return {"t": "leader", "seat": seat, "from": origin, "county": county, "statue": statue, "trophy": trophy}


def test_a_leader_leaves_a_statue_or_the_story_says_why_not():  # M3, A10
    match, state, here, near, far = leaders_table(statues_a_county="one")
    way = f"The leaders move: - The leader of seat 0 goes from {here} to"
    assert flat(moves_story(match, state, [move(0, here, near, True)])) == f"{way} {near} and leaves a statue behind."
    state.leaders[0] = here
    assert flat(moves_story(match, state, [move(0, here, near, False)])) == (
        f"{way} {near} and leaves no statue, for one of its own stands there already."
    )
    state.leaders[0], state.in_hand[0] = here, 0
    assert flat(moves_story(match, state, [move(0, here, near, False)])).endswith("for all its 6 have been put up.")
    state.leaders[0] = here
    assert flat(moves_story(match, state, [move(0, here, far, False)])) == f"{way} {far}, which is not adjacent."
    state.leaders[0], state.statues[2] = here, [far]
    assert flat(moves_story(match, state, [move(0, here, far, False, 2)])) == (
        f"{way} {far}, which is not adjacent, and takes the statue of seat 2 there as a trophy."
    )
    assert (state.trophies[0], state.statues[2]) == (1, [])


def test_a_leader_without_another_county_stays_or_leaves_the_board():  # M3, A11
    match, state, here, _, _ = leaders_table()
    stays = f"The leaders move: - The leader of seat 0 stays in {here}, its only county."
    assert flat(moves_story(match, state, [])) == stays
    leaves = f"The leaders move: - The leader of seat 0 leaves the board, for {here} is its only county."
    assert flat(moves_story(match, state, [move(0, here, None, False)])) == leaves
    assert flat(moves_story(match, state, [])) == "The leaders move: - Seat 0 has no leader on the board."


def test_trophies_of_several_owners_are_reported_together():  # M3, A10
    match, state, here, _, _ = leaders_table()
    state.statues[1], state.statues[3] = [here, here], [here]
    assert placed_story(match, state, move(0, None, here, False, 1, 3)) == (
        f"Seat 0 puts its leader into {here} and takes the 2 statues of seat 1 and the statue of seat 3 there "
        "as trophies."
    )


def test_what_a_leader_adds_is_reported():  # M2
    match, state, here, near, _ = leaders_table()
    state.tile[0], state.effect = None, "none"

    def story_of(**line):
        return action_story(match, state, {"t": "action", "seat": 0, "county": here, "done": True, **line}, None)

    assert (
        story_of(action="palace", paid=2)
        == f"Seat 0 builds a palace in {here} for 2 Thalers, thanks to its leader there."
    )
    assert story_of(action="trading_post", paid=0, calmed=True) == (
        f"Seat 0 builds a trading post in {here} free of charge, thanks to its leader there, "
        "and removes a revolt marker there."
    )
    assert story_of(action="deploy1", paid=1, armies=2, to=near, moved=1) == (
        f"Seat 0 puts 2 armies into {here} for 1 Thaler, one of them thanks to its leader there, "
        f"and moves 1 from there to {near}."
    )
    assert story_of(action="deploy3", paid=2, armies=3).endswith("the last of its supply, where 4 were due.")
    taxes = int(match.board.tax[match.board.counties.index(here)])
    assert story_of(action="taxes", gain=taxes + 1, marker=False, parried=True) == (
        f"Seat 0 collects {taxes + 1} Thalers in {here} ({taxes} and 1 from its leader). "
        "The favor it has kept wards off the revolt marker."
    )
    state.tile[0] = "six_armies"
    assert story_of(action="deploy5", paid=3, armies=7).endswith("six thanks to its tile and one to its leader there.")
    state.thalers[0] = 1
    poor = {"seat": 0, "action": "palace", "county": here, "done": False, "why": "not enough Thalers"}
    assert skipped_story(match, state, poor) == (
        f"Seat 0 cannot build a palace in {here}: that costs 2 Thalers, even with its leader there, and it has 1."
    )
