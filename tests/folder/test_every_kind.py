"""What verify, repair and runs do with folders of every kind, and with files that were forged, deleted or extended."""

import shutil
import subprocess
import sys

import polars as pl
import pytest

from tests.cli.commands import wallsim
from tests.folder.mishaps import named
from tests.play.replay.forging import forge, put_file
from tests.refusals import assert_names, refused
from wallsim.errors import RunError
from wallsim.experiment.experiment import Experiment
from wallsim.folder.checks import PLAY_AGAIN
from wallsim.folder.checksummed_json import sealed_document
from wallsim.folder.listing import list_results
from wallsim.folder.results import Run
from wallsim.folder.tournament import DERIVED, TournamentRun
from wallsim.folder.verification import (
    folder_kind,
    open_results,
    show_command,
    state_of,
    verify_results,
    write_marker,
)
from wallsim.play.play import play_run, play_slice
from wallsim.play.repair import Restored, repair
from wallsim.play.scenarios.file import ScenarioSet
from wallsim.play.scenarios.play import play_scenarios
from wallsim.play.tournament.play import play_tournament
from wallsim.play.tournament.tournament import Tournament

PLAIN = Experiment(policies="random", players=3, games=4, chunk=2)
CUP = Tournament(("random", "heedless"), Experiment(players=3, seed=5), 6)
SET = ScenarioSet({"plain": PLAIN, "other": PLAIN.model_copy(update={"seed": 2})})
SEATS = "seats/part-000000.parquet"


@pytest.fixture(scope="module")
def all_kinds(tmp_path_factory):
    """A folder of each kind; do not change it."""
    place = tmp_path_factory.mktemp("kinds")
    play_run(PLAIN, place / "run")
    play_slice(PLAIN, place / "slice", (0, 2))
    play_scenarios(SET, place / "set")
    cup = play_tournament(CUP, place / "cup")
    cup.note_look()
    cup.publish({name: name.encode() for name in DERIVED[:-1]})
    (place / "bench").mkdir()
    write_marker(place / "bench", "wallsim bench scale")
    (place / "other").mkdir()
    (place / "other" / "notes.txt").write_text("nothing", "utf-8")
    return place


@pytest.fixture
def kinds(all_kinds, tmp_path):
    """A copy of them."""
    return shutil.copytree(all_kinds, tmp_path / "kinds")


def test_every_kind_is_recognised_and_undamaged(all_kinds):
    said = {}
    for folder in sorted(all_kinds.iterdir()):
        kind = folder_kind(folder)
        said[folder.name] = (kind.what, state_of(folder).finished, verify_results(folder)) if kind else None
    assert said == {
        "bench": ("benchmark", False, []),
        "cup": ("tournament", True, []),
        "other": None,
        "run": ("run", True, []),
        "set": ("scenarios", True, []),
        "slice": ("run", False, []),
    }
    assert show_command(all_kinds / "cup") == f"`wallsim tournament {all_kinds / 'cup'}` shows it"


@pytest.mark.parametrize(
    ("name", "reader", "tables"), [("run", Run, ("games", "seats")), ("cup", TournamentRun, ("results",))]
)
def test_results_of_either_kind_are_opened_by_one_function(all_kinds, name, reader, tables):
    folder = all_kinds / name
    result = open_results(folder)
    assert (type(result), result.tables) == (reader, tables)
    assert result.hash == result.manifest["experiment"]["hash"]
    assert result.codebook() == (folder / "codebook.md").read_text("utf-8")
    assert {table: result.scan(table).collect().height for table in tables} == result.manifest["rows"]
    with refused(folder, "'moves'", ", ".join(tables)):
        result.scan("moves")
    for read in (open_results, verify_results):
        with refused(all_kinds / "other", "journal.jsonl"):
            read(all_kinds / "other")


