"""The page of openings: tables by line-up, policy and box, and what followed in the next season."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from wallsim.analysis.games.breakdown import Mean
from wallsim.analysis.openings.choices import FIRST, LEAST, NEXT, PASS, REST, Box, Choice, Opening
from wallsim.analysis.openings.forced import Effects, Explored, Forced
from wallsim.report.html.page import page_names, rendered
from wallsim.report.tables.estimates import NOTHING, half_width, in_words, number
from wallsim.rules.other_settings import settings_line, settings_of
from wallsim.stats.intervals import LEVEL

_TEMPLATES = Path(__file__).with_name("templates")
_STYLES = ("style.css", "openings.css")
_NAMES = {
    PASS: "pass", REST: f"rest, each under {LEAST} plans", "trading_post": "trading post", "deploy5": "deploy 5",
    "deploy3": "deploy 3", "deploy1": "deploy 1", "combat_a": "combat A", "combat_b": "combat B",
}  # fmt: skip


class Cell(NamedTuple):
    """A number in words, and the value by which it is sorted."""

    text: str
    value: float | str


def openings_page(explored: Sequence[Explored]) -> str:
    """The page, one part a run; the same runs give the same bytes."""
    parts = [_part(place, each) for place, each in enumerate(explored)]
    return rendered(
        "openings.html.j2", folder=_TEMPLATES, styles=_STYLES, parts=parts, level=LEVEL, least=LEAST,
        first=FIRST, following=NEXT, forced=any(any(each.effects) for each in explored),
    )  # fmt: skip


def _part(place: int, explored: Explored) -> dict[str, Any]:
    run, facts = explored.run, explored.run.manifest["experiment"]
    groups = [
        _group(f"part-{place}-{index}", opening, effects)
        for index, (opening, effects) in enumerate(zip(explored.openings, explored.effects, strict=True))
    ]
    return {
        "id": f"part-{place}", "name": facts["name"] or page_names([run.folder])[0], "games": run.manifest["games"],
        "policies": ", ".join(dict.fromkeys(policy["name"] for policy in run.identity["policies"])),
        "players": run.identity["players"], "setup": run.identity["setup"], "edition": run.identity["edition"],
        "expansions": ", ".join(run.expansions), "seed": run.manifest["seed"], "hash": facts["hash"][:12],
        "settings": settings_line(settings_of(run.manifest)), "groups": groups,
    }  # fmt: skip


def _group(place: str, opening: Opening, effects: Effects) -> dict[str, Any]:
    boxes = []
    for box in opening.boxes:
        boxes.append({
            "id": f"{place}-{box.box}",
            "name": words_of(box.box),
            "rows": [_row(choice, effects.get((box.box, choice.card))) for choice in box.choices],
            "top": _row(box.choices[0], None),
            "following": [
                {"card": words_of(choice.card), "cases": f"{choice.cases:,}", "rows": _next_rows(opening, box, choice)}
                for choice in box.frequent
            ],
        })  # fmt: skip
    return {
        "id": place, "name": name_of(opening), "boxes": boxes, "cases": f"{opening.cases:,}", "forced": bool(effects),
        "vp": _cell(opening.vp, 2).text, "wins": _cell(opening.wins, 1, 100.0).text,
    }  # fmt: skip


def name_of(opening: Opening) -> str:
    """The line-up, if there is one, and the policy of an opening."""
    return f"Line-up {opening.lineup}, {opening.policy}" if opening.lineup else opening.policy


def _next_rows(opening: Opening, box: Box, choice: Choice) -> list[dict[str, Any]]:
    rows = []
    for later in opening.following[box.box, choice.card]:
        rows += [{"box": words_of(later.box), **_row(each, None)} for each in later.frequent]
    return rows


def _row(choice: Choice, effect: Forced | None) -> dict[str, Any]:
    nothing = Cell(NOTHING, "")
    forced = None if effect is None or not effect.games else effect
    return {
        "card": words_of(choice.card),
        "cases": Cell(f"{choice.cases:,}", choice.cases),
        "share": Cell(in_words(choice.share, choice.share_interval, 1, top=100.0, factor=100.0), choice.share),
        "vp": _cell(choice.vp, 2),
        "wins": _cell(choice.wins, 1, 100.0),
        "forced_games": nothing if effect is None else Cell(f"{effect.games:,}", effect.games),
        "forced_vp": nothing if forced is None else _cell(forced.vp, 2),
        "forced_wins": nothing if forced is None else _cell(forced.wins, 1, 100.0),
    }


def _cell(mean: Mean, decimals: int, factor: float = 1.0) -> Cell:
    value = factor * mean.mean
    return Cell(number(value, decimals, sign="+") + half_width(mean.interval, decimals, factor), value)


def words_of(name: str) -> str:
    """What a page calls a box or a card."""
    return _NAMES.get(name, name)
