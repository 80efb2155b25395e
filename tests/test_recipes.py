"""What the page of the architecture says of adding a command, a kind of folder and a search, tried once each."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from wallsim.cli.option_groups import grouped, options_from
from wallsim.cli.options import AsJson, Place
from wallsim.errors import InputError
from wallsim.experiment.keys import number_key
from wallsim.folder.layout import JOURNAL
from wallsim.folder.local_files import FileStore
from wallsim.folder.work_folder import WorkFolder, WorkKind
from wallsim.searches.search import Names, Search, Watcher, option, searched

# ------------------------------------------------------------------------------------------- a kind of folder

SQUARES = WorkKind(
    "table of squares", "squares",
    keys=lambda identity, steps: (("square", number) for number in range(steps)),
    fits=lambda key, facts: key[0] == "square" and facts.keys() == {"square"},
    name=lambda key: f"the square of {key[1]}",
    amount=lambda key, facts: 1,
    wanted=lambda identity, steps: steps,
    most=100, results=("squares.json",),
)  # fmt: skip


# --------------------------------------------------------------------------------------------------- a search


@dataclass
class Work:
    """Squares in a folder."""

    search: "Squares"
    store: WorkFolder
    steps: int = 0

    def parts(self, least: int, *, go_on: bool) -> Iterator[tuple[Any, Any, Any]]:
        """A square for each number."""
        self.steps = max(least, self.search.count if go_on else 0)
        for key in SQUARES.keys(self.store.identity, self.steps):
            if not self.store.has(key):
                yield key, {"square": key[1] ** 2 - self.search.settings.shift * key[1]}, {}

    def result(self) -> dict[str, Any]:
        """The least of them."""
        return {"least": min(facts["square"] for facts in self.store.facts.values())}


@dataclass(frozen=True)
class Settings:
    """By how much each square is shifted."""

    shift: int

    def identity(self) -> dict[str, Any]:
        """What decides a square."""
        return {"shift": self.shift}


@dataclass(frozen=True, kw_only=True)
class Squares(Search):
    """A search for the least shifted square."""

    shift: int = option(number_key(0, 9, 3, metavar="N", help="Times the number is taken from its square."))
    count: int = option(number_key(1, 100, 10, metavar="N", help="Numbers that are tried."))

    kind, command_name, experiments = SQUARES, "squares", ()
    names = Names("squares", "squares.json", "squares.json", "file", ("squares.json",))

    @property
    def settings(self):
        """What is searched."""
        return Settings(self.shift)

    def asked(self):
        """How many are tried."""
        return {"count": self.count}

    def work(self, store, workers, watch):
        """The search at work."""
        return Work(self, store)


def files_of(search, work, result):
    """The file of the result."""
    return {"squares.json": json.dumps(result).encode()}


@dataclass
class Told(Watcher):
    """Remembers what was done."""

    keys: list = field(default_factory=list)

    def did(self, key, facts):
        """Remember a key."""
        self.keys.append(key[1])


def done_in(folder, **options):
    """The result of a search, and the numbers that it tried."""
    told = Told()
    return searched(Squares(**options), folder, files_of, watch=told), told.keys


def test_a_new_search_resumes_goes_further_and_reads_its_options(tmp_path):
    assert done_in(tmp_path, count=1) == ({"least": 0}, [0])
    assert done_in(tmp_path) == ({"least": -2}, [1, 2, 3, 4, 5, 6, 7, 8, 9])
    assert done_in(tmp_path) == ({"least": -2}, [])
    with pytest.raises(InputError, match="count"):
        Squares(count=101)
    with pytest.raises(InputError, match="shift"):
        done_in(tmp_path, shift=2)


def test_a_new_kind_of_folder_is_verified_and_repaired(tmp_path):
    done_in(tmp_path, count=4)
    kind, place = SQUARES.as_kind(), FileStore(tmp_path)
    assert kind.recognises(place)
    assert (kind.verify(place), kind.state(place).finished, kind.progress(place).done) == ([], True, 4)
    lines = (tmp_path / JOURNAL).read_bytes().splitlines(keepends=True)
    (tmp_path / JOURNAL).write_bytes(b"".join([*lines[:2], *lines[3:]]))
    assert kind.verify(place) == [f"{JOURNAL}: the square of 1 is missing"]
    assert done_in(tmp_path, count=4) == ({"least": -2}, [1])
    assert kind.verify(place) == []


# -------------------------------------------------------------------------------------------------- a command

app = typer.Typer()
ASKED = options_from("wallsim.api.comparison:compare", columns="NAME[,NAME...]")


@app.command()
@grouped
def changes(run: Place, *, asked: dict[str, Any] = ASKED, as_json: AsJson = False) -> None:
    """Print the changes of a run.

    Options
    -------
    run RUN: A run folder.
    """
    print(run, asked, as_json)


def test_a_new_command_has_the_options_of_its_function(tmp_path):
    shown = CliRunner().invoke(app, ["--help"]).output
    assert "--columns" in shown
    result = CliRunner().invoke(app, [str(tmp_path), "--columns", "vp,win", "--json"])
    assert result.exit_code == 0
    assert "'columns': ('vp', 'win')" in result.output
