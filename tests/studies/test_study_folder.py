"""A study's folder is sealed to the last file, and can be audited: parts are played again, figures computed again."""

import hashlib
import json
import shutil

import matplotlib.pyplot as plt
import pytest

from tests.cli.commands import refusal, wallsim
from tests.folder.mishaps import flip_a_bit
from tests.play.replay.forging import forge
from tests.refusals import assert_names
from tests.studies.asking import asked
from wallsim.api.verification import verify
from wallsim.errors import InputError
from wallsim.folder.checksummed_json import sealed_document, sealed_line
from wallsim.folder.study_folder import at_work, remove_leftovers
from wallsim.folder.verification import state_of, verify_results
from wallsim.studies import scenarios
from wallsim.studies.audit import audit_study
from wallsim.studies.cache import packed, unpacked
from wallsim.studies.catalogue import load_study
from wallsim.studies.publishing import publish
from wallsim.studies.running import run_study
from wallsim.studies.study import Choices

WORDS = ("--quick", "--games", "24", "--workers", "1")


def play(folder):
    """Play a tiny study of prices into a folder as the command does."""
    plt.switch_backend("Agg")
    result = wallsim("study", "price", *WORDS, "--out", str(folder))
    assert result.exit_code == 0, result.output


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """The folder of a tiny study; do not change it."""
    folder = tmp_path_factory.mktemp("study") / "price"
    play(folder)
    return folder


@pytest.fixture
def study(played, tmp_path):
    """A copy that a test may damage."""
    shutil.copytree(played, tmp_path / "price")
    return tmp_path / "price"


def files_in(folder):
    """The bytes of all files."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def parts_in(folder):
    """The stored arrays' files, in order."""
    return sorted((folder / "parts").glob("*.npz"))


def reseal(folder, path):
    """Write the digest of a changed file into index and record, sealed as this package seals them."""
    digest, name = hashlib.sha256(path.read_bytes()).hexdigest(), path.relative_to(folder).as_posix()
    index = folder / "parts" / "checksums.jsonl"
    lines = [json.loads(line) for line in index.read_text("utf-8").splitlines()]
    lines = [{**line, "sha256": digest} if f"parts/{line['file']}" == name else line for line in lines]
    index.write_bytes(b"".join(sealed_line({k: v for k, v in each.items() if k != "seal"}) + b"\n" for each in lines))
    record = json.loads((folder / "record.json").read_text("utf-8"))
    record["files"][name] = digest
    del record["seal"]
    (folder / "record.json").write_bytes(sealed_document(record))


def test_only_a_damaged_part_is_played_again_and_the_folder_is_as_before(study, monkeypatch):
    before = files_in(study)
    played, calls = scenarios.play_arena, []
    monkeypatch.setattr(scenarios, "play_arena", lambda *arguments: calls.append(1) or played(*arguments))
    flip_a_bit(parts_in(study)[5])
    result = wallsim("verify", str(study))
    assert result.exit_code == 1
    assert_names(result.stderr, parts_in(study)[5].name, "study price", "--games 24", "--quick")
    play(study)
    assert len(calls) == 1
    assert files_in(study) == before
    assert verify_results(study) == []


