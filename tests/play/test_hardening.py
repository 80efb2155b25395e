"""Damaged documents, odd paths and numbers beyond all limits end in clear messages, never in a traceback."""

import json
import subprocess
import sys

import pytest
from rich.console import Console

from tests.finished_runs import SMALL
from tests.folder.mishaps import InterruptingObserver, manifest_of, put_line, put_manifest
from tests.play.test_play import Counter
from wallsim.analysis.games.summary import summarise
from wallsim.errors import InputError, RunError
from wallsim.experiment.chunks import MAX_CHUNKS
from wallsim.experiment.experiment import Experiment
from wallsim.experiment.file import load_experiment
from wallsim.experiment.identity import identity_hash
from wallsim.experiment.keys import MAX_GAMES
from wallsim.folder.local_files import FileStore
from wallsim.folder.results import Run, run_experiment
from wallsim.folder.run_store import Store
from wallsim.play import speed as bench
from wallsim.play.flags import experiment_from_flags
from wallsim.play.play import play_run
from wallsim.report.progress import LineObserver
from wallsim.report.tables.console import make_console
from wallsim.report.tables.summary import print_summary
from wallsim.rules.files import data_folder

TINY = Experiment(policies="random", games=40, seed=2, chunk=10)


def printed(run):
    console = make_console()
    console.width = 400
    with console.capture() as capture:
        print_summary(console, run, summarise(run))
    return capture.get()


@pytest.mark.parametrize("name", ["a[b]c", "[red]x", "x[", 'quo"te', "st*r?", ":smile:"])
def test_a_folder_may_be_called_anything(tmp_path, name):
    run = play_run(TINY, tmp_path / name)
    assert run.scan("seats").collect().height == 160
    output = printed(run)
    assert f"Files: {run.folder} (" in output
    hint = next(line for line in output.splitlines() if "read_parquet" in line)
    names = {}
    exec(f"import polars as pl\n{hint.strip()}", names)
    assert names["seats"].height == 160


def test_a_slash_and_brackets_in_a_path_are_no_markup(tmp_path):
    run = play_run(TINY, tmp_path / "[" / "b]")
    assert f"Files: {run.folder} (" in printed(run)
    console = Console(width=200)
    with console.capture() as capture:
        observer = LineObserver(console)
        observer.begin(0, 1, 1, "missing: [/b] and [red]")
        observer.end()
    assert capture.get().startswith("Missing: [/b] and [red].\n")


@pytest.mark.parametrize("key", ["games", "seed", "chunk", "players", "tower", "rules.bank"])
@pytest.mark.parametrize("number", ["9" * 5000, "0x" + "f" * 5000, "1" * 24])
def test_numbers_without_end_are_refused(tmp_path, key, number):
    path = tmp_path / "x.toml"
    path.write_text(f"{key} = {number}", "utf-8")
    with pytest.raises(InputError) as caught:
        load_experiment(path)
    assert len(str(caught.value)) < 600 + len(str(path))


@pytest.mark.parametrize("number", ["9" * 5000, "0x" + "f" * 5000])
def test_a_tower_with_numbers_without_end_is_refused(tmp_path, number):
    (tmp_path / "t.toml").write_text(f'model = "independent"\np = {number}\nq = 0.1', "utf-8")
    with pytest.raises(InputError, match=r"tower: .*t\.toml.*: a number or a key has more than 100"):
        experiment_from_flags({"tower": str(tmp_path / "t.toml")})


def test_a_bank_beyond_reason_is_refused():
    with pytest.raises(InputError, match=f"rules.bank: {10**23} is not 0"):
        experiment_from_flags({"rules": {"bank": 10**23}})


def test_too_many_chunks_are_refused():
    with pytest.raises(InputError, match=r"chunk: 1 makes more than 1000000 chunks .* allowed are 10000 or more"):
        experiment_from_flags({"games": MAX_GAMES, "chunk": 1})
    for flags in ({}, {"seasons": True}, {"battles": True}):
        assert MAX_GAMES <= Experiment(games=MAX_GAMES, **flags).chunk_games() * MAX_CHUNKS