def test_reading_needs_neither_the_compiler_nor_the_checks_of_experiments(all_kinds):
    code = (
        "import sys; from wallsim.folder.verification import open_results, verify_results; "
        "found = open_results(sys.argv[1]); verify_results(sys.argv[1]); found.scan('seats').collect(); "
        "print([name for name in ('numba', 'pydantic', 'joblib') if name in sys.modules])"
    )
    said = subprocess.run([sys.executable, "-c", code, all_kinds / "run"], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "[]"


def test_verify_has_a_status_for_unfinished_folders(kinds):
    statuses = {name: wallsim("verify", str(kinds / name)).exit_code for name in ("run", "slice", "bench", "other")}
    assert statuses == {"run": 0, "slice": 3, "bench": 3, "other": 2}
    (kinds / "slice" / "codebook.md").unlink()
    assert wallsim("verify", str(kinds / "slice")).exit_code == 1


def test_each_is_listed_once_with_its_progress(all_kinds):
    listed = {
        one.folder.relative_to(all_kinds).as_posix(): (one.kind, one.state, one.finished, one.wanted, one.unit)
        for one in list_results([all_kinds])
    }
    games = 6 * CUP.design.games_per_block
    assert listed == {
        "bench": ("benchmark", "unfinished", 0, None, "results"),
        "cup": ("tournament", "finished", games, games, "games"),
        "run": ("run", "finished", 4, 4, "games"),
        "set/scenario=other": ("run", "finished", 4, 4, "games"),
        "set/scenario=plain": ("run", "finished", 4, 4, "games"),
        "slice": ("run", "unfinished", 2, 4, "games"),
    }
    assert len(list_results([all_kinds, all_kinds / "cup"])) == len(listed)


def test_repair_of_a_tournament_restores_its_documents_and_names_the_command_that_plays_the_rest(kinds):
    (kinds / "cup" / "codebook.md").write_text("nothing", "utf-8")
    assert repair(kinds / "cup") == Restored("tournament", kinds / "cup", ("codebook.md",))
    assert verify_results(kinds / "cup") == []
    (kinds / "cup" / "results" / "part-000000.parquet").unlink()
    with refused("part-000000.parquet", "the command", by=RunError):
        repair(kinds / "cup")
    with refused(f"rm -r {kinds / 'bench'}", by=RunError):
        repair(kinds / "bench")


def test_a_deleted_record_of_looks_is_not_begun_again(kinds):
    (kinds / "cup" / "looks.json").unlink()
    (kinds / "cup" / "checksums.json").unlink()
    assert "looks.json" in named(verify_results(kinds / "cup"))
    with pytest.warns(UserWarning, match="6 blocks"):
        more = play_tournament(Tournament(("random", "heedless"), CUP.table, 12), kinds / "cup")
    assert more.note_look() == (6, 12)


@pytest.mark.parametrize(
    "data",
    [
        b"", b"{}", sealed_document({}), sealed_document({"files": {"a": 1}}),
        *(sealed_document({"files": {name: "0" * 64}}) for name in ("/etc/passwd", "a/../../secret")),
    ],
)  # fmt: skip
def test_another_document_of_checksums_is_damage(kinds, data):
    (kinds / "cup" / "checksums.json").write_bytes(data)
    assert named(verify_results(kinds / "cup")) == ["checksums.json"]


# --------------------------------------------------------------------------- Parquet files that were sealed again


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (lambda frame: frame.with_columns(pl.col("vp").cast(pl.Int8)), ("column vp", "Int8", "Int64")),
        (lambda frame: frame.drop("vp"), ("column vp: is missing",)),
        (lambda frame: frame.rename({"vp": "points"}), ("column vp: is missing", "column points")),
        (lambda frame: frame.with_columns(more=1), ("column more", "seats")),
        (lambda frame: frame.select(reversed(frame.columns)), ("column", "not in its position")),
        (lambda frame: frame.head(-1), ("5 rows", "manifest.json says 6", PLAY_AGAIN)),
        (lambda frame: frame.with_columns(pl.col("policy").cast(pl.String)), ("column policy", "String", "Enum")),
    ],
)
def test_other_columns_are_reported_and_refused(kinds, change, named):
    forge(kinds / "run", "seats", 0, change, counted=False)
    errors = Run.verify(kinds / "run")
    assert_names("\n".join(error for error in errors if error.startswith(f"{SEATS}: ")), *named)
    for read in (lambda run: run.scan("seats"), lambda run: run.first(1)):
        with refused(SEATS, by=RunError):
            read(Run.open(kinds / "run"))


@pytest.mark.parametrize("key", ["table", "experiment", "identity", "engine_version", "first_game", "games", "columns"])
def test_other_metadata_are_reported(kinds, key):
    forge(kinds / "run", "seats", 0, lambda frame: frame, {f"wallsim.{key}": "7"})
    assert [error.partition(": metadata ")[0] for error in Run.verify(kinds / "run")] == [SEATS]


def test_what_is_not_parquet_is_reported_without_a_traceback(kinds):
    put_file(kinds / "run", SEATS, b"no Parquet")
    assert any(error.startswith(f"{SEATS}: ") and "Parquet" in error for error in Run.verify(kinds / "run"))
