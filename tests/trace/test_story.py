"""Stories: nothing that matters is left out, names are names, and the reasons are stated."""

import re
from dataclasses import replace
from itertools import pairwise

import pytest

from tests.trace.recorded import EXPANDED, GAMES, INTERVENED, OTHER_TOWERS, flat, name_of, of_kind, record
from wallsim.rules.other_settings import settings_line
from wallsim.rules.terms import ACTIONS, BUILDINGS, COUNTY_LOST, EFFECTS, OUTCOMES, TILES
from wallsim.trace.replayed_table import ReplayedTable
from wallsim.trace.story import vocabulary as story_words
from wallsim.trace.story.actions import skipped_story
from wallsim.trace.story.game import WIDTH, story
from wallsim.trace.story.vocabulary import event_text, listing, sentence, some


def story_of(recorded, match=None):
    return list(story(match or recorded.match, recorded.lines))


EVERY_KIND = GAMES + EXPANDED + INTERVENED + OTHER_TOWERS


@pytest.fixture(params=EVERY_KIND, ids=name_of)
def game(request):
    return record(*request.param)


def test_no_line_is_wide_and_every_heading_is_underlined(game):
    lines = story_of(game)
    assert all(len(line) <= WIDTH and line == line.rstrip() for line in lines)
    for heading in ("Year 1", "Year 2", "Spring of year 1", "Fall of year 2", "Winter of year 2", "The end"):
        assert lines[lines.index(heading) + 1] == "=" * len(heading)


def test_no_empty_line_follows_another(game):
    lines = story_of(game)
    assert not any(one == other == "" for one, other in pairwise(lines))


@pytest.mark.parametrize("game", [each for each in EVERY_KIND if each[1] != "draft"], indirect=True, ids=name_of)
def test_every_seat_begins_with_the_counties_and_armies_dealt_to_it(game):
    lines = story_of(game)
    for seat in range(game.match.players):
        first = next(place for place, line in enumerate(lines) if line.startswith(f"- Seat {seat}"))
        rest = next(place for place, line in enumerate(lines) if place > first and not line.startswith("  "))
        dealt, _, _ = " ".join(map(str.strip, lines[first:rest])).partition(". No source")
        _, _, groups = dealt.partition(": ")
        told = {
            county: int(group.split()[0])
            for group in groups.split("; ")
            for county in game.match.board.counties
            if county in group
        }
        assert told == {each["county"]: each["armies"] for each in of_kind(game.lines, "deal") if each["seat"] == seat}


def test_every_event_is_reported(game):
    text = flat(story_of(game))
    for line in of_kind(game.lines, "event"):
        assert f"The event: {event_text(game.match, line['event'])}." in text
    for line in of_kind(game.lines, "year"):
        for event in line["events"]:
            loss = game.match.board.event_loss[game.match.board.events.index(event)]
            assert f"{sentence(event_text(game.match, event))} Left over, it takes {loss or 'no'} grain." in text


def test_every_battle_is_reported_in_order_with_what_went_in_and_who_won(game):
    text, at = flat(story_of(game)), 0
    for battle in of_kind(game.lines, "battle"):
        county, a, d, p = battle["county"], battle["a"], battle["d"], battle["p"]
        if battle["kind"] in ("revolt", "winter"):
            fighters = battle["engaged"][str(battle["defender"])]
            start, verdict = text.index(battle["county"], at), f"{d} against {p}"
            begin = re.search(
                rf"against {fighters} (of the \d+ )?(army|armies) of seat {battle['defender']}", text[start:]
            )[0]
        else:
            begin, verdict = f"attacks {county}", rf"{a} against {p if battle['kind'] == 'neutral' else d}"
        start, at = at, text.index(begin, at)
        if battle["kind"] == "player":  # peasants may have joined the defender
            verdict = rf"{a} against ({d}|{d + p})"
        result = re.compile(rf"\b{verdict}[:,]").search(text, at)
        assert result, battle
        at = result.end()
        assert county in text[start:at]


