"""What `--against` names: a folder with wallsim, or a commit of the checkout, which is exported and deleted again."""

import tempfile

import pytest
from benchmarks import installation as tested
from benchmarks.installation import is_checkout, other_installation, running_installation, uncommitted

from tests.benchmarks.installations import EXPERIMENT, git, package
from tests.refusals import refused
from wallsim.folder.file_stores import file_store
from wallsim.folder.verification import marker_errors


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A checkout from which wallsim seems to run: a first commit without wallsim, tagged, then one with it."""
    folder = tmp_path / "checkout"
    folder.mkdir()
    git(folder, "init", "--initial-branch", "main")
    (folder / "notes.txt").write_text("x", "utf-8")
    git(folder, "add", ".")
    git(folder, "commit", "-m", "first")
    git(folder, "tag", "empty")
    package(folder)
    git(folder, "add", ".")
    git(folder, "commit", "-m", "second")
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tested, "_FOLDER", folder)
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    return folder


def test_a_commit_is_exported_and_deleted_at_the_end(checkout):
    running = running_installation()
    (checkout / "wallsim" / "__init__.py").write_text("changed", "utf-8")
    with other_installation("main") as other:
        assert (other.folder / "wallsim" / "__init__.py").read_text("utf-8") == EXPERIMENT
        assert not (other.folder / "notes.txt").exists()
        assert (other.version, other.commit) == ("0.1.2", running.commit)
        assert marker_errors(file_store(other.folder.parent)) == []
    assert list((checkout.parent / "temporary").iterdir()) == []


def test_nothing_is_left_when_the_measurement_stops_or_a_commit_has_no_wallsim(checkout):
    with pytest.raises(KeyboardInterrupt), other_installation("HEAD"):
        raise KeyboardInterrupt
    with refused("against", "commit empty"), other_installation("empty"):
        pass
    assert list((checkout.parent / "temporary").iterdir()) == []


@pytest.mark.parametrize("name", ["nowhere", "", "--all", "0000000", "main:wallsim", "x\ty"])
def test_neither_a_folder_nor_a_commit_is_rejected(checkout, monkeypatch, name):
    monkeypatch.chdir(checkout.parent)
    for named in (name, str(checkout / "wallsim" / "engine")):
        with refused("against: "), other_installation(named):
            pass


def test_a_commit_needs_a_checkout(tmp_path, monkeypatch):
    monkeypatch.setattr(tested, "_FOLDER", tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    with refused("against", "git checkout"), other_installation("HEAD"):
        pass


def test_only_changes_that_decide_the_speed_count_as_uncommitted(checkout):
    (checkout / "notes.txt").write_text("changed", "utf-8")
    (checkout / "data" / "speed").mkdir(parents=True)
    (checkout / "data" / "speed" / "releases.csv").touch()
    assert uncommitted(checkout) == []
    assert running_installation().commit
    (checkout / "wallsim" / "__init__.py").write_text("changed", "utf-8")
    assert uncommitted(checkout) == ["wallsim/__init__.py"]
    assert running_installation().commit == ""


def test_neither_variables_of_a_git_hook_nor_a_folder_inside_name_another_checkout(checkout, tmp_path, monkeypatch):
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    assert is_checkout(checkout)
    assert not is_checkout(checkout / "wallsim")
