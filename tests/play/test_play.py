"""The same rows and bytes whatever the workers, the chunks and the interruptions."""

from pathlib import Path

import pytest
from polars.testing import assert_frame_equal

from tests.finished_runs import EVERYTHING, SMALL
from tests.folder.mishaps import InterruptingObserver, flip_a_bit, journal_lines
from tests.play.watching import Counter, parts_of
from tests.refusals import assert_names, refused
from wallsim.analysis.games.summary import summarise
from wallsim.errors import RunError
from wallsim.experiment.experiment import Experiment
from wallsim.experiment.file import experiment_text
from wallsim.folder.local_files import FileStore
from wallsim.folder.results import Run, run_experiment
from wallsim.folder.run_store import Store
from wallsim.folder.schema import TABLES
from wallsim.play.play import play_run
from wallsim.report.progress import LineObserver
from wallsim.report.tables.console import make_console
from wallsim.report.tables.summary import print_summary

TINY = Experiment(policies="random", games=40, seed=2, chunk=10)


def digests(run):
    return {part.file: part.sha256 for part in run.files}


def test_any_number_of_workers_writes_the_same_bytes(small_run, tmp_path):
    alone = play_run(SMALL, tmp_path / "alone", workers=1)
    assert parts_of(alone.folder) == parts_of(small_run.folder)
    assert digests(alone) == digests(small_run)