def test_peasants_who_decide_a_battle_are_explained(game):
    text = flat(story_of(game))
    state, joined, aside = ReplayedTable(game.match), 0, 0
    loyal_below = 2 if game.match.ruleset.edition == "1e" else 1  # B6.6, V6
    for line in game.lines:
        if line["t"] == "battle" and line["kind"] == "player" and line["p"] > 0:
            joined += state.at(line["county"])["markers"] < loyal_below
            aside += state.at(line["county"])["markers"] >= loyal_below
        state.read(line)
    assert len(re.findall(r"who fights? for seat \d because .{3,20} bears (no|only 1) revolt marker", text)) == joined
    assert len(re.findall(r"who stands? aside because .{3,20} bears \d revolt markers?", text)) == aside


def test_every_action_has_its_entry(game):
    entries = [line for line in story_of(game) if re.match(r"   \S", line)]
    passes = [entry for entry in entries if re.match(r"   (Everyone|Seats? [\d, and]+) pass(es)?\.", entry)]
    winter_battles = [line for line in of_kind(game.lines, "battle") if line["kind"] == "winter"]
    assert len(entries) - len(passes) == len(of_kind(game.lines, "action")) + len(winter_battles)


def test_every_county_and_every_seat_is_named(game):
    text = flat(story_of(game))
    for seat in range(game.match.players):
        assert re.search(rf"[Ss]eat {seat}\b", text)
    for county in {line["county"] for line in of_kind(game.lines, "deal", "action", "battle")}:
        assert county in text


def test_the_winner_and_the_final_points_are_reported(game):
    ending = flat(story_of(game)).partition("The end")[2]
    end = game.lines[-1]
    for seat in end["winners"]:
        assert re.search(rf"[Ss]eat {seat}\b", ending)
    assert ("share the win" in ending) == (len(end["winners"]) > 1)
    for points in end["vp"]:
        assert f"with {points}" in ending


def test_numbers_of_the_trace_never_show_their_code_names(game):
    """But for the line on what is not the default, which names switches as an experiment file does."""
    text = flat(story_of(game)).replace(settings_line(game.match.settings()), "")
    for name in ("_", "None", "money:", "{"):
        assert name not in text


def test_policies_are_named_where_they_differ():
    recorded = record(4, "lineup", 0)
    mixed = replace(recorded.match, policies=("random", "other", "random", "random"))
    text = flat(story_of(recorded, mixed))
    assert "seat 1 plays by the policy other" in text
    assert re.search(r"Seat 1 \(other\) (builds|collects|attacks|puts|moves)", text)
    same = replace(recorded.match, policies=("random",) * 4)
    assert "(random)" not in flat(story_of(recorded, same))


def test_a_shared_win_and_a_win_by_thalers_are_explained():  # B7.6
    recorded = record(3, "lineup", 0)
    end = {"t": "end", "vp": [30, 30, 12], "thalers": [4, 7, 9], "winners": [1]}
    text = flat(story(recorded.match, [end]))
    assert "Seats 0 and 1 have 30 victory points each. " in text
    assert "Thalers decide: seat 0 has 4 Thalers and seat 1 has 7 Thalers." in text
    assert "Seat 1 wins." in text.replace(" (random)", "")
    shared = flat(story(recorded.match, [{**end, "thalers": [7, 7, 9], "winners": [0, 1]}]))
    assert "share the win." in shared


@pytest.mark.parametrize("why", OUTCOMES[1:])
def test_every_reason_for_a_skipped_action_has_its_words(why):
    recorded = record(4, "lineup", 0)
    state = ReplayedTable(recorded.match)
    for line in recorded.lines[: recorded.lines.index(of_kind(recorded.lines, "action")[0])]:
        state.read(line)
    for action in ACTIONS if why == OUTCOMES[COUNTY_LOST] else (*BUILDINGS, "deploy1"):
        line = {"seat": 1, "action": action, "county": state.owned(1)[0], "done": False, "why": why}
        text = skipped_story(recorded.match, state, line)
        assert text.startswith("Seat 1")
        assert line["county"] in text
        assert text.endswith(".")


