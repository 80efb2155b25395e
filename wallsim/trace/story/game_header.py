"""Which game is played, in words: edition, expansions, and whose figures the rulebook does not give (E, L, M, V)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from wallsim.rules.provenance import FAVOR, LANDSKNECHT, assumed_cards, other_sources
from wallsim.trace.match import Match
from wallsim.trace.story.vocabulary import listing, sentence

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
