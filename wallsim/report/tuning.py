"""A tuning from its settings to its files: the search on screen, the selection, the held-out games, the picture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.console import Console

from wallsim.analysis.tuning import Finding, held_out, warnings_of
from wallsim.jit import is_compiled
from wallsim.policies.catalogue import Policy
from wallsim.report.console import print_table
from wallsim.report.progress import counted
from wallsim.report.style import save_picture
from wallsim.report.tuning_figures import learning_curve
from wallsim.runs.commit import sync_folder
from wallsim.runs.errors import InputError
from wallsim.runs.manifest import package_version
from wallsim.runs.setting import Setting
from wallsim.runs.tuning.course import Course
from wallsim.runs.tuning.journal import Journal
from wallsim.runs.tuning.objective import Games
from wallsim.runs.tuning.outcome import (
    PICTURE,
    RESULT,
    curve,
    policy_text,
    read_result,
    write_curve,
    write_policy,
    write_result,
)
from wallsim.runs.tuning.samples import PURPOSES, blocks_for, seed_for
from wallsim.runs.tuning.selection import rounded, select
from wallsim.runs.tuning.settings import Settings

_CHECKED = 4  # a check plays this part of the final held-out games


def tune_into(
    folder: Path,
    settings: Settings,
    generations: int,
    *,
    name: str,
    workers: int,
    command: str,
    console: Console,
    screen: Console,
) -> None:
    """Tune into a folder, or go on there, and print what came out; `screen` shows the progress.

    InputError if the folder holds something else, or more generations. What is finished outlives any interruption.
    """
    with Journal(folder, settings.identity()) as journal:
        there = sum("generation" in line for line in journal.lines)
        if there > generations:
            raise InputError(f"--generations: {generations} is less than the {there} that {folder} has")
        result = read_result(folder, generations)
        if result is None:
            (folder / RESULT).unlink(missing_ok=True)
            sync_folder(folder)
            if not is_compiled():
                screen.print("Compiling the engine, once per version, about a minute ...")
            result = _tune(folder, settings, journal, generations, name, workers, command, screen)
        else:
            screen.print(f"{folder} holds this tuning already, finished; nothing to play.", soft_wrap=True)
    _print_result(console, folder, result)


def _tune(
    folder: Path,
    settings: Settings,
    journal: Journal,
    generations: int,
    name: str,
    workers: int,
    command: str,
    screen: Console,
) -> dict[str, Any]:
    seats, fair = settings.seats, 1 / settings.seats
    with counted(screen, "games") as watch:
        played = 0

        def count(games: int) -> None:
            nonlocal played
            played += games
            watch(played, planned)

        games = Games(Setting(settings.experiment), workers, count)
        course = Course(settings, journal, games)
        planned = _games_left(settings, course, generations)

        def check(mean: Policy, turn: int) -> list[dict[str, Any]]:
            policy = Policy(mean.name, mean.kind, rounded(mean.weights))
            findings = held_out(
                games, policy, settings.references, seats=seats, games=-(-settings.held_out // _CHECKED),
                seed=seed_for(settings.seed, "checks"), turn=turn,
            )  # fmt: skip
            return [finding.fields() for finding in findings]

        def tell(line: dict[str, Any]) -> None:
            if screen.is_terminal:
                screen.print(_in_words(line, fair), soft_wrap=True)

        course.go_on(generations, check, tell)
        chosen = select(course, games)
        policy = settings.policy(name, chosen["weights"])
        findings = held_out(
            games, policy, settings.references, seats=seats, games=settings.held_out,
            seed=seed_for(settings.seed, "held-out"), turn=generations,
        )  # fmt: skip
    result = {
        "name": name,
        "command": command,
        "generations": generations,
        "settings": settings.identity(),
        "packages": {package: package_version(package) for package in ("wallsim", "cma", "numpy", "numba")},
        "seeds": {purpose: seed_for(settings.seed, purpose) for purpose in PURPOSES[:4]},
        "pool": [{"name": member.name, "weights": member.weights} for member in course.pool.members],
        **chosen,
        "weights": policy.weights,
        "fair": fair,
        "held_out": [finding.fields() for finding in findings],
        "warnings": warnings_of(findings, fair),
    }
    write_policy(folder / f"{name}.toml", policy_text(policy, _description(settings), _comments(result)))
    table = curve(course)
    write_curve(folder, table)
    shown = [policy.name for role, policy in settings.references if role != "sanity"]
    title = f"{settings.start.name}, {seats} players, {generations} generations of {settings.population} candidates"
    picture = learning_curve(table, shown, fair, f"{title}, {settings.blocks * seats:,} games a candidate")
    save_picture(picture, folder / PICTURE)
    write_result(folder, result)
    return result


def _games_left(settings: Settings, course: Course, generations: int) -> int:
    seats, done = settings.seats, len(course.generations)
    a_check = blocks_for(-(-settings.held_out // _CHECKED), seats) * len(settings.references)
    checks = generations // settings.check_every - len(course.checks)
    at_the_end = blocks_for(settings.held_out, seats) * (len(settings.references) + 3)  # three finalists
    a_generation = settings.blocks * (settings.population + 1)
    return seats * (a_generation * (generations - done) + a_check * checks + at_the_end)


def _in_words(line: dict[str, Any], fair: float) -> str:
    if "check" in line:
        shares = ", ".join(
            f"{f['opponent']} {f['share']:.1%} ± {(f['high'] - f['low']) / 2:.1%}" for f in line["findings"]
        )
        return f"check after {line['check']}: wins against {shares} (fair {fair:.1%})"
    joined = "; joins the pool" if line["joined"] else ""
    return (
        f"generation {line['generation']}: mean wins {line['share']:.1%} ± {line['error']:.1%} against the pool, "
        f"best score {max(line['scores']):.3f}, step {line['step']:.3f}{joined}"
    )


def _description(settings: Settings) -> str:
    return f"`{settings.start.name}` with weights tuned in self-play of {settings.seats} players, see the file."


def _comments(result: dict[str, Any]) -> list[str]:
    # What made the file, and what it is worth, as paragraphs.
    settings = result["settings"]
    first = result["held_out"][0]
    others = "; ".join(_share(Finding(**fields)) for fields in result["held_out"][1:])
    return [
        f"Made by: {result['command']}",
        f"wallsim {result['packages']['wallsim']}, engine version {settings['engine_version']}, "
        f"cma {result['packages']['cma']}. {result['generations']} generations of {settings['population']} candidates, "
        f"{settings['games']:,} games each, seed {settings['seed']}; the pool grew to {len(result['pool'])} policies. "
        f"Tuned: {', '.join(settings['tuned'])}. Chosen among {len(result['finalists'])} in games of their own: "
        f"{result['chosen']}.",
        f"One seat in held-out games, fair share {result['fair']:.1%}, the {first['together']} intervals hold together "
        f"with 95 % confidence, {first['games']:,} games in {first['blocks']:,} blocks against each opponent: "
        f"{_share(Finding(**first))}" + (f"; {others}." if others else "."),
        *(f"Warning: {warning}." for warning in result["warnings"]),
    ]


def _share(finding: Finding) -> str:
    return f"{finding.share:.1%} ({finding.low:.1%} to {finding.high:.1%}) against {finding.opponent}"


def _print_result(console: Console, folder: Path, result: dict[str, Any]) -> None:
    findings = [Finding(**fields) for fields in result["held_out"]]
    rows = [(f.opponent, f.role, f"{f.share:.2%}", f"{f.low:.2%} to {f.high:.2%}", f"{f.games:,}") for f in findings]
    console.print(f"{result['name']}: {result['chosen']}; one seat in held-out games, by who sits in all others:")
    print_table(console, ("opponent", "role", "wins", "95 % joint", "games"), rows)
    console.print(
        f"Fair share {result['fair']:.2%}. A block is a game number played from every seat, and the unit of the "
        f"intervals: {findings[0].blocks:,} a row; all rows hold together (Bonferroni).",
        soft_wrap=True,
    )
    for warning in result["warnings"]:
        console.print(f"Warning: {warning}.", soft_wrap=True)
    console.print(
        f"Policy file: {folder / (result['name'] + '.toml')}; learning curve: {folder / PICTURE}", soft_wrap=True
    )
