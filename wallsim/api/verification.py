"""Verifying a folder of results from Python."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from wallsim.api.inputs import check_whole_number, observer
from wallsim.errors import InputError
from wallsim.escaping import in_shell
from wallsim.experiment.keys import MAX_SEED
from wallsim.folder.address import Folder
from wallsim.folder.file_stores import file_store
from wallsim.folder.verification import state_of, verify_results

if TYPE_CHECKING:  # who only compares digests needs no compiler
    from wallsim.play.replay.audit import Replayed
    from wallsim.studies.study import Study


@dataclass(frozen=True)
class Verification:
    """The result of `verify`.

    `errors` has one line per missing or changed file, `finished` whether the results are complete, `replayed` the
    result of a replay, None without one, and `notes` what of a study agreed or was not compared.
    """

    folder: Folder
    errors: tuple[str, ...]
    finished: bool
    replayed: Replayed | None = None
    notes: tuple[str, ...] = ()

    @property
    def unchanged(self) -> bool:
        """Whether no file is missing or changed, and everything that was played again agrees."""
        return not self.errors and (self.replayed is None or self.replayed.equal)


def verify(
    folder: str | Path,
    *,
    replay: int | Literal["all"] = 0,
    seed: int | None = None,
    workers: int | None = None,
    trust_code: bool = False,
    progress: bool = False,
) -> Verification:
    """Check that no file of a folder of results is missing or changed, and play chunks drawn at random again.

    Parameters
    ----------
    folder
        A folder written by `play`, `wallsim run`, `wallsim tournament` or `wallsim study`.
    replay
        Also play so many finished chunks again, drawn at random, or all, and compare every byte. Those of a study are
        its stored parts, too, and its figures are computed again. Nothing is played if a file is missing or changed.
    seed
        With a replay, repeats a draw; None for a random one, which is stated.
    workers
        Number of threads; None for one per core.
    trust_code
        Whether to run the Python policies in the folder.
    progress
        Whether to show progress on standard error.

    Returns
    -------
    Verification
        `unchanged`, `errors`, `finished`, `replayed` and `notes`.

    Raises
    ------
    InputError
        If the folder contains no results, or results that this version cannot play again.
    RunError
        If its documents cannot be interpreted.

    Examples
    --------
    >>> verify("results/million", replay=20).unchanged  # doctest: +SKIP
    True
    """
    count = checked_replay(replay, seed)
    place = file_store(folder)
    found = Verification(place.folder, tuple(verify_results(folder)), state_of(folder).finished)
    if found.errors or count == 0:
        return found
    from wallsim.folder.study_folder import is_study

    how: dict[str, Any] = {"seed": seed, "workers": workers, "trust_code": trust_code}
    how["observer"] = observer(progress)
    if is_study(place):
        from wallsim.studies.audit import audit_study

        audit = audit_study(study_of(place.folder), Path(folder), count, **how)
        return replace(found, replayed=audit.replayed, notes=audit.notes)
    from wallsim.play.replay.audit import replay as play_again

    return replace(found, replayed=play_again(folder, count, **how))


def checked_replay(replay: int | Literal["all"], seed: int | None = None) -> int | None:
    """How many chunks are replayed, None for all of them; InputError for such a number, or a seed, out of range."""
    if replay != "all":
        check_whole_number("replay", replay, 0, 10**9)
    if seed is not None:
        check_whole_number("seed", seed, 0, MAX_SEED)
    return None if replay == "all" else replay


def study_of(folder: Folder) -> Study:
    """The study that a folder states that it is of; InputError if it states none, or an unknown one."""
    from wallsim.folder.study_folder import read_record
    from wallsim.studies.catalogue import load_study

    record = read_record(file_store(folder))
    if record is None:
        raise InputError(
            f"{folder}: does not state which study it contains; use `wallsim study NAME --verify --out "
            f"{in_shell(folder)}`"
        )
    try:
        return load_study(record.name)
    except InputError as error:
        raise InputError(
            f"{folder}: {error}; a study in a folder is verified by `wallsim study FOLDER --verify --trust-code`"
        ) from None
