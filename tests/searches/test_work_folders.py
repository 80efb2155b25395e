"""The folders of all kinds of searches: whatever is damaged, cut off or killed is found, and done again alone."""

import shutil

import pytest

from tests.folder.mishaps import flip_a_bit
from tests.refusals import refused
from tests.searches.damaged_lines import damaged_journals, deleted, duplicated
from tests.searches.work import FILES, IDENTITY, KINDS, STEPS, contents, do, part
from wallsim.errors import InputError, RunError
from wallsim.folder.checksummed_json import read_sealed_document, read_sealed_line, sealed_document, sealed_line
from wallsim.folder.derived import CHECKSUMS
from wallsim.folder.layout import JOURNAL
from wallsim.folder.local_files import FileStore
from wallsim.folder.search_kinds import LEARNINGS, TEACHINGS
from wallsim.folder.verification import folder_kind, known_kind, show_command, state_of, verify_results
from wallsim.folder.work_folder import WorkFolder
from wallsim.play.replay.audit import replay

ROOMS = [LEARNINGS, TEACHINGS]


@pytest.fixture(params=KINDS.values(), ids=KINDS)
def kind(request):
    """A kind of search."""
    return request.param


@pytest.fixture
def whole(kind, tmp_path):
    """A finished folder of this kind; change it as you like."""
    done, repairs = do(tmp_path / "x", kind)
    assert (done, repairs) == (list(kind.keys(IDENTITY, STEPS)), [])
    return tmp_path / "x"


def kinds_of(folder):
    """The kinds of searches that recognise a folder; it counts as the first one."""
    known = [one for one in KINDS.values() if one.recognises(FileStore(folder))]
    assert not known or folder_kind(folder).what == known[0].what
    return known


def restore(folder):
    """What `wallsim repair` does first."""
    return known_kind(folder).restore(FileStore(folder))


def test_a_finished_folder_is_recognised_whole_counted_and_not_touched_again(kind, whole):
    before = contents(whole)
    assert kinds_of(whole) == [kind]
    assert verify_results(whole) == []
    assert state_of(whole).finished
    expected = {LEARNINGS: (24, 12000, "games"), TEACHINGS: (24, 2400, "games")}
    assert kind.progress(FileStore(whole)) == expected.get(kind, (3, 3, "generations"))
    assert kind.size(FileStore(whole)) == sum(len(data) for name, data in before.items() if name != CHECKSUMS)
    assert show_command(whole) == f"`wallsim {kind.what.split()[0]} x --out {whole}` shows it"
    assert (restore(whole), do(whole, kind), contents(whole)) == ([], ([], []), before)
    with pytest.raises(InputError, match=kind.what):
        replay(whole, 1)


def test_each_line_damaged_in_any_way_is_found_and_its_key_alone_is_done_again(kind, whole):
    before = contents(whole)
    keys = list(kind.keys(IDENTITY, STEPS))
    for way, place, spoilt in damaged_journals(before[JOURNAL]):
        (whole / JOURNAL).write_bytes(spoilt)
        assert kinds_of(whole) == [kind], (way, place)
        if way is duplicated and place > 0:  # the last whole receipt of a key counts
            assert verify_results(whole) == []
            (whole / JOURNAL).write_bytes(before[JOURNAL])
            continue
        reported = verify_results(whole)
        assert reported, (way, place)
        assert all(error.startswith(f"{JOURNAL}: ") for error in reported), (way, place, reported)
        done, repairs = do(whole, kind)
        lost = [number for number, line in enumerate(before[JOURNAL].split(b"\n")) if line not in spoilt.split(b"\n")]
        assert done == [keys[number - 1] for number in lost if 0 < number <= len(keys)], (way, place)
        assert contents(whole) == before, (way, place)
        assert bool(repairs) == (way is not deleted or place == 0)
        for copy in whole.glob(f"{JOURNAL}.damaged-*"):
            assert copy.read_bytes() == spoilt
            copy.unlink()


def test_a_journal_that_is_cut_anywhere_goes_on_where_it_ends(kind, whole):
    before = contents(whole)
    header = before[JOURNAL].index(b"\n") + 1
    for end in range(header, len(before[JOURNAL]), 97):
        (whole / CHECKSUMS).unlink(missing_ok=True)
        (whole / JOURNAL).write_bytes(before[JOURNAL][:end])
        assert verify_results(whole) == [], end
        assert not state_of(whole).finished
        assert do(whole, kind)[1] == []
        assert contents(whole) == before, end


