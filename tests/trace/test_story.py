"""Stories: nothing that matters is left out, names are names, and the reasons are stated."""

import re
from dataclasses import replace
from itertools import pairwise

import pytest

from tests.trace.recorded import EVERY_KIND, EXPANDED, FULL, GAMES, flat, name_of, of_kind, record, state_before
from wallsim.rules.other_settings import settings_line
from wallsim.rules.terms import ACTIONS, BUILDINGS, COUNTY_LOST, EFFECTS, EXPANSIONS, OUTCOMES, TILES
from wallsim.trace.replayed_table import ReplayedTable
from wallsim.trace.story import vocabulary
from wallsim.trace.story.actions import skipped_story
from wallsim.trace.story.court import effect_story, favor_text
from wallsim.trace.story.game import WIDTH, story
from wallsim.trace.story.leaders import leader_text
from wallsim.trace.story.vocabulary import event_text, sentence


@pytest.fixture(params=EVERY_KIND, ids=name_of)
def game(request):
    return record(*request.param)


@pytest.fixture(params=EXPANDED, ids=name_of)
def expanded(request):
    return record(*request.param)


def test_no_line_is_wide_and_every_heading_is_underlined(game):
    lines = game.story
    assert all(len(line) <= WIDTH and line == line.rstrip() for line in lines)
    assert not any(one == other == "" for one, other in pairwise(lines))
    for heading in ("Year 1", "Year 2", "Spring of year 1", "Fall of year 2", "Winter of year 2", "The end"):
        assert lines[lines.index(heading) + 1] == "=" * len(heading)


@pytest.mark.parametrize("game", [each for each in EVERY_KIND if each[1] != "draft"], indirect=True, ids=name_of)
def test_every_seat_begins_with_the_counties_and_armies_dealt_to_it(game):
    lines = game.story
    for seat in range(game.match.players):
        first = next(place for place, line in enumerate(lines) if line.startswith(f"- Seat {seat}"))
        rest = next(place for place, line in enumerate(lines) if place > first and not line.startswith("  "))
        text, _, assumed = flat(lines[first:rest]).partition(". No source")
        dealt = text.partition(": ")[2]
        told = {
            county: int(group.split()[0])
            for group in dealt.split("; ")
            for county in game.match.board.counties
            if county in group
        }
        deals = [each for each in of_kind(game.lines, "deal") if each["seat"] == seat]
        assert told == {each["county"]: each["armies"] for each in deals}
        for each in deals:  # B1.3
            assert (each["county"] in assumed) == (each["source"] == "lineup-assumed")


def test_every_event_is_reported(game):
    for line in of_kind(game.lines, "event"):
        assert f"The event: {event_text(game.match, line['event'])}." in game.text
    for line in of_kind(game.lines, "year"):
        for event in line["events"]:
            loss = game.match.board.event_loss[game.match.board.events.index(event)]
            words = re.escape(sentence(event_text(game.match, event)))
            assert re.search(rf"{words} Left over[^.]* {loss or 'no'} grain\.", game.text)


def test_every_battle_is_reported_in_order_with_what_went_in_and_who_won(game):
    text, at = game.text, 0
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
    joined = aside = 0
    loyal_below = 2 if game.match.ruleset.edition == "1e" else 1  # B6.6, V6
    for state, line in game.replayed():
        if line["t"] == "battle" and line["kind"] == "player" and line["p"] > 0:
            joined += state.at(line["county"])["markers"] < loyal_below
            aside += state.at(line["county"])["markers"] >= loyal_below
    helped = r"who fights? for seat \d because .{3,20} bears (no|only 1) revolt marker"
    assert len(re.findall(helped, game.text)) == joined
    assert len(re.findall(r"who stands? aside because .{3,20} bears \d revolt markers?", game.text)) == aside


def test_every_action_has_its_entry_and_who_passes_is_named(game):
    entries = [line for line in game.story if re.match(r"   \S", line)]
    passes = [entry for entry in entries if re.match(r"   (Everyone|Seats? [\d, and]+) pass(es)?\.", entry)]
    winter_battles = [line for line in of_kind(game.lines, "battle") if line["kind"] == "winter"]
    assert len(entries) - len(passes) == len(of_kind(game.lines, "action")) + len(winter_battles)
    passing = [game.match.players if "Everyone" in entry else len(re.findall(r"\d", entry)) for entry in passes]
    cards = [card for plan in of_kind(game.lines, "plan") for card in plan["boxes"].values()]
    assert sum(passing) == sum(not (card or "").startswith("county:") for card in cards)


