"""Derived files have their digests in a sealed document, which is written last."""

import pytest

from wallsim.errors import RunError
from wallsim.folder.checksummed_json import sealed_document
from wallsim.folder.derived import CHECKSUMS, derived_errors, read_checksums, write_derived
from wallsim.folder.local_files import FileStore

FILES = {"ratings.json": b"{}", "ladder.png": b"picture"}


@pytest.fixture
def place(tmp_path):
    """A folder with two derived files."""
    place = FileStore(tmp_path / "x")
    place.make()
    write_derived(place, FILES)
    return place


def test_every_change_is_reported(place):
    assert [*derived_errors(place, FILES)] == []
    place.write("ladder.png", b"pictures")
    place.delete("ratings.json")
    result = [*derived_errors(place, (*FILES, "payoffs.png"))]
    assert [error.split(":")[0] for error in result] == [CHECKSUMS, "ratings.json", "ladder.png"]


def test_an_interrupted_writer_leaves_an_unfinished_folder(place, monkeypatch):
    whole = place.write

    def write(name, data):
        if name == "ladder.png":
            raise OSError(28, "No space left on device")
        whole(name, data)

    monkeypatch.setattr(place, "write", write)
    with pytest.raises(OSError, match="No space"):
        write_derived(place, {"ratings.json": b"[]", "ladder.png": b"another"})
    assert read_checksums(place) is None
    assert [*derived_errors(place, FILES)] == []


@pytest.mark.parametrize("name", ["/etc/passwd", "../secret", "a/../../secret"])
def test_files_outside_the_folder_are_not_read(place, name):
    place.write(CHECKSUMS, sealed_document({"files": {name: "0" * 64}}))
    with pytest.raises(RunError, match=CHECKSUMS):
        read_checksums(place)


def test_any_other_document_is_damaged(place):
    for data in (b"", b"{}", sealed_document({}), sealed_document({"files": {"a": 1}})):
        place.write(CHECKSUMS, data)
        assert [*derived_errors(place, FILES)] == [f"{CHECKSUMS}: is damaged"]
