"""The page of a review: HTML from the template, and a picture of each seat's chances."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wallsim.analysis.battle.states import IN_WORDS
from wallsim.api.game_review.chances import COVERED, REFERENCE_GAMES, REFERENCE_POLICY, Chance, SeasonChances
from wallsim.api.game_review.findings import Findings
from wallsim.api.game_review.luck import BattleChance, tower_of_game
from wallsim.api.game_review.plans import PLAYS as PLAN_PLAYS
from wallsim.api.game_review.plans import ComparedPlan
from wallsim.api.game_review.standing import BOTS, games_of, source, undecided_of
from wallsim.api.game_review.standing_page import (
    leader_rows,
    scores_table,
    share_words,
    standing_chart,
    typical_scores,
    winners_words,
)
from wallsim.api.game_review.start import PLAYS
from wallsim.api.outlook import FIRST_KNOWN, TABLES, calibrated_for
from wallsim.engine.version import ENGINE_VERSION
from wallsim.errors import InputError
from wallsim.report.html.page import STYLES, rendered
from wallsim.report.pages.openings import words_of
from wallsim.report.tables.estimates import in_words
from wallsim.rules.other_settings import other_settings, settings_line
from wallsim.rules.ruleset import LETTERS
from wallsim.rules.terms import BUILDINGS
from wallsim.stats.intervals import LEVEL
from wallsim.studies.published import figures
from wallsim.trace.game_text.model import FIRST_WINTER, GameText, NotedBattle, time_word
from wallsim.trace.game_text.points import Points, points_after

if TYPE_CHECKING:
    from wallsim.analysis.advice.answer import Answer

TEMPLATES = Path(__file__).with_name("templates")
_KINDS = {"palace": "palaces", "church": "churches", "trading_post": "trading posts"}
_WIDTH, _HEIGHT, _LEFT, _TOP = 360.0, 120.0, 40.0, 12.0
_TABLE_BOTS = dict(zip(TABLES, ("casual bots", "strong bots"), strict=True))
_UNNOTED, _NONE = "not noted", "–"
_BOTTOM = 26.0  # for the names of seasons
_SHIFT = 5.0  # of the two kinds of table, to either side


def review_page(review: Findings) -> str:
    """The page. The same review gives the same bytes."""
    game = review.game
    seats = list(range(game.players))
    return rendered(
        "review.html.j2", TEMPLATES, styles=(*STYLES, "review.css"), scripts=(), review=review, seats=seats,
        title=game.title or "A game to look at", names=[game.name_of(seat) for seat in seats],
        winners=[game.name_of(seat) for seat in review.winners], tables=TABLES, **_standing(review),
        calibrated={table: calibrated_for(table, game.players) for table in TABLES},
        doubts=[f"Line {each.spot.line}: {each.message}." for each in game.doubts],
        start_seats=sorted(review.start.seats), counties=_counties(review), table_bots=_TABLE_BOTS,
        owner_known=any(each.seat is not None for each in review.start.counties), ids=_ids(review),
        years=[_year(review, time, points) for time, points in review.points.items()],
        charts=[_chart(review, seat) for seat in seats] if review.chances else [],
        times=[each.time for each in review.chances], chance=_chance, first=FIRST_KNOWN, share=100 / game.players,
        ties=_ties(review), battles=_battles(review), plays=PLAYS,
        lucky=[seat for seat in seats if review.luck[seat].battles],
        tower=tower_of_game(game).name, states=IN_WORDS, unknown=_unknown(review), covered=100 * COVERED,
        settings=settings_line(_settings(game)),
        plans=[row for each in review.plans for row in _plan_rows(each)],
        not_compared=[_not_compared(each) for each in review.plans if each.missing], level=LEVEL,
        drawn=_drawn(review), reference=REFERENCE_GAMES, player=REFERENCE_POLICY.format(game.players),
        engine=ENGINE_VERSION, percent=_percent,
    )  # fmt: skip


def _settings(game: GameText) -> list[str]:
    """What is not the default; of rules and amounts a text of a simulated game has the names alone."""
    tower = tower_of_game(game)
    facts = {"edition": game.edition, "expansions": game.expansions, "tower": tower.numbers()}
    return [*other_settings(facts, tower=tower.name), *(f"changed {name}" for name in game.changed)]


def _standing(review: Findings) -> dict[str, Any]:
    """What the page says of scores, margin and leader among games of this size."""
    standing, players = review.standing, review.game.players
    leader = standing.leader
    games = {} if standing.missing else games_of(players)
    return {
        "scores": scores_table(review), "bots": BOTS, "games": games, "source": source(),
        "scores_chart": standing_chart(review) if games else "", "typical": typical_scores(review) if games else [],
        "margin_rows": [[BOTS[bots], share_words(each)] for bots, each in standing.smaller.items()],
        "leaders": [] if leader is None else [review.game.name_of(seat) for seat in leader.seats],
        "leader_rows": leader_rows(review), "reported": _reported(review) if games else [],
        "winners_score": winners_words(review), "undecided": bool(undecided_of(review.game)),
    }  # fmt: skip


def _reported(review: Findings) -> list[str]:
    """The scores that people report, by place, where the register has some for this size."""
    try:
        rows = figures(f"casual.reported-points.{review.game.players}p.*").select("id", "value").sort("id")
    except InputError:
        return []
    return [f"{value:.0f}" for _, value in rows.iter_rows()]


def _counties(review: Findings) -> list[list[str]]:
    """A row for each named county: who owned it if the text says so, and its value by kind of bots."""
    named, rows = review.start.counties, []
    for each in named:
        owner = "not noted" if each.seat is None else review.game.name_of(each.seat)
        owners = [owner] if any(one.seat is not None for one in named) else []
        rows.append([each.county, *owners, *each.values.values()])
    return rows


def _ids(review: Findings) -> list[str]:
    """The figures of the register that the page shows, each once."""
    ids = [each for start in review.start.seats.values() for each in start.ids]
    ids += [each for county in review.start.counties for each in county.ids]
    return list(dict.fromkeys(ids))


def _year(review: Findings, time: str, points: list[Points]) -> dict[str, Any]:
    """A winter's points of each seat by source; with expansions also what is not of the board."""
    rows = []
    for seat, each in enumerate(points):
        now = review.game.sections[time].rows[seat].vp
        before = 0 if time == FIRST_WINTER else points_after(review.game, 1)[seat]
        other: int | None = None
        if review.game.expansions and now is not None and before is not None:
            other = now - before - each.total
        by_kind = {kind: sum(one.points for one in each.majorities if one.kind == kind) for kind in BUILDINGS}
        rows.append({"points": each, "kinds": by_kind, "other": other, "total": each.total + (other or 0)})
    return {"time": time_word(time), "rows": rows, "kinds": _KINDS, "others": bool(review.game.expansions)}


