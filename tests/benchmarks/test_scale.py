"""`.ci/bench scale`: it measures real commands, subtracts their start-up, and multiplies only what it measured."""

import json
import os
import re
import subprocess
import sys
from dataclasses import replace

import pytest
from benchmarks import process as bench_process
from benchmarks import records as bench_records
from benchmarks import scale as bench_scale
from benchmarks.cluster import on_cluster
from benchmarks.folder import contents_of, finished_games, interruption_of
from benchmarks.process import Processes, Usage
from benchmarks.records import Plan, Samples
from benchmarks.scale import measure_scale
from benchmarks.scale_document import scale_document
from benchmarks.scale_tables import parts_of, print_scale
from rich.console import Console

from tests.benchmarks.commands import (
    CHECK_START,
    MEMORY,
    SECONDS_A_GAME,
    START,
    Commands,
    bench,
    bytes_by_table,
    message_of,
)
from tests.refusals import assert_names, refused
from tests.test_architecture import ROOT
from wallsim.errors import RunError
from wallsim.experiment.experiment import Experiment
from wallsim.play.play import play_run
from wallsim.report.tables.columns import json_text

GAMES, CORES = 900, 64
SPEED = pytest.approx(1 / SECONDS_A_GAME, rel=0.01)  # the one game of the start-up is not subtracted from the games


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """A plan of few games measured with commands in this process: the result, the commands, the reported lines."""
    folder, commands, reported = tmp_path_factory.mktemp("bench"), Commands(), []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bench_records, "FIRST_GAMES", 200)
        patch.setattr(bench_scale, "TABLE_GAMES", 300)
        result = measure_scale(Plan(GAMES, ("random",), samples=1, workers=2), folder, commands, reported.append)
    assert list(folder.iterdir()) == []
    return result, commands.words, reported


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """The run that is measured."""
    return play_run(Experiment(policies="random", games=GAMES), tmp_path_factory.mktemp("bench") / "run")


def text_of(result):
    console = Console(width=240)
    with console.capture() as capture:
        print_scale(console, result, CORES)
    return capture.get()


def test_games_go_up_in_powers_of_ten_and_speeds_are_without_start_up(measured):
    result, _, _ = measured
    assert [row.games for row in result.games] == [200, GAMES]
    for row in result.games:
        assert row.taken.start.cpu == START
        assert row.taken.a_cpu_second(row.games) == SPEED
        assert row.taken.a_second(row.games) == pytest.approx(2 / SECONDS_A_GAME, rel=0.01)
        assert row.taken.used.memory == MEMORY + row.games - 1


def test_chunks_and_workers_vary_at_one_number_of_games(measured):
    result, words, _ = measured
    assert [(row.chunk, row.workers, row.contents.chunks) for row in result.chunks] == [(100, 2, 9), (None, 2, 7)]
    assert [(row.chunk, row.workers) for row in result.workers] == [(None, 1), (None, 2)]
    assert {row.games for row in (*result.chunks, *result.workers)} == {GAMES}
    assert any("--workers" in command and command[command.index("--workers") + 1] == "1" for command in words)


def test_slices_are_played_and_gathered_to_the_same_bytes(measured):
    result, words, _ = measured
    assert [(row.slices, row.same) for row in result.slices] == [(1, True), (2, True), (4, True)]
    for row in result.slices:
        assert row.taken.start.cpu == START * row.slices
        assert row.taken.a_cpu_second(row.games) == SPEED
        assert row.gathered.start.cpu == CHECK_START
    slices = [command[command.index("--slice") + 1] for command in words if "--slice" in command]
    assert slices == ["0/1", "0/1", "0/2", "1/2", "0/4", "1/4", "2/4", "3/4", "0/2"]  # the last is the crash


def test_a_crash_costs_a_start_up_and_is_reported_by_the_log(measured):
    result, _, _ = measured
    [crash] = result.crashes
    layout = Experiment(games=GAMES).layout()
    assert crash.interruption.stored == sum(layout.span(chunk)[1] for chunk in range(0, layout.count, 2))
    assert crash.interruption.under_way == layout.span(1)[1] + layout.span(3)[1]
    assert crash.lost_cpu == pytest.approx(START + crash.interruption.stored * SECONDS_A_GAME)
    assert crash.same


