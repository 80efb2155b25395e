"""The trace of a game as JSON Lines: every change of the game's state by chance or by a player, in order.

Names are those of the board's files, seats count from 0, amounts are integers. Cubes are objects keyed by
seat plus `peasants`; cards are `county:NAME`, `money:V`, `blank` (the first edition's), `tower` (a dice-tower card) or
null for a box that is not covered.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, TextIO

from wallsim.engine.log import Log
from wallsim.engine.log_lines import LINE_KINDS, STATE, read_line
from wallsim.rules.board import printed_board
from wallsim.trace.decoders import DECODERS
from wallsim.trace.match import Match
from wallsim.trace.snapshots import describe_end, describe_table

__all__ = ["TRACE_VERSION", "Match", "json_line", "trace_lines", "write_trace"]

TRACE_VERSION = 1


def trace_lines(match: Match, log: Log) -> Iterator[dict[str, Any]]:
    """The objects of a trace in order, each with its kind under `t`, from `game` to `end`.

    `log` is that of `Arena.trace` for the match's game. All values are plain Python.
    """
    yield _opening(match)
    for row in log.lines.tolist():
        kind, line = row[0], read_line(row)
        if kind == STATE:
            yield describe_table(match, log.snapshots[line["snapshot"]])
        else:
            yield {"t": LINE_KINDS[kind].name, **DECODERS[kind](match, line)}
    yield describe_end(match, log.snapshots[-1])


def write_trace(stream: TextIO, match: Match, log: Log) -> None:
    """Write a trace as JSON Lines: one compact object per line, in UTF-8 without escapes."""
    stream.writelines(map(json_line, trace_lines(match, log)))


def json_line(line: dict[str, Any]) -> str:
    """A trace object as a line of JSON, compact and without escapes."""
    return json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"


def _opening(match: Match) -> dict[str, Any]:
    ruleset = match.ruleset
    edits: dict[str, Any] = {}
    if match.board.digest != printed_board().digest:
        edits["board"] = {"name": match.board.name, "digest": match.board.digest}
    if ruleset.thalers:
        edits["start"] = {"thalers": list(ruleset.starting_thalers())}
    if ruleset.without:
        edits["without"] = list(ruleset.without)
    if ruleset.lineup_edits:
        edits["lineup_edits"] = {letter: dict(groups) for letter, groups in ruleset.lineup_edits}
    if ruleset.amounts:
        edits["amounts"] = dict(ruleset.amounts)
    return {
        "t": "game",
        "version": TRACE_VERSION,
        "edition": ruleset.edition,
        "expansions": list(ruleset.expansions),
        "players": match.players,
        "setup": ruleset.setup,
        "lineups": list(ruleset.letters()),
        "options": ruleset.options(),
        "seed": match.seed,
        "game": match.number,
        "policies": list(match.policies),
        "tower": {"model": match.tower.model, "name": match.tower.name, **match.tower.numbers()},
        **edits,
    }
