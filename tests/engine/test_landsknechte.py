"""The Landsknechte in recorded games: who draws, when, and what the cards do from year to year (L)."""

from collections import Counter

import pytest

from tests.engine.chronicle import chronicles, rounds
from tests.naive import landsknechte
from tests.naive.rng import JIT
from wallsim.rules.ruleset import Ruleset

GAMES = 30 if JIT else 1
PLAYED = [
    Ruleset(players=3, setup="draft", expansions=("landsknechte",)),
    Ruleset(players=5, edition="1e", expansions=("landsknechte",)),
    Ruleset(players=4, expansions=("court", "landsknechte", "leaders")),
]
variants = pytest.mark.parametrize("rules", PLAYED, ids=lambda rules: f"{rules.players} players, {rules.edition}")


@variants
def test_who_holds_four_regions_after_player_order_draws_and_nobody_else(rules):  # L1
    seen = Counter()
    for season in rounds(rules, GAMES):
        table = season.before
        entitled = [seat for seat in season.turn if len(landsknechte.regions_of(table, seat)) >= 4]
        assert [line["seat"] for line in season.of("landsknechte")] == entitled  # in player order
        seen.update({True: len(entitled), False: rules.players - len(entitled)})
        kinds = [line["t"] for line in season.lines]
        for line in ("convert", "favor", "action", "battle"):
            if "landsknechte" in kinds and line in kinds:
                assert max(n for n, kind in enumerate(kinds) if kind == "landsknechte") < kinds.index(line)
        assert "landsknechte" not in kinds[: kinds.index("order")]
    if JIT:
        assert min(seen.values()) > 0


@variants
def test_cards_come_in_their_order_and_bring_what_is_printed_on_them(rules):  # L1 L2
    tops, benefits = Counter(), Counter()
    for season in rounds(rules, GAMES):
        if season.number in (0, 4):
            assert {player.banner for player in season.before.players.values()} == {1}  # L2
        for line in season.of("landsknechte"):
            seat = line["seat"]
            before, after = season.before.players[seat].banner, season.after.players[seat].banner
            assert line["card"] == before + 1 == after
            printed = landsknechte.shown_on_top(season.after, seat)
            assert line["amount"] == printed[line["benefit"]] or line["benefit"] == "tray_armies"
            assert 0 < line["amount"] <= printed[line["benefit"]]
            tops[line["card"]] += 1
            benefits[line["benefit"]] += 1
        still = [seat for seat in season.turn if seat not in {line["seat"] for line in season.of("landsknechte")}]
        assert all(season.before.players[seat].banner == season.after.players[seat].banner for seat in still)
    if JIT:
        assert set(tops) == {2, 3, 4}  # at most three rounds a year: the empty banner never returns within one
        assert set(benefits) == set(landsknechte.BENEFITS)


@variants
def test_after_winter_the_empty_banner_lies_on_top_again(rules):  # L2
    turned = 0
    for game in chronicles(rules, GAMES):
        for season in (game.seasons[3], game.seasons[7]):
            turned += sum(player.banner > 1 for player in season.before.players.values())
            assert {player.banner for player in season.after.players.values()} == {1}
    assert turned > 0 or not JIT
