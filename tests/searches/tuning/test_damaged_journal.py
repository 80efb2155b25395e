"""A journal with damaged lines loses nothing: only what is damaged is played again, and the bytes are as before."""

import json

import pytest

from tests.folder.damaged_lines import damaged_journals, deleted, duplicated
from tests.folder.mishaps import put_line
from tests.searches.tuning.stand_ins import QuadraticEvaluator, settings
from tests.searches.tuning.test_history import play
from wallsim.errors import InputError, RunError
from wallsim.folder.checksummed_json import read_sealed_line, sealed_line
from wallsim.folder.layout import JOURNAL
from wallsim.folder.tuning_journal import Journal

COPY = f"{JOURNAL}.damaged-1"
GENERATIONS = 5


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The bytes of the journal of an undisturbed tuning: a header, five generations and two checks."""
    folder = tmp_path_factory.mktemp("whole")
    play(folder, GENERATIONS)
    return (folder / JOURNAL).read_bytes()


def opened(folder):
    with Journal(folder, settings().identity()) as journal:
        return journal


@pytest.mark.slow
def test_each_line_damaged_in_turn_is_played_again_alone_and_a_copy_is_left(tmp_path, whole):
    lines = whole.splitlines(keepends=True)
    for number, (way, place, spoilt) in enumerate(damaged_journals(whole, per_line=3)):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / JOURNAL).write_bytes(spoilt)
        repairs = opened(folder).repairs
        evaluator = QuadraticEvaluator()
        play(folder, GENERATIONS, evaluator=evaluator)
        assert (folder / JOURNAL).read_bytes() == whole, (way, place)
        lost = [line for line in whole.split(b"\n") if line not in spoilt.split(b"\n")]
        assert len(evaluator.calls) == sum(b'"generation"' in line for line in lost), (way, place)
        if (folder / COPY).exists():
            assert (folder / COPY).read_bytes() == spoilt
            assert any(f"line {place + 1}" in line or way is duplicated for line in repairs), repairs
        else:  # a last line without its end is one that was being written
            assert place == len(lines) - 1
            assert not spoilt.endswith(b"\n")


def test_a_repair_that_is_stopped_leaves_the_damaged_file_and_is_done_by_the_next_one(tmp_path, whole):
    lines = whole.splitlines(keepends=True)
    spoilt = b"".join(deleted(lines, 2, None))
    (tmp_path / JOURNAL).write_bytes(spoilt)

    class Stopped(QuadraticEvaluator):
        def play(self, *given):
            raise KeyboardInterrupt

    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            play(tmp_path, GENERATIONS, evaluator=Stopped())
        assert (tmp_path / JOURNAL).read_bytes() == spoilt
    play(tmp_path, GENERATIONS)
    assert (tmp_path / JOURNAL).read_bytes() == whole
    assert sorted(path.name for path in tmp_path.glob(f"{JOURNAL}.*")) == [COPY]


def test_a_second_damage_gets_a_copy_of_its_own(tmp_path, whole):
    for number in (1, 2):
        spoilt = whole.replace(b'"step"', b'"stop"', number)
        (tmp_path / JOURNAL).write_bytes(spoilt)
        play(tmp_path, GENERATIONS)
        assert (tmp_path / f"{JOURNAL}.damaged-{number}").read_bytes() == spoilt
    assert (tmp_path / JOURNAL).read_bytes() == whole


def test_a_generation_that_does_not_lead_to_the_next_line_is_refused_and_nothing_is_lost(tmp_path, whole):
    (tmp_path / JOURNAL).write_bytes(whole)
    lines = whole.splitlines(keepends=True)
    entry = read_sealed_line(lines[3].rstrip(b"\n"))
    assert entry["check"] == 2
    put_line(tmp_path, 4, {**read_sealed_line(lines[4].rstrip(b"\n")), "asked": "0" * 16})
    forged = (tmp_path / JOURNAL).read_bytes().splitlines(keepends=True)
    spoilt = b"".join(deleted(forged, 2, None))
    (tmp_path / JOURNAL).write_bytes(spoilt)
    with pytest.raises(RunError, match=r"line 4 of journal\.jsonl.*generation 2"):
        play(tmp_path, GENERATIONS)
    assert (tmp_path / JOURNAL).read_bytes() == spoilt
    assert (tmp_path / COPY).read_bytes() == spoilt


def test_more_generations_continue_a_journal_after_its_repair(tmp_path, whole):
    (tmp_path / JOURNAL).write_bytes(whole.replace(b'"share"', b'"shape"', 1))
    play(tmp_path, GENERATIONS + 2)
    play(tmp_path / "other", GENERATIONS + 2)
    assert (tmp_path / JOURNAL).read_bytes() == (tmp_path / "other" / JOURNAL).read_bytes()


def test_two_sealed_lines_that_contradict_each_other_are_played_again(tmp_path, whole):
    lines = whole.splitlines(keepends=True)
    other = read_sealed_line(lines[2].rstrip(b"\n")) | {"score": 0.5}
    (tmp_path / JOURNAL).write_bytes(b"".join([*lines[:3], sealed_line(other) + b"\n", *lines[3:]]))
    evaluator = QuadraticEvaluator()
    play(tmp_path, GENERATIONS, evaluator=evaluator)
    assert len(evaluator.calls) == 1
    assert (tmp_path / JOURNAL).read_bytes() == whole


def test_lines_of_another_search_are_not_taken(tmp_path, whole):
    play(tmp_path / "other", 2, settings(seed=6))
    foreign = (tmp_path / "other" / JOURNAL).read_bytes().splitlines(keepends=True)
    lines = whole.splitlines(keepends=True)
    (tmp_path / JOURNAL).write_bytes(b"".join([*lines[:2], foreign[2], *lines[3:]]))
    play(tmp_path, GENERATIONS)
    assert (tmp_path / JOURNAL).read_bytes() == whole


@pytest.mark.parametrize("header", [b"", b"{}\n", b"\x00" * 40 + b"\n"])
def test_without_a_header_the_lines_say_whether_they_are_this_search(tmp_path, whole, header):
    _, rest = whole.split(b"\n", 1)
    (tmp_path / JOURNAL).write_bytes(header + rest)
    with pytest.raises(InputError):
        Journal(tmp_path, settings(seed=6).identity())
    assert (tmp_path / JOURNAL).read_bytes() == header + rest
    evaluator = QuadraticEvaluator()
    play(tmp_path, GENERATIONS, evaluator=evaluator)
    assert evaluator.calls == []
    assert (tmp_path / JOURNAL).read_bytes() == whole


def earlier(data, sealed):
    """The journal as an earlier version wrote it: lines do not name their search, and the oldest have no seal."""
    entries = [json.loads(line) for line in data.splitlines()]
    plain = [{key: value for key, value in entry.items() if key not in ("search", "seal")} for entry in entries]
    return b"".join((sealed_line(line) if sealed else json.dumps(line).encode()) + b"\n" for line in plain)


@pytest.mark.parametrize("sealed", [True, False])
def test_the_journal_of_an_earlier_version_is_continued_and_repaired(tmp_path, whole, sealed):
    old = earlier(whole, sealed)
    for number, spoilt in enumerate(
        (old, old.replace(b'"asked"', b'"basked"', 1), b"".join(old.splitlines(True)[:-2]))
    ):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / JOURNAL).write_bytes(spoilt)
        play(folder, GENERATIONS)
        assert [json.loads(line).get("generation") for line in (folder / JOURNAL).read_text().splitlines()] == [
            json.loads(line).get("generation") for line in old.splitlines()
        ]
        if sealed:
            assert (folder / JOURNAL).read_bytes() == old


def test_a_damaged_head_of_an_earlier_version_is_repaired_if_its_seal_proves_it(tmp_path, whole):
    old = earlier(whole, sealed=True)
    (tmp_path / JOURNAL).write_bytes(old.replace(b'"players": 3', b'"players": 4', 1))
    play(tmp_path, GENERATIONS)
    assert (tmp_path / JOURNAL).read_bytes() == old
    (tmp_path / JOURNAL).write_bytes(b"{}\n" + old.split(b"\n", 1)[1])
    with pytest.raises(InputError, match="not the journal of a tuning"):
        opened(tmp_path)
    (tmp_path / JOURNAL).write_bytes(b"{\n" + old.split(b"\n", 1)[1])
    with pytest.raises(RunError, match="earlier version"):
        opened(tmp_path)


def test_a_missing_journal_beside_the_files_of_a_search_is_named(tmp_path):
    (tmp_path / "curve.parquet").write_bytes(b"some")
    with pytest.raises(RunError, match=r"journal\.jsonl is missing beside curve\.parquet"):
        opened(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["curve.parquet"]