PRINTED_WORDS = {
    "deploy5": "deploy five armies",
    "deploy3": "deploy three armies",
    "deploy1": "deploy one army and move",
    "thaler": "an extra Thaler from taxes",
    "grain": "an extra grain",
    "six_armies": "six armies instead of five",
    "attack": "an extra army when attacking",
    "defence": "an extra army when defending",
    "palace_guard": "an attacked county with a palace is defended by one more army, from its owner's supply",
    "tax_max_5": "no county yields more than 5 Thalers in taxes",
    "grain_min_4": "every county yields at least 4 grain",
    "neutral_guard": "two peasants instead of one defend a neutral county",
    "small_levies": "deploying five armies brings three, and deploying three brings two, at the usual price",
}
TURNED = (
    ("deploy1_armies", 2),
    ("deploy5_armies", 4),
    ("event_neutral_guard_peasants", 1),
    ("event_palace_guard_armies", 3),
    ("event_tax_max_thalers", 4),
    ("neutral_peasants", 0),
    ("tile_attack_armies", 0),
    ("tile_grain_grain", 3),
    ("tile_taxes_thalers", 2),
)
TURNED_WORDS = {
    "deploy5": "deploy four armies",
    "deploy1": "deploy two armies and move",
    "thaler": "two extra Thalers from taxes",
    "grain": "three extra grain",
    "six_armies": "six armies instead of four",
    "attack": "no extra armies when attacking",
    "palace_guard": "an attacked county with a palace is defended by three more armies, from its owner's supply",
    "tax_max_5": "no county yields more than 4 Thalers in taxes",
    "neutral_guard": "one peasant instead of none defends a neutral county",
    "small_levies": "deploying four armies brings three, and deploying three brings two, at the usual price",
}


def words_of(match):
    """What stories say of each event's effect, tile and action."""
    events = {match.effect(event): event_text(match, event) for event in match.board.events}
    tiles = {tile: story_words.tile_text(match, tile) for tile in TILES}
    return {**{action: story_words.action_text(match, action) for action in ACTIONS}, **tiles, **events}


def test_there_are_words_for_all_that_can_happen_with_the_numbers_in_play():
    match = record(*GAMES[0]).match
    words = words_of(match)
    assert set(words) == {*ACTIONS, *TILES, *EFFECTS} - {"none"}
    assert {name: words[name] for name in PRINTED_WORDS} == PRINTED_WORDS
    turned = words_of(replace(match, ruleset=replace(match.ruleset, amounts=TURNED)))
    assert {name: turned[name] for name in TURNED_WORDS} == TURNED_WORDS


def test_small_words():
    assert listing(["a"]) == "a"
    assert listing(["a", "b", "c"]) == "a, b and c"
    assert (some(0, "army", "armies"), some(1, "army", "armies"), some(2, "peasant")) == (
        "no armies",
        "1 army",
        "2 peasants",
    )
    assert sentence("level") == "Level."


def test_what_the_first_year_leaves_behind_is_read_from_its_snapshot():  # B7.5
    """So a rule that keeps grain makes no story lie: one with other snapshots says other things."""
    recorded = record(4, "lineup", 0)
    winters = [place for place, line in enumerate(recorded.lines) if line["t"] == "winter"]
    end = next(place for place, line in enumerate(recorded.lines) if line["t"] == "state" and place > winters[3])
    assert "Grain and revolt markers are cleared away; Thalers, armies," in flat(story_of(recorded))
    lines = [*recorded.lines]
    lines[end] = {**lines[end], "grain": [0, 7, 0, 0]}
    assert "Revolt markers are cleared away; grain, Thalers, armies," in flat(story(recorded.match, lines))
    state = ReplayedTable(recorded.match)
    for line in lines[: end + 1]:
        state.read(line)
    assert state.grain == [0, 7, 0, 0]
