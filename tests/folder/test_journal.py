"""The journal of a folder: headers and receipts are read as written; damaged and torn lines cost one chunk."""

import json
import shutil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.folder.mishaps import every_file, journal_lines, named, put_line
from tests.play.watching import Counter, parts_of
from tests.refusals import refused
from tests.searches import work
from wallsim.errors import RunError
from wallsim.experiment.identity import identity_hash
from wallsim.folder.checksummed_json import read_sealed_line, sealed_line
from wallsim.folder.journal import ChunkRecord, Header, Journal
from wallsim.folder.layout import PartFile
from wallsim.folder.local_files import FileStore
from wallsim.folder.results import Run
from wallsim.folder.search_kinds import TUNINGS
from wallsim.play.play import play_run

WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
COUNTS = st.integers(1, 50_000)
DOCUMENTS = st.dictionaries(
    st.sampled_from(("experiment.toml", "codebook.md", "tower-x.toml", "board/events.csv")), WORDS
)
SECONDS = st.floats(0, 1e6)


@st.composite
def headers(draw):
    """Heads of any run."""
    facts = draw(st.dictionaries(WORDS, WORDS | st.integers() | st.lists(WORDS, max_size=3), max_size=4))
    return Header(
        draw(st.none() | WORDS), identity_hash(facts), facts, draw(COUNTS), draw(st.none() | COUNTS),
        draw(st.none() | COUNTS), tuple(draw(st.lists(COUNTS, max_size=3))), draw(st.booleans()), draw(DOCUMENTS),
    )  # fmt: skip


@st.composite
def receipts(draw):
    """Receipts of any chunk."""
    number = draw(st.integers(0, 2_000_000))
    files = tuple(
        PartFile(f"{table}/part-{number:06d}.parquet", table, draw(COUNTS), draw(COUNTS), "ab" * 32)
        for table in draw(st.lists(st.sampled_from(("games", "seats", "battles")), unique=True))
    )
    return ChunkRecord(
        number, draw(COUNTS), draw(COUNTS), files, draw(SECONDS), draw(WORDS), draw(SECONDS), draw(SECONDS),
        draw(COUNTS), draw(SECONDS), draw(WORDS),
    )  # fmt: skip


