"""Damaged files of the compile cache: never wrong machine code, never a traceback, compiled again and cached."""

import errno
import os
import pickle
from pathlib import Path

import pytest

from tests.compile_cache.kernels import RIGHT
from tests.refusals import refused
from wallsim.compile_cache.files import CacheError, CheckedFiles
from wallsim.errors import RunError
from wallsim.jit import kernel


def truncated(length):
    """Cuts a file; negative lengths count from the end."""
    return lambda path: path.write_bytes(path.read_bytes()[:length])


def flipped(share):
    """Flips one bit of a file, at a share of its length."""

    def flip(path):
        content = bytearray(path.read_bytes())
        content[int((len(content) - 1) * share)] ^= 16
        path.write_bytes(content)

    return flip


def instead(make):
    """Puts something else in the place of a file."""

    def replace(path):
        path.unlink()
        make(path)

    return replace


def folder_with_a_file(path):
    path.mkdir()
    (path / "within").touch()


DAMAGES = {
    "empty": truncated(0), "one byte": truncated(1), "no digest": truncated(31), "only a digest": truncated(32),
    "half": lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]), "last byte": truncated(-1),
    "first bit": flipped(0.0), "early bit": flipped(0.2), "middle bit": flipped(0.5), "last bit": flipped(1.0),
    "longer": lambda path: path.write_bytes(path.read_bytes() + b"\0"),
    "garbage": lambda path: path.write_bytes(os.urandom(3000)),
    "another pickle": lambda path: path.write_bytes(pickle.dumps({"no": "machine code"})),
    "missing": Path.unlink, "folder": instead(folder_with_a_file), "pipe": instead(os.mkfifo),
    "endless": instead(lambda path: path.symlink_to("/dev/zero")),
    "dead link": instead(lambda path: path.symlink_to("nowhere")),
}  # fmt: skip


# ------------------------------------------------------------------------------------- kernels and entry points


def test_kernels_and_entry_points_are_loaded_from_whole_files_which_hold_no_bitcode(small):
    small.assert_right(compiled=0)
    assert (len(small.files("nbi")), len(small.files("nbc"))) == (4, 4)
    assert not [path for path in small.files("nbc") if b"BC\xc0\xde" in path.read_bytes()]


@pytest.mark.one_in(10)
@pytest.mark.parametrize("ending", ["nbi", "nbc"])
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_costs_one_compilation(small, damage, ending):
    """Of a kernel and of an entry point."""
    for path in (small.files(ending)[0], small.files(ending)[-1]):
        DAMAGES[damage](path)
    small.assert_right(compiled=2)
    small.assert_right(compiled=0)


@pytest.mark.parametrize("ending", ["nbi", "nbc"])
def test_files_of_another_kernel_are_not_believed(small, ending):
    first, *others = small.files(ending)
    for other in others:
        other.write_bytes(first.read_bytes())
    small.assert_right(compiled=3)


def test_a_file_in_the_place_of_a_folder_is_thrown_away(small):
    for path in small.cache.iterdir():
        path.unlink()
    small.cache.rmdir()
    small.cache.write_text("no folder", "utf-8")
    assert small.answers() == RIGHT
    small.assert_right(compiled=0)


def test_nothing_is_kept_of_an_older_source(small):
    small.source.write_text(small.source.read_text("utf-8").replace("+ 1", "+ 2"), "utf-8")
    assert small.answers() == (*RIGHT[:2], 29)
    assert len(small.files("nbc")) == 4


def test_loaded_code_is_translated_again_where_another_kernel_links_it(small):
    small.answers()
    loaded = small.module.third_power
    assert small.compiled == 0

    @kernel
    def fourth_power(number):
        return loaded(number) * number

    assert fourth_power(2) == 16
    assert loaded(4) == 64, "from Python it still runs"


