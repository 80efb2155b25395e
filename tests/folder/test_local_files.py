"""A folder on a disk and one in an object store do the same."""

import hashlib
import inspect
from pathlib import Path

import polars as pl
import pytest

from tests.refusals import refused
from wallsim.folder.address import Url, disk_folder, folder_of
from wallsim.folder.file_stores import file_store
from wallsim.folder.local_files import FileStore, NoAnswerError

JOURNAL = "journal.jsonl"


@pytest.fixture(params=["disk", "store"])
def place(request, tmp_path):
    """An empty folder."""
    folder = tmp_path / "run" if request.param == "disk" else f"{request.getfixturevalue('bucket')}/some/run"
    place = file_store(folder)
    place.make()
    return place


def test_what_was_written_is_read_until_it_is_replaced(place):
    for data in (b"one", b"", bytes(range(256)) * 40_000):
        place.write("manifest.json", memoryview(data))
        assert place.read("manifest.json") == data
        assert place.size("manifest.json") == len(data)


@pytest.mark.parametrize("name", ["manifest.json", JOURNAL, "seats/part-000000.parquet"])
def test_a_file_that_is_missing_is_said_to_be(place, name):
    with pytest.raises(FileNotFoundError) as caught:
        place.read(name)
    assert not isinstance(caught.value, NoAnswerError)
    assert caught.value.filename == place.url(name)
    assert place.size(name) is None
    assert place.digest(name) is None
    assert not place.exists(name)
    assert place.footer(name, 0, hashlib.sha256().hexdigest()) is None
    place.delete(name)


def test_only_the_first_creates_a_file(place):
    assert place.create("x.json", b"first")
    assert not place.create("x.json", b"second")
    assert place.read("x.json") == b"first"
    place.delete("x.json")
    assert (place.size("x.json"), place.entries()) == (None, [])


def test_lines_follow_what_the_journal_began_with_in_their_order(place):
    assert place.create(JOURNAL, b"head\n")
    lines = [b"%d" % number for number in range(40)]
    for line in lines:
        place.append(JOURNAL, line)
    assert place.read(JOURNAL) == b"".join(line + b"\n" for line in (b"head", *lines))
    for text in (b"new head\none\n", b"newer head\n"):
        place.write(JOURNAL, text)
        assert place.read(JOURNAL) == text
    place.append(JOURNAL, b"three")
    assert place.read(JOURNAL) == b"newer head\nthree\n"


def test_a_journal_may_begin_with_nothing_or_be_written_at_once(place):
    assert place.create("journal-0-of-2.jsonl", b"")
    assert place.read("journal-0-of-2.jsonl") == b""
    place.append("journal-0-of-2.jsonl", b"line")
    assert place.read("journal-0-of-2.jsonl") == b"line\n"
    assert place.names("", ".jsonl") == ["journal-0-of-2.jsonl"]
    place.write(JOURNAL, b"head\n")
    assert place.read(JOURNAL) == b"head\n"


def test_sizes_digests_and_times_are_reported(place):
    place.make_folder("seats")
    place.write("seats/part-000000.parquet", b"rows")
    place.write("manifest.json", b"{}")
    digest = hashlib.sha256(b"rows").hexdigest()
    assert place.digest("seats/part-000000.parquet") == digest
    assert place.footer("seats/part-000000.parquet", 4, digest) == b"rows"
    assert place.footer("seats/part-000000.parquet", 5, digest) is None
    assert place.footer("seats/part-000000.parquet", 4, digest[::-1]) is None
    facts = place.facts("seats")
    assert {name: fact.bytes for name, fact in facts.items()} == {"seats/part-000000.parquet": 4}
    assert {name: fact.bytes for name, fact in place.facts().items()} == {"manifest.json": 2}
    assert 0 < facts["seats/part-000000.parquet"].time <= place.facts()["manifest.json"].time + 10**9
    assert place.facts("games") == {}


def test_files_are_named_in_order_without_hidden_ones_and_folders(place):
    for folder in ("seats", "seats/deeper.parquet"):
        place.make_folder(folder)
    for name in ("b.parquet", "a.parquet", "c.txt", ".a.parquet", "deeper.parquet/x"):
        place.write(f"seats/{name}", b"")
    names = place.names("seats", ".parquet")
    assert [name for name in names if "deeper" not in name] == ["seats/a.parquet", "seats/b.parquet"]
    assert place.names("games", ".parquet") == []
    assert place.names("", ".parquet") == []
    assert place.entries() == ["seats"]
    assert place.folders() == ["seats"]
    assert place.exists("seats")