@pytest.mark.parametrize(
    ("experiment", "whole", "chunk"),
    [(SMALL, "small_run", 2300), (SMALL, "small_run", 333), (EVERYTHING, "full_run", 77)],
)
def test_any_size_of_chunk_holds_the_same_rows(request, tmp_path, experiment, whole, chunk):
    whole = request.getfixturevalue(whole)
    other = play_run(experiment.model_copy(update={"chunk": chunk}), tmp_path / "other", workers=2)
    assert len(other.manifest["chunks"]) == -(-experiment.games // chunk)
    for table in TABLES:
        assert_frame_equal(other.scan(table).collect(), whole.scan(table).collect())


def test_the_rows_are_all_there_and_in_order(small_run):
    assert small_run.scan("games").collect()["game"].to_list() == list(range(2300))
    heights = {table: small_run.scan(table).collect().height for table in TABLES}
    assert heights == small_run.manifest["rows"]
    assert (heights["seats"], heights["seasons"]) == (2300 * 4, 2300 * 32)


def test_tables_not_asked_for_are_not_written(tmp_path):
    run = play_run(Experiment(games=10), tmp_path / "run")
    assert set(run.manifest["rows"]) == {"games", "seats"}
    assert not (tmp_path / "run" / "battles").exists()
    with refused("'battles'", "games, seats"):
        run.scan("battles")


def test_a_run_with_a_damaged_chunk_is_not_finished_until_that_is_played_again(spoilt, small_run):
    flip_a_bit(spoilt / "battles" / "part-000001.parquet")
    with pytest.raises(KeyboardInterrupt):
        play_run(SMALL, spoilt, observer=InterruptingObserver(spoilt, lines=0))
    with pytest.raises(RunError, match=r"not finished"):
        Run.open(spoilt)
    run = play_run(SMALL, spoilt)
    assert run.manifest["time"]["sessions"] == 2  # it tells of what was played again
    assert digests(run) == digests(small_run)


def test_a_deleted_part_is_found_and_its_chunk_alone_played_again(spoilt, small_run):
    part = "seats/part-000002.parquet"
    (spoilt / part).unlink()
    assert Run.verify(spoilt) == [f"{part}: is missing"]
    run = play_run(SMALL, spoilt, observer=(watch := Counter()))
    assert (watch.games, watch.done, part in watch.note) == (500, 1800, True)
    assert digests(run) == digests(small_run)


def test_an_interruption_keeps_what_was_finished(tmp_path, small_run):
    with pytest.raises(KeyboardInterrupt):
        play_run(SMALL, tmp_path / "run", workers=1, observer=InterruptingObserver(tmp_path / "run", lines=3))
    finished = len(journal_lines(tmp_path / "run")) - 1
    assert finished >= 3
    with refused("1,500 of 2,300 games", by=RunError):
        Run.open(tmp_path / "run")
    assert run_experiment(tmp_path / "run").hash() == SMALL.hash()
    watch = Counter()
    run = play_run(SMALL.model_copy(update={"chunk": 77}), tmp_path / "run", observer=watch)
    assert watch.games == 2300 - 500 * finished
    assert run.manifest["time"]["sessions"] == 2
    assert digests(run) == digests(small_run)


@pytest.mark.parametrize(
    ("change", "difference"),
    [
        ({"seed": 12}, ("seed is 6 there", "12 here")),
        ({"edition": "2e"}, ('edition is "1e" there', '"2e" here')),
        ({"expansions": ("court", "leaders")},
         ('expansions is ["court", "landsknechte"', 'there, ["court", "leaders"]')),
    ],
)  # fmt: skip
def test_another_experiment_is_refused_with_the_difference(full_run, change, difference):
    with refused("another experiment", *difference):
        play_run(EVERYTHING.model_copy(update=change), full_run.folder)


@pytest.mark.parametrize("name", ["notes.txt", "experiment.toml", "board"])
def test_a_folder_with_other_files_is_refused_and_left_alone(tmp_path, name):
    (tmp_path / name).write_text("mine", "utf-8")
    with refused("other files", f"({name})"):
        play_run(SMALL, tmp_path)
    assert (tmp_path / name).read_text("utf-8") == "mine"
    assert len(list(tmp_path.iterdir())) == 1


def test_a_folder_that_cannot_be_written_or_is_in_use_is_refused(tmp_path, spoilt):
    (tmp_path / "file").write_text("", "utf-8")
    for folder in (tmp_path / "file" / "run", tmp_path / "file", Path("/dev/null/run")):
        with refused(folder, "cannot be written"):
            play_run(SMALL, folder)
    with Store(FileStore(spoilt), SMALL, SMALL.components()), refused(spoilt, "another wallsim process"):
        play_run(SMALL, spoilt)


@pytest.mark.parametrize("workers", [0, -2, 5000])
def test_workers_must_be_a_sensible_number(tmp_path, workers):
    with refused(f"workers: {workers} ", "from 1 to"):
        play_run(SMALL, tmp_path / "run", workers=workers)
    assert not (tmp_path / "run").exists()


def test_the_manifest_says_what_was_played_and_with_what(small_run):
    manifest = small_run.manifest
    assert manifest["experiment"]["text"].endswith(experiment_text(SMALL))
    assert manifest["experiment"]["hash"] == SMALL.hash()
    assert {"wall", "cpu", "engine_cpu", "sessions", "compiling", "workers"} <= manifest["time"].keys()
    assert (manifest["seed"], manifest["tower"]["name"], bool(manifest["tower"]["source"])) == (11, "spielbyweb", True)
    assert [policy["name"] for policy in manifest["policies"]] == ["random"] * 4
    assert {"wallsim", "numpy", "numba", "llvmlite", "polars", "joblib"} <= manifest["packages"].keys()
    assert {"python", "system", "machine"} <= manifest["platform"].keys()
    assert manifest["board"]["digest"] == SMALL.components().board.digest
    assert len(manifest["files"]) == 5 * len(TABLES)
    stored = {path.relative_to(small_run.folder).as_posix() for path in small_run.folder.rglob("*.parquet")}
    assert stored == {file["file"] for file in manifest["files"]}


def test_workers_and_compiling_are_reported_of_every_session(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        play_run(TINY, tmp_path / "run", workers=1, observer=InterruptingObserver(tmp_path / "run", lines=2))
    run = play_run(TINY, tmp_path / "run", workers=2)
    time = run.manifest["time"]
    assert [session["workers"] for session in time["by_session"]] == time["workers"] == [1, 2]
    assert "compiling" in time["by_session"][0]
    run.manifest["time"].update(wall=1.0, cpu=2.0)
    assert_names(printed(run), "1 and 2 workers", "1.0 s in 2 sessions")


def printed(run):
    console = make_console()
    console.width = 400
    with console.capture() as capture:
        print_summary(console, run, summarise(run))
    return capture.get()


@pytest.mark.parametrize("name", ["a[b]c", "[red]x", "[/b]", 'quo"te', "st*r?", ":smile:"])
def test_a_folder_may_be_called_anything(tmp_path, name):
    run = play_run(TINY, tmp_path / name)
    assert run.scan("seats").collect().height == 160
    output = printed(run)
    assert f"Files: {run.folder} (" in output
    hint = next(line for line in output.splitlines() if "read_parquet" in line)
    names = {}
    exec(f"import polars as pl\n{hint.strip()}", names)
    assert names["seats"].height == 160
    console = make_console()
    with console.capture() as capture:
        observer = LineObserver(console)
        observer.begin(0, 1, 1, f"missing: {name}")
        observer.end()
    assert capture.get().startswith(f"Missing: {name}.\n")