@pytest.mark.parametrize("call", ["open", "replace"])
def test_a_full_disk_is_named_with_what_helps(small, monkeypatch, call):
    """Also where a kernel is compiled in the midst of another, and nothing is left half written."""
    for path in small.files("nb*"):
        path.unlink()

    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(*((os, "replace", full) if call == "replace" else (Path, "write_bytes", full)))
    with refused(small.cache.parent, "No space left on device", "WALLSIM_CACHE_DIR", by=CacheError) as caught:
        small.answers()
    assert isinstance(caught.value, RunError)
    assert list(small.cache.iterdir()) == []
    monkeypatch.undo()
    assert small.answers() == RIGHT


# ------------------------------------------------------------------------------------------- the files alone


def files_of(folder, stamp="source", version="1.0", name="sum-3.py311"):
    """The files of a kernel that is called `sum`."""
    return CheckedFiles(folder, name, stamp, version, pickle.dumps)


@pytest.mark.parametrize("ending", ["nbi", "nbc"])
def test_a_flipped_bit_in_any_byte_and_every_truncation_is_found(tmp_path, ending):
    files_of(tmp_path).save("int", "code")
    whole = {path: path.read_bytes() for path in tmp_path.iterdir()}
    (target,) = tmp_path.glob(f"*.{ending}")
    good = whole[target]
    damaged = [good[:place] + bytes([good[place] ^ 1 << place % 8]) + good[place + 1 :] for place in range(len(good))]
    for content in [*damaged, *(good[:length] for length in range(len(good)))]:
        for path, before in whole.items():
            path.write_bytes(before)
        target.write_bytes(content)
        assert files_of(tmp_path).load("int") is None
        assert list(tmp_path.iterdir()) == [], "all files of the kernel are thrown away"


def test_each_key_finds_its_own_value_and_kernels_leave_each_other_alone(tmp_path):
    files, other = files_of(tmp_path), files_of(tmp_path, name="sum-33.py311")
    for key in ("int", "float"):
        files.save(key, f"code for {key}")
    other.save("int", "other code")
    assert [files_of(tmp_path).load(key) for key in ("int", "float", "text")] == [
        "code for int",
        "code for float",
        None,
    ]
    (tmp_path / "sum-3.py311.nbi").write_bytes(b"damaged")
    assert files_of(tmp_path).load("int") is None
    assert other.load("int") == "other code"


@pytest.mark.parametrize("other", [{"stamp": "edited"}, {"version": "1.1"}], ids=["source", "Numba"])
def test_files_of_another_source_or_compiler_are_thrown_away(tmp_path, other):
    files_of(tmp_path).save("int", "old")
    assert files_of(tmp_path, **other).load("int") is None
    assert list(tmp_path.iterdir()) == []


def test_two_processes_that_compile_the_same_never_find_each_others_code(tmp_path):
    """Both read the empty index; the last write is read, and the other process compiles again."""
    first, second = files_of(tmp_path), files_of(tmp_path)
    first.save("int", "code for int")
    index = (tmp_path / "sum-3.py311.nbi").read_bytes()
    (tmp_path / "sum-3.py311.nbi").unlink()
    second.save("float", "code for float")
    assert (first.load("int"), first.load("float")) == (None, "code for float")
    (tmp_path / "sum-3.py311.nbi").write_bytes(index)
    assert (first.load("int"), first.load("float")) == ("code for int", None)


class _Trap:
    """Unpickling it makes a folder."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return os.mkdir, (self.path,)


def test_nothing_that_is_damaged_is_unpickled(tmp_path):
    """A pickle can run any code."""
    trap = tmp_path / "sprung"
    code = pickle.dumps(_Trap(str(trap)))
    files_of(tmp_path).save("int", "code")
    for path in list(tmp_path.iterdir()):
        path.write_bytes(code)
        assert files_of(tmp_path).load("int") is None
        files_of(tmp_path).save("int", "code")
    assert not trap.exists()
    pickle.loads(code)
    assert trap.exists(), "it would have been sprung"
