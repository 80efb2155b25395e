"""Damaged documents, odd paths and numbers beyond all limits end in clear messages, never in a traceback."""

import json
from itertools import product

import pytest

from tests.finished_runs import SMALL
from tests.folder.mishaps import InterruptingObserver, manifest_of, put_line, put_manifest
from tests.play.watching import Counter
from tests.refusals import assert_names, refused
from wallsim.analysis.games.summary import summarise
from wallsim.errors import InputError, RunError
from wallsim.experiment.chunks import MAX_CHUNKS
from wallsim.experiment.experiment import Experiment
from wallsim.experiment.file import load_experiment
from wallsim.experiment.identity import identity_hash
from wallsim.experiment.keys import MAX_GAMES
from wallsim.folder.results import Run, run_experiment
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


@pytest.mark.parametrize("name", ["a[b]c", "[red]x", "x[", 'quo"te', "st*r?", ":smile:", "[/b]"])
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
    with refused("tower: ", "t.toml", "more than 100"):
        experiment_from_flags({"tower": str(tmp_path / "t.toml")})


def test_too_many_chunks_and_a_bank_beyond_reason_are_refused():
    with refused("chunk: 1 ", "1000000 chunks", "10000 or more"):
        experiment_from_flags({"games": MAX_GAMES, "chunk": 1})
    for flags in ({}, {"seasons": True}, {"battles": True}):
        assert MAX_GAMES <= Experiment(games=MAX_GAMES, **flags).chunk_games() * MAX_CHUNKS
    with refused(f"rules.bank: {10**23} ", "100 to 10000"):
        experiment_from_flags({"rules": {"bank": 10**23}})


def change_manifest(folder, key, value):
    """Set an entry of a sealed manifest, by its dotted key; `...` deletes it."""
    manifest = inner = manifest_of(folder)
    *outer, last = key.split(".")
    for name in outer:
        inner = inner[name]
    inner[last] = value
    if value is ...:
        del inner[last]
    put_manifest(folder, manifest)


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("games", 2299, "is damaged (chunks)"),
        ("seed", 12, "seed: differs"),
        ("rows.seats", 1, "is damaged (files of seats)"),
        ("engine_version", 3, "engine_version: differs"),
        ("tower.p", 0.5, "tower: differs"),
        ("policies", [], "policies: differs"),
        ("board.digest", "0", "board.digest: differs"),
        ("bytes", 1, "bytes: differs"),
        ("chunks", [], "is damaged (chunks, files of games"),
        ("papers", {}, "papers: lacks experiment.toml"),
        ("experiment.text", "", "experiment.text: does not belong"),
    ],
)
def test_a_manifest_that_says_otherwise_is_found(spoilt, key, value, message):
    change_manifest(spoilt, key, value)
    assert any(line.startswith(f"manifest.json: {message}") for line in Run.verify(spoilt)), Run.verify(spoilt)
    play_run(SMALL, spoilt)
    assert Run.verify(spoilt) == []


def test_a_manifest_of_another_run_is_found(spoilt):
    facts = {**manifest_of(spoilt)["experiment"]["identity"], "seed": 12}
    for key, value in (("seed", 12), ("experiment.identity", facts), ("experiment.hash", identity_hash(facts))):
        change_manifest(spoilt, key, value)
    assert any(line.startswith("manifest.json: experiment.hash: ") for line in Run.verify(spoilt))


def test_files_are_compared_both_ways(spoilt):
    def reported():
        return Run.verify(spoilt)

    whole, manifest = (spoilt / "manifest.json").read_bytes(), manifest_of(spoilt)
    change_manifest(spoilt, "files", manifest["files"][:-1])
    assert any(line.startswith("manifest.json: is damaged (files of plans)") for line in reported())
    # A table that is left out altogether is no gap.
    change_manifest(spoilt, "files", [file for file in manifest["files"] if file["table"] != "plans"])
    change_manifest(spoilt, "rows.plans", ...)
    for number in range(5):
        start = f"manifest.json: plans/part-00000{number}.parquet: is missing"
        assert any(line.startswith(start) for line in reported())
    (spoilt / "manifest.json").write_bytes(whole)
    (spoilt / "seats" / "part-000099.parquet").write_bytes(b"")
    assert [line.partition(": ")[0] for line in reported()] == ["seats/part-000099.parquet"]
    journal = (spoilt / "journal.jsonl").read_text("utf-8").splitlines(keepends=True)
    (spoilt / "journal.jsonl").write_text("".join(journal[:-1]), "utf-8")
    assert any(line.endswith("not in the journal") for line in reported())
    assert any(line.startswith("journal.jsonl: chunk") and line.endswith("is missing") for line in reported())


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "1", "{}", '{"files": []}', "[" * 100_000, '{"games": ' + "9" * 5000 + "}"]
)
def test_a_manifest_of_another_form_is_an_error(spoilt, text):
    whole = (spoilt / "manifest.json").read_bytes()
    (spoilt / "manifest.json").write_text(text, "utf-8")
    assert_damaged_manifest(spoilt, "")
    play_run(SMALL, spoilt)
    assert (Run.verify(spoilt), (spoilt / "manifest.json").read_bytes()) == ([], whole)