def test_missing_chunks_are_reported_one_by_one(tmp_path):
    with Store(FileStore(tmp_path / "run"), TINY, TINY.components()) as store:
        assert store.unplayed == 4
        assert next(store.missing()) == 0
        assert not isinstance(store.missing(), list)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("games",), 2299, "is damaged (chunks)"),
        (("seed",), 12, "seed: differs"),
        (("rows", "seats"), 1, "is damaged (files of seats)"),
        (("engine_version",), 3, "engine_version: differs"),
        (("tower", "p"), 0.5, "tower: differs"),
        (("policies",), [], "policies: differs"),
        (("board", "digest"), "0", "board.digest: differs"),
        (("bytes",), 1, "bytes: differs"),
        (("chunks",), [], "is damaged (chunks, files of games"),
        (("papers",), {}, "papers: lacks experiment.toml"),
        (("experiment", "text"), "", "experiment.text: does not belong"),
    ],
)
def test_a_manifest_that_says_otherwise_is_found(spoilt, path, value, message):
    manifest = inner = manifest_of(spoilt)
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    put_manifest(spoilt, manifest)
    assert any(line.startswith(f"manifest.json: {message}") for line in Run.verify(spoilt)), Run.verify(spoilt)


def test_a_manifest_of_another_run_is_found(spoilt):
    manifest = manifest_of(spoilt)
    facts = manifest["experiment"]["identity"]
    facts["seed"] = manifest["seed"] = 12
    manifest["experiment"]["hash"] = identity_hash(facts)
    put_manifest(spoilt, manifest)
    assert "manifest.json: experiment.hash: differs from the journal" in Run.verify(spoilt)


def test_files_are_compared_both_ways(spoilt):
    whole, manifest = (spoilt / "manifest.json").read_bytes(), manifest_of(spoilt)
    manifest["files"].pop()
    put_manifest(spoilt, manifest)
    assert any(line.startswith("manifest.json: is damaged (files of plans)") for line in Run.verify(spoilt))
    # A table that is left out altogether is no gap.
    manifest["files"] = [file for file in manifest["files"] if file["table"] != "plans"]
    del manifest["rows"]["plans"]
    put_manifest(spoilt, manifest)
    for number in range(5):
        gone = f"plans/part-00000{number}.parquet"
        assert f"manifest.json: {gone}: is missing there, but is in the journal" in Run.verify(spoilt)
    (spoilt / "manifest.json").write_bytes(whole)
    (spoilt / "seats" / "part-000099.parquet").write_bytes(b"")
    assert "seats/part-000099.parquet: does not belong to this run" in Run.verify(spoilt)
    journal = (spoilt / "journal.jsonl").read_text("utf-8").splitlines(keepends=True)
    (spoilt / "journal.jsonl").write_text("".join(journal[:-1]), "utf-8")
    lines = Run.verify(spoilt)
    assert any(line.endswith("is not in the journal") for line in lines)
    assert any(line.startswith("journal.jsonl: chunk") and line.endswith("is missing") for line in lines)


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "1", "{}", '{"files": []}', "[" * 100_000, '{"games": ' + "9" * 5000 + "}"]
)
def test_a_manifest_of_another_form_is_an_error(spoilt, text):
    whole = (spoilt / "manifest.json").read_bytes()
    (spoilt / "manifest.json").write_text(text, "utf-8")
    with pytest.raises(RunError, match=r"manifest\.json: is damaged"):
        Run.open(spoilt)
    assert any(line.startswith("manifest.json: is damaged (") for line in Run.verify(spoilt))
    play_run(SMALL, spoilt)
    assert (Run.verify(spoilt), (spoilt / "manifest.json").read_bytes()) == ([], whole)


@pytest.mark.parametrize(
    "key", ["experiment", "games", "rows", "bytes", "board", "tower", "time", "files", "papers", "chunks", "policies"]
)
@pytest.mark.parametrize("value", [None, ..., "x"])
def test_a_manifest_that_lacks_something_is_an_error(spoilt, key, value):
    manifest = manifest_of(spoilt)
    manifest[key] = value
    if value is ...:
        del manifest[key]
    put_manifest(spoilt, manifest)
    with pytest.raises(RunError, match=rf"manifest\.json: is damaged \({key}"):
        Run.open(spoilt)
    assert any(line.startswith(f"manifest.json: is damaged ({key}") for line in Run.verify(spoilt))


@pytest.mark.parametrize("line", ["[]", "1", "{}", "null", '"x"', '{"identity": 3}', "nonsense"])
def test_another_first_line_of_a_journal_is_found_and_rebuilt_from_experiment_and_receipts(spoilt, line):
    journal = spoilt / "journal.jsonl"
    whole = journal.read_bytes()
    rest = whole.decode().split("\n", 1)[1]
    journal.write_text(f"{line}\n{rest}", "utf-8")
    assert Run.verify(spoilt)[0] == "journal.jsonl: line 1 is damaged"
    with pytest.raises(RunError, match=r"journal\.jsonl: line 1 is damaged; `wallsim repair .*spoilt` repairs it"):
        run_experiment(spoilt)
    with pytest.raises(InputError, match="contains another experiment"):
        play_run(SMALL.model_copy(update={"seed": 12}), spoilt)
    watch = Counter()
    play_run(SMALL, spoilt, observer=watch)
    assert (watch.games, Run.verify(spoilt), journal.read_bytes()) == (0, [], whole)