def journal_of(folder, *lines, rest=b""):
    """The journal of a folder with these lines."""
    (folder / "journal.jsonl").write_bytes(b"".join(line + b"\n" for line in lines) + rest)
    return Journal(FileStore(folder))


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder for journals."""
    return tmp_path_factory.mktemp("journals")


@given(header=headers(), result=st.lists(receipts(), max_size=4, unique_by=lambda record: record.chunk))
def test_header_and_receipts_are_read_as_they_were_written(place, header, result):
    journal = journal_of(place, header.line(), *(one.line(header) for one in result))
    assert (journal.header, journal.all) == (header, result)
    assert (journal.errors, journal.torn, journal.header_damaged) == ([], set(), False)
    assert journal.done == sum(record.games for record in result)


@given(header=headers(), record=receipts(), where=st.integers(0), bit=st.integers(0, 7))
def test_any_flipped_bit_before_the_last_line_end_is_reported(place, header, record, where, bit):
    data = bytearray(header.line() + b"\n" + record.line(header))
    data[where % len(data)] ^= 1 << bit
    journal = journal_of(place, bytes(data))
    assert journal.errors
    assert (journal.header, journal.all) in ((None, []), (None, [record]), (header, []))


@given(header=headers(), result=st.lists(receipts(), min_size=1, max_size=3), cut=st.integers(1))
def test_a_torn_last_line_is_no_damage_and_no_receipt(place, header, result, cut):
    *whole, last = [header.line(), *(record.line(header) for record in result)]
    journal = journal_of(place, *whole, rest=last[: 1 + cut % (len(last) - 1)])
    assert (journal.header, journal.all, journal.errors) == (header, result[:-1], [])
    assert journal.torn == {"journal.jsonl"}
    for rest in (b"garbage", last[:-1] + b"\0", last + b"\1"):  # which no process has begun
        assert named(journal_of(place, *whole, rest=rest).errors) == [f"journal.jsonl: line {len(result) + 1}"]


@given(header=headers(), other=headers(), record=receipts())
def test_a_receipt_of_another_run_or_of_other_chunks_is_damage(place, header, other, record):
    journal = journal_of(place, header.line(), record.line(other))
    ours = (header.hash, header.chunk, header.first_chunk) == (other.hash, other.chunk, other.first_chunk)
    assert (journal.all, journal.errors == []) == ([record] if ours else [], ours)


@given(header=headers(), record=receipts())
def test_without_the_header_the_receipts_tell_run_and_chunks(place, header, record):
    for lines in ([b"{}", record.line(header)], [record.line(header)]):
        journal = journal_of(place, *lines)
        assert (journal.header, journal.header_damaged) == (None, True)
        assert [*journal.works] == [(header.hash[:16], header.chunk, header.first_chunk)]
        assert (journal.all, named(journal.errors)) == ([record], ["journal.jsonl: line 1"])


FACTS = {"seed": 8}
HEADER = Header(None, identity_hash(FACTS), FACTS, 10, None, 25, (10,), papers={"codebook.md": "text"})


@pytest.mark.parametrize(
    "change",
    [
        {"chunk": 0}, {"chunk": True}, {"chunk": None}, {"chunk": "5"}, {"chunk": 1.5}, {"first_chunk": "5"},
        {"first_chunk": 0}, {"games": 0}, {"games": "9"},
        {"games": 10**18}, {"looks": 3}, {"looks": ["4"]}, {"hash": "0" * 64}, {"identity": []},
        {"identity": {"seed": 9}}, {"papers": None}, {"papers": {"codebook.md": 3}}, {"papers": {"../x": "text"}},
    ],
)  # fmt: skip
def test_a_header_that_says_what_cannot_be_is_damaged(place, change):
    assert journal_of(place, HEADER.line()).header == HEADER
    fields = {**read_sealed_line(HEADER.line()), **change}
    assert journal_of(place, sealed_line(fields)).header_damaged


@pytest.mark.parametrize(
    "change",
    [
        {"chunks": ["5", None]}, {"chunks": [5, "9"]}, {"chunks": [0, None]}, {"chunks": [5, 0]}, {"chunks": [5]},
        {"chunks": [10**8, None]}, {"run": 3}, {"chunk": "0"}, {"games": 1.5}, {"files": [{}]}, {"wall": "x"},
        {"session": 3}, {"more": 1},
    ],
)  # fmt: skip
def test_a_receipt_that_says_what_cannot_be_is_damaged(place, change):
    fields = read_sealed_line(ChunkRecord(0, 0, 10, (), 0.0).line(HEADER))
    assert journal_of(place, b"{}", sealed_line(fields)).records
    journal = journal_of(place, b"{}", sealed_line({**fields, **change}))
    assert (journal.records, named(journal.errors)) == ({}, ["journal.jsonl: line 1", "journal.jsonl: line 2"])


def test_a_header_without_its_seal_is_damaged(place):
    fields = read_sealed_line(HEADER.line())
    without = {key: value for key, value in fields.items() if key != "papers"}
    for each in (without, *({**fields, "format": form} for form in (4, 2, 3, None))):  # earlier ones had no papers
        assert journal_of(place, json.dumps(each).encode()).header_damaged


def test_only_receipts_of_the_layout_fit(place):
    spans = {0: (0, 10), 1: (10, 9), 2: (20, 5), 3: (30, 10), 4: (40, 0)}
    lines = [ChunkRecord(number, first, games, (), 0.0).line(HEADER) for number, (first, games) in spans.items()]
    journal = journal_of(place, HEADER.line(), *lines)
    assert [record.chunk for record in journal.fitting(HEADER.layout)] == [0, 2]


def test_the_last_whole_receipt_of_a_key_counts(tmp_path):
    first, last = (ChunkRecord(0, 0, 10, (), seconds) for seconds in (1.0, 2.0))
    journal = journal_of(tmp_path, HEADER.line(), first.line(HEADER), last.line(HEADER))
    assert (journal.records, journal.all) == ({0: last}, [first, last])
    work.do(tmp_path / "x", TUNINGS, 1, finish=False)
    (key, receipt) = next(iter(TUNINGS.journal(FileStore(tmp_path / "x")).records.items()))
    other = receipt._replace(facts={**receipt.facts, "score": 7})
    with (tmp_path / "x" / "journal.jsonl").open("ab") as file:
        file.write(TUNINGS.line(work.IDENTITY, key, other) + b"\n" + b'{"tuning": "')
    work.do(tmp_path / "x", TUNINGS, 3, finish=False)  # writes the file again, but for the half line
    journal = TUNINGS.journal(FileStore(tmp_path / "x"))
    assert (journal.records[key], journal.errors, journal.torn) == (other, [], set())
    assert [*journal.records] == [*TUNINGS.keys(work.IDENTITY, 3)]


def test_of_a_chunk_that_a_slice_has_too_the_receipt_of_the_run_counts(tmp_path):
    ours, theirs = (ChunkRecord(0, 0, 10, (), seconds) for seconds in (1.0, 2.0))
    (tmp_path / "journal-0-of-2.jsonl").write_bytes(theirs.line(HEADER) + b"\n")
    journal = journal_of(tmp_path, HEADER.line(), ours.line(HEADER))
    assert (journal.records, journal.all) == ({0: ours}, [ours, theirs])
    (tmp_path / "journal.jsonl").unlink()
    journal = Journal(FileStore(tmp_path))
    assert (journal.records, journal.header_damaged, named(journal.errors)) == ({0: theirs}, True, ["journal.jsonl"])


# ------------------------------------------------------------------------------------------- journals of real runs


@pytest.mark.parametrize("stored", [1, -1])
@pytest.mark.parametrize("name", ["journal.jsonl", "log.jsonl"])
def test_a_line_that_was_being_written_when_the_process_was_killed_is_no_damage(tiny, tmp_path, name, stored):
    folder = tiny.cut(tmp_path / "cut")
    last = tiny.folder.joinpath(name).read_bytes().splitlines()[-1]
    with (folder / name).open("ab") as file:
        file.write(last[:stored])
    assert Run.verify(folder) == []
    play_run(tiny.experiment, folder)
    assert Run.verify(folder) == []
    assert parts_of(folder) == parts_of(tiny.folder)
    for line in (folder / name).read_bytes().splitlines():
        read_sealed_line(line)


def test_a_damaged_receipt_is_named_and_costs_its_chunk(tiny, tmp_path):
    folder = tiny.copied(tmp_path / "copy")
    whole = read_sealed_line(journal_lines(folder)[1].encode())
    versions = ({"versions": wrong} for wrong in (7, None, ["x"]))
    for change in ({"chunk": "0"}, {"games": None}, {"files": [{"file": "../x"}]}, *versions, {"wall": "x"}):
        put_line(folder, 1, {**whole, **change})
        assert "journal.jsonl: line 2" in named(Run.verify(folder)), change
    watch = Counter()
    play_run(tiny.experiment, folder, observer=watch)
    assert (watch.games, Run.verify(folder), parts_of(folder)) == (2, [], parts_of(tiny.folder))


@pytest.mark.parametrize("without", [1, 2])
def test_a_header_is_rebuilt_from_the_experiment_and_the_receipts_that_are_left(tiny, tmp_path, without):
    folder = tiny.cut(tmp_path / "cut")
    rest = (folder / "journal.jsonl").read_bytes().splitlines()[1:]
    (folder / "journal.jsonl").write_bytes(b"\n".join([b"?" * 50, *rest[: 2 - without], b""]))
    assert named(Run.verify(folder)) == ["journal.jsonl: line 1"]
    with refused("journal.jsonl", "line 1", 2 * (2 - without), by=RunError):
        Run.open(folder)
    watch = Counter()
    play_run(tiny.experiment.model_copy(update={"chunk": None}), folder, observer=watch)
    if without == 1:  # else no receipt knows the chunks
        assert ("journal.jsonl" in watch.note, watch.games) == (True, 2)
        assert parts_of(folder) == parts_of(tiny.folder)
    assert Run.verify(folder) == []
    assert Run.open(folder).scan("seats").collect().equals(Run.open(tiny.folder).scan("seats").collect())


def test_a_damaged_head_is_not_rebuilt_for_another_experiment(tiny, tmp_path):
    folder = tiny.copied(tmp_path / "copy")
    put_line(folder, 0, {})
    before = every_file(folder)
    with refused(folder, "another experiment"):
        play_run(tiny.experiment.model_copy(update={"seed": 9}), folder)
    assert every_file(folder) == before


def test_a_damaged_line_of_the_log_is_named_and_ends_no_run(tiny, tmp_path):
    folder = tiny.cut(tmp_path / "cut")
    shutil.copy(tiny.folder / "log.jsonl", folder / "log.jsonl")
    text = (folder / "log.jsonl").read_text("utf-8")
    (folder / "log.jsonl").write_text(text.replace("begun", "begin", 1), "utf-8")
    assert named(Run.verify(folder)) == ["log.jsonl: line 1"]
    assert play_run(tiny.experiment, folder).files == Run.open(tiny.folder).files
