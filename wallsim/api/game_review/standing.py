"""Where the scores of a game stand among games of its size, and how often its leader after year one would win.

`data/scores/scores.json` counts how games of each size end: scores by place, margins, and early leads.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from itertools import accumulate
from math import ceil
from typing import NamedTuple

from wallsim.rules.files import data_folder
from wallsim.stats.intervals import LEVEL, Confidence, wilson
from wallsim.trace.game_text.model import END, GameText
from wallsim.trace.game_text.points import points_after

BOTS = {"casual": "casual bots", "master": "master bots", "scholar": "scholar bots"}
LIKE_LEADS = 500  # games with leads like a given one, at least, that the wins of its leaders are taken from


class Share(NamedTuple):
    """A share of games from 0 to 1, with the interval of one share and the number of games."""

    value: float
    low: float
    high: float
    games: int


class Leads(NamedTuple):
    """How often leaders after year one win, and the leads that they are taken from."""

    least: int
    most: int
    wins: Share


class Games(NamedTuple):
    """Games of one kind of bots: their policy, set-up and number, and the games by score, margin and lead.

    `places` has the games by the score of each place, `leads` the games and the leader's wins.
    """

    policy: str
    setup: str
    games: int
    places: tuple[Mapping[int, int], ...]
    margins: Mapping[int, int]
    leads: Mapping[int, tuple[int, float]]

    def lower(self, score: int, place: int | None) -> Share:
        """The share of games whose score of a place is lower; without a place that of the seats, by their games.

        The seats of a game are not independent: the interval is that of as many seats as games, so rather too wide.
        """
        if place is not None:
            return self._below(self.places[place], score)
        of_place = [self._below(each, score).value for each in self.places]
        return self._share(sum(of_place) / len(of_place) * self.games, self.games)

    def smaller_margin(self, margin: int) -> Share:
        """The share of games in which the winner was less far ahead of the next."""
        return self._below(self.margins, margin)

    def level(self, place: int, share: float) -> int:
        """The score of a place that is not reached in such a share of games."""
        scores = sorted(self.places[place])
        sums = accumulate(self.places[place][score] for score in scores)
        return next(score for score, total in zip(scores, sums, strict=True) if total >= ceil(share * self.games))

    def leaders(self, lead: int | None = None) -> Leads:
        """How often leaders after year one win: those who led alone, or those with a lead like this one.

        With a lead of 0 the mean of those who share it.
        """
        if lead == 0:
            chosen = {0}
        else:
            alone = {each for each in self.leads if each > 0}
            chosen, step = set() if lead is not None else alone, 0
            while sum(self.leads[each][0] for each in chosen) < LIKE_LEADS and chosen != alone:
                chosen = {each for each in alone if abs(each - (lead or 0)) <= step}
                step += 1
        games, wins = (sum(self.leads[each][part] for each in chosen) for part in (0, 1))
        return Leads(min(chosen), max(chosen), self._share(wins, int(games)))

    def _below(self, counts: Mapping[int, int], value: int) -> Share:
        return self._share(sum(count for each, count in counts.items() if each < value), self.games)

    @staticmethod
    def _share(count: float, games: int) -> Share:
        return Share(count / games, *wilson(count / games, games, Confidence(LEVEL).z), games)


class Source(NamedTuple):
    """Where the counts come from: the command, the engine's version, games of each kind and size, and the seed."""

    command: str
    engine: int
    games: int
    seed: int


@lru_cache(maxsize=1)
def _file() -> dict[str, object]:
    contents: dict[str, object] = json.loads((data_folder("scores") / "scores.json").read_text("utf-8"))
    return contents


def source() -> Source:
    """Where the counts come from."""
    found = _file()
    return Source(*(found[name] for name in Source._fields))  # type: ignore[arg-type]


def games_of(players: int) -> dict[str, Games]:
    """The games of so many players by the name of a kind of bots."""
    found: dict[str, dict[str, dict[str, object]]] = _file()["sizes"]  # type: ignore[assignment]
    return {name: _games(counts) for name, counts in found[str(players)].items()}


def _games(counts: dict[str, object]) -> Games:
    places, margins, leads = (counts[name] for name in ("places", "margins", "leads"))
    return Games(
        str(counts["policy"]), str(counts["setup"]), source().games,
        tuple({int(score): games for score, games in each.items()} for each in places),  # type: ignore[attr-defined]
        {int(margin): games for margin, games in margins.items()},  # type: ignore[attr-defined]
        {int(lead): (games, wins) for lead, (games, wins) in leads.items()},  # type: ignore[attr-defined]
    )  # fmt: skip


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


_NOT_COMPARED = "the games that it could be compared with are of the base game of the second edition as printed"


def is_printed(game: GameText) -> bool:
    """Whether it is the base game of the second edition as printed, of which the counts and the register are."""
    return game.edition == "2e" and not game.expansions and not game.changed


def standing_of(game: GameText) -> Standing:
    """Where the scores, the margin and the leader of a game stand, as far as they are noted."""
    rows = game.sections[END].rows if END in game.sections else {}
    points = {seat: row.vp for seat, row in rows.items() if row.vp is not None}
    ordered = sorted(points, key=lambda seat: (-points[seat], seat))
    whole = len(points) == game.players
    margin = points[ordered[0]] - points[ordered[1]] if whole else None
    if not is_printed(game):
        return Standing(_NOT_COMPARED, [Score(seat, points[seat], None, {}) for seat in ordered], margin, {}, None)
    games = games_of(game.players)
    scores = []
    for number, seat in enumerate(ordered):
        place = number if whole else None
        scores.append(
            Score(seat, points[seat], place, {bots: of.lower(points[seat], place) for bots, of in games.items()})
        )
    smaller = {} if margin is None else {bots: of.smaller_margin(margin) for bots, of in games.items()}
    return Standing("", scores, margin, smaller, _leader(game))


def winners_of(game: GameText) -> tuple[int, ...]:
    """The seats that the text calls winners, else those with the most points, ties broken by Thalers (B7.6).

    None if that is unknown.
    """
    thalers = _best_scores(game)
    known = [each for each in thalers.values() if each is not None]
    if not thalers:
        return game.won
    return tuple(seat for seat, each in thalers.items() if len(known) < len(thalers) or each == max(known))


def undecided_of(game: GameText) -> tuple[int, ...]:
    """The seats that have the most points while Thalers, which break the tie (B7.6), are not all noted."""
    thalers = _best_scores(game)
    return tuple(thalers) if len(thalers) > 1 and None in thalers.values() else ()


def _best_scores(game: GameText) -> dict[int, int | None]:
    """The Thalers of each seat with the most points; none if the text calls somebody winner or lacks points."""
    rows = game.sections[END].rows if END in game.sections else {}
    points = {seat: row.vp for seat, row in rows.items() if row.vp is not None}
    if game.won or len(points) < game.players:
        return {}
    return {seat: rows[seat].thalers for seat in sorted(points) if points[seat] == max(points.values())}


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
