"""Auditing a folder by replay: chunks drawn at random are played again and compared byte for byte.

The draw can be repeated by anybody: of all finished chunks those with the smallest sha256 of "SEED NAME CHUNK" are
drawn, where NAME is the folder of a scenario or an inner run, empty for the folder itself. With k of C chunks forged, a
draw of N misses all of them with probability (C-k)/C · (C-k-1)/(C-1) · … (N factors), about (1 - k/C)^N.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from math import ceil
from pathlib import Path

from wallsim.errors import InputError, RunError, some_of
from wallsim.experiment.keys import MAX_SEED
from wallsim.experiment.versions import package_version
from wallsim.folder.checks import PLAY_AGAIN
from wallsim.folder.file_stores import file_store
from wallsim.folder.journal import ChunkRecord, Journal
from wallsim.folder.layout import scenario_folder
from wallsim.folder.result_folder import readable
from wallsim.folder.scenarios import holds_scenarios, not_begun, read_document
from wallsim.folder.tournament import TournamentRun
from wallsim.folder.verification import RUNS, SETS, TOURNAMENTS, known_kind, reader_of
from wallsim.play.chunk_play import PlayChunk
from wallsim.play.observer import RunObserver
from wallsim.play.parallel import checked_workers, in_parallel
from wallsim.play.replay.source import Compared, Source, compare_chunk, run_source, tournament_source

LEVEL = 0.95
SHARE = 0.05  # the share of forged chunks whose probability of detection is reported


def detection(chunks: int, drawn: int, forged: int) -> float:
    """The probability that `drawn` of `chunks` chunks include at least one of the `forged` ones."""
    missed = 1.0
    for number in range(drawn):
        missed *= max(0, chunks - forged - number) / (chunks - number)
    return 1.0 - missed


def forged_of(chunks: int, share: float = SHARE) -> int:
    """The number of chunks that make up a share of them, at least one."""
    return max(1, ceil(share * chunks - 1e-9))


def largest_undetected(chunks: int, drawn: int, level: float = LEVEL) -> int:
    """The largest number of forged chunks that a draw misses with a probability above 1 - `level`."""
    low, high = 0, chunks - drawn
    while low < high:
        middle = (low + high + 1) // 2
        if detection(chunks, drawn, middle) < level:
            low = middle
        else:
            high = middle - 1
    return low


Drawable = tuple[str, int | str]  # the name of a source, and a chunk's number or a part's name
_SEEDS = 2**32  # of draws, short enough to be typed


@dataclass(frozen=True)
class Replayed:
    """The result of a replay.

    `chunks` is the number of finished chunks and `replayed` how many of them were played again, with `games` games;
    `seed` repeats the draw. `errors` has one line per difference. `by_rows` files agree in columns, metadata and rows
    but not in their bytes, since other packages wrote them.
    """

    chunks: int
    replayed: int
    games: int
    seed: int
    errors: tuple[str, ...]
    by_rows: int = 0
    unit: str = "chunks"

    @property
    def equal(self) -> bool:
        """Whether everything that was played again agrees."""
        return not self.errors

    @property
    def detection(self) -> float:
        """The probability with which this draw would have detected forgery in 5 % of the chunks, at least one."""
        return detection(self.chunks, self.replayed, forged_of(self.chunks))

    @property
    def undetected(self) -> float:
        """The largest share of forged chunks that such a draw misses with more than 5 % probability."""
        return largest_undetected(self.chunks, self.replayed) / self.chunks if self.chunks else 0.0

    def words(self) -> list[str]:
        """What was replayed and what it says about the rest, one sentence per line."""
        drawn = f"{self.replayed:,} of {self.chunks:,} finished {self.unit}"
        if not self.chunks:
            return [f"There are no finished {self.unit} to replay."]
        lines = [f"Replayed {drawn}, drawn with --seed {self.seed}: {_result(self)}"]
        if self.by_rows:
            lines.append(
                f"{self.by_rows:,} files were compared by columns, metadata and rows instead of bytes: they are "
                f"not known to be written by polars {package_version('polars')}, which is used here."
            )
        if self.errors:
            lines.append(f"{PLAY_AGAIN.capitalize()}.")
        if self.errors or self.replayed == self.chunks:
            return lines
        forged = forged_of(self.chunks)
        share = f"{SHARE:.0%} of the {self.unit}" if forged > 1 else f"one of the {self.unit}"
        lines.append(
            f"If {share} had been forged ({forged:,}), this draw would have detected it with probability "
            f"{self.detection:.1%}. At 95 % confidence at most {self.undetected:.1%} of them are forged."
        )
        return lines


def _result(result: Replayed) -> str:
    return "all are equal." if result.equal else f"{len(result.errors):,} differences."


def replay(
    folder: str | Path,
    count: int | None,
    *,
    seed: int | None = None,
    workers: int | None = None,
    trust_code: bool = False,
    observer: RunObserver | None = None,
) -> Replayed:
    """Play `count` finished chunks of a run, a tournament or scenarios again, all for None, and compare them.

    The folder is only read. `seed` decides which chunks are drawn, at random by default. `trust_code` allows policies
    that are Python code. InputError for a folder that this version cannot play, RunError for damaged documents.
    """
    kind = known_kind(folder)
    if kind not in (RUNS, TOURNAMENTS, SETS):
        raise InputError(
            f"{folder}: contains a {kind.what}, which cannot be replayed; allowed are runs, scenarios, tournaments and "
            "studies"
        )
    return replay_sources(sources_of(folder, trust_code=trust_code), count, seed, workers, observer)


def sources_of(folder: str | Path, name: str = "", *, trust_code: bool = False) -> list[Source]:
    """The runs and tournaments of a folder that can be played again; the errors are those of `replay`."""
    place = file_store(folder)
    if holds_scenarios(folder):
        with readable(place):
            hashes = read_document(folder).hashes
            begun = [each for each in hashes if each not in not_begun(place, hashes)]
        below = {each: scenario_folder(place.folder, each) for each in begun}
        prefix = f"{name}/" if name else ""
        result = [run_source(below[each], f"{prefix}{below[each].name}", trust_code=trust_code) for each in begun]
        if wrong := [each for each, source in zip(begun, result, strict=True) if _hash(source) != hashes[each]]:
            raise RunError(f"{place}: {some_of(wrong)}: is another experiment than scenarios.json states")
        return result
    if reader_of(folder) is TournamentRun:
        return [tournament_source(place.folder, name, trust_code=trust_code)]
    return [run_source(place.folder, name, trust_code=trust_code)]


def _hash(source: Source) -> str:
    header = Journal(source.place).header
    return "" if header is None else header.hash


def replay_sources(
    sources: Sequence[Source], count: int | None, seed: int | None, workers: int | None, observer: RunObserver | None
) -> Replayed:
    """Draw chunks of all these sources together, play them again, and compare them; see `replay`."""
    seed = checked_seed(seed)
    every = chunks_of(sources)
    chosen = drawn(every, count, seed)
    errors, games, by_rows = replay_chosen(sources, chosen, workers, observer)
    return Replayed(len(every), len(chosen), games, seed, tuple(errors), by_rows)


def chunks_of(sources: Sequence[Source]) -> list[Drawable]:
    """The finished chunks of all sources, by source and number."""
    return [(source.name, chunk) for source in sources for chunk in sorted(source.records)]


def replay_chosen(
    sources: Sequence[Source], chosen: Sequence[Drawable], workers: int | None, observer: RunObserver | None
) -> tuple[list[str], int, int]:
    """Play these chunks again: the differences, the number of games, and how many files agree in their rows only."""
    observer, workers = observer or RunObserver(), checked_workers(workers)
    errors = [source.named(error) for source in sources for error in source.errors]
    wanted = {source.name: [source.records[int(chunk)] for name, chunk in chosen if name == source.name]
              for source in sources}  # fmt: skip
    games = sum(record.games for records in wanted.values() for record in records)
    done = by_rows = 0
    for source in sources:
        records = wanted[source.name]
        if not records:
            continue
        play = source.prepare(observer)
        observer.begin(done, games, min(workers, len(records)), "")
        try:
            with readable(source.place):
                check = partial(_checked, source, play, observer)
                for result in in_parallel(check, ((record,) for record in records), min(workers, len(records))):
                    errors += map(source.named, result.errors)
                    by_rows += result.by_rows
        finally:
            observer.end()
        done += sum(record.games for record in records)
    return list(dict.fromkeys(errors)), games, by_rows


def _checked(source: Source, play: PlayChunk, observer: RunObserver, record: ChunkRecord) -> Compared:
    played = play(record.first, record.games, observer.played)
    return compare_chunk(source.place, record, played, rows_suffice=source.rows_suffice)


def drawn(every: Sequence[Drawable], count: int | None, seed: int) -> list[Drawable]:
    """The `count` drawn of some named things, in their order; all of them for None, or if there are no more."""
    if count is None or count >= len(every):
        return list(every)
    ranked = sorted(every, key=lambda each: sha256(f"{seed} {each[0]} {each[1]}".encode()).digest())
    chosen = set(ranked[:count])
    return [each for each in every if each in chosen]


def checked_seed(seed: int | None) -> int:
    """The seed of a draw, a random one for None. InputError for one that is out of range."""
    if seed is None:
        return secrets.randbelow(_SEEDS)
    if not 0 <= seed <= MAX_SEED:
        raise InputError(f"seed: {seed} is not a whole number from 0 to {MAX_SEED}")
    return seed
