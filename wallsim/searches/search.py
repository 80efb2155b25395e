"""A search is an object whose fields are its options, and `searched` does in a folder what is missing of it.

This module and those of the four searches are read for `--help`, so they import what plays only where it is used.
"""

from __future__ import annotations

import re
import shlex
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol

from wallsim.errors import InputError, RunError, short
from wallsim.experiment.keys import EXPERIMENT_KEYS, Key, read_number
from wallsim.folder.checks import document_errors
from wallsim.folder.derived import CHECKSUMS
from wallsim.rules.files import read_json

if TYPE_CHECKING:
    from wallsim.experiment.experiment import Experiment
    from wallsim.folder.derived import Derived
    from wallsim.folder.receipts import Facts
    from wallsim.folder.receipts import Key as Done
    from wallsim.folder.work_folder import Finish, WorkFolder, WorkKind
    from wallsim.policies.policy import Policy

_NAME = r"[\w.+-]{1,80}"
_NUMBERS = ("number", "decimal")


def option(key: Key) -> Any:
    """A field that is an option: its key says what it may be, its default, and the words about it."""
    return field(default=key.default, metadata={"key": key})


def words_key(metavar: str, words: str, default: str | None = None) -> Key:
    """The key of an option of words."""
    return Key("", metavar, words, default=default)


def text(metavar: str, words: str, default: str | None = None) -> Any:
    """A field that is an option of words."""
    return option(words_key(metavar, words, default))


def needed(metavar: str, words: str) -> Any:
    """A field without a default, such as the policy that a search begins with."""
    return field(metadata={"key": words_key(metavar, words)})


def switch(words: str) -> Any:
    """A field that is an option without a value."""
    return option(Key("", None, words, read="flag", default=False))


def of_experiment(name: str) -> Any:
    """A field that is an option of an experiment, which without it has the experiment's default."""
    return field(default=None, metadata={"key": EXPERIMENT_KEYS[name]})


def flag_of(one: Field[Any]) -> str:
    """The option of a field."""
    return f"--{(one.metadata['key'].option or one.name).replace('_', '-')}"


class Watcher:
    """Who is told of a search: nobody, unless a subclass says otherwise."""

    def progress(self, done: int, total: int) -> None:
        """So many of the units of the search are done, of so many."""

    def did(self, key: Done, facts: Facts) -> None:
        """A part was done."""

    def says(self, line: str) -> None:
        """Something about the folder, such as damage and what becomes of it."""


class Work(Protocol):
    """A search at work in a folder."""

    def parts(self, least: int, *, go_on: bool) -> Iterator[tuple[Done, Facts, Mapping[str, bytes]]]:
        """Do what is missing: keys, facts and files, in order.

        `least` steps at least, those of results; with `go_on` all that the search asks for.
        """

    def result(self) -> dict[str, Any]:
        """Choose, fit and evaluate, in types of JSON."""

    @property
    def steps(self) -> int:
        """How many steps are done."""


# The files of a result by name, from the search at work in a folder and the result.
FilesOf = Callable[["Search", Any, dict[str, Any]], "Mapping[str, Derived]"]


class Names(NamedTuple):
    """The name of what is written, its result's file, the file that users name and what documents call it, and all."""

    title: str
    result: str
    shown: str
    key: str
    files: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Search(ABC):
    """What is searched; its fields are the options. Texts stand for numbers and lists, as in commands."""

    kind: ClassVar[WorkKind]
    command_name: ClassVar[str]

    def __post_init__(self) -> None:
        """Read the options. InputError with the option for a value that it cannot have."""
        for one in fields(self):
            value, key = getattr(self, one.name), one.metadata["key"]
            if value is None:
                continue
            if key.read in _NUMBERS:
                value = str(value) if key.least is None else read_number(one.name, key, str(value))
            elif isinstance(value, Mapping):
                value = [f"{name}={setting}" for name, setting in value.items()]
            elif isinstance(value, Sequence) and not isinstance(value, str) and key.read != "steps":
                value = ",".join(map(str, value))
            object.__setattr__(self, one.name, value)

    @property
    @abstractmethod
    def names(self) -> Names:
        """The names of the result and its files; InputError if no file can have them."""

    @property
    @abstractmethod
    def experiments(self) -> tuple[Experiment, ...]:
        """The games in which is searched: their settings."""

    @property
    @abstractmethod
    def settings(self) -> Any:
        """What is searched, as it is played; its `identity` decides the receipts."""

    @abstractmethod
    def asked(self) -> dict[str, Any]:
        """What decides the result beside them, such as a number of generations."""

    @property
    def what(self) -> str:
        """How the search is called."""
        return self.kind.what

    def read(self, document: Mapping[str, Any]) -> dict[str, Any]:
        """The result in a result's file, or without what only files have."""
        return dict(document)

    @abstractmethod
    def work(self, store: WorkFolder, workers: int, watch: Watcher) -> Work:
        """The search at work in a folder."""

    @property
    def command(self) -> str:
        """The command line that repeats the search, without its folder."""
        words = ["wallsim", self.command_name]
        for one in fields(self):
            value, flag = getattr(self, one.name), flag_of(one)
            if one.name == "policy":
                words.append(str(value))
            elif isinstance(value, bool):
                words += [flag] if value else []
            elif value is not None:
                for part in value if isinstance(value, list | tuple) else [value]:
                    words += [flag, _shown(part, one.default)]
        return shlex.join(words)

    def name_or(self, default: str) -> str:
        """The name that was given, or the default; InputError if no file can have it."""
        name = getattr(self, "name")  # noqa: B009
        title: str = default if name is None else name
        if not re.fullmatch(_NAME, title):
            raise InputError(f'name: "{title[:100]}" is not 1 to 80 letters, digits or _ . + -')
        return title

    def games_of(self, **choices: str | None) -> tuple[Experiment, ...]:
        """An experiment for each combination of the words of some options, the first ones first; None is the default.

        All other keys of an experiment that the search has as fields are those of every experiment.
        """
        from wallsim.play.flags import experiment_of

        own = [one.name for one in fields(self) if one.metadata["key"] is EXPERIMENT_KEYS.get(one.name)]
        keys = {name: getattr(self, name) for name in own}
        words = [[None] if text is None else different_words(name, text) for name, text in choices.items()]
        return tuple(experiment_of(None, {**keys, **dict(zip(choices, each, strict=True))}) for each in product(*words))


