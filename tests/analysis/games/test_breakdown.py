"""What expansions bring, seat by seat: against plain Python, and as it is printed."""

import io
import statistics

import pytest
from rich.console import Console

from wallsim.analysis.games.breakdown import breakdown
from wallsim.analysis.games.summary import summarise
from wallsim.experiment.experiment import Experiment
from wallsim.play.play import play_run
from wallsim.report.tables.summary import print_summary
from wallsim.stats.intervals import Confidence, mean_interval

SOURCES = ["counties", "buildings", "majorities", "favors", "Landsknechte", "statues", "trophies"]
USES = ["favors taken", "courtiers sent", "Landsknechte cards", "statues left", "trophies taken"]
MEANT = {
    "buildings": ["vp_buildings_year1", "vp_buildings_year2"],
    "majorities": [f"vp_{kind}_majorities_year{y}" for kind in ("palace", "church", "trading_post") for y in (1, 2)],
    "favors": ["vp_favors"],
    "statues": ["vp_statues_year1", "vp_statues_year2"],
    "courtiers sent": ["courtiers_for_armies", "courtiers_for_cubes"],
    "Landsknechte cards": ["landsknecht_cards"],
    "trophies taken": ["trophies"],
}


def played(folder, **keys):
    return play_run(Experiment(policies="random", **keys), folder, workers=1)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return played(tmp_path_factory.mktemp("breakdown") / "run", games=400, players=5, edition="1e", expansions="all")


def printed(run, width=100):
    console = Console(width=width, record=True, file=io.StringIO())
    print_summary(console, run, summarise(run))
    return console.export_text()


def test_the_lines_are_sources_first_then_uses(run):
    lines = breakdown(run)
    assert [line.name for line in lines if line.is_points] == SOURCES
    assert [line.name for line in lines if not line.is_points] == USES
    assert [line.name for line in lines] == SOURCES + USES


def test_means_and_intervals_are_those_of_plain_python(run):
    rows, lines = run.scan("seats").collect().rows(named=True), {line.name: line for line in breakdown(run)}
    confidence = Confidence(0.95, 5)
    for name, columns in MEANT.items():
        for seat in range(5):
            values = [sum(row[column] for column in columns) for row in rows if row["seat"] == seat]
            mean, deviation = statistics.mean(values), statistics.stdev(values)
            assert lines[name].seats[seat].mean == pytest.approx(mean)
            if deviation:
                expected = mean_interval(mean, deviation, 400, confidence)
                assert lines[name].seats[seat].interval == pytest.approx(expected)
            else:
                assert lines[name].seats[seat].interval is None


def test_points_of_all_lines_add_up_to_the_mean_score(run):  # B7.4, E6, L1, M5
    lines = [line for line in breakdown(run) if line.is_points]
    for finding in summarise(run).seats:
        assert sum(line.seats[finding.seat].mean for line in lines) == pytest.approx(finding.vp)


def test_lines_are_those_of_the_expansions_in_play(tmp_path):
    run = played(tmp_path / "run", games=40, expansions="leaders")
    names = [line.name for line in summarise(run).breakdown]
    assert names == ["counties", "buildings", "majorities", "statues", "trophies", "statues left", "trophies taken"]


def test_what_is_alike_in_every_game_has_no_interval(tmp_path):
    few = breakdown(played(tmp_path / "few", games=62, expansions="court"))
    assert {seat.interval for line in few for seat in line.seats} == {None}
    # In the base game the score is all there is, and nobody is ever without a county in so few games.
    enough = breakdown(played(tmp_path / "enough", games=63, expansions="court"))
    assert all(seat.interval is not None for line in enough if line.name == "counties" for seat in line.seats)


def test_the_printed_summary_names_edition_expansions_and_what_they_bring(run):
    text = printed(run)
    assert "400 games, 5 players, line-ups, seed 1" in text
    assert "first edition; expansions court, landsknechte, leaders" in text
    lines = {line.name: line for line in breakdown(run)}
    for name, line in lines.items():
        [row] = [row for row in text.splitlines() if row.startswith(f"  {name}  ")]
        shown = row.removeprefix(f"  {name}").replace("±", " ").split()
        wanted = [
            f"{number:.2f}"
            for seat in line.seats
            for number in (seat.mean, *([seat.interval[1] - seat.mean] if seat.interval else []))
        ]
        assert shown == wanted
    assert "hold for all seats simultaneously with 95%" in text
    assert all(len(row) <= 100 for row in text.splitlines() if "±" in row)


def test_the_printed_summary_says_what_the_cards_rest_on(run):
    text = " ".join(printed(run, width=2000).split())
    assert "Assumed in the board's data: favor 2: 2 Thalers; favor 3: 2 armies for the tray; " in text
    assert "favor 13: 2 victory points" in text
    rest = "Not stated explicitly by the rulebook: favors 10, 11, 18: rulebook: order of its lists; "
    rest += "Landsknechte cards 2, 3, 4: read off the sister game Shogun."
    assert rest in text
    assert "so no finding about events holds (V8)" in text


def test_the_base_game_is_printed_without_any_of_this(tmp_path):
    run = played(tmp_path / "run", games=40)
    assert summarise(run).breakdown == ()
    text = printed(run, width=200)
    for word in ("edition", "expansion", "favor", "Landsknecht", "±", "Not stated explicitly"):
        assert word not in text
    assert "No figure of the 4-player line-ups is marked as assumed." in text


def test_the_first_edition_alone_is_named_without_a_table(tmp_path):
    text = printed(played(tmp_path / "run", games=40, edition="1e", setup="draft"))
    assert [line.strip() for line in text.splitlines()[:2]] == [
        "40 games, 4 players, draft, seed 1",
        "Not the default: first edition; draft.",
    ]
    assert "means per game" not in text