def assert_damaged_manifest(folder, what):
    """A manifest is not read, and verifying says what of it is damaged."""
    with refused(f"manifest.json: is damaged ({what}", by=RunError):
        Run.open(folder)
    assert any(line.startswith(f"manifest.json: is damaged ({what}") for line in Run.verify(folder))


KEYS = ("experiment", "games", "rows", "bytes", "board", "tower", "time", "files", "papers", "chunks", "policies")
IDENTITY_KEYS = ("experiment.identity.edition", "experiment.identity.expansions")


@pytest.mark.parametrize(("key", "value"), [*product(KEYS, [None, ..., "x"]), *product(IDENTITY_KEYS, [None, ...])])
def test_a_manifest_that_lacks_something_is_an_error(spoilt, key, value):
    change_manifest(spoilt, key, value)
    assert_damaged_manifest(spoilt, key)


CHUNKS = [{key: wrong} for key in ("first_chunk", "chunk") for wrong in (0, -1, "50", True, 1.5)]


@pytest.mark.parametrize("line", ["[]", "1", "{}", "null", '"x"', '{"identity": 3}', "nonsense", *CHUNKS])
def test_another_first_line_of_a_journal_is_found_and_rebuilt_from_experiment_and_receipts(spoilt, line):
    journal = spoilt / "journal.jsonl"
    whole = journal.read_bytes()
    header, rest = whole.decode().split("\n", 1)
    if isinstance(line, str):
        journal.write_text(f"{line}\n{rest}", "utf-8")
    else:
        put_line(spoilt, 0, {**json.loads(header), **line})
    assert_names(Run.verify(spoilt)[0], "journal.jsonl: line 1 ", "damaged")
    with refused("journal.jsonl: line 1 ", "wallsim repair", spoilt, by=RunError):
        run_experiment(spoilt)
    with refused("another experiment"):
        play_run(SMALL.model_copy(update={"seed": 12}), spoilt)
    watch = Counter()
    play_run(SMALL, spoilt, observer=watch)
    assert (watch.games, Run.verify(spoilt), journal.read_bytes()) == (0, [], whole)


@pytest.mark.parametrize("sealed", [True, False])
def test_receipts_of_another_form_are_damaged_lines_and_cost_their_chunk(spoilt, small_run, sealed):
    journal = spoilt / "journal.jsonl"
    header, first, *rest = journal.read_bytes().splitlines()
    versions = [{"versions": wrong} for wrong in (7, None, ["x"])]
    for change in ({"chunk": "0"}, {"games": None}, {"files": [{"file": "../x"}]}, {"wall": "x"}, *versions):
        journal.write_bytes(b"\n".join([header, first, *rest, b""]))
        if sealed:
            put_line(spoilt, 1, {**json.loads(first), **change})
        else:
            other = json.dumps({**json.loads(first), **change}).encode()
            journal.write_bytes(b"\n".join([header, other, *rest, b""]))
        assert_names("\n".join(Run.verify(spoilt)), "journal.jsonl: line 2 ", "damaged")
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
    assert {line.partition(": ")[0] for line in Run.verify(folder)} == {
        "tower-mine.toml", "board/counties.csv", "board/borders.csv",
    }  # fmt: skip


@pytest.mark.parametrize("games", [2299, 2001, 10**6])
def test_a_summary_counts_rows_and_refuses_other_numbers(spoilt, games):
    change_manifest(spoilt, "games", games)
    assert_damaged_manifest(spoilt, "chunks")
    chunks = manifest_of(spoilt)["chunks"]
    change_manifest(spoilt, "chunks", [*chunks[:-1], {**chunks[-1], "games": games - 2000}])
    with refused("seats/part-000004.parquet", "wallsim.games", by=RunError):
        summarise(Run.open(spoilt))


def test_workers_and_compiling_are_reported_of_every_session(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        play_run(TINY, tmp_path / "run", workers=1, observer=InterruptingObserver(tmp_path / "run", lines=2))
    run = play_run(TINY, tmp_path / "run", workers=2)
    time = run.manifest["time"]
    assert [session["workers"] for session in time["by_session"]] == time["workers"] == [1, 2]
    assert "compiling" in time["by_session"][0]
    run.manifest["time"].update(wall=1.0, cpu=2.0)
    assert_names(printed(run), "1 and 2 workers", "1.0 s in 2 sessions")


@pytest.mark.parametrize("read", [Run.open, Run.verify, run_experiment])
def test_a_path_that_cannot_be_looked_at_is_an_input_error(tmp_path, read):
    with refused("x" * 20, "name too long"):
        read(tmp_path / ("x" * 300))