def test_every_flipped_bit_of_the_finishing_document_and_of_results_is_found(kind, whole):
    before = contents(whole)
    for name in (CHECKSUMS, *FILES, *(name for name in before if "/" in name)):
        for byte in range(0, len(before[name]), 11):
            data = bytearray(before[name])
            data[byte] ^= 1 << byte % 8
            (whole / name).write_bytes(bytes(data))
            assert any(error.startswith(f"{name}: ") for error in verify_results(whole)), (name, byte)
        do(whole, kind)
        assert contents(whole) == before


def test_more_steps_go_on_and_an_earlier_result_stays(kind, whole):
    done, _ = do(whole, kind, STEPS + 2, name="more.json")
    assert done == [key for key in kind.keys(IDENTITY, STEPS + 2) if key not in set(kind.keys(IDENTITY, STEPS))]
    assert verify_results(whole) == []
    assert read_sealed_document((whole / CHECKSUMS).read_bytes())["results"].keys() == {"result.json", "more.json"}
    do(whole, kind, 1, name="few.json")  # the keys of all results must be there
    (whole / JOURNAL).write_bytes((whole / JOURNAL).read_bytes().rsplit(b"\n", 2)[0] + b"\n")
    assert [error.partition(" is missing")[1] for error in verify_results(whole)] == [" is missing"]


def test_an_unfinished_folder_is_whole_and_says_what_resumes_it(kind, tmp_path):
    do(tmp_path / "x", kind, 2, finish=False)
    with (tmp_path / "x" / JOURNAL).open("ab") as file:
        file.write(f'{{"{kind.what}": "0123'.encode())
    assert verify_results(tmp_path / "x") == []
    state = state_of(tmp_path / "x")
    assert (state.finished, "resumes it" in state.words) == (False, True)
    assert kind.progress(FileStore(tmp_path / "x")).wanted is None
    with refused("resumes", by=RunError):
        restore(tmp_path / "x")


def test_what_needs_nothing_done_is_restored_and_a_copy_is_left(kind, whole):
    before = contents(whole)
    for spoilt in (before[JOURNAL] + b"garbage", b"\x00" + before[JOURNAL][1:]):
        (whole / JOURNAL).write_bytes(spoilt)
        assert restore(whole) == [JOURNAL]
        assert contents(whole) == before
    assert (whole / f"{JOURNAL}.damaged-2").read_bytes() == spoilt


def test_what_has_to_be_done_again_names_the_command_and_is_left_alone(kind, whole):
    data = (whole / JOURNAL).read_bytes()
    spoilt = data.replace(data.splitlines()[2], b"{}")
    for name, changed in ((JOURNAL, spoilt), ("policy.toml", b"other")):
        (whole / JOURNAL).write_bytes(data)
        (whole / name).write_bytes(changed)
        with refused("`wallsim ", f"--out {whole}` repairs it", by=RunError):
            restore(whole)
        assert (whole / name).read_bytes() == changed


def test_only_commands_of_wallsim_are_suggested(kind, whole):
    fields = read_sealed_document((whole / CHECKSUMS).read_bytes())
    for command, shown in (("rm -r ~", "the command"), ("wallsim tune x; rm -r ~", "`wallsim tune 'x;' rm")):
        fields["results"]["result.json"]["command"] = command
        (whole / CHECKSUMS).write_bytes(sealed_document(fields))
        assert show_command(whole).startswith(shown)


@pytest.mark.parametrize("header", [b"", b"{}\n"])
def test_without_a_header_the_receipts_say_whose_work_they_are(kind, whole, header):
    before = contents(whole)
    (whole / JOURNAL).write_bytes(header + before[JOURNAL].split(b"\n", 1)[1])
    with refused(f"another {kind.what}", "other lines"):
        do(whole, kind, identity={**IDENTITY, "seed": 2})
    assert do(whole, kind)[0] == []
    assert contents(whole) == before


def test_a_damaged_header_alone_is_known_by_what_is_left_of_it(kind, tmp_path):
    do(tmp_path / "x", kind, 0, finish=False)
    data = (tmp_path / "x" / JOURNAL).read_bytes()
    for spoilt in (data.replace(b'"seed": 1', b'"seed": 9'), data[:-10] + b"0" * 9 + b"\n"):
        (tmp_path / "x" / JOURNAL).write_bytes(spoilt)
        do(tmp_path / "x", kind, 0, finish=False)
        assert (tmp_path / "x" / JOURNAL).read_bytes() == data


