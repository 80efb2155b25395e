"""Derived files have their digests in a sealed document, which is written last."""

import pytest

from tests.folder.mishaps import named
from wallsim.folder.checksummed_json import sealed_document
from wallsim.folder.derived import CHECKSUMS, derived_errors, write_derived
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
    assert named(derived_errors(place, (*FILES, "payoffs.png"))) == [CHECKSUMS, "ratings.json", "ladder.png"]


def test_any_other_document_is_damaged(place):
    outside = (sealed_document({"files": {name: "0" * 64}}) for name in ("/etc/passwd", "a/../../secret"))
    for data in (b"", b"{}", sealed_document({}), sealed_document({"files": {"a": 1}}), *outside):
        place.write(CHECKSUMS, data)
        assert named(derived_errors(place, FILES)) == [CHECKSUMS]
    place.delete(CHECKSUMS)  # as an interrupted writer leaves it
    assert [*derived_errors(place, FILES)] == []
