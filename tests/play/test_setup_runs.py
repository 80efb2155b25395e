"""Experiments with an edited set-up or interventions: files, identities, assumptions, tables and traces."""

from dataclasses import replace

import pytest

from tests.play.watching import parts_of
from tests.refusals import assert_names
from wallsim import trace
from wallsim.analysis.games.summary import assumptions
from wallsim.errors import InputError
from wallsim.experiment.experiment import Experiment
from wallsim.experiment.file import experiment_text, load_experiment
from wallsim.experiment.setup_keys import size_warnings
from wallsim.play.play import play_run
from wallsim.play.scenarios.file import load_experiments
from wallsim.play.setting import Setting
from wallsim.policies.catalogue import load_policy

EDITED = Experiment(
    policies="random", games=4, counties=True, thalers={"A": 14, "B": 20}, without=["Böhmen"],
    lineup={"D": {"Würzburg": 6, "Sächs. Lande": 3}, "B": {"Kärnten": 55}},
)  # fmt: skip
DEALT = Experiment(policies="random", games=4, setup="deal", counties=True)


def test_a_file_keeps_every_edit(tmp_path):
    path = tmp_path / "edited.toml"
    path.write_text(experiment_text(EDITED), "utf-8")
    again = load_experiment(path)
    assert again.ruleset() == replace(EDITED.ruleset(), lineups=("A", "B", "C", "D"))
    assert again.hash() == EDITED.hash()
    assert "thalers =" not in experiment_text(Experiment())
    assert "lineup." not in experiment_text(Experiment())


def test_each_edit_is_another_experiment_and_naming_the_printed_thalers_is_none():
    plain = Experiment().hash()
    assert Experiment(thalers={"A": 15}).hash() == Experiment(thalers={"2": 15}).hash() == plain
    others = [
        Experiment(thalers={"A": 14}), Experiment(thalers={"B": 14}), Experiment(without=["Tirol"]),
        Experiment(lineup={"A": {"Anhalt": 6}}), Experiment(lineup={"A": {"Anhalt": 7}}), Experiment(setup="deal"),
    ]  # fmt: skip
    assert len({plain, *(other.hash() for other in others)}) == len(others) + 1


def errors_of(**values):
    """The errors of an experiment, one a line."""
    with pytest.raises(InputError) as caught:
        Experiment(**values)
    return str(caught.value).splitlines()


@pytest.mark.parametrize(
    ("values", "errors"),
    [
        ({"lineup": 3}, [("lineup: ", "3")]),
        ({"thalers": {"A": "x"}}, [("thalers: ", '{"A": "x"}', "{ A = 14, D = 17 }")]),
        ({"thalers": {"Q": 3}}, [("thalers.Q: ", "0 to 3", "A, B, C, D")]),
        ({"without": ["Tirolo"]}, [('without: "Tirolo" ', "did you mean Tirol?")]),
        ({"setup": "deal", "lineup": {"A": {"Tirol": 2}}}, [("lineup: ", "deal", "leave it out")]),
        ({"lineup": {"A": {"Anhalt": 0}}, "thalers": {"A": 99}},
         [("thalers.A: 99 ", "from 0 to 60"), ("lineup.A.Anhalt: 0 ", "from 1 on")]),
    ],
)  # fmt: skip
def test_all_errors_are_named_with_their_key(values, errors):
    for line, names in zip(errors_of(**values), errors, strict=True):
        assert line.startswith(names[0])
        assert_names(line, *names)


def test_an_exchange_keeps_the_rest_of_the_printed_line_up():
    exchanged = Experiment(lineup={"A": {"exchange": {"Baden": "Burgund"}}})
    whole = {"Lüneburg": 5, "Holstein": 4, "Württemberg": 4, "Mecklenburg": 3, "Wolfenbüttel": 3, "Anhalt": 2,
             "Burgund": 2, "Mittelmark": 2}  # fmt: skip
    assert exchanged.lineup == {"A": whole}
    replaced, plain = Experiment(lineup={"A": {"replace": whole}}), Experiment(lineup={"A": whole})
    assert replaced == plain == exchanged
    assert exchanged.hash() == plain.hash()
    both = Experiment(lineup={"A": {"exchange": {"Baden": "Tirol"}}, "B": {"exchange": {"Tirol": "Baden"}}})
    assert (both.lineup["A"]["Tirol"], both.lineup["B"]["Baden"]) == (2, 3)