def test_other_work_and_strangers_are_refused_and_nothing_of_theirs_is_touched(kind, whole, tmp_path):
    before = contents(whole)
    with refused(f"another {kind.what}: ", "seed is 1", "2 here"):
        do(whole, kind, identity={**IDENTITY, "seed": 2})
    other = next(one for one in KINDS.values() if one is not kind)
    with refused(f"journal of a {other.what}"):
        do(whole, other)
    with WorkFolder(whole, kind, IDENTITY), refused("another wallsim process"):
        do(whole, kind)
    assert contents(whole) == before
    for header in ('{"hash": "x", "identity": {}}', "", "{"):
        (tmp_path / "y").mkdir(exist_ok=True)
        (tmp_path / "y" / JOURNAL).write_text(header + "\n")
        with refused("not the journal"):
            do(tmp_path / "y", kind)
        assert kinds_of(tmp_path / "y") == []
    (tmp_path / "z").mkdir()
    (tmp_path / "z" / "letter.txt").write_text("dear")
    with refused("other files", "(letter.txt)"):
        do(tmp_path / "z", kind)
    with refused("letter.txt", "cannot be written"):
        do(tmp_path / "z" / "letter.txt", kind)


def test_a_lost_journal_is_missed_and_nothing_is_written_over_it(kind, whole):
    (whole / JOURNAL).unlink()
    before = contents(whole)
    assert kinds_of(whole) == [kind]
    assert verify_results(whole) == [f"{JOURNAL}: is missing"] if not kind.room else verify_results(whole)
    with refused(JOURNAL, "is missing", by=RunError):
        do(whole, kind)
    assert contents(whole) == before


def test_receipts_of_other_work_or_of_another_shape_do_not_count(kind, whole):
    before = contents(whole)
    lines = before[JOURNAL].splitlines(keepends=True)
    do(whole.parent / "other", kind, identity={**IDENTITY, "seed": 2})
    foreign = (whole.parent / "other" / JOURNAL).read_bytes().splitlines(keepends=True)[2]
    forged = sealed_line({kind.what: "0" * 16, "key": [[]], "facts": {}, "files": {}}) + b"\n"
    for bad in (foreign, forged, b"[]\n"):
        (whole / JOURNAL).write_bytes(b"".join([*lines[:2], bad, *lines[3:]]))
        assert verify_results(whole)
        do(whole, kind)
        assert contents(whole) == before


@pytest.mark.parametrize("key", [(), (0, 0), ("0",), (-1,), (10**10,), (True,)])
def test_a_key_that_no_search_has_does_not_fit(kind, key):
    [sound] = kind.keys(IDENTITY, 1) if not kind.room else [(3, 0)]
    facts, _ = part(kind, sound)
    assert kind.fits(sound, facts)
    assert not kind.fits((sound[0], *key), facts)


def test_a_journal_of_an_earlier_version_is_refused_and_left_alone(kind, whole):
    header, *lines = (whole / JOURNAL).read_bytes().splitlines()
    earlier = [sealed_line({**read_sealed_line(line)["facts"], "search": "0" * 64}) for line in lines]
    (whole / JOURNAL).write_bytes(b"\n".join([header, *earlier, b""]))
    before = contents(whole)
    with refused("another version", "another folder"):
        do(whole, kind)
    assert contents(whole) == before


def test_the_result_of_other_work_is_reported(kind, whole):
    do(whole.parent / "other", kind, identity={**IDENTITY, "seed": 2})
    shutil.copy(whole.parent / "other" / CHECKSUMS, whole / CHECKSUMS)
    assert f"{CHECKSUMS}: is of another {kind.what} than {JOURNAL}" in verify_results(whole)


def test_a_part_that_differs_when_it_is_done_again_is_refused_and_nothing_is_written(kind, whole):
    key = next(iter(kind.keys(IDENTITY, 1)))
    facts, files = part(kind, key)
    if files:
        flip_a_bit(whole / next(iter(files)))
    before = contents(whole)
    with WorkFolder(whole, kind, IDENTITY) as store, refused("it differs", by=RunError):
        store.record(key, {**facts, "games" if kind.room else "share": 0.7}, dict.fromkeys(files, b"?"))
    assert contents(whole) == before


@pytest.mark.parametrize("chunks", ROOMS, ids=[one.what for one in ROOMS])
def test_foreign_changed_and_lost_files_of_chunks_are_reported_and_only_ours_are_played_again(chunks, tmp_path):
    do(tmp_path, chunks)
    before, room = contents(tmp_path), tmp_path / chunks.room
    (room / "notes.txt").write_text("mine")
    (room / "3p-00009.npz").write_bytes(b"x")
    flip_a_bit(room / "3p-00001.npz")
    (room / "4p-00002.npz").unlink()
    assert {error.partition(": ")[0] for error in verify_results(tmp_path)} == {
        f"{chunks.room}/{name}" for name in ("notes.txt", "3p-00009.npz", "3p-00001.npz", "4p-00002.npz")
    }
    assert do(tmp_path, chunks)[0] == [(3, 1), (4, 2)]
    assert {name: contents(tmp_path)[name] for name in before} == before
