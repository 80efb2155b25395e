"""The folder of compiled kernels: nobody but the user can write there, or it is not used."""

import os
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from wallsim.compile_cache import folder as module
from wallsim.compile_cache.folder import cache_folder
from wallsim.errors import InputError

ROOT = Path(__file__).resolve().parents[2]
STRANGER = 4242
DIGEST = "0123456789abcdef"


@pytest.fixture
def places(tmp_path, monkeypatch):
    """A home and a folder for temporary files; the umask is that of users who share a group."""
    before = os.umask(0o002)
    monkeypatch.delenv("WALLSIM_CACHE_DIR", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "home" / ".cache").mkdir(parents=True)
    for path in (tmp_path / "home", tmp_path / "home" / ".cache"):
        path.chmod(0o755)  # the folders of the user have been made with care
    (tmp_path / "tmp").mkdir()
    (tmp_path / "tmp").chmod(0o1777)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    yield tmp_path
    os.umask(before)


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def default_folder(places):
    return places / "home" / ".cache" / "wallsim"


def temporary(places):
    return places / "tmp" / f"wallsim-{os.geteuid()}"


def name(monkeypatch, folder):
    """Let the user name a folder."""
    monkeypatch.setenv("WALLSIM_CACHE_DIR", str(folder))


def refusal():
    """What is said where no folder will do."""
    with pytest.raises(InputError) as caught:
        cache_folder(DIGEST)
    assert caught.value.exit_status == 2
    return str(caught.value)


def owned_by_a_stranger(folder, monkeypatch):
    """Give a folder away; who may not do that becomes somebody else."""
    if os.geteuid() == 0:
        os.chown(folder, STRANGER, STRANGER)
    else:
        monkeypatch.setattr(os, "geteuid", lambda: STRANGER)


# ------------------------------------------------------------------------------------------- what is made


def test_all_that_is_made_is_private_whatever_the_umask(places):
    result = cache_folder(DIGEST)
    assert result == default_folder(places) / DIGEST
    assert [mode(path) for path in (result, result.parent)] == [0o700] * 2
    assert list(result.iterdir()) == []


def test_a_named_folder_is_made_with_those_around_it(places, monkeypatch):
    name(monkeypatch, places / "deep" / "down")
    result = cache_folder(DIGEST)
    assert result == places / "deep" / "down" / DIGEST
    assert [mode(path) for path in (result, *result.parents[:2])] == [0o700] * 3


def test_the_usual_folder_of_earlier_versions_is_tightened(places):
    default_folder(places).mkdir()
    default_folder(places).chmod(0o2775)
    assert cache_folder(DIGEST) == default_folder(places) / DIGEST
    assert mode(default_folder(places)) == 0o2755


def test_a_folder_that_others_could_only_read_is_closed_to_them(places):
    inner = default_folder(places) / DIGEST
    inner.mkdir(parents=True)
    inner.chmod(0o755)
    assert cache_folder(DIGEST) == inner
    assert mode(inner) == 0o700


def test_a_link_to_a_cache_elsewhere_is_followed_once_and_for_all(places):
    (places / "large_disk").mkdir(mode=0o700)
    default_folder(places).symlink_to(places / "large_disk")
    assert cache_folder(DIGEST) == places / "large_disk" / DIGEST


@pytest.mark.parametrize(("home", "caches"), [(None, "relative"), ("~", None)])
def test_without_a_home_the_folder_for_temporary_files_is_used(places, monkeypatch, home, caches):
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    monkeypatch.chdir(places)
    if caches:
        monkeypatch.setenv("XDG_CACHE_HOME", caches)
    assert cache_folder(DIGEST) == temporary(places) / DIGEST
    assert mode(temporary(places)) == 0o700
    assert sorted(path.name for path in places.iterdir()) == ["home", "tmp"]


@pytest.mark.parametrize("preserved", [False, True], ids=["file", "read-only"])
def test_what_cannot_be_written_to_is_replaced_even_if_it_was_named(places, monkeypatch, preserved):
    if preserved:
        made = module._make
        monkeypatch.setattr(module, "_make", lambda folder: read_only() if folder.name == "frozen" else made(folder))
        name(monkeypatch, places / "frozen")
    else:
        (places / "file").touch()
        name(monkeypatch, places / "file")
    assert cache_folder(DIGEST) == temporary(places) / DIGEST


def read_only():
    raise OSError(30, "Read-only file system")


