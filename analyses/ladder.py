"""The ladder: how strong is every policy, does the tuned one beat `balanced`, and does a search beat the tuned one?

    python analyses/ladder.py results/ladder docs/ladder.png --into README.md

Method. The policies meet in a tournament at the table of `ladder.toml`: in every block each company of them plays in
all rotations over the seats, and strengths are fitted to the finishing orders (Plackett and Luce), with intervals from
resampled blocks. Then each tuned policy sits alone among `balanced` at a table of the size it was tuned for, the two
lines of strong play for four players among each other, and `rollout` among `tuned-4p`, in every seat in turn, with
line-ups and in the draft; a block is a game number. Games lie in the folder named and are not played again if they are
there. What is found is printed as Markdown, and put between the marks of the file named by --into.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from wallsim.analysis.cells import IN_WORDS, SETUPS
from wallsim.analysis.intervals import LEVEL
from wallsim.analysis.plays import SECOND_POLICY, STRONG_POLICY
from wallsim.analysis.ratings import RESAMPLES
from wallsim.analysis.tournament import Findings, judge
from wallsim.analysis.tuning import Finding, held_out
from wallsim.engine.version import ENGINE_VERSION
from wallsim.policies.catalogue import Policy, PolicyError, load_policy
from wallsim.report.estimates import share, share_ends
from wallsim.report.markdown import markdown_table
from wallsim.report.marked import put_between_marks
from wallsim.report.rating_figures import ladder
from wallsim.report.rating_tables import AGREEMENT, LADDER, agreement_rows, cycle_rows, ladder_notes, ladder_rows
from wallsim.report.style import save_picture
from wallsim.runs.commit import write_whole
from wallsim.runs.errors import InputError
from wallsim.runs.experiment import Experiment
from wallsim.runs.experiment_file import load_experiment
from wallsim.runs.parts import identity_hash, table_identity
from wallsim.runs.play import default_workers
from wallsim.runs.setting import Setting
from wallsim.runs.tournament import Tournament, make_tournament
from wallsim.runs.tournament_folder import TournamentRun
from wallsim.runs.tournament_play import play_tournament
from wallsim.runs.tuning.objective import Games

EXPERIMENT = Path(__file__).with_suffix(".toml")
MARKS = "ladder figures"
# Styles, grades of strength, both lines of strong play at this table's size, and one that ignores danger.
POLICIES = (
    STRONG_POLICY,
    SECOND_POLICY,
    "balanced",
    "conqueror",
    "builder",
    "farmer",
    "banker",
    "turtle",
    "raider",
    "opportunist",
    "heedless",
    "balanced-noise-08",
    "balanced-noise-32",
)
BLOCKS = 168  # seven cycles of the design: more than intervals of all 78 pairs need
TUNED = {3: "tuned-3p", 4: STRONG_POLICY, 5: "tuned-5p"}
HOST, SEARCHER, SEARCHED = "balanced", "rollout", STRONG_POLICY
GAMES, SEARCHES = 24_000, 2_400  # of a table with a tuned policy, and of the one with the search


def main() -> None:
    """Play what is missing, print the answer, draw the picture."""
    wanted = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    wanted.add_argument("folder", type=Path, help="where the tournament lies or shall lie")
    wanted.add_argument("picture", type=Path, help="the PNG to write")
    wanted.add_argument("--blocks", type=int, default=BLOCKS, help="blocks of the tournament")
    wanted.add_argument("--games", type=int, default=GAMES, help="games of each table with a tuned policy")
    wanted.add_argument("--searches", type=int, default=SEARCHES, help="games of the table with the search")
    wanted.add_argument("--policies", help="some policies, separated by commas, instead of those of the study")
    wanted.add_argument(
        "--second", default=SECOND_POLICY,
        help="strong play found independently of the tuned policies, at the tables beside (default: %(default)s)",
    )  # fmt: skip
    wanted.add_argument("--into", type=Path, help="a file whose marked lines are replaced by the answer")
    given = wanted.parse_args()
    names = given.policies.split(",") if given.policies else POLICIES
    try:
        table = load_experiment(EXPERIMENT)
        tournament = make_tournament(table, names, given.blocks)
        planned = visits(table, given.games, given.searches, given.second)
        run = play_tournament(tournament, given.folder)
        tables = met(table, planned, given.folder)
    except InputError as error:
        raise SystemExit(str(error)) from None
    found = judge(run)
    answer = (
        "\n\n".join([headline(run, tournament), ladder_table(found), points_table(found), met_table(tables)]) + "\n"
    )
    print(answer)
    save_picture(ladder(found.ratings), given.picture)
    if given.into:
        try:
            put_between_marks(given.into, MARKS, digest(tournament, planned), "analyses/ladder.py", answer)
        except ValueError as error:
            raise SystemExit(str(error)) from None


class Visit(NamedTuple):
    """A policy alone among another: players, set-up, the two names, games, and the hash of what decides the result."""

    players: int
    setup: str
    name: str
    host: str
    games: int
    hash: str


def visits(table: Experiment, games: int = GAMES, searches: int = SEARCHES, second: str = SECOND_POLICY) -> list[Visit]:
    """The tables beside the tournament, each with line-ups and in the draft. InputError for a policy that is none."""
    met = [(players, name, HOST, games) for players, name in TUNED.items()]
    strong = TUNED[table.players]
    met += [(table.players, *names, games) for names in ((second, HOST), (second, strong), (strong, second))]
    met.append((table.players, SEARCHER, SEARCHED, searches))
    planned = [(players, setup, *rest) for players, *rest in met for setup in SETUPS]
    found = []
    for players, setup, name, host, count in planned:
        facts = {
            **table_identity(seated(table, players, setup).parts()),
            "policies": [known_policy(name).identity(), known_policy(host).identity()],
        }
        key = identity_hash({**facts, "games": count, "seed": table.seed, "together": len(planned)})
        found.append(Visit(players, setup, name, host, count, key))
    return found


def known_policy(name: str) -> Policy:
    """A policy by its name; InputError if there is none."""
    try:
        return load_policy(name)
    except PolicyError as error:
        raise InputError(str(error)) from None


def seated(table: Experiment, players: int, setup: str) -> Experiment:
    """The table with another number of seats and another set-up."""
    return table.model_copy(update={"players": players, "policies": (HOST,) * players, "setup": setup})


def met(table: Experiment, planned: Sequence[Visit], folder: Path) -> list[tuple[Visit, Finding]]:
    """How each guest did; the intervals of all hold simultaneously.

    What is finished is kept in the folder, a JSON file a table, and not played again.
    """
    found = []
    for visit in planned:
        kept = folder / f"alone-{visit.name}-{visit.hash[:12]}.json"
        if not kept.is_file():
            evaluator = Games(Setting(seated(table, visit.players, visit.setup)), default_workers())
            [finding] = held_out(
                evaluator, load_policy(visit.name), [("host", load_policy(visit.host))],
                seats=visit.players, games=visit.games, seed=table.seed, turn=0, together=len(planned),
            )  # fmt: skip
            write_whole(kept, json.dumps(finding.fields()).encode())
        found.append((visit, Finding(**json.loads(kept.read_bytes()))))
    return found


def digest(tournament: Tournament, planned: Sequence[Visit]) -> str:
    """A hash of all that decides the figures: the tournament and its blocks, the other tables, the resamples."""
    facts = {**tournament.identity(), "blocks": tournament.blocks, "resamples": RESAMPLES}
    return identity_hash({**facts, "tables": [visit.hash for visit in planned]})


def headline(run: TournamentRun, tournament: Tournament) -> str:
    """What was played."""
    table = tournament.table
    return (
        f"{len(run.policies)} policies, {run.manifest['blocks']:,} blocks of {run.manifest['games_a_block']:,} games: "
        f"{run.manifest['games']:,} games; {table.players} players, tower {table.tower}, seed {table.seed}, engine "
        f"version {ENGINE_VERSION}. Intervals hold for all policies simultaneously with {LEVEL:.0%}."
    )


def ladder_table(found: Findings) -> str:
    """The ladder, and what may be said of its order."""
    return "\n\n".join([markdown_table(LADDER, ladder_rows(found.ratings)), *ladder_notes(found.ratings)])


def points_table(found: Findings) -> str:
    """What runs against the ladder, and how far it agrees with victory points."""
    against = cycle_rows(found.upsets, found.cycles)
    words = (
        "Known to run against the ladder:" if against else "No pair and no cycle of three is known to run against it."
    )
    lines = [words, *(f"- {'; '.join(filter(None, row))}" for row in against)]
    return "\n".join(lines) + "\n\n" + markdown_table(AGREEMENT, agreement_rows(found.agreement))


def met_table(tables: Sequence[tuple[Visit, Finding]]) -> str:
    """A row for each policy alone among another, under a set-up."""
    rows = [
        (
            f"`{visit.name}`", f"{visit.players - 1} × `{visit.host}`", IN_WORDS[visit.setup], f"{finding.games:,}",
            share(finding.share), share_ends((finding.low, finding.high)), share(1 / visit.players),
        )
        for visit, finding in tables
    ]  # fmt: skip
    interval = f"{LEVEL:.0%} interval, all simultaneously"
    return markdown_table(("one seat of", "among", "set-up", "games", "wins, %", interval, "fair share, %"), rows)


if __name__ == "__main__":
    main()