def test_every_county_and_every_seat_is_named_and_nothing_by_its_code_name(game):
    """But for the line on what is not the default, which names switches as an experiment file does."""
    for seat in range(game.match.players):
        assert re.search(rf"[Ss]eat {seat}\b", game.text)
    for county in {line["county"] for line in of_kind(game.lines, "deal", "action", "battle")}:
        assert county in game.text
    text = game.text.replace(settings_line(game.match.settings()), "")
    assert not any(code in text for code in ("_", "None", "money:", "{"))


def test_the_winner_and_the_final_points_are_reported(game):
    ending, end = game.text.partition("The end")[2], game.lines[-1]
    for seat in end["winners"]:
        assert re.search(rf"[Ss]eat {seat}\b", ending)
    assert ("share the win" in ending) == (len(end["winners"]) > 1)
    for points in end["vp"]:
        assert f"with {points}" in ending


def test_policies_are_named_where_they_differ():
    recorded = record(4, "lineup", 0)
    mixed = replace(recorded.match, policies=("random", "other", "random", "random"))
    text = flat(story(mixed, recorded.lines))
    assert "policy other" in text
    assert re.search(r"Seat 1 \(other\) (builds|collects|attacks|puts|moves)", text)
    same = replace(recorded.match, policies=("random",) * 4)
    assert "(random)" not in flat(story(same, recorded.lines))


def test_a_shared_win_and_a_win_by_thalers_are_explained():  # B7.6
    recorded = record(3, "lineup", 0)
    end = {"t": "end", "vp": [30, 30, 12], "thalers": [4, 7, 9], "winners": [1]}
    text = flat(story(recorded.match, [end])).replace(" (random)", "")
    for words in (
        "Seats 0 and 1 have 30 victory points each. ",
        "Thalers decide: seat 0 has 4 Thalers and seat 1 has 7 Thalers.",
        "Seat 1 wins.",
    ):
        assert words in text
    shared = flat(story(recorded.match, [{**end, "thalers": [7, 7, 9], "winners": [0, 1]}]))
    assert "share the win." in shared


@pytest.mark.parametrize("why", OUTCOMES[1:])
def test_every_reason_for_a_skipped_action_has_its_words(why):
    state = state_before(record(4, "lineup", 0))
    for action in ACTIONS if why == OUTCOMES[COUNTY_LOST] else (*BUILDINGS, "deploy1"):
        line = {"seat": 1, "action": action, "county": state.owned(1)[0], "done": False, "why": why}
        text = skipped_story(state.match, state, line)
        assert text.startswith("Seat 1")
        assert line["county"] in text
        assert text.endswith(".")


def test_what_the_first_year_leaves_behind_is_read_from_its_snapshot():  # B7.5
    """So a rule that keeps grain makes no story lie: one with other snapshots says other things."""
    recorded = record(4, "lineup", 0)
    winters = [place for place, line in enumerate(recorded.lines) if line["t"] == "winter"]
    end = next(place for place, line in enumerate(recorded.lines) if line["t"] == "state" and place > winters[3])
    assert "Grain and revolt markers are cleared away; Thalers, armies," in recorded.text
    lines = [*recorded.lines]
    lines[end] = {**lines[end], "grain": [0, 7, 0, 0]}
    assert "Revolt markers are cleared away; grain, Thalers, armies," in flat(story(recorded.match, lines))
    state = ReplayedTable(recorded.match)
    for line in lines[: end + 1]:
        state.read(line)
    assert state.grain == [0, 7, 0, 0]


# -------------------------------------------------------------------------------------------------- words

