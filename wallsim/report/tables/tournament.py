"""Printing a tournament on the command line: ladder, pay-offs, cycles, correlations, and their assumptions."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from wallsim.analysis.tournament.results import Findings
from wallsim.report.tables.console import print_table
from wallsim.report.tables.estimates import how_many
from wallsim.report.tables.ratings import (
    AGREEMENT,
    CYCLES,
    LADDER,
    SKILL,
    agreement_rows,
    cycle_rows,
    ladder_notes,
    ladder_rows,
    payoff_headings,
    payoff_notes,
    payoff_rows,
    skill_notes,
    skill_rows,
)
from wallsim.rules.other_settings import SETUP_WORDS, settings_line, settings_of
from wallsim.runs.folder.address import Folder
from wallsim.runs.tournament.folder import TournamentRun
from wallsim.runs.tournament.interim_analyses import looks_in_words


def print_tournament(
    console: Console, run: TournamentRun, findings: Findings, looks: tuple[int, ...], written: Sequence[Folder] = ()
) -> None:
    """Print the results of a tournament, its speed, its assumptions, and the files that hold the results.

    `looks` are the numbers of blocks at which the ladder was checked.
    """
    console.print(Text(title_of(run), style="bold"), soft_wrap=True)
    if line := settings_line(settings_of(run.manifest)):
        console.print(Text(line), soft_wrap=True)
    console.print()
    print_table(console, LADDER, ladder_rows(findings.ratings))
    _notes(console, [*ladder_notes(findings.ratings), looks_in_words(looks)])
    print_table(console, payoff_headings(findings.payoffs), payoff_rows(findings.payoffs))
    _notes(console, payoff_notes(findings.payoffs))
    against = cycle_rows(findings.upsets, findings.cycles)
    if against:
        print_table(console, CYCLES, against)
    else:
        console.print("No pair is known to contradict the ladder, and there is no known cycle of three.")
    console.print()
    print_table(console, AGREEMENT, agreement_rows(findings.agreement))
    console.print()
    print_table(console, SKILL, skill_rows([findings.skill]))
    _notes(console, skill_notes(findings.skill))
    console.print(_speed(run))
    console.print("\nAssumptions:")
    for line in findings.assumptions:
        entry = Table.grid(padding=(0, 1))
        entry.add_row("  ·", Text(line))
        console.print(entry)
    names = "".join(f"{', ' if place else '; '}{path.name}" for place, path in enumerate(written))
    console.print(f"\nFiles: {run.folder} (results {run.manifest['rows']['results']:,} rows{names})", soft_wrap=True)


def title_of(run: TournamentRun) -> str:
    """What was played, in one line: games, blocks, players, set-up, tower, seed and engine version."""
    facts, manifest = run.manifest["experiment"]["identity"], run.manifest
    setup = SETUP_WORDS[facts["setup"]]
    return (
        f"Tournament of {len(run.policies)} policies: {how_many(manifest['games'], 'game')} in "
        f"{how_many(manifest['blocks'], 'block')} of {manifest['games_a_block']}, {facts['players']} players, "
        f"{setup}, tower {manifest['tower']['name']}, seed {manifest['seed']}, "
        f"engine version {manifest['engine_version']}"
    )


def _notes(console: Console, notes: Sequence[str]) -> None:
    for note in notes:
        console.print(Text(note, style="dim"))
    console.print()


def _speed(run: TournamentRun) -> str:
    time = run.manifest["time"]
    if not time["wall"] or not time["cpu"]:
        return "Speed: too short to measure."
    games = run.manifest["games"]
    return (
        f"Speed: {games / time['wall']:,.0f} games/s ({time['wall']:,.1f} s); "
        f"{games / time['cpu']:,.0f} games per CPU second ({time['cpu']:,.1f} s)."
    )