@pytest.mark.parametrize("sealed", [True, False])
def test_receipts_of_another_form_are_damaged_lines_and_cost_their_chunk(spoilt, small_run, sealed):
    journal = spoilt / "journal.jsonl"
    header, first, *rest = journal.read_bytes().splitlines()
    for change in ({"chunk": "0"}, {"games": None}, {"files": [{"file": "../x"}]}, {"wall": "x"}):
        if sealed:
            put_line(spoilt, 1, {**json.loads(first), **change})
        else:
            other = json.dumps({**json.loads(first), **change}).encode()
            journal.write_bytes(b"\n".join([header, other, *rest, b""]))
        assert "journal.jsonl: line 2 is damaged" in Run.verify(spoilt)
        journal.write_bytes(b"\n".join([header, first, *rest, b""]))
    put_line(spoilt, 1, {**json.loads(first), "wall": "x"})
    watch = Counter()
    assert play_run(SMALL, spoilt, observer=watch).files == small_run.files
    assert (watch.games, Run.verify(spoilt)) == (json.loads(first)["games"], [])


def test_copies_of_board_and_tower_are_verified(tmp_path):
    tower = tmp_path / "mine.toml"
    tower.write_bytes((data_folder("tower") / "mid.toml").read_bytes())
    experiment = TINY.model_copy(update={"tower": str(tower), "board": str(data_folder("board"))})
    folder = play_run(experiment, tmp_path / "run").folder
    assert Run.verify(folder) == []
    for name in ("tower-mine.toml", "board/counties.csv"):
        with (folder / name).open("a", encoding="utf-8") as file:
            file.write("\n")
    (folder / "board" / "borders.csv").unlink()
    result = Run.verify(folder)
    assert "tower-mine.toml: its bytes have changed" in result
    assert "board/counties.csv: its bytes have changed" in result
    assert "board/borders.csv: is missing" in result


@pytest.mark.parametrize("games", [2299, 2001, 10**6])
def test_a_summary_counts_rows_and_refuses_other_numbers(spoilt, games):
    manifest = manifest_of(spoilt)
    manifest["games"] = games
    put_manifest(spoilt, manifest)
    with pytest.raises(RunError, match=r"manifest\.json: is damaged \(chunks\)"):
        Run.open(spoilt)
    manifest["chunks"][-1]["games"] = games - 2000
    put_manifest(spoilt, manifest)
    with pytest.raises(RunError, match=r"seats/part-000004\.parquet: metadata wallsim\.games"):
        summarise(Run.open(spoilt))


def test_workers_and_compiling_are_reported_of_every_session(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        play_run(TINY, tmp_path / "run", workers=1, observer=InterruptingObserver(tmp_path / "run", lines=2))
    run = play_run(TINY, tmp_path / "run", workers=2)
    time = run.manifest["time"]
    assert [session["workers"] for session in time["by_session"]] == [1, 2]
    assert time["workers"] == [1, 2]
    assert "compiling" in time["by_session"][0]
    run.manifest["time"].update(wall=1.0, cpu=2.0)
    assert "on 1 and 2 workers (1.0 s in 2 sessions)" in printed(run)


@pytest.mark.parametrize("read", [Run.open, Run.verify, run_experiment])
def test_a_path_that_cannot_be_looked_at_is_an_input_error(tmp_path, read):
    with pytest.raises(InputError, match="cannot be read: File name too long"):
        read(tmp_path / ("x" * 300))


def test_the_first_game_is_timed_with_the_command_itself(monkeypatch):
    seen = []
    monkeypatch.setattr(subprocess, "run", lambda words, **_: seen.append(words))
    assert bench.seconds_to_first_game("random", None) >= 0
    assert seen[0][:6] == [sys.executable, "-m", "wallsim", "run", "--games", "1"]


def test_the_share_of_bookkeeping_is_that_of_the_run(monkeypatch):
    monkeypatch.setattr(bench, "_cpu_seconds", lambda *_: pytest.fail("played the games again"))
    scaling = bench.measure_runs("random", 3000, workers=(1,))
    assert 0 < scaling.bookkeeping < 1