# What stories say of an action, a tile or an event's effect, with the printed amounts and with others.
WORDS = {
    "deploy5": ("deploy five armies", "deploy four armies"),
    "deploy3": ("deploy three armies", "deploy three armies"),
    "deploy1": ("deploy one army and move", "deploy two armies and move"),
    "thaler": ("an extra Thaler from taxes", "two extra Thalers from taxes"),
    "grain": ("an extra grain", "three extra grain"),
    "six_armies": ("six armies instead of five", "six armies instead of four"),
    "attack": ("an extra army when attacking", "no extra armies when attacking"),
    "defence": ("an extra army when defending", "an extra army when defending"),
    "palace_guard": ("is defended by one more army, from its owner's", "is defended by three more armies, from"),
    "tax_max_5": ("no county yields more than 5 Thalers", "no county yields more than 4 Thalers"),
    "grain_min_4": ("every county yields at least 4 grain", "every county yields at least 4 grain"),
    "neutral_guard": ("two peasants instead of one defend a neutral", "one peasant instead of none defends a neutral"),
    "small_levies": ("deploying five armies brings three, and deploying three", "deploying four armies brings three"),
}
AMOUNTS = (
    ("deploy1_armies", 2), ("deploy5_armies", 4), ("event_neutral_guard_peasants", 1), ("event_palace_guard_armies", 3),
    ("event_tax_max_thalers", 4), ("neutral_peasants", 0), ("tile_attack_armies", 0), ("tile_grain_grain", 3),
    ("tile_taxes_thalers", 2),
)  # fmt: skip


@pytest.mark.parametrize(("place", "amounts"), [(0, ()), (1, AMOUNTS)], ids=["printed", "other amounts"])
def test_there_are_words_for_all_that_can_happen_with_the_numbers_in_play(place, amounts):
    match = record(*GAMES[0]).match
    match = replace(match, ruleset=replace(match.ruleset, amounts=amounts))
    words = {action: vocabulary.action_text(match, action) for action in ACTIONS}
    words |= {tile: vocabulary.tile_text(match, tile) for tile in TILES}
    words |= {match.effect(event): event_text(match, event) for event in match.board.events}
    assert set(words) == {*ACTIONS, *TILES, *EFFECTS} - {"none"}
    wrong = {name: words[name] for name, expected in WORDS.items() if expected[place] not in words[name]}
    assert not wrong


def test_there_are_words_for_every_favor_with_the_boards_own_figures():  # E6
    match = record(*FULL).match
    words = {number: favor_text(match, number) for number in range(1, 22)}
    assert len(set(words.values())) == 21
    figures = {4: 2, 9: 7, 12: 1}
    rows = tuple({**row, "value": figures.get(row["number"], row["value"])} for row in match.board.favors)
    own = replace(match, board=replace(match.board, favors=rows))
    for number, printed, other in (
        (9, "(4 Thalers)", "(7 Thalers)"),
        (12, "(3 armies into an own or a neutral county)", "(1 army into an own or a neutral county)"),
        (18, "(no attacks on its owner by combat A or B)", "(no attacks on its owner by combat A or B)"),
    ):
        assert words[number] == f"favor {number} {printed}"
        assert favor_text(own, number) == f"favor {number} {other}"
    line = {"t": "favor", "seat": 0, "number": 4, "cost": 2, "county": None}
    assert effect_story(own, ReplayedTable(own), line).endswith("keeps the card against the next 2 revolt markers")


# ------------------------------------------------------------------- games with expansions, the first edition


def test_the_opening_names_edition_and_expansions_and_what_is_assumed(expanded):
    ruleset, opening = expanded.match.ruleset, expanded.text.partition("Year 1")[0]
    assert ("first edition" in opening) == (ruleset.edition == "1e")
    named = {"court": "Emperor's Court", "landsknechte": "Landsknechte", "leaders": "military leaders"}
    for expansion in EXPANSIONS:
        assert (named[expansion] in opening) == (expansion in ruleset.expansions)
    assumed = re.search("favors 2, 3, 5 to 9, 13 to 17 and 19 to 21 [^.]* assumed", opening)
    assert (assumed is not None) == ("court" in ruleset.expansions)


def test_the_base_game_says_nothing_of_editions_and_expansions():
    assert not re.search("edition|in play|courtier|leader of|Landsknecht", record(4, "lineup", 0).text)


def test_courtiers_of_the_first_fill_are_reported(expanded):  # E1
    out = of_kind(expanded.lines, "fill")[0]["out"]
    for seat in range(expanded.match.players):
        hall = f"seat {seat} has {out[str(seat)] or 'none'}"
        assert (hall in expanded.text.partition("Year 1")[0]) == expanded.match.plays("court")


