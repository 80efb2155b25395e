"""Derived files have their digests in a sealed document, which is written last."""

from tests.folder.mishaps import named
from wallsim.folder.derived import CHECKSUMS, derived_errors, write_derived
from wallsim.folder.local_files import FileStore

FILES = {"ratings.json": b"{}", "ladder.png": b"picture"}


def test_every_change_is_reported_unless_the_document_is_missing(tmp_path):
    place = FileStore(tmp_path / "x")
    place.make()
    write_derived(place, FILES)
    assert [*derived_errors(place, FILES)] == []
    place.write("ladder.png", b"pictures")
    place.delete("ratings.json")
    assert named(derived_errors(place, (*FILES, "payoffs.png"))) == [CHECKSUMS, "ratings.json", "ladder.png"]
    place.delete(CHECKSUMS)  # as an interrupted writer leaves it
    assert [*derived_errors(place, FILES)] == []