def _ties(review: Findings) -> list[list[str]]:
    """Each shared majority: winter, region, kind, who shares it, and what it costs each."""
    found = []
    for time, points in review.points.items():
        shared = {one: None for each in points for one in each.majorities if one.tie_cost}
        for one in sorted(shared, key=lambda each: (each.region, BUILDINGS.index(each.kind))):
            seats = ", ".join(LETTERS[seat] for seat in one.leaders)
            found.append([time_word(time), one.region, _KINDS[one.kind], seats, str(one.tie_cost)])
    return found


def _unknown(review: Findings) -> bool:
    return any(not each.known for each in review.chances)


def _chance(season: SeasonChances, table: str, seat: int) -> str:
    """A chance in per cent, with its band where facts are unknown."""
    each = season.chances[table][seat]
    if season.known:
        return _percent(each.wins)
    return f"{_percent(each.wins)} ({_percent(each.low)}–{_percent(each.high)})"


def _percent(chance: float) -> str:
    return f"{100 * chance:.0f}"


def _battles(review: Findings) -> list[list[str]]:
    """A row for each noted battle, with its odds where the armies are noted."""
    odds = {id(each.battle): each for each in review.battles}
    return [_battle(each, odds.get(id(each))) for each in review.game.battles]


def _battle(battle: NotedBattle, odds: BattleChance | None) -> list[str]:
    attackers, defenders = ("?" if each is None else str(each) for each in (battle.attackers, battle.defenders))
    armies = f"{attackers} : {defenders}{' peasants' if battle.kind == 'neutral' else ''}"
    who = "peasants" if battle.kind == "revolt" else _who(battle.attacker)
    season = time_word(battle.season) if battle.season else _UNNOTED
    place, result = battle.place or _UNNOTED, battle.result or _UNNOTED
    chances = [_NONE] * 3 if odds is None else [
        _range(odds.win, odds.win_range), _percent(odds.tie), _range(odds.hold, odds.hold_range)
    ]  # fmt: skip
    return [season, who, place, _owner(battle), _NONE if odds is None else armies, result, *chances]