def test_an_exchange_may_replace_a_county_that_is_out_of_play():
    edited = Experiment(without=["Baden", "Anhalt"], lineup={"A": {"exchange": {"Baden": "Burgund"}}})
    assert edited.lineup["A"]["Burgund"] == 2
    assert edited.lineup["A"].keys() & {"Baden", "Anhalt"} == set()


EXCHANGE = {"exchange": {"Baden": "Burgund"}}


@pytest.mark.parametrize(
    ("edit", "place", "others"),
    [
        ({**EXCHANGE, "Tirol": 3}, "lineup.A", {}),
        ({**EXCHANGE, "replace": {"Tirol": 3}}, "lineup.A", {}),
        ({"exchange": ["Baden"]}, "lineup.A.exchange", {}),
        ({"exchange": {}}, "lineup.A.exchange", {}),
        ({"exchange": {"Baden": 3}}, "lineup.A.exchange", {}),
        ({"exchange": {"Tirol": "Burgund"}}, "lineup.A.exchange.Tirol", {}),
        ({"exchange": {"Baden": "Anhalt"}}, "lineup.A.exchange.Baden", {}),
        ({"exchange": {"Baden": "Burgundy"}}, "lineup.A.Burgundy", {}),
        ({"exchange": {"Baden": "Tirol"}}, "lineup.A.Tirol", {}),
        ({"replace": {"Baden": "2"}}, "lineup", {}),
        ({"replace": "Baden"}, "lineup", {}),
        ({"replace": {}}, "lineup.A", {}),
        ({}, "lineup.D", {"players": 3, "lineup": {"D": EXCHANGE}}),
        (EXCHANGE, "lineup", {"setup": "draft"}),
        (EXCHANGE, "board", {"board": "nowhere"}),
    ],
)
def test_an_edit_that_cannot_be_made_is_refused_by_its_place(edit, place, others):
    assert [line.partition(":")[0] for line in errors_of(**{"lineup": {"A": edit}, **others})] == [place]


def test_a_line_up_of_another_size_than_printed_is_reported():
    for values in ({}, {"setup": "deal", "without": ["Baden"]}, {"lineup": {"A": EXCHANGE}}):
        assert size_warnings(Experiment(**values).model_dump()) == []
    for values, place, size in (({"lineup": {"A": {"Burgund": 5}}}, "lineup.A", "1 county with 5 armies"),
                                ({"lineup": {"D": {"replace": {"Burgund": 9}}}}, "lineup.D", "1 county with 9 armies"),
                                ({"without": ["Tirol"]}, "lineup.B", "7 counties with 22 armies")):  # fmt: skip
        (warning,) = size_warnings(Experiment(**values).model_dump())
        assert warning.startswith(f"{place}: ")
        assert_names(warning, size, "8 counties with 25 armies")


def test_a_line_up_without_a_county_in_play_is_sound_where_it_is_edited():
    out = ["Bm. Zweibrücken", "Böhmen", "Hm. Paderborn", "Erzbm. Köln", "Strassburg", "Hessen-Darmstadt", "Lothringen",
           "Passau"]  # fmt: skip
    assert Experiment(without=out, lineup={"C": {"Burgund": 4}}).ruleset().without == tuple(out)
    assert errors_of(without=out)[0].startswith("lineup.C: has no county")


def test_in_a_tournament_the_thalers_of_a_line_up_go_round_with_it():
    starts = [
        [
            rules[0].starting_thalers.tolist()[:4]
            for rules in Setting(Experiment(policies="random", thalers=named))._rules
        ]
        for named in ({"A": 14}, {"0": 14})
    ]
    assert starts[0] == [[14, 15, 15, 15], [15, 15, 15, 14], [15, 15, 14, 15], [15, 14, 15, 15]]
    assert starts[1] == [[14, 15, 15, 15]] * 4


def test_a_setting_has_a_policy_for_every_seat_and_in_a_draft_no_line_ups():
    setting = Setting(Experiment(players=3, setup="draft"))
    assert setting.lineups(2) == ("", "", "")
    with pytest.raises(ValueError, match="2 policies for 3 seats"):
        setting.arena([load_policy("random")] * 2, 1)


