"""Verifying a folder of results from Python."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from wallsim.escaping import in_shell
from wallsim.folder.address import Folder
from wallsim.folder.file_stores import file_store
from wallsim.folder.verification import state_of, verify_results

if TYPE_CHECKING:  # who only compares digests needs no compiler
    from wallsim.play.replay.audit import Replayed


@dataclass(frozen=True)
class Verification:
    """The result of `verify`.

    `errors` has one line per missing or changed file, `finished` whether the results are complete, and `replayed` the
    result of a replay, None without one.
    """

    folder: Folder
    errors: tuple[str, ...]
    finished: bool
    replayed: Replayed | None = None

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
) -> Verification:
    """Check that no file of a folder of results is missing or changed, and play chunks drawn at random again.

    Parameters
    ----------
    folder
        A folder written by `play`, `wallsim run`, `wallsim tournament` or `wallsim study`.
    replay
        How many finished chunks are played again and compared with the files byte for byte; "all" for all of them.
        Nothing is played again if a file is missing or changed.
    seed
        Decides which chunks are drawn; None for a random seed, which the result states.
    workers
        Number of threads; None for one per core.
    trust_code
        Whether to run the Python policies in the folder.

    Returns
    -------
    Verification
        `unchanged`, `errors`, `finished` and `replayed`.

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
    from wallsim.errors import InputError
    from wallsim.folder.study_folder import is_study

    if replay != "all" and (not isinstance(replay, int) or isinstance(replay, bool) or replay < 0):
        raise InputError(f'replay: {replay!r} is not a whole number from 0, or "all"')
    errors, finished = tuple(verify_results(folder)), state_of(folder).finished
    place = file_store(folder)
    if errors or not replay:
        return Verification(place.folder, errors, finished)
    if is_study(place):
        raise InputError(f"{place}: is a study; `wallsim verify {in_shell(place)} --replay N` replays it in a checkout")
    from wallsim.play.replay.audit import replay as play_again

    count = None if replay == "all" else int(replay)
    result = play_again(folder, count, seed=seed, workers=workers, trust_code=trust_code)
    return Verification(place.folder, errors, finished, result)
