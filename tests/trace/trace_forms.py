"""What every line of a trace must look like: its keys, and a check of each value, given with the match."""

from functools import partial

from wallsim.rules.ruleset import SWITCHES
from wallsim.rules.terms import ACTIONS, BENEFITS, BUILDINGS, FAVORS, OUTCOMES, TILES

# ------------------------------------------------------------------------------------- checks of one value


def integer(value, match):
    return type(value) is int


def amount(value, match):
    return type(value) is int and value >= 0


def flag(value, match):
    return type(value) is bool


def seat(value, match):
    return type(value) is int and 0 <= value < match.players


def county(value, match):
    return value in match.board.counties


def card(value, match):
    kind, _, what = value.partition(":")
    if kind == "county":
        return what in match.board.counties
    if match.ruleset.edition == "1e":
        return value == "blank" or (value == "tower" and match.plays("court"))
    return (kind == "money" and what in set("01234")) or (value == "tower" and match.plays("court"))


def petition(value, match):
    return card(value, match) and value.startswith(("county:", "tower"))


def bid(value, match):
    return value is None if match.ruleset.edition == "1e" else maybe(card)(value, match)


def events(value, match):
    return len(value) == 4 == len(set(value)) and set(value) <= set(match.board.events)


def favors(value, match):
    if not match.plays("court"):
        return value == []
    return len(value) == 3 and value == sorted(set(value), reverse=True) and set(value) <= set(range(1, FAVORS + 1))


def tiles(value, match):
    return sorted(value) == (sorted(TILES) if match.ruleset.edition == "2e" else [])


def majorities(value, match):
    return set(value) <= set(match.board.regions) and all(
        kinds and set(kinds) <= set(BUILDINGS) and all(type(p) is int and 1 <= p <= 3 for p in kinds.values())
        for kinds in value.values()
    )


def picks(value, match):
    seats, boxes, chosen = zip(*value, strict=True)
    if sorted(seats) != list(range(match.players)):
        return False
    if match.ruleset.edition == "1e":
        return boxes == tuple(range(1, match.players + 1)) and set(chosen) == {None}
    return len(set(boxes)) == match.players and set(boxes) <= {1, 2, 3, 4, 5} and set(chosen) <= set(TILES)


def owned(value, match):
    form = {"owner": seat, "armies": is_from(1, 62), "buildings": each(one_of(*BUILDINGS)), "markers": amount}
    return all(
        county(name, match) and set(held) == set(form) and all(form[key](held[key], match) for key in form)
        for name, held in value.items()
    )


# --------------------------------------------------------------------------------------- checks of any kind


def maybe(check):
    return lambda value, match: value is None or check(value, match)


def each(check):
    return lambda value, match: type(value) is list and all(check(one, match) for one in value)


def per_seat(check):
    return lambda value, match: each(check)(value, match) and len(value) == match.players


def one_of(*values):
    return lambda value, match: any(value == allowed and type(value) is type(allowed) for allowed in values)


def is_from(low, high):
    return one_of(*range(low, high + 1))


def where(expansion, most):
    """An amount, which is 0 without an expansion."""
    return lambda value, match: is_from(0, most if match.plays(expansion) else 0)(value, match)


def by(keys, check):
    """An object that has these keys in this order."""
    return lambda value, match: list(value) == list(keys) and all(check(one, match) for one in value.values())


def same_as(of_match):
    return lambda value, match: value == of_match(match)


def cubes(value, match):
    return by([*map(str, range(match.players)), "peasants"], amount)(value, match)


# ------------------------------------------------------------------------------------- the lines of each kind

