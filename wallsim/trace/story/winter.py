"""Winter and the end of the game in words: grain, revolts, points by source, standings and who won (B7)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wallsim.trace.match import Match
from wallsim.trace.replayed_table import Line, ReplayedTable
from wallsim.trace.story.battle import revolt_story
from wallsim.trace.story.gains import intervention_story
from wallsim.trace.story.leaders import loss_story, placed_story
from wallsim.trace.story.vocabulary import (
    BUILDING,
    Paragraph,
    actor,
    event_text,
    grain,
    listing,
    seats_named,
    sentence,
    some,
    thalers,
)


def winter_story(match: Match, state: ReplayedTable, lines: Sequence[Line], last: Line) -> Iterator[str]:
    """The paragraphs of a winter. Brings the state up to its `last` line."""
    yield Paragraph(lines[0], f"# Winter of year {state.year}")
    while lines[0]["t"] == "intervention":
        yield Paragraph(lines[0], intervention_story(match, lines[0]))
        state.read(lines[0])
        lines = lines[1:]
    loss = lines[0]["loss"]
    takes = f"takes up to {loss} grain from every seat" if loss else "takes no grain"
    (left_over,) = state.events
    yield Paragraph(lines[0], sentence(f"the event left over ({event_text(match, left_over)}) {takes}"))
    hunger = 0
    returns: list[Paragraph] = []  # of leaders
    for number, line in enumerate(lines):
        if line["t"] == "winter":
            yield Paragraph(line, "- " + sentence(_fed(match, state, line)))
            hunger = int(match.board.extra[min(line["shortage"], len(match.board.extra) - 1)])
        elif line["t"] == "battle":
            text = [revolt_story(state, line, hunger)]
            lost = [after for after in lines[number + 1 : number + 2] if after["t"] == "leader"]
            text += [loss_story(match, state, leader) for leader in lost]
            yield Paragraph(line, "   " + " ".join(text))
        elif line["t"] == "score":
            if line["seat"] == 0:
                yield Paragraph(line, "Scoring:")
            yield Paragraph(line, "- " + sentence(_score(match, line)))
        elif line["county"] is not None:
            returns.append(Paragraph(line, "- " + placed_story(match, state, line)))
        state.read(line)
    if state.year == 1:
        yield _cleared(last)
        if match.plays("landsknechte"):
            yield "All Landsknechte cards go back to their first order."
    if returns:
        yield Paragraph(returns[0].line, "Leaders come back to the board:")
        yield from returns


def _cleared(last: Line) -> str:
    """What the first year leaves behind, by the snapshot at its end (B7.5)."""
    markers = any(county["markers"] for county in last["counties"].values())
    left = {"grain": any(last["grain"]), "revolt markers": markers}
    gone = [name for name, stays in left.items() if not stays]
    stay = listing([*(name for name, stays in left.items() if stays), "Thalers", "armies", "tray", "tower"])
    return sentence(f"{listing(gone)} are cleared away; {stay} stay as they are" if gone else f"{stay} stay")


def _fed(match: Match, state: ReplayedTable, line: Line) -> str:
    """How a seat's grain compares with its counties (B7.1, B7.2)."""
    had = state.grain[line["seat"]]
    lost, counties = had - line["grain"], some(line["counties"], "county", "counties")
    text = f"{actor(match, line['seat'])} "
    if lost:
        text += f"loses {f'{lost} of' if lost < had else ''} its {grain(had)}".replace("  ", " ")
    else:
        text += f"has {grain(had)}"
    if line["counties"] == 0:
        return f"{text} and owns no county to feed"
    if line["shortage"] == 0:
        return f"{text} and feeds its {counties}"
    revolting = line["revolting"]
    drawn = f"{listing(revolting)} {'revolts' if len(revolting) == 1 else 'revolt'}"
    drawn += ", drawn by lot" if len(revolting) < line["counties"] else ""
    text += f"{' and has' if lost else ' and'} {counties} to feed"
    return f"{text}: {line['shortage']} grain short, so {drawn}"


def _score(match: Match, line: Line) -> str:
    """A seat's points by source (B7.4, M5)."""
    majorities = [points for kinds in line["majorities"].values() for points in kinds.values()]
    counties, statues, trophies = (
        line[source] * match.amount(f"{one}_points")
        for source, one in (("counties", "county"), ("statues", "statue"), ("trophies", "trophy"))
    )
    sources = [
        (counties, "counties"),
        (line["total"] - counties - sum(majorities) - statues - trophies, "buildings"),
        (sum(majorities), "majorities"),
        (statues, "statues"),
        (trophies, "trophies"),
    ]
    parts = [f"{points} for {source}" for points, source in sources if points]
    text = f"{actor(match, line['seat'])} scores {line['total'] or 'nothing'}"
    if parts:
        text += f": {listing(parts)}"
    if majorities:
        text += f" ({'; '.join(_leads(match, region, kinds) for region, kinds in line['majorities'].items())})"
    return text


def _leads(match: Match, region: str, kinds: dict[str, int]) -> str:
    """A region's majorities: `Bayern: churches 2, trading posts 1`; who shares one may get less."""
    led = []
    for kind, points in kinds.items():
        name = "churches" if kind == "church" else BUILDING[kind] + "s"
        led.append(f"{name} {points}" + (" shared" if points < match.amount(f"{kind}_majority_points") else ""))
    # A shared lead that is worth nothing, as in trading posts, never appears here.
    return f"{region}: {', '.join(led)}"


def standings(match: Match, points: Sequence[int]) -> str:
    """The seats by victory points, best first."""
    ranking = sorted(range(match.players), key=lambda seat: (-points[seat], seat))
    return listing(f"{actor(match, seat)} with {points[seat]}" for seat in ranking)


def end_story(match: Match, line: Line) -> Iterator[str]:
    """The final result (B7.6)."""
    points, purse, winners = line["vp"], line["thalers"], line["winners"]
    yield "# The end"
    best = some(max(points), "victory point")
    level = [seat for seat in range(match.players) if points[seat] == max(points)]
    names = listing(actor(match, seat) for seat in winners)
    won = f"{names} {'wins' if len(winners) == 1 else 'share the win'}"
    if len(level) == 1:
        yield sentence(f"{won} with {best}")
    else:
        text = [f"{seats_named(level)} have {best} each"]
        if match.ruleset.final_tie == "thalers":
            purses = listing(f"seat {seat} has {thalers(purse[seat])}" for seat in level)
            text.append(f"Thalers decide: {purses}")
        yield " ".join(map(sentence, [*text, won]))
    yield sentence(f"the final standing in victory points: {standings(match, points)}")