def test_scenarios_may_edit_the_set_up(tmp_path):
    path = tmp_path / "handicap.toml"
    path.write_text(
        'policies = "random"\ngames = 2\n[scenario.printed]\n[scenario.adjusted]\nthalers = { A = 13 }\n'
        '[scenario.moved]\n[scenario.moved.lineup.B]\nBurgund = 5\n', "utf-8"
    )  # fmt: skip
    result = load_experiments(path).experiments
    assert result["printed"].hash() != result["adjusted"].hash() != result["moved"].hash()
    assert result["adjusted"].ruleset().starting_thalers() == (13, 15, 15, 15)
    assert result["moved"].ruleset().lineup_edits == (("B", (("Burgund", 5),)),)


def test_a_run_says_what_its_set_up_is_and_where_counties_came_from(tmp_path):
    edited, dealt = (play_run(each, tmp_path / name) for name, each in (("edited", EDITED), ("dealt", DEALT)))
    assert_names(
        "\n".join(assumptions(edited.manifest)), "A 14, line-up B 20", "out of play: Böhmen",
        "line-up B", "Kärnten 55", "1 county with 55 armies",
    )  # fmt: skip
    said = "\n".join(assumptions(dealt.manifest))
    assert ("dealt at random" in said, "Edited" in said) == (True, False)
    assert {"lineup", "edited"} <= set(edited.scan("counties").collect()["source"]) <= {"lineup", "edited", "conquered"}
    assert set(dealt.scan("counties").collect()["source"]) == {"dealt", "conquered"}


def test_a_trace_and_its_story_tell_the_edits():
    events = trace(EDITED, 1)
    assert events[0]["start"] == {"thalers": [14, 20, 15, 15]}
    assert events[0]["without"] == ["Böhmen"]
    assert events[0]["lineup_edits"] == {"B": {"Kärnten": 55}, "D": {"Würzburg": 6, "Sächs. Lande": 3}}
    assert {line["source"] for line in events if line["t"] == "deal"} == {"lineup", "edited"}
    assert_names(
        events.story(), "with 14 Thalers", "seat 1 begins with 20", "is Böhmen",
        "line-up B as", "55 armies in Kärnten",
    )  # fmt: skip
    dealt = trace(DEALT, 1)
    assert dealt[0].keys() & {"start", "without", "lineup_edits"} == set()
    assert {line["source"] for line in dealt if line["t"] == "deal"} == {"dealt"}
    assert "dealt at random" in " ".join(dealt.story().split())


# ---------------------------------------------------------------------------------------------------- interventions

PLAYED = {"policies": "random", "players": 3, "games": 40, "seed": 3, "seasons": True, "battles": True}
NULL = [
    {"do": "hand", "seat": 0, "round": "start"},
    {"do": "tile", "seat": 1, "to": "of seat 1", "round": "every"},
    {"do": "event", "to": "cancelled", "round": []},
    {"do": "trade", "counties": ["Augsburg", "Augsburg"]},
]
GIFT = {"do": "hand", "seat": 0, "round": "spring 1", "thalers": 4}


def test_null_interventions_leave_hash_and_bytes_of_a_run_as_they_are(tmp_path):
    plain = play_run(Experiment(**PLAYED), tmp_path / "plain")
    null = play_run(Experiment(**PLAYED, interventions=NULL), tmp_path / "null")
    assert null.hash == plain.hash == Experiment(**PLAYED).hash()
    assert "interventions" not in plain.identity
    assert parts_of(null.folder) == parts_of(plain.folder)


def test_a_step_is_part_of_the_identity_however_it_is_written_and_the_trace_tells_it(tmp_path):
    plain, gift = Experiment(**PLAYED), Experiment(**PLAYED, interventions=[GIFT])
    again = [{**GIFT, "round": ["spring 1"], "grain": 0}, *NULL]
    assert Experiment(**PLAYED, interventions=again).hash() == gift.hash() != plain.hash()
    run, game = play_run(gift, tmp_path / "gift"), trace(gift, 5)
    assert run.identity["interventions"] == [{"do": "hand", "round": ["spring 1"], "seat": 0, "thalers": 4}]
    reported = [line for line in game if line["t"] == "intervention"]
    assert [(line["do"], line["seat"], line["thalers"]) for line in reported] == [("hand", 0, 4)]
    assert "seat 0 receives 4 Thalers." in " ".join(game.story().split())
    ends = run.scan("seats").collect().filter(game=5)["vp"].to_list()
    assert next(line for line in game if line["t"] == "end")["vp"] == ends
