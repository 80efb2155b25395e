"""The words and the picture of where the scores of a game stand."""

from __future__ import annotations

from typing import Any

from wallsim.api.game_review.findings import Findings
from wallsim.api.game_review.standing import BOTS, Leads, Share, games_of
from wallsim.rules.ruleset import LETTERS

PLACES = ("first", "second", "third", "fourth", "fifth")
_SMALLEST = 0.005
_SIDES = (0.1, 0.9)  # of the bars: eight games in ten lie between
_WIDTH, _LEFT, _RIGHT, _TOP, _ROW, _SPACE = 360.0, 62.0, 12.0, 32.0, 13.0, 9.0
_BOTTOM, _TICK = 20.0, 10


def scores_table(review: Findings) -> list[list[str]]:
    """A row for each noted score: player, points, and the share of games with less, for each kind of bots."""
    return [
        [review.game.name_of(each.seat), str(each.points), *(share_words(each.lower[bots]) for bots in each.lower)]
        for each in review.standing.scores
    ]


def share_words(share: Share) -> str:
    """A share in whole per cent with half of its interval, or `under 1 %`."""
    if share.value < _SMALLEST:
        return "under 1 %"
    if share.value > 1 - _SMALLEST:
        return "over 99 %"
    return f"{100 * share.value:.0f} ± {max(1.0, 50 * (share.high - share.low)):.0f} %"


def leader_rows(review: Findings) -> list[list[str]]:
    """A row for each kind of bots: how often leaders win, and those with such a lead."""
    leader = review.standing.leader
    if leader is None:
        return []
    alike = {bots: _alike(leads) for bots, leads in leader.like.items()}
    return [
        [BOTS[bots], share_words(wins), *([alike[bots]] if alike else [])] for bots, wins in leader.wins.items()
    ]  # fmt: skip


def _alike(leads: Leads) -> str:
    size = f"{leads.least}" if leads.least == leads.most else f"{leads.least} to {leads.most}"
    return share_words(leads.wins) + (f" (leads of {size})" if leads.most else "")


def typical_scores(review: Findings) -> list[list[str]]:
    """A row for each place: what eight games in ten score there, for each kind of bots."""
    games, rows = games_of(review.game.players), []
    for place in range(review.game.players):
        ends = [(each.level(place, _SIDES[0]), each.level(place, _SIDES[1])) for each in games.values()]
        rows.append([PLACES[place], *(f"{low} to {high}" for low, high in ends)])
    return rows


def winners_words(review: Findings) -> str:
    """What winners of such games score, in a sentence; "" if no winner's score is known."""
    if review.standing.missing or review.standing.margin is None:
        return ""
    ends = [
        f"{BOTS[bots]} win with {each.level(0, _SIDES[0])} to {each.level(0, _SIDES[1])}"
        for bots, each in games_of(review.game.players).items()
    ]
    points = review.standing.scores[0].points
    return f"The winner has {points} points. In eight games of ten {', '.join(ends[:-1])}, and {ends[-1]}."


def standing_chart(review: Findings) -> str:
    """Bars for the places, kind by kind of bots, and a line for each noted score."""
    games, scores = games_of(review.game.players), review.standing.scores
    ends = [(each.level(place, _SIDES[0]), each.level(place, _SIDES[1])) for each in games.values()
            for place in range(review.game.players)]  # fmt: skip
    low = min([first for first, _ in ends] + [each.points for each in scores]) - 2
    high = max([last for _, last in ends] + [each.points for each in scores]) + 2

    def at(score: float) -> float:
        return _LEFT + (score - low) / (high - low) * (_WIDTH - _LEFT - _RIGHT)

    block = _ROW * review.game.players + _SPACE
    bottom = _TOP + block * len(games)
    first = -(-low // _TICK) * _TICK
    parts = [
        f'<svg class="standing" viewBox="0 0 {_WIDTH:.0f} {bottom + _BOTTOM:.0f}" role="img" aria-label="Scores that '
        f'eight games in ten have at each place, and the scores of this game; the tables below have the numbers">'
    ]
    for tick in range(first, high + 1, _TICK):
        parts.append(f'<line class="grid" x1="{at(tick):.1f}" x2="{at(tick):.1f}" y1="{_TOP:.0f}" y2="{bottom:.0f}"/>')
        parts.append(f'<text class="axis" x="{at(tick):.1f}" y="{bottom + 14:.0f}">{tick}</text>')
    for number, (bots, each) in enumerate(games.items()):
        top = _TOP + number * block
        parts.append(f'<text class="bots" x="0" y="{top + block / 2:.1f}">{BOTS[bots].split()[0]}</text>')
        parts += [_bar(each, place, top + _ROW * place, at) for place in range(review.game.players)]
    letters: dict[int, str] = {}
    for one in scores:
        letters[one.points] = letters.get(one.points, "") + LETTERS[one.seat]
    for number, (points, seats) in enumerate(letters.items()):
        x, y = at(points), 14 + number % 2 * 12  # in turn on two lines, since scores may be close
        parts.append(f'<line class="score" x1="{x:.1f}" x2="{x:.1f}" y1="{y + 2}" y2="{bottom:.0f}"/>')
        parts.append(f'<text class="axis" x="{x:.1f}" y="{y}">{seats}</text>')
    return "".join([*parts, "</svg>"])


def _bar(games: Any, place: int, y: float, at: Any) -> str:
    low, middle, high = (at(games.level(place, share)) for share in (_SIDES[0], 0.5, _SIDES[1]))
    return (
        f'<rect class="place" x="{low:.1f}" y="{y + 2:.1f}" width="{high - low:.1f}" height="{_ROW - 4:.0f}"/>'
        f'<rect class="middle" x="{middle - 1.5:.1f}" y="{y + 1:.1f}" width="3" height="{_ROW - 2:.0f}"/>'
    )
