"""Interventions are part of what a run is, unless they change nothing."""

from tests.play.watching import parts_of
from wallsim.api.trace import record_game
from wallsim.experiment.experiment import Experiment
from wallsim.play.play import play_run

PLAIN = {"policies": "random", "players": 3, "games": 40, "seed": 3, "seasons": True, "battles": True, "counties": True}
NULL = [
    {"do": "hand", "seat": 0, "round": "start"},
    {"do": "tile", "seat": 1, "to": "of seat 1", "round": "every"},
    {"do": "event", "to": "cancelled", "round": []},
    {"do": "trade", "counties": ["Augsburg", "Augsburg"]},
]
GIFT = {"do": "hand", "seat": 0, "round": "spring 1", "thalers": 4}


def test_a_null_list_leaves_hash_and_bytes_of_a_run_as_they_are(tmp_path):
    plain = play_run(Experiment(**PLAIN), tmp_path / "plain")
    null = play_run(Experiment(**PLAIN, interventions=NULL), tmp_path / "null")
    assert null.hash == plain.hash == Experiment(**PLAIN).hash()
    assert "interventions" not in plain.identity
    assert parts_of(null.folder) == parts_of(plain.folder)


def test_a_step_is_part_of_the_identity_however_it_is_written_and_the_trace_tells_it(tmp_path):
    plain, gift = Experiment(**PLAIN), Experiment(**PLAIN, interventions=[GIFT])
    again = [{**GIFT, "round": ["spring 1"], "grain": 0}, *NULL]
    assert Experiment(**PLAIN, interventions=again).hash() == gift.hash() != plain.hash()
    run, game = play_run(gift, tmp_path / "gift"), record_game(gift, 5)
    assert run.identity["interventions"] == [{"do": "hand", "round": ["spring 1"], "seat": 0, "thalers": 4}]
    reported = [line for line in game if line["t"] == "intervention"]
    assert [(line["do"], line["seat"], line["thalers"]) for line in reported] == [("hand", 0, 4)]
    assert "seat 0 receives 4 Thalers." in " ".join(game.story().split())
    ends = run.scan("seats").collect().filter(game=5)["vp"].to_list()
    assert next(line for line in game if line["t"] == "end")["vp"] == ends