@pytest.mark.slow
def test_an_unfinished_study_is_verified_as_far_as_it_is_and_ends_the_same(played, tmp_path, monkeypatch):
    whole, calls = scenarios.play_arena, []

    def interrupted(*arguments):
        calls.append(1)
        if len(calls) == 5:
            raise KeyboardInterrupt
        return whole(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(scenarios, "play_arena", interrupted)
        assert wallsim("study", "price", *WORDS, "--out", str(tmp_path / "price")).exit_code == 130
    assert verify_results(tmp_path / "price") == []
    assert not state_of(tmp_path / "price").finished
    estimate = audit_study(load_study("price"), tmp_path / "price", None, seed=1, workers=1)
    assert estimate.equal
    assert estimate.replayed.replayed == len(parts_in(tmp_path / "price")) == 4
    flip_a_bit(parts_in(tmp_path / "price")[0])
    assert len(verify_results(tmp_path / "price")) == 1
    play(tmp_path / "price")
    assert files_in(tmp_path / "price") == files_in(played)


def test_an_audit_recomputes_the_figures_and_leaves_the_folder_alone(study):
    before = files_in(study)
    (study.parent / ".price-audit-k1ll3d__").mkdir()  # what a killed audit leaves
    result = wallsim("study", "price", "--verify", "--replay", "3", "--seed", "4", "--out", str(study))
    assert result.exit_code == 0, result.output
    verified = verify(study, replay=3, seed=4)
    assert (verified.unchanged, verified.replayed.replayed) == (True, 3)
    assert_names(result.stdout, "3 of 78", "4 of 4", *verified.notes)
    assert files_in(study) == before
    assert [path.name for path in study.parent.iterdir()] == ["price"]


@pytest.mark.slow
def test_a_forged_part_and_a_forged_figure_are_found(study):
    def audited(replay):
        return audit_study(load_study("price"), study, replay, workers=1)

    path = parts_in(study)[2]
    path.write_bytes(packed({name: values + 1 for name, values in unpacked(path.read_bytes()).items()}))
    reseal(study, path)
    (study / "price.md").write_text("Everything is free.\n", "utf-8")
    reseal(study, study / "price.md")
    assert verify_results(study) == []
    assert any(error.startswith("price.md: ") for error in audited(0).errors)
    # Files written from forged parts are detected by a replay alone.
    play(study)
    assert verify_results(study) == []
    assert audited(0).equal
    [error] = audited(None).replayed.errors
    assert error.startswith(f"parts/{path.name}: ")


@pytest.mark.slow
def test_runs_of_a_study_are_verified_and_replayed(tmp_path):
    plt.switch_backend("Agg")
    folder = tmp_path / "casual"
    result = wallsim("study", "casual", "--games", "6", "--out", str(folder))
    assert result.exit_code == 0, result.output

    def audited():
        assert verify_results(folder) == []
        return audit_study(load_study("casual"), folder, None, workers=1)

    whole = audited()
    assert whole.equal, whole
    assert whole.replayed.games > 0
    inner = next(folder.rglob("seats")).parent
    forge(inner, "seats", 0)
    name = inner.relative_to(folder).as_posix()
    assert any(error.startswith(f"{name}/seats/part-000000.parquet: ") for error in audited().replayed.errors)
    shutil.rmtree(inner)
    [error] = verify_results(folder)
    assert_names(error, name, "missing")


def test_the_published_figures_are_compared_with_the_full_study_and_invalid_input_leaves_its_record(tmp_path):
    study, pages, folder = asked(tmp_path), tmp_path / "docs" / "studies", tmp_path / "runs"
    pages.mkdir(parents=True)
    (pages / "asked.md").write_text("<!-- finding -->\n<!-- /finding -->\n", "utf-8")
    publish(run_study(study, folder), tmp_path)
    before = files_in(folder)
    with pytest.raises(InputError):
        run_study(asked(tmp_path, invalid), folder, Choices(9))
    assert files_in(folder) == before

    def audited():
        return audit_study(study, folder, 0, checkout=tmp_path)

    assert audited().equal
    assert "2 published" in audited().notes[-1]
    register = tmp_path / "data" / "figures" / "asked.csv"
    register.write_text(register.read_text("utf-8").replace("25.5", "26.5"), "utf-8")
    [error] = audited().errors
    assert_names(error, "data/figures/asked.csv", "asked.wins.A")
    run_study(study, folder, Choices(3))
    assert audited().equal
    assert "--games 3" in audited().notes[-1]


def invalid(design, storage):
    raise InputError("games: 9 is not allowed")


def test_what_killed_writers_left_is_deleted_unless_others_are_at_work(tmp_path):
    left = tmp_path / "parts" / ".1.npz.0.writing"
    left.parent.mkdir()
    left.touch()
    with at_work(tmp_path, lambda folder: None):
        for _ in range(2):
            with at_work(tmp_path, remove_leftovers):
                assert left.exists()
    with at_work(tmp_path, remove_leftovers):
        assert not left.exists()


@pytest.mark.parametrize(
    ("study", "options", "there", "named"),
    [
        ("price", ["--verify"], False, "study price"),
        ("zoo", ["--verify"], True, "study price"),
        ("price", ["--verify", "--quick"], True, "--verify"),
        ("price", ["--replay", "3"], False, "--replay"),
    ],
)
def test_folders_that_are_no_study_or_another_one_are_refused(played, tmp_path, study, options, there, named):
    assert named in refusal("study", study, *options, "--out", str(played if there else tmp_path / "none"))