def test_documents_come_with_their_folder_and_back_to_a_disk(place):
    place.write_document("board/counties.csv", "Köln\n")
    place.write_document("experiment.toml", "x = 1\n")
    folder = place.on_disk(["experiment.toml", "board/counties.csv"])
    assert (folder / "board" / "counties.csv").read_bytes() == "Köln\n".encode()
    assert (folder / "experiment.toml").read_text("utf-8") == "x = 1\n"


def test_a_lock_can_be_closed_twice(place):
    for shared in (True, False):
        lock = place.lock(shared=shared)
        lock.close()
        lock.close()
    assert not place.is_locked()
    assert not place.is_link("x.json")
    place.remove_leftovers(("", "seats"))


def test_several_answers_keep_their_order(place):
    for number in range(9):
        place.write(f"{number}.json", b"x" * number)
    assert place.several(lambda number: place.size(f"{number}.json"), range(9)) == list(range(9))
    assert place.several(str, []) == []


def test_polars_opens_what_was_written(place):
    table = place.on_disk([]) / "t.parquet"
    pl.DataFrame({"a": [1, 2, 3]}).write_parquet(table)
    place.make_folder("seats")
    place.write("seats/part-000000.parquet", table.read_bytes())
    frame = pl.scan_parquet(place.url("seats/part-000000.parquet"), glob=False, **place.polars_options)
    assert frame.collect()["a"].to_list() == [1, 2, 3]


def test_no_operation_on_a_disk_is_left_to_an_object_store():
    pytest.importorskip("obstore", reason="object stores need the package obstore (wallsim[s3])")
    from wallsim.folder.object_store import ObjectFileStore

    public = {name for name, _ in inspect.getmembers(FileStore, inspect.isfunction) if not name.startswith("_")}
    assert public - vars(ObjectFileStore).keys() == {"write_document"}  # which is made of other operations
    assert {name for name in vars(ObjectFileStore) if not name.startswith("_")} <= {*public, "polars_options"}


# -------------------------------------------------------------------------------------------------- addresses


@pytest.mark.parametrize(
    ("text", "name", "above"),
    [
        ("s3://b", "b", "s3://b"),
        ("gs://b/x/y/", "y", "gs://b/x"),
        ("az://b/a=x", "a=x", "az://b"),
        ("no://x", "x", "no://x"),
    ],
)
def test_an_address_is_kept_as_it_was_written_and_has_a_name_and_a_folder_above(text, name, above):
    folder = folder_of(text)
    assert (type(folder), str(folder)) == (Url, text)
    assert folder / "a" / "b" == text.rstrip("/") + "/a/b"
    assert (folder.name, folder.parent) == (name, above)


@pytest.mark.parametrize("text", ["results/x", "./s3://x", "C:/x"])
def test_other_texts_are_paths(text, tmp_path):
    assert not isinstance(folder_of(text), Url)
    assert folder_of(tmp_path / text) == tmp_path / text


@pytest.mark.parametrize(
    "text",
    ["s3://", "s3:///x", "http://b/x", "foo://b", "s3://b/a b", "s3://b/x?y", "s3://b/x#y", "s3://b//x", "s3://b/../x",
     "s3://b/.", "s3://b/%41", "s3://-b/x", "S3://b/x", "s3://b/x\n", "s3://Köln/x"],
)  # fmt: skip
def test_an_address_that_no_store_has_is_refused(text):
    with refused("s3://BUCKET/FOLDER", "gs://", "az://"):
        file_store(text)


def test_a_path_made_of_an_address_and_an_address_instead_of_a_path_are_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with refused("s3:/b/x", "s3://"):
        file_store(Path("s3://b/x"))
    with refused("s3://b/x", "disk"):
        disk_folder("s3://b/x")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["~", "~/runs", "file:runs", "a:b"])
def test_polars_reads_what_was_written_whatever_the_name_means_elsewhere(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for folder, number in ((Path.home() / "runs", 1), (Path.home(), 2), (name, 3)):
        place = file_store(folder)
        place.make()
        pl.DataFrame({"a": [number]}).write_parquet(place.url("part.parquet"))
    assert (tmp_path / name / "part.parquet").exists()
    assert pl.read_parquet(place.url("part.parquet"), glob=False)["a"].to_list() == [3]


def test_a_name_that_is_no_text_is_refused():
    with refused("UTF-8"):
        file_store(Path("runs/\udcff"))
