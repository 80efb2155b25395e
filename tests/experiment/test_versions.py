"""Processes that play for one folder have the same versions, and the folder says which they were."""

import json
import pickle
import shutil
from importlib import import_module
from pathlib import Path

import pytest

from tests.folder.mishaps import flip_a_bit, journal_lines, log_lines, manifest_of, put_line, put_manifest
from tests.play.clusters import squared
from tests.refusals import assert_names
from wallsim import jit
from wallsim.experiment import versions as module
from wallsim.experiment.experiment import Experiment
from wallsim.experiment.versions import sources_digest, versions, versions_digest
from wallsim.folder.journal import Journal
from wallsim.folder.local_files import FileStore
from wallsim.folder.merge import merge
from wallsim.folder.results import Run
from wallsim.jit import compiler_settings
from wallsim.play import sent_tasks
from wallsim.play.play import play_run, play_slice
from wallsim.play.repair import repair
from wallsim.play.sent_tasks import ClusterError, Failed, SentFunction, do_task

EXPERIMENT = Experiment(policies="random", games=6, chunk=2, seed=5)


def answer_to(sender):
    """What a worker answers to a task of a sender with these versions."""
    function = SentFunction.of(squared)
    return do_task(sender, function.digest, function.data, pickle.dumps((3,)))


# ------------------------------------------------------------------------------------------------ what is compared


@pytest.mark.parametrize("name", [*versions()])
def test_a_worker_that_differs_in_any_version_refuses_and_names_it(name):
    mine = versions()[name]
    assert answer_to(dict(versions())) == 9
    for there, names in (
        ({**versions(), name: "other"}, [f"{name} {mine} there", "other here"]),
        ({key: value for key, value in versions().items() if key != name}, [f"{name} {mine} there", "unknown here"]),
        ({**versions(), "abacus": "1"}, ["abacus unknown there", "1 here"]),
    ):
        answer = answer_to(there)
        assert (type(answer), type(answer.error)) == (Failed, ClusterError)
        assert_names(str(answer.error), "other versions", *names)


def test_every_package_that_makes_rows_or_bytes_and_every_setting_of_the_compiler_is_compared():
    assert {"wallsim", "engine", "sources", "python", "numpy", "numba", "llvmlite", "polars"} <= versions().keys()
    assert all(text and text != "not installed" for text in versions().values())
    assert [each.partition("=")[0] for each in versions()["compiler"].split(" ")] == list(compiler_settings())


def test_a_change_of_any_source_changes_their_digest(tmp_path):
    file = "engine/rows.py"
    package = Path(jit.__file__).parent
    copy = shutil.copytree(package, tmp_path / "wallsim", ignore=shutil.ignore_patterns("__pycache__"))
    assert sources_digest(copy) == versions()["sources"]
    (copy / file).write_bytes((copy / file).read_bytes() + b"\n")
    changed = sources_digest(copy)
    assert changed != versions()["sources"]
    (copy / file).rename(copy / "play" / "new_name.py")
    assert sources_digest(copy) not in (changed, versions()["sources"])


def test_the_processor_counts_only_by_what_can_change_a_result(monkeypatch):
    features = {"fma": True, "avx512f": False}
    monkeypatch.setattr("llvmlite.binding.get_host_cpu_features", lambda: features)
    monkeypatch.setattr(module.platform, "machine", lambda: "x86_64")
    before = module.processor()
    features["avx512f"] = True
    assert module.processor() == before
    features["fma"] = False
    assert module.processor() != before


# -------------------------------------------------------------------------------------------- what the folder says


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A finished run; do not change it."""
    return play_run(EXPERIMENT, tmp_path_factory.mktemp("played") / "run", workers=1).folder


@pytest.fixture
def copied(folder, tmp_path):
    """A copy that a test may change."""
    return Path(shutil.copytree(folder, tmp_path / "run"))


def entry(chunks, result=None):
    """An entry of the manifest."""
    result = versions() if result is None else result
    return {"digest": versions_digest(result), "chunks": chunks, **result}


def test_receipts_name_the_versions_that_played_and_the_manifest_lists_them(folder):
    digest = versions_digest(versions())
    assert {record.versions for record in Journal(FileStore(folder)).records.values()} == {digest}
    assert manifest_of(folder)["versions"] == [entry([[0, 2]])]
    assert [line["versions"] for line in log_lines(folder) if line["event"] == "begun"] == [versions()]
    assert all(len(line) < 1000 for line in journal_lines(folder)[1:])


def played_by_others(folder, chunk, monkeypatch, damage=Path.unlink):
    """Damage a chunk, and let another version play it again; the versions of that one."""
    others = {**versions(), "wallsim": "0.0.1"}
    damage(next(folder.rglob(f"part-00000{chunk}.parquet")))
    with monkeypatch.context() as context:
        context.setattr(import_module("wallsim.play.play"), "versions", lambda: others)
        repair(folder)
    return others


@pytest.mark.parametrize("damage", [Path.unlink, flip_a_bit])
def test_chunks_of_several_versions_are_distinguished(copied, monkeypatch, damage):
    others = played_by_others(copied, 1, monkeypatch, damage)
    assert manifest_of(copied)["versions"] == [entry([[0, 0], [2, 2]]), entry([[1, 1]], others)]
    assert Run.verify(copied) == []


def test_a_lost_journal_is_begun_again_with_the_versions_of_the_manifest(copied, monkeypatch):
    others = played_by_others(copied, 1, monkeypatch)
    before = manifest_of(copied)["versions"]
    (copied / "journal.jsonl").unlink()
    (copied / "log.jsonl").unlink()
    repair(copied)
    assert manifest_of(copied)["versions"] == before
    (copied / "manifest.json").unlink()  # without it and the log only the digest of others is known
    repair(copied)
    unknown = {"digest": versions_digest(others), "chunks": [[1, 1]]}
    assert manifest_of(copied)["versions"] == [entry([[0, 0], [2, 2]]), unknown]


def test_merged_chunks_keep_the_versions_that_played_them(copied, tmp_path, monkeypatch):
    others = played_by_others(copied, 0, monkeypatch)
    play_slice(EXPERIMENT, tmp_path / "slice", (1, 3))
    merge(tmp_path / "all", [tmp_path / "slice", copied])
    merged = repair(tmp_path / "all")
    assert merged.manifest["versions"] == [entry([[0, 0]], others), entry([[1, 2]])]


def test_receipts_of_earlier_versions_have_none(copied):
    for number, line in enumerate(journal_lines(copied)):
        if number:
            put_line(copied, number, {key: value for key, value in json.loads(line).items() if key != "versions"})
    assert Run.verify(copied) == []
    (copied / "manifest.json").unlink()
    assert repair(copied).manifest["versions"] == [{"digest": None, "chunks": [[0, 2]]}]


def test_forged_versions_of_a_manifest_bring_nothing_down(copied):
    for forged in (7, [7], [{"digest": "x" * 12, "chunks": [[0, 10**15]]}], [{"digest": 4, "chunks": "ab"}]):
        put_manifest(copied, {**manifest_of(copied), "versions": forged})
        (copied / "journal.jsonl").unlink(missing_ok=True)
        assert repair(copied).manifest["games"] == 6
        assert Run.verify(copied) == []


def test_the_versions_are_found_out_once_per_process(monkeypatch):
    versions()
    monkeypatch.setattr(module, "sources_digest", lambda package: pytest.fail("read again"))
    assert sent_tasks.versions() is versions()