# ---------------------------------------------------------------------------------------- what is not used


def test_a_named_folder_where_others_can_write_is_refused_with_what_repairs_it(places, monkeypatch):
    (places / "our s").mkdir()
    (places / "our s").chmod(0o775)
    name(monkeypatch, places / "our s")
    assert refusal() == (
        f"WALLSIM_CACHE_DIR: {places}/our s: {places}/our s: others can write to it (mode 775); allowed is a folder "
        "that only you can write to, because compiled cached kernels are executed: "
        f"`chmod go-w '{places}/our s'`"
    )
    assert mode(places / "our s") == 0o775, "what the user named is not changed"
    assert list((places / "our s").iterdir()) == []
    assert list((places / "tmp").iterdir()) == []


def test_a_stranger_s_folder_is_refused(places, monkeypatch):
    (places / "theirs").mkdir(mode=0o755)
    (places / "theirs").chmod(0o755)
    name(monkeypatch, places / "theirs")
    owned_by_a_stranger(places / "theirs", monkeypatch)
    assert "theirs: belongs to another user, number" in refusal()
    assert "name another folder" in refusal()


def test_a_stranger_s_folder_within_that_for_temporary_files_is_refused(places, monkeypatch):
    """The owner can replace the user's folder by another."""
    theirs = places / "tmp" / "theirs"
    (theirs / "mine").mkdir(parents=True)
    theirs.chmod(0o755)
    (theirs / "mine").chmod(0o700)
    os.chown(theirs, STRANGER, STRANGER) if os.geteuid() == 0 else theirs.chmod(0o775)
    name(monkeypatch, theirs / "mine")
    assert refusal().startswith(f"WALLSIM_CACHE_DIR: {theirs}/mine: {theirs}: ")


def test_a_folder_in_which_all_may_rename_is_refused(places, monkeypatch):
    public = places / "public"
    (public / "mine").mkdir(parents=True)
    (public / "mine").chmod(0o700)
    public.chmod(0o777)
    name(monkeypatch, public / "mine")
    assert f"{public}: others can write to it (mode 777)" in refusal()
    public.chmod(0o1777)  # as that for temporary files
    assert cache_folder(DIGEST) == public / "mine" / DIGEST


@pytest.mark.parametrize("planted", ["link", "file", "open", "stranger"])
def test_an_inner_folder_that_another_may_have_made_is_not_used(places, monkeypatch, planted):
    inner = temporary(places) / DIGEST
    temporary(places).mkdir(mode=0o700)
    if planted == "link":
        (places / "elsewhere").mkdir(mode=0o700)
        inner.symlink_to(places / "elsewhere")
    elif planted == "file":
        inner.touch()
    else:
        inner.mkdir()
        inner.chmod(0o770 if planted == "open" else 0o700)
    name(monkeypatch, temporary(places))
    if planted == "stranger":
        owned_by_a_stranger(inner, monkeypatch)
    said = refusal()
    assert f"{inner}: " in said or planted == "stranger"
    if planted != "stranger":
        assert f"delete it, `rm -r {inner}`" in said
    assert not (places / "elsewhere").exists() or not list((places / "elsewhere").iterdir())


def test_a_usual_folder_that_is_not_safe_is_replaced(places):
    inner = default_folder(places) / DIGEST
    inner.mkdir(parents=True)
    inner.chmod(0o777)
    assert cache_folder(DIGEST) == temporary(places) / DIGEST


def test_if_none_is_left_each_is_named_with_its_reason(places):
    for parent in (default_folder(places), temporary(places)):
        (parent / DIGEST).mkdir(parents=True)
        (parent / DIGEST).chmod(0o777)
    assert refusal().splitlines() == [
        "compiled kernels need a folder that only you can write to, and none was found:",
        f"{default_folder(places)}/{DIGEST}: others could write to it (mode 777)",
        f"{temporary(places)}/{DIGEST}: others could write to it (mode 777)",
        "name another folder in WALLSIM_CACHE_DIR",
    ]


def test_the_command_line_says_so_in_one_line(tmp_path):
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache").chmod(0o777)
    environment = {**os.environ, "WALLSIM_CACHE_DIR": "cache", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "wallsim", "run", "--games", "1", "--out", "run"]
    done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith("WALLSIM_CACHE_DIR: cache: ")
    assert "others can write to it (mode 777)" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["cache"]