def test_bytes_are_those_of_the_files(measured, run, tmp_path):
    result, _, _ = measured
    contents = result.largest("random").contents
    assert contents.tables == bytes_by_table(run.folder)
    assert contents.files == sum(1 for path in run.folder.rglob("*") if path.is_file())
    journal = (run.folder / "journal.jsonl").stat().st_size
    assert contents.journal == pytest.approx(journal, abs=60)  # receipts also have times, which differ
    [row] = result.tables
    every = Experiment(policies="random", games=300, chunk=300, seasons=True, battles=True, counties=True, plans=True)
    sizes = bytes_by_table(play_run(every, tmp_path / "run").folder)
    assert row.tables == {table: size / 300 for table, size in sizes.items()}


def test_tables_that_differ_are_not_called_the_same(measured, run, tmp_path):
    other = play_run(Experiment(policies="random", games=GAMES, seed=2), tmp_path / "run")
    assert contents_of(other.folder).digest != contents_of(run.folder).digest == measured[0].games[-1].contents.digest
    result = replace(measured[0], slices=[replace(measured[0].slices[0], same=False)], crashes=[])
    assert "DIFFERENT" in text_of(result)
    assert "DIFFERENT" not in text_of(measured[0])


def test_the_cluster_is_arithmetic_on_the_longest_run(measured):
    result, _, _ = measured
    cluster, longest = on_cluster(result, "random", CORES), result.largest("random")
    assert cluster.cpu_hours == pytest.approx((1e9 * SECONDS_A_GAME * (GAMES - 1) / GAMES + CORES * START) / 3600)
    assert cluster.hours == cluster.cpu_hours / CORES
    assert cluster.bytes == 1e9 * longest.contents.bytes / GAMES
    layout = Experiment(games=10**9).layout()
    assert (cluster.chunks, cluster.files) == (layout.count, 2 * layout.count)
    assert cluster.gathering_hours == pytest.approx(1e9 * (GAMES - 1) / GAMES / 1000 / 3600)
    speed = longest.contents.bytes / (result.checks[0].taken.net_cpu)
    assert cluster.checking_hours == pytest.approx(cluster.bytes / speed / 3600)
    assert not cluster.only_digests


def test_receipts_of_a_cluster_are_as_long_as_those_of_more_chunks(measured, tmp_path):
    """Two runs that differ in their number of chunks alone; the first line, which is long, is not multiplied."""
    cluster = on_cluster(measured[0], "random", CORES)
    few, many = (
        contents_of(play_run(Experiment(policies="random", games=games, chunk=5), tmp_path / str(games)).folder)
        for games in (50, 500)
    )
    assert cluster.receipt_bytes == pytest.approx((many.journal - few.journal) / 90, rel=0.03)
    assert cluster.entry_bytes == pytest.approx((many.manifest - few.manifest) / 90, rel=0.03)


def test_what_is_too_short_is_not_reported(measured):
    short = Samples(Usage(3.0, 2.4, MEMORY), 1, Usage(2.0, 2.0, MEMORY))
    assert (short.a_cpu_second(100), short.a_second(100)) == (None, None)
    result, _, _ = measured
    rows = [replace(row, taken=short) for row in result.games]
    brief = replace(result, games=rows, checks=[replace(result.checks[0], taken=short)])
    assert on_cluster(brief, "random", CORES) is None
    assert_names(text_of(brief), "too short", "--games")
    assert scale_document(brief, CORES)["cluster"] == []
    shorter = replace(result, checks=[replace(result.checks[0], taken=Samples(short.start, 1, short.start))])
    cluster = on_cluster(shorter, "random", CORES)
    assert (cluster.only_digests, cluster.checking) == (True, result.checks[0].digests)
    assert "sha256" in text_of(shorter)


def test_text_and_document_name_the_machine_and_show_every_step(measured):
    result, _, reported = measured
    text, machine = text_of(result), result.machine
    assert_names(text, machine.processor, machine.system, f"{machine.cores} core", machine.engine_version)
    parts = [*parts_of(result, CORES)]
    assert len(parts) == 8
    for part in parts:
        assert part.title in text
        assert all(len(row) == len(part.headings) for row in part.rows)
    assert re.search(r"10\^9 games / 100 .* \+ 64 .* × 2.0 s +CPU 2,77\d\.\d hours", text)
    assert re.search(r"CPU 2,77\d\.\d hours / 64 +43\.\d hours", text)
    assert re.search(r"20,018 chunks × 2 tables +40,036", text)
    assert len([line for line in reported if line.startswith("random: ")]) == len(reported) > 8
    document = json.loads(json_text(scale_document(measured[0], CORES)))
    assert len(document) == 10
    assert all(document.values())
    assert [row["games_per_cpu_second"] for row in document["games"]] == [SPEED, SPEED]
    assert document["bytes_a_game"][0]["tables"].keys() == {"games", "seats", "seasons", "battles", "counties", "plans"}


