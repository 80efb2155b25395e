"""Where the scores of a game stand among games of its size, and how often its leader after year one would win."""

from __future__ import annotations

from typing import NamedTuple

from wallsim.api.game_review.scores import Leads, Share, games_of
from wallsim.trace.game_text.model import END, GameText
from wallsim.trace.game_text.points import points_after


class Score(NamedTuple):
    """The final score of a seat; its place from 0, None unless all scores are noted; the share of games with less."""

    seat: int
    points: int
    place: int | None
    lower: dict[str, Share]  # by kind of bots


class Leader(NamedTuple):
    """Who led after year one, by how much (None if that is unknown), and how often such leaders win."""

    seats: tuple[int, ...]
    lead: int | None
    wins: dict[str, Share]
    like: dict[str, Leads]  # with leads like this one; empty if it is unknown


class Standing(NamedTuple):
    """How a game stands among games of its size; `missing` says why it is not compared."""

    missing: str
    scores: list[Score]  # the highest first
    margin: int | None
    smaller: dict[str, Share]  # of games, the winner was less far ahead in so many
    leader: Leader | None


def why_not_compared(game: GameText) -> str:
    """Why the scores of a game are not compared, or "" if they are."""
    if game.edition != "2e" or game.expansions or game.changed:
        return "the games that it could be compared with are of the base game of the second edition as printed"
    return ""


def standing_of(game: GameText) -> Standing:
    """Where the scores, the margin and the leader of a game stand, as far as they are noted."""
    missing = why_not_compared(game)
    rows = game.sections[END].rows if END in game.sections else {}
    points = {seat: row.vp for seat, row in rows.items() if row.vp is not None}
    ordered = sorted(points, key=lambda seat: (-points[seat], seat))
    whole = len(points) == game.players
    margin = points[ordered[0]] - points[ordered[1]] if whole else None
    if missing:
        return Standing(missing, [Score(seat, points[seat], None, {}) for seat in ordered], margin, {}, None)
    games = games_of(game.players)
    scores = []
    for number, seat in enumerate(ordered):
        place = number if whole else None
        scores.append(
            Score(seat, points[seat], place, {bots: of.lower(points[seat], place) for bots, of in games.items()})
        )
    smaller = {} if margin is None else {bots: of.smaller_margin(margin) for bots, of in games.items()}
    return Standing("", scores, margin, smaller, _leader(game))


def undecided_of(game: GameText) -> tuple[int, ...]:
    """The seats that have the most points while Thalers, which break the tie (B7.6), are not all noted."""
    rows = game.sections[END].rows if END in game.sections else {}
    points = {seat: row.vp for seat, row in rows.items() if row.vp is not None}
    if game.won or len(points) < game.players:
        return ()
    first = tuple(seat for seat in sorted(points) if points[seat] == max(points.values()))
    return first if len(first) > 1 and any(rows[seat].thalers is None for seat in first) else ()


def _leader(game: GameText) -> Leader | None:
    early = points_after(game, 1)
    known = sorted((each for each in early.values() if each is not None), reverse=True)
    lead, seats = None, game.led
    if len(known) == game.players:
        lead = known[0] - known[1]
        seats = tuple(seat for seat, each in early.items() if each == known[0])
    elif len(seats) > 1:
        lead = 0
    if not seats:
        return None
    games = games_of(game.players)
    like = {} if lead is None else {bots: of.leaders(lead) for bots, of in games.items()}
    return Leader(seats, lead, {bots: of.leaders().wins for bots, of in games.items()}, like)
