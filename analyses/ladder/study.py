"""The ladder: how strong is every policy, how do the lines of strong play meet, and does a search beat them?

    .venv/bin/python -m analyses.ladder results/ladder docs/studies/ladder.png --into docs/studies/ladder.md

Method. The policies play a tournament at the table of `ladder.toml`: in every block each set of them that fills the
table plays in all rotations over the seats, and strengths are fitted to the rankings (Plackett and Luce), with
intervals from resampled blocks. They play as many blocks in the draft, and the two ladders are compared. Then, at
tables of three, four and five, each line of strong play for so many players sits alone among `balanced`, among the
strong policies of before and among the other line, and the search among copies of the policy whose weights it plays
with; in every seat in turn, with line-ups and in the draft; a block is a game number. Games lie in the folder named and
are not played again if they are there.
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import product
from pathlib import Path
from typing import NamedTuple

from analyses import driver
from wallsim.analysis.claims.cells import SETUPS
from wallsim.analysis.claims.plays import (
    CASUAL_POLICY,
    EARLIER_POLICIES,
    MIDDLING_POLICY,
    RIVAL_POLICIES,
    SEARCH_POLICY,
    SEARCHED_POLICY,
    SECOND_POLICY,
    STRONG_POLICIES,
    STRONG_POLICY,
)
from wallsim.analysis.games.setups import SETUP_WORDS
from wallsim.analysis.tournament.findings import Findings, judge
from wallsim.analysis.tournament.order import same_order
from wallsim.analysis.tournament.ratings import RESAMPLES, Ratings, rate
from wallsim.engine.version import ENGINE_VERSION
from wallsim.markdown import literal, markdown_table, paragraph
from wallsim.policies.catalogue import load_policy
from wallsim.report.figures.ratings import ladder
from wallsim.report.tables.estimates import share, share_ends, tau_in_words
from wallsim.report.tables.ratings import (
    AGREEMENT,
    LADDER,
    agreement_rows,
    cycle_rows,
    ladder_notes,
    ladder_rows,
    strength_of,
)
from wallsim.runs.components import identity_hash, table_identity
from wallsim.runs.experiment import Experiment
from wallsim.runs.experiment_file import load_experiment
from wallsim.runs.folder.commit import write_whole
from wallsim.runs.setting import Setting
from wallsim.runs.tournament.folder import TournamentRun
from wallsim.runs.tournament.looks import looks_in_words
from wallsim.runs.tournament.play import play_tournament
from wallsim.runs.tournament.tournament import Tournament, make_tournament
from wallsim.runs.tuning.held_out import Finding, held_out
from wallsim.runs.tuning.objective import Games
from wallsim.runs.workers import default_workers
from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.studies.auditing import audit_in_progress

EXPERIMENT = Path(__file__).with_name("experiment.toml")
MARKS = ("ladder figures",)
# Both lines of strong play at this table's size and those of before, some styles, casual and weak.
POLICIES = tuple(
    dict.fromkeys(
        (
            STRONG_POLICY,
            SECOND_POLICY,
            *EARLIER_POLICIES[4],
            "balanced",
            "conqueror",
            "builder",
            "farmer",
            "banker",
            CASUAL_POLICY,
            "balanced-noise-32",
        )
    )
)
BLOCKS = 192  # eight cycles of the design: more than intervals of all pairs need on both ladders, for their order
LINEUP, DRAFT = SETUPS  # the second is also the folder of its tournament in that of the first
HOST = MIDDLING_POLICY
GAMES, SEARCHES = 6_000, 600  # at each table with a strong policy, and at those with the search


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of this study."""
    for name, default, words in (
        ("--blocks", BLOCKS, "blocks of the tournament, and of that in the draft"),
        ("--games", GAMES, "games of each table with a strong policy"),
        ("--searches", SEARCHES, "games of each table with the search"),
    ):
        parser.add_argument(name, type=driver.count, default=default, help=f"{words} (default: %(default)s)")
    driver.add_policies(parser)
    driver.add_second(parser)


def answer(args: Namespace) -> driver.Answer:
    """Play the missing games, and make the tables."""
    table = load_experiment(EXPERIMENT)
    tournaments = by_setup(table, args.policies or POLICIES, args.blocks)
    planned = visits(table, args.games, args.searches, args.second)
    runs = play(tournaments, args.folder)
    results = play_visits(table, planned, args.folder)
    found = judge(runs[LINEUP])
    looks = {setup: run.note_look() for setup, run in runs.items()}
    parts = [games_played(runs, table), *look_sentences(looks, repeated=True), ladder_table(found)]
    rest = [draft_table(rated(runs)), points_table(found), visits_table(results), visits_words(results)]
    text = "\n\n".join([*parts, *rest])
    printed = "\n\n".join([text, *look_sentences(looks, repeated=False)])
    return driver.Answer(digest(tournaments, planned), dict.fromkeys(MARKS, text), printed, ladder(found.ratings))


STUDY = driver.Study(__file__, __doc__, MARKS, add_arguments, answer)


