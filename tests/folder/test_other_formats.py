"""Folders of other formats: one error names the folder, its format and the one that is read."""

import json

import polars as pl
import pytest
from polars.testing import assert_frame_equal
from typer.testing import CliRunner

import wallsim
from tests.folder.mishaps import every_file, journal_lines, manifest_of, named, put_line, put_manifest
from tests.refusals import refused
from wallsim.cli.app import app
from wallsim.errors import RunError
from wallsim.experiment.experiment import Experiment
from wallsim.folder.checksummed_json import sealed_document
from wallsim.folder.merge import merge
from wallsim.folder.results import Run, run_experiment
from wallsim.folder.scenarios import Scenarios
from wallsim.folder.store import ChunkStore
from wallsim.folder.verification import open_results, verify_results
from wallsim.play.play import play_run
from wallsim.play.repair import repair

TINY = Experiment(policies="random", games=10)


def make_unsealed(folder, form):
    """Give a run the journal and the manifest of a format before the seals, which had no number in headers until 3."""
    header, *receipts = map(json.loads, journal_lines(folder))
    keys = ("name", "hash", "chunk", "identity")
    begin = {"format": form} if form > 2 else {}
    lines = [{**begin, **{key: header[key] for key in keys}}, *({**line, "seal": None} for line in receipts)]
    (folder / "journal.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    rest = {key: value for key, value in manifest_of(folder).items() if key != "seal"}
    (folder / "manifest.json").write_text(json.dumps({**rest, "format": form}, indent=2), "utf-8")


def make_later(folder, form):
    """Give a run the journal and the manifest of a later format."""
    put_line(folder, 0, {**json.loads(journal_lines(folder)[0]), "format": form})
    put_manifest(folder, {**manifest_of(folder), "format": form})


@pytest.mark.parametrize(
    ("make", "form", "by_journal"),
    [(make_unsealed, 2, "before 3"), (make_unsealed, 3, "format 3"), (make_later, 6, "format 6")],
)
def test_a_run_of_another_format_is_named_with_its_format_and_left_alone(tmp_path, make, form, by_journal):
    folder = play_run(TINY, tmp_path / "run").folder
    make(folder, form)
    before = every_file(folder)
    readers = (
        open_results, Run.verify, verify_results, run_experiment, repair,
        lambda folder: play_run(TINY, folder), lambda folder: merge(tmp_path / "all", [folder]),
    )  # fmt: skip
    for read in readers:
        with refused(folder, by_journal, "format 4 and 5"):
            read(folder)
    with refused(folder, f"format {form}", "format 4 and 5"):  # a finished run is opened by its manifest
        Run.open(folder)
    for command, status in (("summary", 2), ("verify", 2), ("repair", 2), ("runs", 0)):
        assert CliRunner().invoke(app, [command, str(folder)]).exit_code == status
    assert every_file(folder) == before


@pytest.mark.parametrize(("form", "data"), [(1, json.dumps), (3, sealed_document)])
def test_scenarios_of_another_format_are_named_with_their_format(tmp_path, form, data):
    document = data({"format": form, "finished": True, "scenarios": [{"name": "plain", "hash": "0"}]})
    (tmp_path / "scenarios.json").write_bytes(document.encode() if isinstance(document, str) else document)
    for read in (Scenarios.open, Scenarios.verify):
        with refused(tmp_path, f"format {form}", "format 2"):
            read(tmp_path)


@pytest.fixture
def narrow(tmp_path, monkeypatch):
    """A finished run of format 4, whose columns are narrow."""
    monkeypatch.setattr(ChunkStore, "form", 4)
    folder = play_run(TINY, tmp_path / "narrow").folder
    monkeypatch.undo()
    assert (manifest_of(folder)["format"], stored_types(folder)) == (4, {pl.Int16})
    return folder


def stored_types(folder):
    return {pl.read_parquet_schema(path)["vp"] for path in (folder / "seats").glob("*.parquet")}


def test_a_run_with_narrow_columns_is_read_like_one_of_today(narrow, tmp_path):
    today = play_run(TINY, tmp_path / "today")
    assert Run.verify(narrow) == []
    assert stored_types(today.folder) == {pl.Int64}
    for table in today.tables:
        there, right = Run.open(narrow).scan(table).collect(), today.scan(table).collect()
        assert there.schema == right.schema
        assert_frame_equal(there, right)  # a third of a win has fewer digits
    assert Run.open(narrow).first(3).scan("seats").collect_schema()["seat"] == pl.Int64


def test_a_run_with_narrow_columns_is_continued_repaired_and_replayed_with_them(narrow):
    play_run(TINY.changed(games=30), narrow)
    (narrow / "seats/part-000000.parquet").write_bytes(b"")
    assert named(Run.verify(narrow)) == ["seats/part-000000.parquet"]
    repair(narrow)
    put_line(narrow, 0, {"format": 4})
    (narrow / "manifest.json").unlink()
    repair(narrow)
    assert manifest_of(narrow)["format"] == 4
    assert stored_types(narrow) == {pl.Int16}
    assert wallsim.verify(narrow, replay=20).replayed.errors == ()


def test_wide_columns_in_a_run_of_narrow_ones_are_an_error(narrow):
    """Each format has its types: files of both cannot be read together."""
    put_manifest(narrow, {**manifest_of(narrow), "format": 5})
    assert any(error.startswith("manifest.json: format: ") for error in Run.verify(narrow))
    with refused("games/part-000000.parquet", "column winner", "UInt8", "Int64", by=RunError):
        Run.open(narrow).scan("games")


def test_runs_of_two_formats_are_not_merged(narrow, tmp_path):
    today = play_run(TINY, tmp_path / "today").folder
    with refused(narrow, today, "format 5", "format 4"):
        merge(tmp_path / "all", [narrow, today])
    assert not (tmp_path / "all").exists()
    merge(tmp_path / "all", [narrow])
    repair(tmp_path / "all")
    assert (Run.verify(tmp_path / "all"), manifest_of(tmp_path / "all")["format"]) == ([], 4)


@pytest.mark.parametrize("form", [b"6", b"null"])
def test_a_changed_number_in_a_sealed_manifest_is_damage_and_no_other_format(tmp_path, form):
    folder = play_run(TINY, tmp_path / "run").folder
    whole = (folder / "manifest.json").read_bytes()
    changed = whole.replace(b'"format": 5', b'"format": ' + form, 1)
    assert changed != whole
    (folder / "manifest.json").write_bytes(changed)
    assert named(verify_results(folder)) == ["manifest.json"]
    repair(folder)
    assert (folder / "manifest.json").read_bytes() == whole
