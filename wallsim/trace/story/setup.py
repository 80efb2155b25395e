"""The set-up in words: the match, the counties dealt or drafted, and the first fill of the tower (B1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from wallsim.rules.amounts import PRINTED
from wallsim.rules.other_settings import settings_line
from wallsim.rules.provenance import FAVOR, LANDSKNECHT, assumed_cards, other_sources
from wallsim.trace.match import Match
from wallsim.trace.replayed_table import Line, ReplayedTable
from wallsim.trace.story.gains import intervention_story
from wallsim.trace.story.vocabulary import (
    Paragraph,
    actor,
    armies,
    armies_in_letters,
    cubes,
    listing,
    present,
    sentence,
    some,
    thalers,
)

_FIRST_EDITION = (
    "The first edition is played.",
    "Nobody bids and there are no bonus tiles: in each season lots give the order of play.",
    "Blank cards take the place of money.",
    "A county's owner decides how many of its armies fight, and its peasants fight for it while it bears fewer than "
    "two revolt markers.",
)
_EXPANSION = {"court": "the Emperor's Court", "landsknechte": "the Landsknechte", "leaders": "the military leaders"}


def opening_story(match: Match) -> Iterator[str]:
    """A paragraph on the first edition, and one on expansions; none for the base game of the second edition."""
    if match.ruleset.edition == "1e":
        yield " ".join(_FIRST_EDITION)
    expansions = match.ruleset.expansions
    if expansions:
        names = listing(_EXPANSION[name] for name in expansions)
        text = sentence(f"{names} {'is' if expansions == ('court',) else 'are'} in play")
        yield " ".join([text, *_notes(match)])


def _notes(match: Match) -> list[str]:
    """Which cards' figures are assumed, and which come from elsewhere than the rulebook's words."""
    text = []
    assumed = assumed_cards(match.board, match.ruleset)
    if FAVOR in assumed:
        text.append(f"What the favors {_runs(assumed[FAVOR])} bring is assumed: no rulebook gives their figures.")
    if LANDSKNECHT in assumed:
        text.append(f"What the Landsknechte cards {_runs(assumed[LANDSKNECHT])} bring is assumed.")
    others = other_sources(match.board, match.ruleset)
    if others:
        text.append(f"Not stated by the rulebook in so many words: {'; '.join(others)}.")
    return text


def _runs(numbers: Sequence[int]) -> str:
    """Numbers in ascending order, three or more in a row as `5 to 11`."""
    text: list[str] = []
    for _, run in groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0]):
        row = [number for _, number in run]
        text += [f"{row[0]} to {row[-1]}"] if len(row) > 2 else map(str, row)
    return listing(text)


def setup_story(match: Match, state: ReplayedTable, lines: Sequence[Line]) -> Iterator[str]:
    """The paragraphs before the first year; brings the state up to date."""
    yield f"# Wallenstein with {match.players} seats: game {match.number} of seed {match.seed}"
    if settings := settings_line(match.settings()):
        yield settings
    yield f"{_policies(match)} {_start(match)}"
    yield from opening_story(match)
    yield from _HANDED_OUT[match.ruleset.setup](match, lines)
    for line in lines:
        state.read(line)
        if line["t"] == "intervention":
            yield Paragraph(line, intervention_story(match, line))
        if line["t"] == "fill":
            yield Paragraph(line, _fill(match, state, line))
            if match.plays("court"):
                yield _hall(match, state)


def _policies(match: Match) -> str:
    if len(set(match.policies)) == 1:
        return f"All seats play by the policy {match.policies[0]}."
    return sentence(listing(f"seat {seat} plays by the policy {name}" for seat, name in enumerate(match.policies)))


def _start(match: Match) -> str:
    """The starting Thalers (B1.1), amounts that are not as printed, and the counties that were taken out of play."""
    start, out = match.ruleset.starting_thalers(), match.ruleset.without
    if len(set(start)) == 1:
        text = f"each seat begins with {thalers(start[0])}"
    else:
        text = listing(f"seat {seat} begins with {thalers(amount)}" for seat, amount in enumerate(start))
    edited = [f"{name} is {number} (printed {PRINTED[name]})" for name, number in match.ruleset.amounts]
    numbers = f" {sentence(f'of the numbers of the game, {listing(edited)}')}" if edited else ""
    return (
        sentence(text) + numbers + (f" Out of play {'is' if len(out) == 1 else 'are'} {listing(out)}." if out else "")
    )


def _lineups(match: Match, lines: Sequence[Line]) -> Iterator[str]:
    for seat, letter in enumerate(match.ruleset.letters()):
        edited = " as edited" if letter in dict(match.ruleset.lineup_edits) else ""
        yield _groups(match, lines, seat, f"has line-up {letter}{edited}")


def _deal(match: Match, lines: Sequence[Line]) -> Iterator[str]:
    yield "Counties and army groups are dealt at random."
    for seat in range(match.players):
        yield _groups(match, lines, seat, "gets")


def _groups(match: Match, lines: Sequence[Line], seat: int, how: str) -> Paragraph:
    dealt = [line for line in lines if line["t"] == "deal" and line["seat"] == seat]
    groups: list[str] = []
    for number, same in groupby(dealt, key=lambda line: line["armies"]):
        counties = [line["county"] for line in same]
        each = " each" if len(counties) > 1 else ""
        groups.append(f"{number if groups else armies(number)}{each} in {listing(counties)}")
    assumed = [line["county"] for line in dealt if line["source"] == "lineup-assumed"]
    note = f" No source names {listing(assumed)}: it is assumed to belong here." if assumed else ""
    return Paragraph(dealt[-1], "- " + sentence(f"{actor(match, seat)} {how}: {'; '.join(groups)}") + note)


def _draft(match: Match, lines: Sequence[Line]) -> Iterator[str]:
    yield "Counties are drafted: in turn each seat takes one of two open cards, or the deck's next, unseen."
    for line in lines:
        if line["t"] == "recycle":
            text = f"{actor(match, line['seat'])} puts {listing(line['counties'])} under the deck"
            yield Paragraph(line, "- " + sentence(text))
        elif line["t"] == "deal":
            others = listing(county for county in line["shown"] if county != line["county"])
            if line["source"] == "deck":
                how = f"leaves {others}, draws {line['county']} from the deck"
            else:
                how = f"takes {line['county']}, not {others},"
            led = any(other["t"] == "leader" and other["county"] == line["county"] for other in lines)
            force = armies(line["armies"]) + (" and its leader" if led else "")
            yield Paragraph(line, "- " + sentence(f"{actor(match, line['seat'])} {how} and puts {force} there"))


_HANDED_OUT = {"lineup": _lineups, "draft": _draft, "deal": _deal}


def _hall(match: Match, state: ReplayedTable) -> str:
    """The courtiers of the first fill (E1)."""
    there = [f"seat {seat} has {state.hall[seat] or 'none'}" for seat in range(match.players)]
    return sentence(f"each army that fell out sends a courtier to the entrance hall: {listing(there)}")


def _fill(match: Match, state: ReplayedTable, line: Line) -> str:
    """The first fill (B1.6), and what every later throw does."""
    dropped, out, tower = sum(line["dropped"].values()), sum(line["out"].values()), match.tower
    inside = cubes(present(state.tower)) if present(state.tower) else "nothing"
    peasants = some(match.amount("first_fill_peasants"), "peasant")
    each = armies_in_letters(match.amount("first_fill_armies"))
    text = [
        f"{each} of each seat and {peasants} are thrown into the tower: "
        f"{out} of {dropped} fall out and go back to the supplies, so that it holds {inside}",
        f"whenever something is thrown in, {tower.parameters.in_words()} (tower {tower.name}, model {tower.model})",
        "of each season's ten actions, the seats know the first five when they plan",
    ]
    return " ".join(map(sentence, text))