def by_setup(table: Experiment, names: Sequence[str], blocks: int) -> dict[str, Tournament]:
    """The tournament with line-ups and that in the draft. InputError for invalid tournaments."""
    return {setup: make_tournament(table.model_copy(update={"setup": setup}), names, blocks) for setup in SETUPS}


def play(tournaments: Mapping[str, Tournament], folder: Path) -> dict[str, TournamentRun]:
    """Play the missing games of both tournaments; the one with line-ups goes into the folder itself."""
    places = {setup: folder / DRAFT if setup == DRAFT else folder for setup in tournaments}
    if (audit := audit_in_progress()) is not None:
        for place in places.values():
            audit.folder(place)
    return {setup: play_tournament(tournament, places[setup]) for setup, tournament in tournaments.items()}


def rated(runs: Mapping[str, TournamentRun], resamples: int = RESAMPLES) -> dict[str, Ratings]:
    """Both ladders, with intervals that hold for all strengths of both simultaneously (Bonferroni)."""
    level = 1 - (1 - LEVEL) / len(runs)
    return {setup: rate(run.rows(), resamples=resamples, level=level) for setup, run in runs.items()}


class Visit(NamedTuple):
    """One seat of a policy against another policy: players, set-up, both names, games, and the hash of the settings."""

    players: int
    setup: str
    name: str
    host: str
    games: int
    hash: str


def visits(table: Experiment, games: int = GAMES, searches: int = SEARCHES, second: str = SECOND_POLICY) -> list[Visit]:
    """The tables beside the tournament, each with line-ups and in the draft. InputError for an unknown policy."""
    rivals = {**RIVAL_POLICIES, table.players: second}
    tables = [
        (players, name, host, games)
        for players, strong in STRONG_POLICIES.items()
        for name, host in pairs_at(strong, rivals.get(players), EARLIER_POLICIES[players])
    ]
    tables.append((table.players, SEARCH_POLICY, SEARCHED_POLICY, searches))
    found = []
    for (players, name, host, count), setup in product(tables, SETUPS):
        facts = {
            **table_identity(seated(table, players, setup).components()),
            "policies": [load_policy(name).identity(), load_policy(host).identity()],
        }
        # All visits are compared; their number keeps the old key `together`, so that earlier games are still found.
        key = identity_hash({**facts, "games": count, "seed": table.seed, "together": len(tables) * len(SETUPS)})
        found.append(Visit(players, setup, name, host, count, key))
    return found


def pairs_at(strong: str, rival: str | None, earlier: Sequence[str]) -> list[tuple[str, str]]:
    """Who sits alone among whom: each line among HOST, the strong policies of before, and the other line."""
    lines = [strong] if rival is None else [strong, rival]
    hosts = dict.fromkeys((HOST, *earlier, *lines))
    return [(name, host) for name in lines for host in hosts if name != host]


def seated(table: Experiment, players: int, setup: str) -> Experiment:
    """The table with another number of seats and another set-up."""
    return table.model_copy(update={"players": players, "policies": (HOST,) * players, "setup": setup})


def play_visits(table: Experiment, planned: Sequence[Visit], folder: Path) -> list[tuple[Visit, Finding]]:
    """The result of each visit; all intervals hold simultaneously.

    Finished visits are saved in the folder, one JSON file each, and are not played again.
    """
    found = []
    for visit in planned:
        kept = folder / f"alone-{visit.name}-{visit.hash[:12]}.json"
        if (audit := audit_in_progress()) is not None:
            audit.file(kept, partial(_played, table, visit, len(planned)))
        elif not kept.is_file():
            write_whole(kept, _played(table, visit, len(planned)))
        found.append((visit, Finding.from_fields(json.loads(kept.read_bytes()))))
    return found


def _played(table: Experiment, visit: Visit, comparisons: int) -> bytes:
    # The result of a visit as JSON.
    evaluator = Games(Setting(seated(table, visit.players, visit.setup)), default_workers())
    [finding] = held_out(
        evaluator, load_policy(visit.name), [("host", load_policy(visit.host))],
        seats=visit.players, games=visit.games, seed=table.seed, turn=0, n_comparisons=comparisons,
    )  # fmt: skip
    return json.dumps(finding.fields()).encode()


def digest(tournaments: Mapping[str, Tournament] | None = None, planned: Sequence[Visit] | None = None) -> str:
    """A hash of everything that decides the results: the tournaments and their blocks, the other tables, the resamples.

    Without arguments the hash of the published study.
    """
    table = load_experiment(EXPERIMENT)
    tournaments = tournaments or by_setup(table, POLICIES, BLOCKS)
    planned = visits(table) if planned is None else planned
    facts = {setup: {**each.identity(), "blocks": each.blocks} for setup, each in tournaments.items()}
    return identity_hash({**facts, "resamples": RESAMPLES, "tables": [visit.hash for visit in planned]})


