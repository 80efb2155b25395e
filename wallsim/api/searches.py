"""Searches for better bots from Python: `tune`, `exploit`, `learn` and `teach`, in folders from which they resume."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from wallsim.api.inputs import checked_path, known_options, take_options
from wallsim.folder.search_kinds import PICTURE
from wallsim.play.parallel import checked_workers
from wallsim.rules.other_settings import settings_of_all
from wallsim.searches.chunk_searches import Learning, Teaching
from wallsim.searches.response import Response
from wallsim.searches.search import Search, Watcher, searched
from wallsim.searches.weights import Tuning, WeightSearch, WeightWork

if TYPE_CHECKING:
    from wallsim.folder.derived import Derived

Function = TypeVar("Function", bound=Callable[..., dict[str, Any]])


def _with_options_of(search: type[Search]) -> Callable[[Function], Function]:
    # The options of a search in the signature and in the docstring of its function.
    def described(function: Function) -> Function:
        own = inspect.signature(function).parameters
        options = [one for one in fields(search) if one.name not in own]
        texts = "".join(f"{one.name}\n    {one.metadata['key'].help}\n" for one in options)
        return take_options(function, search, texts)

    return described


@_with_options_of(Tuning)
def tune(
    policy: str | Path, folder: str | Path, *, workers: int | None = None, watch: Watcher | None = None, **options: Any
) -> dict[str, Any]:
    """Search for better weights of a policy in self-play. CMA-ES searches, and the result is a policy file.

    The same call with the same folder resumes an interrupted tuning and returns a finished one again; more
    `generations` continue it.

    Parameters
    ----------
    policy
        The starting policy: a name or a policy file.
    folder
        The folder for the journal and the result.
    workers
        Number of threads; None for one per core. It does not affect the result.
    watch
        Who is told of progress; None for nobody.
    **options
        Those of `wallsim tune` by name, such as `check_every=10`; `help(wallsim.tune)` lists them.

    Returns
    -------
    dict
        The document of `wallsim tune --json`: all settings, `weights` and `phases`, and `held_out` games.

    Raises
    ------
    InputError
        If an option has no such value, or the folder contains something else.
    RunError
        If writing fails, or a damaged journal cannot be repaired.
    """
    return document_of(
        Tuning(policy=str(policy), **known_options(Tuning, options)), folder, workers=workers, watch=watch
    )


@_with_options_of(Response)
def exploit(
    policy: str | Path, folder: str | Path, *, workers: int | None = None, watch: Watcher | None = None, **options: Any
) -> dict[str, Any]:
    """Search for a best response to a policy. How much it wins is the policy's exploitability.

    The same call with the same folder resumes an interrupted search; more `minutes` or `generations` continue it.

    Parameters
    ----------
    policy
        The policy to beat: a name or a policy file.
    folder, workers, watch
        As for `tune`.
    **options
        Those of `wallsim exploit` by name, such as `minutes=5`; `help(wallsim.exploit)` lists them.

    Returns
    -------
    dict
        The document of `wallsim exploit --json`, of which `exploitability` has the share of wins with its interval.

    Raises
    ------
    InputError, RunError
        As for `tune`.
    """
    return document_of(
        Response(policy=str(policy), **known_options(Response, options)), folder, workers=workers, watch=watch
    )


@_with_options_of(Learning)
def learn(
    policies: str | Sequence[str], folder: str | Path, *, workers: int | None = None, watch: Watcher | None = None,
    **options: Any,
) -> dict[str, Any]:  # fmt: skip
    """Learn the value of a standing from games of policies that are seated at random.

    The same call with the same folder resumes an interrupted learning; more `games` continue it.

    Parameters
    ----------
    policies
        Who plays: names or files of policies.
    folder, workers, watch
        As for `tune`.
    **options
        Those of `wallsim learn` by name, such as `games=20_000`; `help(wallsim.learn)` lists them.

    Returns
    -------
    dict
        The document of `wallsim learn --json`: how the value in the file `value_file` was made, and how well it
        predicts in games that were held out.

    Raises
    ------
    InputError, RunError
        As for `tune`.
    """
    names = policies if isinstance(policies, str) else ",".join(policies)
    return document_of(
        Learning(policies=names, **known_options(Learning, options)), folder, workers=workers, watch=watch
    )


@_with_options_of(Teaching)
def teach(
    policy: str | Path, folder: str | Path, *, workers: int | None = None, watch: Watcher | None = None, **options: Any
) -> dict[str, Any]:
    """Teach a policy by trying its plans. A model learns how much more or less a card is worth on a box.

    The same call with the same folder resumes an interrupted teaching; more `games` continue it.

    Parameters
    ----------
    policy
        The pupil: a name or a policy file.
    folder, workers, watch
        As for `tune`.
    **options
        Those of `wallsim teach` by name, `value` among them, the learned value that judges plans;
        `help(wallsim.teach)` lists them.

    Returns
    -------
    dict
        The document of `wallsim teach --json`: how the policy in the file `policy_file` was taught, and what it gains
        in lessons that were held out.

    Raises
    ------
    InputError, RunError
        As for `tune`.
    """
    return document_of(
        Teaching(policy=str(policy), **known_options(Teaching, options)), folder, workers=workers, watch=watch
    )


def document_of(
    search: Search, folder: str | Path, *, workers: int | None = None, watch: Watcher | None = None
) -> dict[str, Any]:
    """Do what a folder lacks of a search; its result as `--json` prints it."""
    place = Path(checked_path("folder", folder))
    files_of = next(found for kind, found in _FILES.items() if isinstance(search, kind))
    result = searched(search, place, files_of, workers=checked_workers(workers), watch=watch)
    settings = settings_of_all([each.components().settings() for each in search.experiments])
    return {"folder": str(place), search.names.key: str(place / search.names.shown), **result, "not_default": settings}


def _files_of_weights(search: WeightSearch, work: WeightWork, result: dict[str, Any]) -> Mapping[str, Derived]:
    from wallsim.report.figures.style import PNG_COLOURS, picture_bytes
    from wallsim.report.figures.tuning import learning_curve
    from wallsim.report.tables import tuning
    from wallsim.searches.tuning.outcome import curve

    settings, table = search.settings, curve(work.history)
    if isinstance(search, Response):
        words = tuning.response_description(result), tuning.response_comments(result)
    else:
        words = tuning.policy_description(settings.start.name, settings.seats), tuning.policy_comments(result)
    opponents = [opponent.name for role, opponent in settings.references if role != "sanity"]

    def picture() -> bytes:
        title, file = tuning.curve_title(result), Path(work.folder) / PICTURE
        return picture_bytes(lambda: learning_curve(table, opponents, result["fair"], title), file, PNG_COLOURS)

    return work.files(result, words, picture)


def _files_of_value(search: Learning, work: Any, whole: dict[str, Any]) -> Mapping[str, Derived]:
    from wallsim.searches.learning.fitting import value_text

    return {search.names.result: value_text(search.read(whole), whole["models"]).encode()}


def _files_of_teaching(search: Teaching, work: Any, whole: dict[str, Any]) -> Mapping[str, Derived]:
    from wallsim.report.tables.learning import policy_comments
    from wallsim.searches.teaching.teaching import correction_text, taught_policy_text

    result = search.read(whole)
    policy = taught_policy_text(search.pupil, search.names.result, policy_comments(result))
    models = search.taught(whole)["models"]
    correction = correction_text(result, models, search.pupil.correction, search.attacks)
    return {search.names.result: correction.encode(), search.names.shown: policy.encode()}


_FILES: dict[type[Any], Callable[..., Mapping[str, Derived]]] = {
    WeightSearch: _files_of_weights, Learning: _files_of_value, Teaching: _files_of_teaching,
}  # fmt: skip
