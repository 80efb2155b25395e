"""Experiments with an edited set-up: files, identities, assumptions, tables and traces."""

from dataclasses import replace

import pytest

from wallsim import trace
from wallsim.analysis.games.summary import assumptions
from wallsim.errors import InputError
from wallsim.experiment.experiment import Experiment
from wallsim.experiment.file import experiment_text, load_experiment
from wallsim.experiment.setup_keys import size_warnings
from wallsim.play.play import play_run
from wallsim.play.scenarios.file import load_experiments
from wallsim.play.setting import Setting

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


@pytest.mark.parametrize(
    ("values", "errors"),
    [
        ({"thalers": {"A": "x"}},
         ['thalers: {"A": "x"} is not a table of whole numbers by seat or line-up, such as { A = 14, D = 17 }']),
        ({"thalers": {"Q": 3}}, ["thalers.Q: is none of the seats 0 to 3 and the line-ups A, B, C, D"]),
        ({"without": ["Tirolo"]}, ['without: "Tirolo" is not a county of the board; did you mean Tirol?']),
        ({"setup": "deal", "lineup": {"A": {"Tirol": 2}}},
         ["lineup: edits line-ups, which the set-up deal does not deal; leave it out"]),
        ({"lineup": {"A": {"Anhalt": 0}}, "thalers": {"A": 99}},
         ["thalers.A: 99 is not a whole number from 0 to 60",
          "lineup.A.Anhalt: 0 is not a number of armies from 1 on"]),
    ],
)  # fmt: skip
def test_all_errors_are_named_with_their_key(values, errors):
    with pytest.raises(InputError) as caught:
        Experiment(**values)
    assert str(caught.value).splitlines() == errors


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


@pytest.mark.parametrize(
    ("edit", "place"),
    [
        ({"exchange": {"Baden": "Burgund"}, "Tirol": 3}, "lineup.A"),
        ({"exchange": {"Baden": "Burgund"}, "replace": {"Tirol": 3}}, "lineup.A"),
        ({"exchange": ["Baden"]}, "lineup.A.exchange"),
        ({"exchange": {}}, "lineup.A.exchange"),
        ({"exchange": {"Baden": 3}}, "lineup.A.exchange"),
        ({"exchange": {"Tirol": "Burgund"}}, "lineup.A.exchange.Tirol"),
        ({"exchange": {"Baden": "Anhalt"}}, "lineup.A.exchange.Baden"),
        ({"exchange": {"Baden": "Burgundy"}}, "lineup.A.Burgundy"),
        ({"exchange": {"Baden": "Tirol"}}, "lineup.A.Tirol"),
        ({"replace": {"Baden": "2"}}, "lineup"),
        ({"replace": "Baden"}, "lineup"),
        ({"replace": {}}, "lineup.A"),
    ],
)
def test_an_edit_that_cannot_be_made_is_refused_by_its_place(edit, place):
    with pytest.raises(InputError) as caught:
        Experiment(lineup={"A": edit})
    assert [line.partition(":")[0] for line in str(caught.value).splitlines()] == [place]


def test_exchanges_of_other_set_ups_are_refused_as_all_edits_are():
    edit = {"exchange": {"Baden": "Burgund"}}
    for values, place in (({"players": 3, "lineup": {"D": edit}}, "lineup.D"),
                          ({"setup": "draft", "lineup": {"A": edit}}, "lineup"),
                          ({"board": "nowhere", "lineup": {"A": edit}}, "board")):  # fmt: skip
        with pytest.raises(InputError) as caught:
            Experiment(**values)
        assert [line.partition(":")[0] for line in str(caught.value).splitlines()] == [place]


def test_a_line_up_of_another_size_than_printed_is_reported():
    assert size_warnings(Experiment().model_dump()) == []
    assert size_warnings(Experiment(setup="deal", without=["Baden"]).model_dump()) == []
    assert size_warnings(Experiment(lineup={"A": {"exchange": {"Baden": "Burgund"}}}).model_dump()) == []
    for values, place, size in (({"lineup": {"A": {"Burgund": 5}}}, "lineup.A", "1 county with 5 armies"),
                                ({"lineup": {"D": {"replace": {"Burgund": 9}}}}, "lineup.D", "1 county with 9 armies"),
                                ({"without": ["Tirol"]}, "lineup.B", "7 counties with 22 armies")):  # fmt: skip
        (warning,) = size_warnings(Experiment(**values).model_dump())
        assert warning.startswith(f"{place}: has {size}")
        assert "8 counties with 25 armies" in warning


def test_a_line_up_without_a_county_in_play_is_sound_where_it_is_edited():
    out = ["Bm. Zweibrücken", "Böhmen", "Hm. Paderborn", "Erzbm. Köln", "Strassburg", "Hessen-Darmstadt", "Lothringen",
           "Passau"]  # fmt: skip
    assert Experiment(without=out, lineup={"C": {"Burgund": 4}}).ruleset().without == tuple(out)
    with pytest.raises(InputError, match="lineup\\.C: has no county left"):
        Experiment(without=out)


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
    words = "\n".join(assumptions(edited.manifest))
    assert "Edited starting Thalers: line-up A 14, line-up B 20; the others as printed." in words
    assert "Taken out of play: Böhmen." in words
    assert "Edited line-up B, with armies: Kärnten 55." in words
    assert "Line-up B has 1 county with 55 armies in all; the printed line-ups of 4 players have 8 counties" in words
    assert "dealt at random, as no rulebook has it" in "\n".join(assumptions(dealt.manifest))
    assert "Edited" not in "\n".join(assumptions(dealt.manifest))
    assert {"lineup", "edited"} <= set(edited.scan("counties").collect()["source"]) <= {"lineup", "edited", "conquered"}
    assert set(dealt.scan("counties").collect()["source"]) == {"dealt", "conquered"}


def test_a_trace_and_its_story_tell_the_edits():
    events = trace(EDITED, 1)
    assert events[0]["start"] == {"thalers": [14, 20, 15, 15]}
    assert events[0]["without"] == ["Böhmen"]
    assert events[0]["lineup_edits"] == {"B": {"Kärnten": 55}, "D": {"Würzburg": 6, "Sächs. Lande": 3}}
    assert {line["source"] for line in events if line["t"] == "deal"} == {"lineup", "edited"}
    story = " ".join(events.story().split())
    assert "Seat 0 begins with 14 Thalers, seat 1 begins with 20 Thalers" in story
    assert "Out of play is Böhmen." in story
    assert "Seat 1 has line-up B as edited: 55 armies in Kärnten." in story
    dealt = trace(DEALT, 1)
    assert dealt[0].keys() & {"start", "without", "lineup_edits"} == set()
    assert {line["source"] for line in dealt if line["t"] == "deal"} == {"dealt"}
    assert "Counties and army groups are dealt at random." in " ".join(dealt.story().split())
