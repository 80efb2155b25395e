"""The folder of compiled kernels: nobody but the user can write there, or it is not used."""

import os
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests.refusals import assert_names, refused
from wallsim.compile_cache.folder import cache_folder

ROOT = Path(__file__).resolve().parents[2]
STRANGER = 4242
DIGEST = "0123456789abcdef"


def made(path, mode=0o700):
    """Make a folder of this mode, and those around it."""
    path.mkdir(parents=True, exist_ok=True)
    path.chmod(mode)
    return path


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def places(tmp_path, monkeypatch):
    """A home and a folder for temporary files; the umask is that of users who share a group."""
    before = os.umask(0o002)
    monkeypatch.delenv("WALLSIM_CACHE_DIR", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for path in (tmp_path / "home", tmp_path / "home" / ".cache"):
        made(path, 0o755)  # the folders of the user have been made with care
    monkeypatch.setattr(tempfile, "tempdir", str(made(tmp_path / "tmp", 0o1777)))
    yield tmp_path
    os.umask(before)


@pytest.fixture
def default(places):
    """The folder that is used by default."""
    return places / "home" / ".cache" / "wallsim"


@pytest.fixture
def temporary(places):
    """The folder that is used in its place."""
    return places / "tmp" / f"wallsim-{os.geteuid()}"


@pytest.fixture
def name(monkeypatch):
    """Lets the user name a folder."""
    return lambda folder: monkeypatch.setenv("WALLSIM_CACHE_DIR", str(folder))


def owned_by_a_stranger(folder, monkeypatch):
    """Give a folder away; who may not do that becomes somebody else."""
    if os.geteuid() == 0:
        os.chown(folder, STRANGER, STRANGER)
    else:
        monkeypatch.setattr(os, "geteuid", lambda: STRANGER)


# ------------------------------------------------------------------------------------------- what is made


def test_all_that_is_made_is_private_whatever_the_umask_by_default_or_in_a_named_folder(places, default, name):
    result = cache_folder(DIGEST)
    assert result == default / DIGEST
    assert [mode(path) for path in (result, result.parent)] == [0o700] * 2
    assert list(result.iterdir()) == []
    name(places / "deep" / "down")
    result = cache_folder(DIGEST)
    assert result == places / "deep" / "down" / DIGEST
    assert [mode(path) for path in (result, *result.parents[:2])] == [0o700] * 3


def test_folders_of_earlier_versions_are_tightened_and_a_link_to_a_cache_elsewhere_is_followed(places, default):
    inner = made(places / "large_disk" / DIGEST, 0o755)
    default.symlink_to(inner.parent)
    default.chmod(0o2775)
    assert cache_folder(DIGEST) == inner
    assert (mode(default), mode(inner)) == (0o2755, 0o700)


@pytest.mark.parametrize(("home", "caches"), [(None, "relative"), ("~", None)])
def test_without_a_home_the_folder_for_temporary_files_is_used(places, temporary, monkeypatch, home, caches):
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    monkeypatch.chdir(places)
    if caches:
        monkeypatch.setenv("XDG_CACHE_HOME", caches)
    assert cache_folder(DIGEST) == temporary / DIGEST
    assert mode(temporary) == 0o700
    assert sorted(path.name for path in places.iterdir()) == ["home", "tmp"]


def test_what_cannot_be_written_to_is_replaced_even_if_it_was_named(places, temporary, name):
    (places / "mine").touch()
    name(places / "mine")
    assert cache_folder(DIGEST) == temporary / DIGEST
    name(Path("/proc/self"))  # where nobody can write
    assert cache_folder(DIGEST) == temporary / DIGEST


# ---------------------------------------------------------------------------------------- what is not used


def test_a_named_folder_where_others_can_write_is_refused_with_what_repairs_it(places, name):
    ours = made(places / "our s", 0o775)
    name(ours)
    with refused("WALLSIM_CACHE_DIR", ours, "mode 775", f"`chmod go-w '{ours}'`") as caught:
        cache_folder(DIGEST)
    assert caught.value.exit_status == 2
    assert mode(ours) == 0o775, "what the user named is not changed"
    assert list(ours.iterdir()) == list((places / "tmp").iterdir()) == []


def test_a_stranger_s_folder_is_refused(places, name, monkeypatch):
    theirs = made(places / "theirs", 0o755)
    name(theirs)
    owned_by_a_stranger(theirs, monkeypatch)
    with refused(theirs, "another user, number", "name another folder"):
        cache_folder(DIGEST)


@pytest.mark.parametrize("inside", ["tmp/theirs", "public"])
def test_a_folder_inside_one_whose_files_another_can_replace_is_refused(places, name, inside):
    mine = made(places / inside / "mine")
    if inside == "public" or os.geteuid() != 0:
        mine.parent.chmod(0o777)
    else:
        os.chown(mine.parent, STRANGER, STRANGER)
    name(mine)
    with refused(f"WALLSIM_CACHE_DIR: {mine}: {mine.parent}: "):
        cache_folder(DIGEST)
    if inside == "public":
        mine.parent.chmod(0o1777)  # as that for temporary files
        assert cache_folder(DIGEST) == mine / DIGEST


@pytest.mark.parametrize("planted", ["link", "open", "stranger"])
def test_an_inner_folder_that_another_may_have_made_is_not_used(places, temporary, name, monkeypatch, planted):
    inner, elsewhere = made(temporary) / DIGEST, made(places / "elsewhere")
    if planted == "link":
        inner.symlink_to(elsewhere)
    else:
        made(inner, 0o770 if planted == "open" else 0o700)
    name(temporary)
    named = f"{inner}: ", f"`rm -r {inner}`"
    if planted == "stranger":
        owned_by_a_stranger(inner, monkeypatch)
        named = ("another user",)
    with refused(*named):
        cache_folder(DIGEST)
    assert list(elsewhere.iterdir()) == []


def test_a_default_folder_that_is_not_safe_is_replaced_and_if_none_is_left_each_is_named(default, temporary):
    made(default / DIGEST, 0o777)
    assert cache_folder(DIGEST) == temporary / DIGEST
    made(temporary / DIGEST, 0o777)
    with refused("WALLSIM_CACHE_DIR", *(f"{parent / DIGEST}: " for parent in (default, temporary)), "mode 777"):
        cache_folder(DIGEST)


def test_the_command_line_says_so_in_one_line(tmp_path):
    made(tmp_path / "cache", 0o777)
    environment = {**os.environ, "WALLSIM_CACHE_DIR": "cache", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "wallsim", "run", "--games", "1", "--out", "run"]
    done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert_names(done.stderr, "WALLSIM_CACHE_DIR: cache: ", "mode 777")
    assert [path.name for path in tmp_path.iterdir()] == ["cache"]
