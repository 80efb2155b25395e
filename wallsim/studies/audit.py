"""Auditing a study's folder: parts and chunks are played again, and the figures are computed again from the folder.

Everything happens in a copy beside the folder, which is only read. Stored parts are the arrays in `parts`, and
the chunks of runs and tournaments.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from wallsim.engine.version import ENGINE_VERSION
from wallsim.errors import InputError
from wallsim.escaping import in_shell
from wallsim.folder.file_stores import file_store
from wallsim.folder.layout import RECORD
from wallsim.folder.local_files import LOCK, FileStore
from wallsim.folder.result_folder import readable
from wallsim.folder.study_folder import PARTS, Record, at_work, inner_folders, read_index, read_record
from wallsim.play.observer import RunObserver
from wallsim.play.replay.audit import Drawable, Replayed, checked_seed, chunks_of, drawn, replay_chosen, sources_of
from wallsim.play.replay.source import Source, tournament_source
from wallsim.studies.cache import Audit, NotPlayedError, auditing
from wallsim.studies.published import engine_errors
from wallsim.studies.publishing import REGISTER
from wallsim.studies.register import differing, read_register
from wallsim.studies.running import Result, choices_of, options_of, packages, play_study, write_result
from wallsim.studies.study import Choices, Study

_TABLES = (".npz", ".parquet")  # never appended to, so that a link is a copy
_RENDERED = (".png", ".parquet")  # whose bytes depend on the versions of packages
_STORED, _INNER = "stored", "chunks"


@dataclass(frozen=True)
class StudyAudit:
    """What was played again, None if nothing was drawn; differences, and what agreed or was not compared."""

    replayed: Replayed | None
    errors: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def equal(self) -> bool:
        """Whether everything that was compared agrees."""
        return not self.errors and (self.replayed is None or self.replayed.equal)


def audit_study(
    study: Study, folder: Path, count: int | None, *, seed: int | None = None, workers: int | None = None,
    trust_code: bool = False, observer: RunObserver | None = None, checkout: Path | None = None,
) -> StudyAudit:  # fmt: skip
    """Replay `count` stored parts and chunks, all for None, and recompute the figures of a finished study.

    The published page in `checkout` is compared with them if the folder has the full study. InputError for a folder of
    another study, engine version or code.
    """
    place, seed = file_store(folder), checked_seed(seed)
    with readable(place):
        record = read_record(place)
    if record is None:
        raise InputError(f"{folder}: has no {RECORD}; the command that played the study writes it: {_command(study)}")
    if record.name != study.name:
        raise InputError(f"{folder}: is a folder of the study {record.name}, not of {study.name}")
    if record.about.get("engine_version") != ENGINE_VERSION:
        raise InputError(
            f"{folder}: was played with engine version {record.about.get('engine_version')}, and this is engine "
            f"version {ENGINE_VERSION}, which plays other games"
        )
    with readable(place), _copied(folder) as copy:
        sources = _sources(copy, trust_code)
        stored = _stored(folder)
        every: list[Drawable] = [(_STORED, name) for name in stored]
        every += [(_INNER, f"{name}#{chunk}") for name, chunk in chunks_of(sources)]
        chosen = drawn(every, count, seed) if count != 0 else []
        audit = Audit(str(name) for kind, name in chosen if kind == _STORED)
        errors, games, by_rows = _replayed(sources, chosen, workers, observer)
        notes: list[str] = []
        if record.finished or audit.drawn:
            result, said = _recomputed(study, folder, record, copy, audit, workers, checkout)
            errors += result
            notes += said
        else:
            notes.append("The study is not finished, so its figures were not recomputed.")
    errors += audit.errors
    unreached = sorted(audit.drawn - audit.reached)
    if unreached:
        notes.append(f"{len(unreached)} drawn parts are not used by the study with these options; not replayed.")
    if count == 0:
        return StudyAudit(None, tuple(errors), tuple(notes))
    different, replayed = tuple(dict.fromkeys(errors)), len(chosen) - len(unreached)
    found = Replayed(len(every), replayed, games, seed, different, by_rows, "parts and chunks")
    return StudyAudit(found, (), tuple(notes))


def _command(study: Study) -> str:
    return f"`wallsim study {in_shell(study.name)}`"


def _stored(folder: Path) -> list[str]:
    # Arrays of the index, or all arrays of an earlier version.
    return sorted(read_index(file_store(folder)).records or {path.name for path in (folder / PARTS).glob("*.npz")})


def _sources(root: Path, trust_code: bool) -> list[Source]:
    result: list[Source] = []
    for name in inner_folders(root):
        if name == ".":
            result.append(tournament_source(root, trust_code=trust_code))
        else:
            result += sources_of(root / name, name, trust_code=trust_code)
    return result


def _replayed(
    sources: Sequence[Source], chosen: Sequence[Drawable], workers: int | None, observer: RunObserver | None
) -> tuple[list[str], int, int]:
    pairs = [str(name).rpartition("#") for kind, name in chosen if kind == _INNER]
    return replay_chosen(sources, [(name, int(chunk)) for name, _, chunk in pairs], workers, observer)


def _recomputed(
    study: Study, folder: Path, record: Record, copy: Path, audit: Audit, workers: int | None,
    checkout: Path | None,
) -> tuple[list[str], list[str]]:  # fmt: skip
    # Differences, and what agreed or could not be compared.
    try:
        with auditing(audit):
            result = play_study(study, copy, choices_of(record.options), workers=workers)
    except NotPlayedError as error:
        if record.finished:
            raise InputError(f"{folder}: {error}") from None
        return [], ["The study is not finished, so its figures were not recomputed."]
    if not record.finished:
        return [], ["The study is not recorded as finished, so its files were not compared."]
    write_result(result, copy, home=folder)
    errors = [] if result.digest == record.about.get("digest") else [f"{RECORD}: digest: differs from the study's"]
    files = [name for name in record.files if not name.startswith(f"{PARTS}/")]
    other = record.about.get("packages") != packages()
    same, skipped = 0, []
    for name in files:
        again = copy / name
        if not again.is_file():
            skipped.append(name)
        elif FileStore(copy).digest(name) == record.files[name]:
            same += 1
        elif other and again.suffix in _RENDERED:
            skipped.append(name)
        else:
            errors.append(f"{name}: differs from the file computed from the folder")
    extra = sorted({*inner_folders(copy)} - {*record.inner})
    errors += [f"{name}: the study needs this run or tournament, and {RECORD} does not list it" for name in extra]
    notes = [f"{same} of {len(files)} files of figures, tables and pictures were computed again and are equal."]
    if skipped:
        notes.append(f"Not compared, since not written by the study or by other packages: {', '.join(skipped)}.")
    results, said = _published(result, checkout)
    return errors + results, notes + said


def _published(result: Result, checkout: Path | None) -> tuple[list[str], list[str]]:
    study = result.study
    if result.choices != Choices():
        words = " ".join(options_of(result.choices))
        return [], [f"The published figures were not compared: this folder was played with {words}."]
    path = None if checkout is None else checkout / REGISTER / f"{study.name}.csv"
    try:
        published = read_register(study.name, path)
    except (InputError, OSError):
        return [], ["The published figures were not compared: there is no register of them."]
    if published.engine != ENGINE_VERSION:
        carried = f"The published figures were not compared: engine version {published.engine} played them."
        errors = engine_errors(study.name, path)
        return errors, [] if errors else [carried]
    errors = [f"data/figures/{study.name}.csv: {line}" for line in differing(published, result.published)]
    equal = f"The {len(published):,} published figures are those of this folder, digit by digit."
    return errors, [] if errors else [equal]


@contextmanager
def _copied(folder: Path) -> Iterator[Path]:
    """A copy of a study's stored parts, runs and tournaments, without what is computed from them."""
    beside, prefix = folder.resolve().parent, f".{folder.resolve().name}-audit-"
    where = beside if os.access(beside, os.W_OK | os.X_OK) else None

    def tidy(_: Path) -> None:
        for left in beside.iterdir():
            if left.name.startswith(prefix) and "-" not in left.name.removeprefix(prefix):
                shutil.rmtree(left, ignore_errors=True)

    with at_work(folder, tidy), tempfile.TemporaryDirectory(prefix=prefix, dir=where) as temporary:
        copy = Path(temporary)
        inner = inner_folders(folder)
        if (folder / PARTS).is_dir():
            _copy(folder / PARTS, copy / PARTS, [])
        for name in inner:
            apart = [folder / PARTS, folder / RECORD, *(folder / each for each in inner if each not in (".", name))]
            _copy(folder / name, copy / name, apart)
        yield copy


def _copy(folder: Path, copy: Path, apart: Sequence[Path]) -> None:
    copy.mkdir(parents=True, exist_ok=True)
    for path in sorted(folder.iterdir()):
        if path in apart or path.is_symlink() or path.name.startswith(LOCK):
            continue
        if path.is_dir():
            _copy(path, copy / path.name, apart)
        elif not (copy / path.name).exists():
            _link(path, copy / path.name)


def _link(path: Path, copy: Path) -> None:
    if path.suffix in _TABLES:
        try:
            os.link(path, copy)
            return
        except OSError:  # another disk, or no links
            pass
    shutil.copyfile(path, copy)
