"""The page of openings: a picture of what bots plan first, and below it the cards of each line-up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.openings.choices import BID, BOXES, LEAST, MOST_FREQUENT
from wallsim.report.html.charts import bar, chart, line, words
from wallsim.report.pages.openings import words_of
from wallsim.rules.ruleset import LETTERS
from wallsim.studies.catalogue import load_study
from wallsim.studies.figure import slug
from wallsim.studies.publishing import as_published
from wallsim.studies.running import Result
from wallsim.studies.scope import PLAYERS, SIZES
from wallsim.studies.scope import PRINTED_TABLES as TABLES

from ..openings.study import NAMES, SPRING, Card, cards_at, experiment_of, lineup_means
from .chapters import chapter_of, traced_result
from .front import BOTS, Read, point
from .html import rendered

STUDY = "openings"


def page(files: Mapping[str, str]) -> str:
    """The first plans of each line-up by number of players, those of four first, and kind of bot.

    `files` are those of the study in the report, by what they have. The tables name the ids of their numbers once,
    since there are thousands.
    """
    result = as_published(load_study(STUDY))
    traced, order = traced_result(result), sorted(SIZES, key=lambda size: size != PLAYERS)
    return rendered(
        "openings.html.j2", chapter=chapter_of(traced, files), picture=first_plans(traced.figures.__getitem__),
        games=result.design.games, forced=PLAYERS,
        sizes={size: [_opened(result, size, table) for table in TABLES] for size in order}, least=LEAST,
        most=MOST_FREQUENT,
    )  # fmt: skip


def first_plans(read: Read) -> str:
    """How many of 100 first plans use each box: a row for each, with a bar and a number for each kind of bot."""
    top, step, whole = 24.0, 26.0, 48.0
    bottom, parts = top + step * len(BOXES), list[str]()
    for row, box in enumerate(BOXES):
        name = "Bid 1 or more" if box == BID else words_of(box).capitalize().replace(" a", " A").replace(" b", " B")
        parts.append(words(0, top + step * (row + 0.5) + 4.5, name))
        for column, (play, bots) in enumerate(BOTS.items()):
            x, y = 99.0 + 90 * column, top + step * row
            key = f"{STUDY}.laid.{PLAYERS}p.{box}/{play}/{TABLES[0].tower}@{slug(SPRING)}"
            found = point(read, key, bots, f"{name}, {bots} bots", " of 100 plans")
            parts.append(bar(found, x, y + 4, whole * float(found.value) / 100, step - 8))
            parts.append(words(x + whole + 5, y + step / 2 + 4.5, f"{found.value:.0f}", f"value {bots}"))
            if row == 0:
                parts.append(words(x, 14, bots, f"value {bots}"))
                parts += [line(end, top, end, bottom) for end in (x, x + whole)]
    return chart(bottom + 4, parts, "How many of 100 first plans use each action, for casual, master and scholar bots")


def _opened(result: Result, size: int, table: Cell) -> tuple[Any, ...]:
    """A kind of bot: its name, policy, cell as ids have it, and by line-up what its seat makes and cards by box."""
    lineups: dict[str, tuple[str, dict[str, list[Card]]]] = {}
    for letter in LETTERS[:size]:
        vp, wins = lineup_means(result.figures, letter, size, table)
        lineups[letter] = f"{vp} VP, {wins} % points of wins", {}
    for card in cards_at(result.figures, size, table):
        lineups[card.lineup][1].setdefault(words_of(card.box), []).append(card)
    policy = experiment_of(result.design, size, table).policies[0]
    return NAMES[table], policy, f"{slug(table.play)}/{slug(table.tower)}", lineups
