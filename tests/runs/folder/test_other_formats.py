"""Folders of other formats: one error names the folder, its format and the one that is read."""

import json

import pytest
from typer.testing import CliRunner

from tests.runs.mishaps import journal_lines, manifest_of, put_line, put_manifest
from wallsim.cli.app import app
from wallsim.errors import InputError
from wallsim.runs.experiment import Experiment
from wallsim.runs.folder.checksummed_json import sealed_document
from wallsim.runs.folder.results import open_run, run_experiment, verify
from wallsim.runs.merge import merge
from wallsim.runs.play import play_run
from wallsim.runs.repair import repair
from wallsim.runs.results import open_results, verify_results
from wallsim.runs.scenarios.folder import Scenarios

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


def files_of(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    ("make", "form", "by_journal"),
    [(make_unsealed, 2, "a format before 3"), (make_unsealed, 3, "format 3"), (make_later, 5, "format 5")],
)
def test_a_run_of_another_format_is_named_with_its_format_and_left_alone(tmp_path, make, form, by_journal):
    folder = play_run(TINY, tmp_path / "run").folder
    make(folder, form)
    before = files_of(folder)

    def error(estimate):
        return f"{folder}: has {estimate}; this version of wallsim reads format 4 only"

    by_number = f"format {form}"
    readers = (
        open_run, open_results, verify, verify_results, run_experiment, repair,
        lambda folder: play_run(TINY, folder), lambda folder: merge(tmp_path / "all", [folder]),
    )  # fmt: skip
    for read in readers:
        with pytest.raises(InputError) as caught:
            read(folder)
        # A finished run is opened by its manifest.
        assert str(caught.value) == error(by_number if read is open_run else by_journal)
    for command in ("summary", "verify", "repair"):
        result = CliRunner().invoke(app, [command, str(folder)])
        assert result.exit_code == 2
        assert error("").split("has ;")[1] in " ".join(result.stderr.split())
    result = CliRunner().invoke(app, ["runs", str(tmp_path)])
    assert result.exit_code == 0, result.output
    assert files_of(folder) == before


@pytest.mark.parametrize(("form", "data"), [(1, json.dumps), (3, sealed_document)])
def test_scenarios_of_another_format_are_named_with_their_format(tmp_path, form, data):
    document = data({"format": form, "finished": True, "scenarios": [{"name": "plain", "hash": "0"}]})
    (tmp_path / "scenarios.json").write_bytes(document.encode() if isinstance(document, str) else document)
    for read in (Scenarios.open, Scenarios.verify):
        with pytest.raises(InputError, match=rf"^{tmp_path}: has format {form}; this version .* reads format 2 only$"):
            read(tmp_path)