# By check the keys of a line of each kind.
FORMS = {
    "game": {
        one_of(1): "version",
        same_as(lambda match: match.ruleset.edition): "edition",
        same_as(lambda match: [*match.ruleset.expansions]): "expansions",
        one_of(3, 4, 5): "players",
        one_of("lineup", "draft"): "setup",
        same_as(lambda match: [*match.ruleset.letters()]): "lineups",
        (lambda value, match: [*value] == [switch.mark for switch in SWITCHES]): "options",
        integer: "seed",
        amount: "game",
        same_as(lambda match: [*match.policies]): "policies",
        same_as(lambda match: {"name": match.tower.name, **match.tower.numbers()}): "tower",
    },
    "deal": {
        seat: "seat",
        county: "county",
        is_from(2, 5): "armies",
        one_of("lineup", "lineup-assumed", "shown", "deck"): "source",
    },
    "recycle": {seat: "seat", each(county): "counties"},
    "fill": {cubes: "dropped out"},
    "year": {one_of(1, 2): "year", events: "events"},
    "round": {
        one_of(1, 2): "year",
        one_of("spring", "summer", "fall"): "season",
        (lambda value, match: sorted(value) == sorted(ACTIONS)): "order",
        tiles: "tiles",
        favors: "favors",
    },
    "plan": {seat: "seat", by(ACTIONS, maybe(card)): "boxes", bid: "bid"},
    "event": {(lambda value, match: value in match.board.events): "event"},
    "order": {picks: "picks", per_seat(amount): "paid"},
    "action": {seat: "seat", one_of(*ACTIONS): "action", county: "county", flag: "done"},
    "battle": {
        one_of("player", "neutral", "revolt", "winter"): "kind",
        (lambda value, match: value == "peasants" or seat(value, match)): "attacker",
        (lambda value, match: value == "neutral" or seat(value, match)): "defender",
        county: "county",
        cubes: "tray_before engaged tray_after_drop tower_after tray_after",
        amount: "a d p survivors",
        one_of("attacker", "defender", "tie"): "result",
        maybe(county): "from",
    },
    "winter": {seat: "seat", amount: "loss grain counties shortage", each(county): "revolting"},
    "score": {
        seat: "seat",
        amount: "counties buildings total vp",
        majorities: "majorities",
        where("leaders", 30): "statues trophies",
    },
    "state": {
        owned: "counties",
        per_seat(amount): "thalers grain vp",
        cubes: "supply tray tower",
        by(BUILDINGS, amount): "stock",
        amount: "markers",
        per_seat(where("court", 7)): "hall",
    },
    "landsknechte": {seat: "seat", one_of(2, 3, 4): "card", one_of(*BENEFITS): "benefit", amount: "amount"},
    "convert": {seat: "seat", one_of(3, 2, 1): "box", petition: "card", flag: "done"},
    "favor": {seat: "seat", is_from(1, FAVORS): "number", is_from(0, 7): "cost"},
    "leader": {
        seat: "seat",
        maybe(county): "county from",
        flag: "statue",
        maybe(seat): "trophy",
        (lambda value, match: each(seat)(value, match) and value == sorted(set(value))): "trophies",
    },
    "intervention": {one_of("trade", "hand", "cancel_event", "tile", "place"): "do"},
    "end": {per_seat(amount): "vp thalers", (lambda value, match: value and each(seat)(value, match)): "winners"},
}
INTERVENTIONS = {
    "trade": {each(county): "counties"},
    "hand": {seat: "seat", integer: "thalers grain vp armies", maybe(county): "county"},
    "cancel_event": {},
    "tile": {seat: "seat", maybe(one_of(*TILES)): "to", maybe(seat): "with"},
    "place": {seat: "seat with"},
}


def action_form(line):
    """The further keys of an action line."""
    if not line["done"]:
        return {one_of(*OUTCOMES[1:]): "why"}
    action, goal = line["action"], "to" if "to" in line else "target"
    is_deployed, is_income = action.startswith("deploy"), action in ("grain", "taxes")
    return {
        amount: ["paid"] * (action in BUILDINGS or is_deployed) + ["armies"] * is_deployed + ["gain"] * is_income,
        flag: ["calmed"] * (action == "trading_post") + ["marker"] * is_income,
        one_of(True): [name for name in ("parried" if is_income else "", "forced") if name in line],
        **({county: [goal], is_from(1, 62): ["moved"]} if "to" in line or action.startswith("combat") else {}),
    }


def favor_form(line):
    """The further keys of a favor line, by the number of the board's own favors (E6)."""
    number = line["number"]
    if number == 1:
        return {flag: "cancelled"}
    if number in (7, 17, 21):
        kind = {7: "trading_post", 17: "church", 21: "palace"}[number]
        return {maybe(county): "county", one_of(kind): "building", flag: "calmed" if number == 7 else ""}
    if number in (4, 12):
        return {maybe(county): "county", is_from(0, 3): "amount" if number == 12 else ""}
    return {} if number in (10, 11, 18) else {amount: "amount"}


def state_form(match):
    """The further keys of a state line where expansions are in play."""

    def six_statues(value, match):
        return each(county)(value, match) and len(value) <= 6

    return {
        per_seat(maybe(county)): "leaders" if match.plays("leaders") else "",
        per_seat(six_statues): "statues" if match.plays("leaders") else "",
        per_seat(amount): "trophies" if match.plays("leaders") else "",
        per_seat(is_from(1, 4)): "top" if match.plays("landsknechte") else "",
        per_seat(is_from(0, 1)): "parry" if match.plays("court") else "",
    }


def form_of(line, match):
    """The check of each key that a line must have."""
    further = {
        "action": partial(action_form, line),
        "favor": partial(favor_form, line),
        "intervention": lambda: INTERVENTIONS[line["do"]],
        "state": partial(state_form, match),
        "plan": lambda: {by("321", maybe(card)): "court" if match.plays("court") else ""},
        "deal": lambda: {each(county): "shown" if line["source"] in ("shown", "deck") else ""},
    }
    forms = (FORMS[line["t"]], further.get(line["t"], dict)())
    return {
        key: check
        for form in forms
        for check, keys in form.items()
        for key in (keys.split() if isinstance(keys, str) else keys)
    }