def games_played(runs: Mapping[str, TournamentRun], table: Experiment) -> str:
    """What was played."""
    run, drafted = runs[LINEUP], runs[DRAFT]
    return (
        f"{len(run.policies)} policies, {run.manifest['blocks']:,} blocks of {run.manifest['games_a_block']:,} games: "
        f"{run.manifest['games']:,} games with line-ups, and {drafted.manifest['games']:,} in the draft; "
        f"{table.players} players, tower {table.tower}, seed {table.seed}, engine version {ENGINE_VERSION}. All is "
        "with line-ups where the draft is not named. Intervals hold for all policies simultaneously with "
        f"{LEVEL:.0%}."
    )


def look_sentences(looks: Mapping[str, tuple[int, ...]], *, repeated: bool) -> list[str]:
    """A sentence for each ladder that was looked at more than once, or for each that was looked at only once."""
    return [
        f"{SETUP_WORDS[setup].capitalize()}: {looks_in_words(at)}"
        for setup, at in looks.items()
        if (len(at) > 1) == repeated
    ]


def ladder_table(found: Findings) -> str:
    """The ladder, and what is known about its order."""
    rows = [tuple(map(literal, row)) for row in ladder_rows(found.ratings)]
    return "\n\n".join([markdown_table(LADDER, rows), *ladder_notes(found.ratings)])


def draft_table(ladders: Mapping[str, Ratings]) -> str:
    """One row per policy: rank and strength with line-ups and in the draft; and how far the two ladders agree."""
    names = ladders[LINEUP].policies
    places = {
        setup: {rating.policy: (str(place), strength_of(rating)) for place, rating in enumerate(found.ladder, start=1)}
        for setup, found in ladders.items()
    }
    rows = [(literal(name), *(cell for found in places.values() for cell in found[name])) for name in names]
    headings = ("policy", *(f"{what}, {SETUP_WORDS[setup]}" for setup in ladders for what in ("rank", "strength")))
    drafted = ladders[DRAFT]
    notes = [f"Of the draft: {drafted.games:,} games in {drafted.blocks:,} blocks."]
    if all(found.blocks >= found.confidence.min_blocks for found in ladders.values()):
        notes.append(f"Here ± hold for all strengths of both ladders simultaneously with {LEVEL:.0%}.")
    notes += dict.fromkeys(note for found in ladders.values() for note in found.notes)
    return "\n\n".join([markdown_table(headings, rows), f"{' '.join(notes)} {order_words(ladders)}"])


def order_words(ladders: Mapping[str, Ratings]) -> str:
    """How far the ladders with line-ups and in the draft are in the same order, in a sentence or two."""
    [found] = same_order(ladders, LEVEL).values()
    fewest = Confidence(LEVEL, found.pairs * len(ladders))
    blocks = min(ladder.blocks for ladder in ladders.values())
    few = f" {fewest.too_few(blocks, 'blocks')}" if blocks < fewest.min_blocks else ""
    return (
        f"Kendall's tau between the two ladders is {tau_in_words(found)}: of {found.pairs} pairs {len(found.same)} are "
        f"known to be in the same order on both, {len(found.turned)} in opposite order, and of {len(found.open)} it is "
        f"not known.{few}"
    )


def points_table(found: Findings) -> str:
    """Results that contradict the ladder, and its agreement with victory points."""
    against = cycle_rows(found.upsets, found.cycles)
    words = (
        "Known to run against the ladder:" if against else "No pair and no cycle of three is known to run against it."
    )
    lines = [words, *(f"- {paragraph('; '.join(filter(None, row)))}" for row in against)]
    return "\n".join(lines) + "\n\n" + markdown_table(AGREEMENT, agreement_rows(found.agreement))


def visits_table(results: Sequence[tuple[Visit, Finding]]) -> str:
    """One row per visit."""
    rows = [
        (
            f"`{visit.name}`", f"{visit.players - 1} × `{visit.host}`", SETUP_WORDS[visit.setup], f"{finding.games:,}",
            share(finding.share), share_ends((finding.low, finding.high)), share(1 / visit.players),
        )
        for visit, finding in results
    ]  # fmt: skip
    interval = f"{LEVEL:.0%} interval, all simultaneously"
    return markdown_table(("one seat of", "among", "set-up", "games", "wins, %", interval, "fair share, %"), rows)


def visits_words(results: Sequence[tuple[Visit, Finding]]) -> str:
    """Which visits are known to win more than their fair share, and which less, in sentences."""
    sides: dict[str, list[str]] = {"more": [], "less": [], "": []}
    for visit, finding in results:
        fair = 1 / visit.players
        side = "more" if finding.low > fair else "less" if finding.high < fair else ""
        sides[side].append(f"`{visit.name}` among `{visit.host}` ({SETUP_WORDS[visit.setup]}, {visit.players} players)")
    words = [f"More than the fair share is won in {len(sides['more'])} of {len(results)} rows."]
    for side, start in (("less", "Less"), ("", "Not known to be more or less")):
        words += [f"{start}: {'; '.join(sides[side])}."] if sides[side] else []
    return " ".join(words)


if __name__ == "__main__":
    sys.exit(driver.run(STUDY))