def _shown(value: Any, default: Any) -> str:
    # A number as people write it, but a default as it stands.
    return f"{value!r}".removesuffix(".0") if isinstance(value, float) and value != default else str(value)


def listed(text: str | None) -> list[str]:
    """The parts of a list with commas."""
    return [part.strip() for part in text.split(",")] if text else []


def different_words(name: str, text: str) -> list[str]:
    """The words of a list with commas; InputError if it has a duplicate."""
    words = [part.strip() for part in text.split(",")]
    if len(set(words)) < len(words):
        raise InputError(f"{name}: {short(text)} has a duplicate; each may occur once")
    return words


def named_policy(name: str, text: str) -> Policy:
    """The policy of a name or file; InputError if it is none, or has the name of another policy."""
    from wallsim.policies.catalogue import PolicyError, is_shipped_name, load_policy, read_policy, refuse_former_name

    try:
        if not text.endswith(".toml"):
            refuse_former_name([text])
            return load_policy(text)
        policy = read_policy(Path(text))
    except PolicyError as error:
        raise InputError(f"{name}: {str(error).removeprefix('policies: ')}") from None
    if is_shipped_name(policy.name) and policy != load_policy(policy.name):
        raise InputError(f"{name}: {text} has the name of another policy, {policy.name}; rename the file")
    return policy


def searched(
    search: Search, folder: str | Path, files_of: FilesOf, *, workers: int = 1, watch: Watcher | None = None
) -> dict[str, Any]:
    """Do what a folder lacks of a search, and return its result; the same call resumes, restores and goes further.

    A finished result that was asked for is only read, and its files are written again if they are damaged.
    """
    from wallsim.folder.work_folder import Result, WorkFolder

    watch, asked, file = watch or Watcher(), search.asked(), search.names.result
    with WorkFolder(folder, search.kind, search.settings.identity()) as store:
        before, damaged = _finished_before({*search.names.files, CHECKSUMS}, store, watch)
        known, whole = before.results.get(file) if before else None, None
        if known is not None and known.asked != asked:
            known = None
        if before is not None and known is not None and file not in damaged:
            whole = read_json(store.place.read(file))
            if not damaged and all(map(store.has, search.kind.keys(store.identity, before.steps))):
                watch.says(f"{store.folder} already contains this {search.what}, finished; nothing to play.")
                return search.read(whole)
        work = search.work(store, workers, watch)
        if whole is None:
            store.begin_again()
        for key, facts, files in work.parts(before.steps if before else 0, go_on=known is None):
            store.record(key, facts, files)
            watch.did(key, facts)
        document: dict[str, Any] = work.result() if whole is None else whole
        about = Result(asked, search.command, known.steps if known else work.steps)
        store.finish(file, about, files_of(search, work, document), before)
        return search.read(document)


def _finished_before(own: set[str], store: WorkFolder, watch: Watcher) -> tuple[Finish | None, set[str]]:
    # What the folder had, and which of a search's own files are damaged; everything that is damaged is said.
    before, damage, others = None, list[str](), list[str]()
    try:
        before = store.kind.finish(store.place)
    except RunError as error:
        damage = [str(error).removeprefix(f"{store.folder}/")]
    for line in document_errors(store.place, before.files if before else {}):
        (damage if line.partition(": ")[0] in own else others).append(line)
    lines = [*store.repairs, *(f"{line}; it is played again" for line in store.damaged())]
    lines += [f"{line}; it is computed again" for line in damage]
    for line in [*lines, *(f"{line}; repeat the command that wrote it" for line in others)]:
        watch.says(f"{store.folder}: {line}")
    return before, {line.partition(": ")[0] for line in damage}
