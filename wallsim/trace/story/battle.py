"""Battles and revolts in words: what went in, what lay in the tray, who won and why (B6)."""

from __future__ import annotations

from wallsim.trace.match import Match
from wallsim.trace.replayed_table import PEASANTS, Line, ReplayedTable
from wallsim.trace.story.vocabulary import (
    BUILDING,
    actor,
    armies,
    cubes,
    in_letters,
    listing,
    present,
    sentence,
    some,
    verb,
)

_GUARD = {"tile": "for its tile", "palace": "for the palace"}  # what calls an extra defender


def attack_story(match: Match, state: ReplayedTable, action: Line, battle: Line) -> str:
    """An attack, from the table before it (B6.2, B6.3)."""
    seat, county = action["seat"], battle["county"]
    force = armies(action["moved"])
    extra = battle["engaged"][str(seat)] - action["moved"]
    if extra > 0:
        force += f" and the extra {in_letters(extra)} of its tile"
    if battle["kind"] == "neutral":
        peasants = battle["engaged"][PEASANTS]
        text = f"{actor(match, seat)} attacks {county}, which is neutral, from {action['county']} with {force}; "
        text += f"{some(peasants, 'peasant')} {verb(peasants, 'defend')} it"
        fighters = [str(seat), PEASANTS]
    else:
        defender = f"seat {battle['defender']}"
        text = f"{actor(match, seat)} attacks {county} of {defender} from {action['county']} with {force}; "
        text += f"{defender} defends with {_defenders(state, battle)}"
        fighters = [str(seat), str(battle["defender"])]
    return " ".join(map(sentence, [text, *_drop(state, battle, fighters), _outcome(state, battle)]))


def revolt_story(state: ReplayedTable, battle: Line, hunger: int = 0) -> str:
    """A revolt, from the peasants who rise to what remains; in winter `hunger` of them are extra (B6.4, A15, A16)."""
    county, seat = battle["county"], str(battle["defender"])
    markers, peasants = state.at(county)["markers"], battle["engaged"][PEASANTS]
    rules = state.match.ruleset
    of_markers = state.match.amount("revolt_peasants") * markers
    own = not hunger and rules.edition == "1e" and rules.revolting_markers == "with_own"
    if hunger:
        text = f"{county}: {some(peasants, 'peasant')} {verb(peasants, 'rise')}"
        text += (
            f", {hunger} for the hunger and {of_markers} for the revolt {_marker(markers)} there," if markers else ""
        )
    else:
        text = f"{markers} revolt {_marker(markers)} {'lies' if markers == 1 else 'lie'} there already"
        text += " and one more is about to be placed" if own else ""
        text += f", so {some(peasants, 'peasant')} {verb(peasants, 'rise')}"
    due = state.match.amount("revolt_peasants") * (markers + own) + hunger
    if peasants < due:
        text = text.rstrip(",") + f" instead of {due}, for the common supply has no more,"
    text += f" against {_fighters(state, battle)}{_helpers(state, battle)} of seat {seat}"
    score, aside = f"{battle['d']} against {battle['p']}", state.aside(battle)
    if battle["result"] == "defender":
        end = f"{score}: the revolt is put down and {_stay(battle['survivors'], aside)}"
    elif battle["result"] == "tie":
        end = f"level, {score}, which does not save the county: {_lost(state, county)}{_dismissed(state, battle)}"
    else:
        end = f"{score}: the peasants win and {_lost(state, county)}{_dismissed(state, battle)}"
    return " ".join(map(sentence, [text, *_drop(state, battle, [seat, PEASANTS]), end]))


def _marker(number: int) -> str:
    return "marker" if number == 1 else "markers"


def _fighters(state: ReplayedTable, battle: Line) -> str:
    """The armies that a county's owner sends into battle: in the first edition perhaps not all (V5)."""
    fighting, _ = state.defenders(battle)
    aside = state.aside(battle)
    return f"{fighting} of the {armies(fighting + aside)}" if aside else armies(fighting)


def _defenders(state: ReplayedTable, battle: Line) -> str:
    """The garrison and what tile and palace add, or why they add nothing (B4.4, B6.2)."""
    there = " there" if state.aside(battle) else ""
    return f"{_fighters(state, battle)}{there}{_helpers(state, battle)}"