def test_every_favor_shown_is_reported_with_its_price(expanded):  # E2
    for line in of_kind(expanded.lines, "round"):
        prices = zip(line["favors"], (4, 3, 2), strict=False)
        assert all(f"{favor_text(expanded.match, number)} for {price}" in expanded.text for number, price in prices)


def test_every_petition_is_reported_as_done_or_as_refused_with_a_reason(expanded):  # E4
    text, season, givers = expanded.text, None, set()
    for line in expanded.lines:
        if line["t"] == "round":
            season = (line["year"], line["season"])
        elif line["t"] == "convert" and line["done"]:
            givers.add((*season, line["seat"]))
    gifts = re.findall(r"gives up ([^.:]|\w\.)*? for \d+ courtiers? and has \d in the hall", text)
    assert len(gifts) == len(givers)
    refused = re.findall(r"(?:cannot give up|; nor) \d arm(?:y|ies) (?:of|in) .*?: (.*?)(?=[;]|\. )", text)
    assert len(refused) == sum(not line["done"] for line in of_kind(expanded.lines, "convert"))
    assert all(re.match(r"(there (is|are) only|only|none of its own|its supply has)", reason) for reason in refused)


@pytest.mark.parametrize(
    ("kind", "keys", "pattern"),
    [
        (
            "favor", ("seat", "cost", "number"),
            r"eat (\d) gives (?:all its )?(\d)(?: of its \d)? courtiers for favor (\d+):",
        ),
        ("landsknechte", ("seat", "card", "amount"), r"eat (\d) turns its card (\d): it (?:gets|puts) (\d)"),
    ],
)  # fmt: skip
def test_every_favor_and_landsknecht_card_is_reported_in_order(expanded, kind, keys, pattern):  # E5, L1
    found = [tuple(map(int, each)) for each in re.findall(pattern, expanded.text)]
    assert found == [tuple(line[key] for key in keys) for line in of_kind(expanded.lines, kind)]


def test_every_way_of_a_leader_is_reported_with_statues_and_trophies(expanded):  # M1, M3, M4
    lines = of_kind(expanded.lines, "leader")
    for line in lines:
        if line["from"] and line["county"]:
            way = f"he leader of seat {line['seat']} goes from {line['from']} to {line['county']}"
            assert way in expanded.text
    for pattern, number in {
        "leaves a statue behind": sum(line["statue"] for line in lines),
        "as (?:a trophy|trophies)": sum(bool(line["trophies"]) for line in lines),
        "he leader of seat . leaves the board|who stood there, leaves the board": sum(
            line["county"] is None for line in lines
        ),
        "puts its leader into|and (?:its|his) leader there|and its leader there": sum(
            line["from"] is None for line in lines
        ),
    }.items():
        assert len(re.findall(pattern, expanded.text)) == number, pattern


def test_scores_name_statues_and_trophies(expanded):  # M5
    for line in of_kind(expanded.lines, "score"):
        for source in ("statues", "trophies"):
            if line[source]:
                start = f"eat {line['seat']} scores {line['total']}"
                assert re.search(rf"{start}: .*?{line[source]} for {source}", expanded.text)


def test_the_table_tells_courtiers_leaders_and_statues(expanded):
    for state in of_kind(expanded.lines, "state")[1:4]:
        for seat in range(expanded.match.players):
            held = f"{state['hall'][seat] or 'no'} courtier{'s' if state['hall'][seat] != 1 else ''} in the hall"
            assert (held in expanded.text) == expanded.match.plays("court")
            if expanded.match.plays("leaders"):
                assert leader_text(state, seat) in expanded.text


def test_the_first_edition_draws_the_order_by_lot_and_has_no_bids(expanded):  # V1
    text, first = expanded.text, expanded.match.ruleset.edition == "1e"
    assert bool(re.search(r"takes? place \d", text)) != first
    for line in of_kind(expanded.lines, "order"):
        seats = [str(seat) for _, seat in sorted((place, seat) for seat, place, _ in line["picks"])]
        lots = rf"Lots [^.]* {', '.join(seats[:-1])} and {seats[-1]}\."
        assert (re.search(lots, text) is not None) == first
    assert ("Recruit an army" in text) == first
    assert ("Deploy one army" in text) != first
