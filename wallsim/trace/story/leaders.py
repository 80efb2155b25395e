"""The military leaders in words: placed, moved, lost and back again, with statues and trophies (M)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wallsim.rules.terms import STATUES
from wallsim.trace.match import Match
from wallsim.trace.replayed_table import Line, ReplayedTable
from wallsim.trace.story.vocabulary import Paragraph, actor, listing, sentence, some


def placed_story(match: Match, state: ReplayedTable, line: Line) -> str:
    """A leader put on the board, and the trophies it finds there (M1, M4), from the state before it."""
    text = f"{actor(match, line['seat'])} puts its leader into {line['county']}"
    return sentence(text + _trophies(state, line))


def moves_story(match: Match, state: ReplayedTable, lines: Sequence[Line]) -> Iterator[str]:
    """All leaders at the end of a round, those that stay as well (M3). Brings the state up to date."""
    heading = "The leaders move:"
    yield Paragraph(lines[0], heading) if lines else heading
    moved = {line["seat"]: line for line in lines}
    for seat in state.order:
        if seat in moved:
            yield Paragraph(moved[seat], "- " + sentence(_move(match, state, moved[seat])))
            state.read(moved[seat])
        elif state.leaders[seat] is not None:
            text = f"the leader of {actor(match, seat)} stays in {state.leaders[seat]}, its only county"
            yield "- " + sentence(text)
        else:
            yield "- " + sentence(f"{actor(match, seat)} has no leader on the board")


def loss_story(match: Match, state: ReplayedTable, line: Line) -> str:
    """A leader whose county was lost (M4)."""
    until = "until the end of winter" if state.year == 1 else "for good"
    return sentence(f"the leader of {actor(match, line['seat'])}, who stood there, leaves the board {until}")


def _move(match: Match, state: ReplayedTable, line: Line) -> str:
    seat, origin, county = line["seat"], line["from"], line["county"]
    leader = f"the leader of {actor(match, seat)}"
    if county is None:
        return f"{leader} leaves the board, for {origin} is its only county"
    text, trophies = f"{leader} goes from {origin} to {county}", _trophies(state, line)
    if not _are_adjacent(match, origin, county):
        return f"{text}, which is not adjacent{',' if trophies else ''}{trophies}"
    if line["statue"]:
        return f"{text}{',' if trophies else ' and'} leaves a statue behind{trophies}"
    reason = _no_statue(state, seat, origin)
    return f"{text} and leaves no statue{reason}{',' if reason and trophies else ''}{trophies}"


def _no_statue(state: ReplayedTable, seat: int, origin: str) -> str:
    """Why no statue was left on the way to an adjacent county; empty if that was its owner's choice (M3)."""
    if state.in_hand[seat] == 0:
        return f", for all its {STATUES} have been put up"
    if origin in state.statues[seat] and state.match.ruleset.statues_a_county == "one":
        return ", for one of its own stands there already"
    return ""


def _trophies(state: ReplayedTable, line: Line) -> str:
    result = {seat: number for seat, number in state.statues_in(line["county"]).items() if seat != line["seat"]}
    if not result:
        return ""
    whose = [f"{_statues(number)} of seat {seat}" for seat, number in result.items()]
    trophies = "a trophy" if sum(result.values()) == 1 else "trophies"
    return f" and takes {listing(whose)} there as {trophies}"


def _statues(number: int) -> str:
    return "the statue" if number == 1 else f"the {number} statues"


def _are_adjacent(match: Match, one: str, other: str) -> bool:
    counties = match.board.counties
    return bool(int(match.board.neighbours[counties.index(one)]) >> counties.index(other) & 1)


def leader_text(state: Line, seat: int) -> str:
    """Of a `state` line: where a seat's leader and statues stand, and its trophies."""
    county, statues, trophies = state["leaders"][seat], state["statues"][seat], state["trophies"][seat]
    parts = [f"its leader in {county}"] if county is not None else []
    if statues:
        parts.append(f"{'a statue' if len(statues) == 1 else 'statues'} in {listing(statues)}")
    if trophies:
        parts.append(some(trophies, "trophy", "trophies"))
    if county is not None:
        return listing(parts)
    return "no leader on the board" + (f", but {listing(parts)}" if parts else "")