def _helpers(state: ReplayedTable, battle: Line) -> str:
    """What tile and palace add to a garrison, or why they add nothing; empty where neither calls (B4.4, B6.2, A15)."""
    _, extra = state.defenders(battle)
    calls = state.guards(battle)
    if not calls:
        return ""
    why = ", because its supply is empty" if extra < sum(calls.values()) else ""
    return f" and {extra or 'none'} more {listing(_GUARD[call] for call in calls)}{why}"


def _drop(state: ReplayedTable, battle: Line, fighters: list[str]) -> list[str]:
    """What the tray held, what fell out of the tower, and whose side the peasants take (B6.5, B6.6)."""
    before, fallen = present(battle["tray_before"]), battle["tray_after_drop"]
    text = [f"the tray adds {cubes(before)}"] if before else []
    peasants = fallen[PEASANTS]
    if PEASANTS not in fighters and peasants:
        markers = state.at(battle["county"])["markers"]
        defender = f"seat {battle['defender']}"
        loyal = state.is_loyal(battle["county"])
        side = f"fight for {defender}" if loyal else "stand aside"
        if peasants == 1:
            side = side.replace("stand", "stands").replace("fight", "fights")
        borne = f"{'only ' if loyal and markers else ''}{markers or 'no'} revolt {_marker(markers or 1)}"
        aside = f", who {side} because {battle['county']} bears {borne}"
        fighters = [*fighters, PEASANTS]
    else:
        aside = ""
    out = f"the tower lets out {cubes({colour: fallen[colour] for colour in fighters})}{aside}"
    others = {colour: number for colour, number in present(fallen).items() if colour not in fighters}
    if others:
        out += f"; {cubes(others)} {verb(sum(others.values()), 'come')} out too"
    return [*text, out]


def _outcome(state: ReplayedTable, battle: Line) -> str:
    """Who stood against whom, and what became of the county (B6.7 to B6.9)."""
    county, attackers, own, peasants = battle["county"], battle["a"], battle["d"], battle["p"]
    attacker = f"seat {battle['attacker']}"
    if battle["kind"] == "neutral":
        if battle["result"] != "attacker":
            return f"{attackers} against {peasants}: {county} stays neutral"
        return f"{attackers} against {peasants}: {attacker} takes {county} and {_stay(battle['survivors'])}"
    defender = f"seat {battle['defender']}"
    against = own + (peasants if state.is_loyal(county) else 0)
    score, aside = f"{attackers} against {against}", state.aside(battle)
    if battle["result"] == "attacker":
        built = state.at(county)["buildings"]
        prize = f" with its {listing(BUILDING[kind] for kind in built)}" if built else ""
        return f"{score}: {attacker} takes {county}{prize} and {_stay(battle['survivors'])}{_dismissed(state, battle)}"
    if battle["result"] == "defender":
        return f"{score}: {defender} holds {county} and {_stay(battle['survivors'], aside)}"
    if attackers == against:
        return f"level, {score}, so nobody keeps the county: {_lost(state, county)}{_dismissed(state, battle)}"
    left = f"no army of {defender} that fought is" if aside else f"no army of {defender} is"
    text = f"{score}: the attack fails, but {left} left to hold it: {_lost(state, county)}"
    return text + _dismissed(state, battle)


def _lost(state: ReplayedTable, county: str) -> str:
    built = state.at(county)["buildings"]
    losing = f" and loses its {listing(BUILDING[kind] for kind in built)}" if built else ""
    return f"{county} becomes neutral{losing}"


def _stay(survivors: int, aside: int = 0) -> str:
    if not survivors:
        return f"only the {_stood_aside(aside)} {verb(aside, 'stay')} there"
    others = f" with the {aside} that stood aside" if aside else ""
    return f"{armies(survivors)} {verb(survivors, 'stay')} there{others}"


def _dismissed(state: ReplayedTable, battle: Line) -> str:
    """What becomes of armies that stood aside when their county is lost (V5)."""
    aside = state.aside(battle)
    home = f"to the supply of seat {battle['defender']}"
    return f"; the {_stood_aside(aside)} {verb(aside, 'return')} {home}" if aside else ""


def _stood_aside(aside: int) -> str:
    return f"{armies(aside)} that stood aside"