def _range(chance: float, ends: tuple[float, float]) -> str:
    return f"{_percent(chance)} ({_percent(ends[0])}–{_percent(ends[1])})"


def _who(seat: int | None) -> str:
    return _UNNOTED if seat is None else LETTERS[seat]


def _owner(battle: NotedBattle) -> str:
    return "neutral" if battle.kind == "neutral" else _who(battle.defender)


_TABLE_OF = dict(zip(PLAN_PLAYS, TABLES, strict=True))  # what the page calls a kind of play


def _plan_rows(each: ComparedPlan) -> list[list[str]]:
    """A row for each kind of table: season, seat, table, wins of the plan and of the best, and how far it is behind."""
    where = [each.plan.season, LETTERS[each.plan.seat]]
    return [[*where, _TABLE_OF[play], *_answer_cells(answer)] for play, answer in each.answers.items()]


def _answer_cells(answer: Answer) -> list[str]:
    plan = answer.judged
    assert plan is not None
    behind = "0" if not plan.changes else in_words(plan.behind, plan.behind_interval, 1, factor=100.0)
    boxes = ", ".join(words_of(each.box) for each in plan.changes) or "none"
    return [_percent(plan.wins), _percent(answer.best.wins), behind, f"{answer.tables:,}", boxes]


def _not_compared(each: ComparedPlan) -> str:
    return f"{each.plan.season}, {LETTERS[each.plan.seat]}: {each.missing}"


def _drawn(review: Findings) -> list[str]:
    """What had to be drawn at random for plans, in words."""
    return list(dict.fromkeys(words for each in review.plans for words in each.drawn))


def _chart(review: Findings, seat: int) -> str:
    """A seat's chances over the seasons: dots for casual tables, squares for experienced ones, bars for bands."""
    seasons, name = review.chances, review.game.name_of(seat)
    step = (_WIDTH - _LEFT) / len(seasons)
    share = _at(1 / review.game.players)
    parts = [
        f'<svg class="chances" viewBox="0 0 {_WIDTH:.0f} {_HEIGHT:.0f}" role="img" '
        f'aria-label="{escape(f"Win probabilities of {name}, in per cent; the table below has the numbers")}">',
        *(
            f'<line class="grid" x1="{_LEFT:.0f}" x2="{_WIDTH:.0f}" y1="{_at(level):.1f}" y2="{_at(level):.1f}"/>'
            f'<text class="level" x="{_LEFT - 4:.0f}" y="{_at(level) + 4:.1f}">{100 * level:.0f}</text>'
            for level in (0.0, 0.5, 1.0)
        ),
        f'<line class="fair" x1="{_LEFT:.0f}" x2="{_WIDTH:.0f}" y1="{share:.1f}" y2="{share:.1f}"/>',
    ]
    for place, table in enumerate(TABLES):
        shift = (place - 0.5) * 2 * _SHIFT
        marks = [(_LEFT + step * (at + 0.5) + shift, each.chances[table][seat]) for at, each in enumerate(seasons)]
        line = " ".join(f"{x:.1f},{_at(chance.wins):.1f}" for x, chance in marks)
        parts.append(f'<polyline class="{table}" points="{line}"/>')
        parts += [_mark(table, x, chance) for x, chance in marks]
    parts += [
        f'<text class="axis" x="{_LEFT + step * (at + 0.5):.1f}" y="{_HEIGHT - 6:.0f}">{escape(each.time)}</text>'
        for at, each in enumerate(seasons)
    ]
    return "".join([*parts, "</svg>"])


def _mark(table: str, x: float, chance: Chance) -> str:
    y, bar = _at(chance.wins), ""
    if chance.high > chance.low:
        bar = (
            f'<line class="interval" x1="{x:.1f}" x2="{x:.1f}" y1="{_at(chance.high):.1f}" y2="{_at(chance.low):.1f}"/>'
        )
    if table == TABLES[0]:
        return f'{bar}<circle cx="{x:.1f}" cy="{y:.1f}" r="4"/>'
    return f'{bar}<rect x="{x - 4:.1f}" y="{y - 4:.1f}" width="8" height="8"/>'


def _at(chance: float) -> float:
    return _TOP + (1 - chance) * (_HEIGHT - _TOP - _BOTTOM)
