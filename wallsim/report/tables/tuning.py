"""Tunings and searches for a best response as text: lines of their course, results, comments of policy files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from textwrap import fill
from typing import Any

from rich.console import Console

from wallsim.folder.receipts import Facts, Key
from wallsim.folder.search_kinds import CHECK, PICTURE
from wallsim.report.tables.console import print_lines, print_table
from wallsim.report.tables.estimates import bounded, half_width, share, share_ends
from wallsim.rules.other_settings import other_settings, settings_line, settings_of_all
from wallsim.searches.response import DRAWN, KNOWN
from wallsim.searches.tuning.evaluation import Finding

_WIDTH = 100  # characters of a line of a picture's title
_HEADINGS = ("opponent", "role", "wins", "95 % interval", "games")


def course_line(key: Key, line: Facts) -> str:
    """What was done for a key of a search for weights as text."""
    if key[0] == CHECK:
        findings = [Finding.from_fields(fields) for fields in line["findings"]]
        shares = ", ".join(f"{finding.opponent} {share(finding.share)}{_half(finding)} %" for finding in findings)
        return f"check after {key[1]} generations: the mean wins against {shares}"
    joined = "; joins the pool" if line["joined"] else ""
    return (
        f"generation {key[1]}: the mean wins {share(line['share'])} ± {share(line['error'])} % against the "
        f"pool, best score {max(line['scores']):.3f}, step {line['step']:.3f}{joined}"
    )


def policy_description(start: str, players: int) -> str:
    """The description in a policy file, one line."""
    return f"`{start}` with weights tuned in self-play of {players} players, see the file."


def policy_comments(result: Mapping[str, Any]) -> list[str]:
    """How a policy was made, by which command, and how well it plays, as paragraphs."""
    settings, packages = result["settings"], result["packages"]
    findings = [Finding.from_fields(fields) for fields in result["held_out"]]
    shares = "; ".join(f"{share(f.share)} % ({share_ends((f.low, f.high))}) against {f.opponent}" for f in findings)
    return [
        f"Made by: {result['command']}",
        f"wallsim {packages['wallsim']}, engine version {settings['engine_version']}, cma {packages['cma']}. "
        f"{result['generations']} generations of {settings['population']} candidates with {settings['games']:,} games "
        f"each, seed {settings['seed']}; policies in the pool at the end: {len(result['pool'])}. Tuned: "
        f"{tuned_words(settings['tuned'])}. The result is {result['chosen']}, chosen from {len(result['finalists'])} "
        "in separate games.",
        f"Held-out games, one seat plays it and all others one opponent, {findings[0].games:,} games in "
        f"{findings[0].blocks:,} blocks against each: it wins {shares}. The fair share is {result['fair']:.1%}; the "
        f"intervals hold simultaneously with 95 % confidence.",
        *(f"Warning: {warning}." for warning in result["warnings"]),
    ]


def tuned_words(names: Sequence[str]) -> str:
    """The coordinates of a search by their names: weights for all rounds, then those by phase, with equal phases."""
    phases: dict[str, list[str]] = {}
    for name in names:
        weight, _, phase = name.partition(" in ")
        phases.setdefault(weight, []).append(phase or "all other rounds")
    by_phases: dict[tuple[str, ...], list[str]] = {}
    for weight, there in phases.items():
        by_phases.setdefault(tuple(there), []).append(weight)
    constant = by_phases.pop(("all other rounds",), [])
    parts = [", ".join(constant)] if constant else []
    parts += [f"by phase ({', '.join(there)}) {', '.join(weights)}" for there, weights in by_phases.items()]
    return "; ".join(parts)


def curve_title(result: Mapping[str, Any]) -> str:
    """The title of the learning curve of a tuning."""
    settings = result["settings"]
    others = settings_of_all([other_settings(table) for table in (settings, *settings.get("further", ()))])
    title = (
        f"{settings['start']['name']}, {settings['players']} players: {result['generations']} generations of "
        f"{settings['population']} candidates, {settings['games']:,} games each"
    )
    return "\n".join([title, *fill(settings_line(others), _WIDTH).splitlines()])


def print_tuning(console: Console, result: Mapping[str, Any], policy: Path) -> None:
    """Print the result: the held-out games against each opponent, warnings, and where the files are."""
    findings = [Finding.from_fields(fields) for fields in result["held_out"]]
    rows = [
        (f.opponent, f.role, f"{share(f.share, 2)} %", share_ends((f.low, f.high), 2), f"{f.games:,}") for f in findings
    ]
    about = f"{result['name']}, {result['chosen']}, in held-out games: one seat plays it, all others one opponent."
    print_lines(console, [about])
    print_table(console, _HEADINGS, rows)
    print_lines(console, [
        f"Fair share {result['fair']:.2%}. Blocks in each row: {findings[0].blocks:,}; a block is a game "
        "number played from every seat. The intervals hold for all rows simultaneously (Bonferroni).",
        *(f"Warning: {warning}." for warning in result["warnings"]),
        f"Policy file: {policy}\nLearning curve: {policy.with_name(PICTURE)}",
    ])  # fmt: skip


def _half(finding: Finding) -> str:
    return half_width((finding.low, finding.high), 1, 100.0)


_WHOSE = {KNOWN: "that knows the policy's weights", DRAWN: "that takes the others for other policies"}


def result_line(result: Mapping[str, Any]) -> str:
    """The exploitability with its interval, the CPU minutes of the search and the fair share."""
    estimate = Finding.from_fields(result["exploitability"])
    return f"exploitability: {_won(estimate)} in {_minutes(result)} CPU minutes, fair {share(result['fair'])} %"


def response_description(result: Mapping[str, Any]) -> str:
    """The description in the policy file of a response, one line."""
    players = result["settings"]["players"]
    return f"The best response to {players - 1} of `{result['policy']}` that a search found, see the file."


def response_comments(result: Mapping[str, Any]) -> list[str]:
    """How a response was made and how well it plays, as paragraphs."""
    settings, packages = result["settings"], result["packages"]
    estimate = Finding.from_fields(result["exploitability"])
    return [
        f"Made by: {result['command']}",
        f"wallsim {packages['wallsim']}, engine version {settings['engine_version']}, cma {packages['cma']}. "
        f"{_search_words(result)}, {settings['population']} candidates in each, seed {settings['seed']}. Searched: "
        f"{tuned_words(settings['tuned'])}. The result is {result['chosen']}, chosen from {len(result['finalists'])} "
        "in separate games.",
        f"Held-out games, one seat plays it and all others `{result['policy']}`, {estimate.games:,} games in "
        f"{estimate.blocks:,} blocks: {result_line(result)}. The interval holds with 95 % confidence.",
        *([f"{_searching_line(result)}."] if result["search"] else []),
    ]


def print_response(console: Console, result: Mapping[str, Any], policy: Path) -> None:
    """Print the result of a search for a best response, what it rests on, and where the files are."""
    estimate = Finding.from_fields(result["exploitability"])
    print_lines(console, [
        result_line(result),
        *([_searching_line(result)] if result["search"] else []),
        f"{_search_words(result)}; held out: {estimate.games:,} games in {estimate.blocks:,} blocks, one seat of the "
        f"response among {result['settings']['players'] - 1} of {result['policy']}; 95 % interval.",
        f"Best response: {policy}\nLearning curve: {policy.with_name(PICTURE)}",
    ])  # fmt: skip


def _searching_line(result: Mapping[str, Any]) -> str:
    estimate = Finding.from_fields(result["search"])
    whose = _WHOSE.get(result["rivals"], "with its weights")
    return f"a search {whose} wins {_won(estimate)} of {estimate.games:,} games"


def _won(estimate: Finding) -> str:
    return f"{share(estimate.share)} % ({share_ends((estimate.low, estimate.high))})"


def _search_words(result: Mapping[str, Any]) -> str:
    return f"{result['generations']:,} generations, {result['games']:,} games in {_minutes(result)} CPU minutes"


def _minutes(result: Mapping[str, Any]) -> str:
    return bounded(result["cpu_minutes"], 1).removesuffix(".0")
