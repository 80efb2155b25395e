"""Advice on a plan or another choice, as text and as a document for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from wallsim.analysis.advice.answer import Advice, AdvisedPlan, Answer
from wallsim.analysis.advice.choice_text import Change
from wallsim.analysis.advice.tables import ERROR
from wallsim.report.tables.console import print_table
from wallsim.report.tables.estimates import NOTHING, bounded, ends, in_words, share
from wallsim.rules.other_settings import settings_line
from wallsim.rules.provenance import event_words

_POINTS = 100.0  # of a share of wins
_DECIMALS = 1
_ROUND = "the others' cards, the hidden actions and events"
_HIDDEN = {"plan": _ROUND, "claim": "the deck and the events to come", "place": _ROUND, "attack": _ROUND}


def print_advice(console: Console, advice: Advice) -> None:
    """Print the plan or choice to make, the next best, what other kinds of play say, and what is not known."""
    for line in filter(None, [settings_line(advice.settings), *_table_lines(advice)]):
        console.print(line, soft_wrap=True, markup=False)
    console.print()
    _print_plans(console, advice)
    console.print()
    first = advice.answers[0]
    console.print(_best_line(advice, first), soft_wrap=True, markup=False)
    rows = [
        [str(number), *_worse(plan), changes_in_words(plan.changes)]
        for number, plan in enumerate(first.alternatives, start=2)
    ]
    if first.judged is not None:
        words = "the best one" if not first.judged.changes else changes_in_words(first.judged.changes)
        rows.append([_whose(advice), *_worse(first.judged), words])
    print_table(console, [advice.kind, "worse by", "interval", "what differs"], rows)
    console.print()
    _print_plays(console, advice)
    console.print()
    console.print(Text("\n".join(_notes(advice)), style="dim"), soft_wrap=True)


def changes_in_words(changes: Sequence[Change]) -> str:
    """`church: Neumark, not Tirol; bid: 2, not 0`."""
    return "; ".join(f"{_box(each.box)}: {_box(each.other)}, not {_box(each.best)}" for each in changes)


def advice_document(advice: Advice) -> dict[str, Any]:
    """The advice for `--json`, with the fields of its answers; shares from 0 to 1."""
    moment = advice.moment
    return {
        "kind": advice.kind,
        "source": moment.source,
        "season": moment.season,
        "seat": moment.seat,
        "players": moment.ruleset.players,
        "actions": moment.open_actions(),
        "tiles": moment.open_tiles(),
        "events": moment.open_events(),
        "drawn": list(moment.drawn),
        "facts": list(advice.facts),
        "policy": advice.policy,
        "tower": advice.tower,
        "not_default": advice.settings,
        "error": ERROR,
        "seed": advice.seed,
        "level": advice.level,
        "precision": advice.precision,
        "in_time": advice.in_time,
        "judged": advice.judged or None,
        "agreed": advice.agreed,
        "plays": advice.answers,
    }


def _table_lines(advice: Advice) -> list[str]:
    moment = advice.moment
    if advice.facts:
        return list(advice.facts)
    tiles = moment.open_tiles()
    lines = [
        f"Seat {moment.seat} plans {moment.season} of {moment.source}, with {int(moment.game[0].thalers[moment.seat])} "
        f"Thalers and {len(moment.counties)} counties.",
        f"Open actions: {', '.join(map(_box, moment.open_actions()))}.",
        f"Open events: {'; '.join(map(event_words, moment.open_events()))}.",
    ]
    return [*lines, f"Bonus tiles of places 1 to 5: {', '.join(map(_box, tiles))}."] if tiles else lines


def _print_plans(console: Console, advice: Advice) -> None:
    """Print the best plan against each kind of play, a column each, in as many tables as the width asks for."""
    columns = [[answer.play, *map(_box, answer.best.cards.values())] for answer in advice.answers]
    boxes = [f"best {advice.kind} against", *map(_box, advice.best.cards)]
    first, room = 0, console.width - _width(boxes)
    while first < len(columns):
        last, used = first, 0
        while last < len(columns) and (last == first or used + _width(columns[last]) <= room):
            used += _width(columns[last])
            last += 1
        rows = list(zip(boxes, *columns[first:last], strict=True))
        print_table(console, rows[0], rows[1:])
        first = last
        if first < len(columns):
            console.print()


def _width(column: Sequence[str]) -> int:
    return max(map(len, column)) + 2


def _best_line(advice: Advice, answer: Answer) -> str:
    wins = in_words(answer.best.wins, answer.best.wins_interval, _DECIMALS, factor=_POINTS)
    same = [box for box in answer.best.cards if not any(box == each.box for plan in answer.alternatives for each in
            plan.changes)]  # fmt: skip
    agreed = f"; all agree on {', '.join(map(_box, same))}" if same and answer.alternatives else ""
    return (
        f"Against {answer.play} play ({answer.policy}) the best {advice.kind} wins {wins} % of {answer.tables:,} dealt "
        f"tables. The next best, in points of wins{agreed}:"
    )


def _print_plays(console: Console, advice: Advice) -> None:
    """Print how much worse the advised plan is against each kind of play than the best one there."""
    headings = ["against", "tables", "best wins, %", "the best: worse by"]
    rows = []
    for answer in advice.answers:
        row = [answer.play, f"{answer.tables:,}", share(answer.best.wins), _in_points(answer.advised)]
        rows.append([*row, _in_points(answer.judged)] if answer.judged is not None else row)
    headings[-1] = f"best for {advice.answers[0].play}: worse by"
    if advice.judged:
        headings.append(f"{_whose(advice)}: worse by")
    print_table(console, headings, rows)


def _notes(advice: Advice) -> list[str]:
    most = max((_half(plan) for answer in advice.answers for plan in (*answer.plans, answer.advised)), default=0.0)
    one = f"The same {advice.kind} is best against every kind of play." if advice.agreed else (
        f"The best {advice.kind} is not the same against every kind of play: the advice depends on the other players."
    )  # fmt: skip
    lines = [
        *([one] if len(advice.answers) > 1 else []),
        f"The intervals against each kind of play hold simultaneously with {advice.level:.0%} confidence: Student's t "
        f"over dealt tables on which nothing was chosen; the widest one is ± {bounded(_POINTS * most, _DECIMALS)} "
        "points.",
    ]
    if not advice.in_time:
        wanted = bounded(_POINTS * advice.precision, _DECIMALS)
        lines.append(f"The time ran out before all were as narrow as ± {wanted} points.")
    drawn = f" Drawn at random, once: {', '.join(advice.moment.drawn)}." if advice.moment.drawn else ""
    lines.append(
        f"Not known: {_HIDDEN[advice.kind]}, and the tower, taken for {advice.tower} "
        f"(--tower asks with another).{drawn}"
    )
    policies = ", ".join(f"{answer.policy} ({answer.play})" for answer in advice.answers)
    lines.append(f"The others play as {policies}.")
    lines.append(
        f"The seat goes on as {advice.policy}; all seats judge with errors of {ERROR} VP or more. These are bots: "
        "people may play otherwise."
    )
    return lines


def _half(plan: AdvisedPlan) -> float:
    return 0.0 if plan.behind_interval is None else (plan.behind_interval[1] - plan.behind_interval[0]) / 2


def _worse(plan: AdvisedPlan) -> tuple[str, str]:
    if not plan.changes:
        return "0", NOTHING
    return bounded(_POINTS * plan.behind, _DECIMALS), ends(plan.behind_interval, _DECIMALS, _POINTS)


def _in_points(plan: AdvisedPlan) -> str:
    if not plan.changes:
        return "0"
    value, interval = _worse(plan)
    return value if plan.behind_interval is None else f"{value} ({interval})"


def _whose(advice: Advice) -> str:
    return f"your {advice.kind}" if advice.judged == "yours" else f"the {advice.kind} made"


def _box(name: str) -> str:
    return name.replace("_", " ")