# -------------------------------------------------------------------------------------------- real processes


@pytest.fixture
def processes(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return Processes()


def test_a_process_is_measured_by_the_system(processes):
    used = processes.run(["--version"])
    assert 0 < used.cpu < 60
    assert used.wall > 0
    assert 10e6 < used.memory < 10e9


def test_what_measures_is_light_since_processes_inherit_its_peak_of_memory():
    script = "import sys, benchmarks.__main__; from benchmarks.scale import this_machine; this_machine(); "
    script += "print({'numba', 'polars'} & {*sys.modules})"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / ".ci")])}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


@pytest.mark.slow
def test_a_command_that_fails_is_reported_with_its_words_and_one_is_killed_when_it_is_time(processes):
    with refused("`wallsim runn`", "status 2", "'runn'", by=RunError):
        processes.together([["--version"], ["runn"]])
    assert processes.killed(["--version"], lambda: False) is None
    assert processes.killed(["run", "--help"], lambda: True).wall < 30


def test_no_process_outlives_an_interruption(processes, monkeypatch):
    started, begin = [], subprocess.Popen

    def begun(*words, **options):
        started.append(begin(*words, **options))
        return started[-1]

    def interrupted():
        raise KeyboardInterrupt

    monkeypatch.setattr(bench_process.subprocess, "Popen", begun)
    with pytest.raises(KeyboardInterrupt):
        processes.killed(["run", "--help"], interrupted)
    with pytest.raises(ProcessLookupError):
        os.kill(started[0].pid, 0)


@pytest.mark.slow
@pytest.mark.nightly
def test_a_killed_run_is_resumed_to_the_bytes_of_an_undisturbed_one(processes, tmp_path):
    games = 40_000
    words = ["run", "--policies", "balanced", "--games", str(games), "--workers", "1", "--quiet", "--out"]
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    assert processes.killed([*words, str(killed)], lambda: 2 * finished_games(killed) >= games) is not None
    stored = finished_games(killed)
    assert games / 2 <= stored < games
    processes.together([[*words, str(killed)], [*words, str(whole)]])
    assert contents_of(killed).digest == contents_of(whole).digest
    layout = Experiment(games=games).layout()
    [under_way] = [size for first, size in map(layout.span, range(layout.count)) if first == stored]
    assert interruption_of(killed, workers=1) == (stored, under_way)


# ------------------------------------------------------------------------------------------------ the command


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("scale", "--games", "0"), ("--games", '"0"', "from 1 to")),
        (("scale", "--policies", "random,balancd"), ("balancd", "mean balanced")),
        (("scale", "--policies", "mine.py"), ("mine.py", "Python")),
    ],
)
def test_what_cannot_be_measured_is_refused(words, named, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert_names(message_of(*words), *named)


def test_the_command_measures_in_the_folder_and_prints_text_or_a_document(measured, monkeypatch, tmp_path):
    asked = []

    def stand_in(plan, folder, tell):
        asked.append((plan, folder.parent))
        tell("random: measuring")
        return measured[0]

    monkeypatch.setattr(bench_scale, "measure_scale", stand_in)
    words = ("scale", "--games", "5000", "--policies", "random,balanced", "--out", str(tmp_path / "new"))
    text = bench(*words)
    assert (text.exit_code, text.stderr) == (0, "random: measuring\n")
    assert_names(text.stdout, "10^9 games of random", "64 cores")
    document = bench(*words, "--cores", "128", "--samples", "2", "--json")
    assert json.loads(document.stdout)["cluster"][0]["cores"] == 128
    assert [plan.samples for plan, _ in asked] == [3, 2]
    assert {(plan.games, plan.policies, folder) for plan, folder in asked} == {
        (5000, ("random", "balanced"), tmp_path / "new")
    }
    assert list((tmp_path / "new").iterdir()) == []


def test_an_interrupted_measurement_leaves_nothing(monkeypatch, tmp_path):
    def stopped(plan, folder, tell):
        (folder / "run").mkdir()
        raise KeyboardInterrupt

    monkeypatch.setattr(bench_scale, "measure_scale", stopped)
    result = bench("scale", "--out", str(tmp_path))
    assert (result.exit_code, len(result.stderr.splitlines())) == (130, 1)
    assert list(tmp_path.iterdir()) == []
