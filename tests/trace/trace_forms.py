"""What every line of a trace must look like: its keys, and a check of each value."""

from types import SimpleNamespace

from wallsim.rules.ruleset import SWITCHES
from wallsim.rules.terms import ACTIONS, BENEFITS, BUILDINGS, FAVORS, OUTCOMES, TILES


def is_card(value, match):
    if value is None:
        return True
    kind, _, what = value.partition(":")
    if kind == "county":
        return what in match.board.counties
    if match.ruleset.edition == "1e" and value == "blank":
        return True
    money = match.ruleset.edition == "2e" and kind == "money" and what in set("01234")
    return money or (value == "tower" and match.plays("court"))


def are_majorities(value, match):
    return set(value) <= set(match.board.regions) and all(
        kinds and set(kinds) <= set(BUILDINGS) and all(type(p) is int and 1 <= p <= 3 for p in kinds.values())
        for kinds in value.values()
    )


def are_picks(value, match):
    seats, boxes, tiles = zip(*value, strict=True)
    if match.ruleset.edition == "1e":
        chosen = boxes == tuple(range(1, match.players + 1)) and set(tiles) == {None}
    else:
        chosen = len(set(boxes)) == match.players and set(boxes) <= {1, 2, 3, 4, 5} and set(tiles) <= set(TILES)
    return sorted(seats) == list(range(match.players)) and chosen


def are_owned(value, match):
    return all(
        Form.county(name, match)
        and set(county) == {"owner", "armies", "buildings", "markers"}
        and Form.seat(county["owner"], match)
        and type(county["armies"]) is int
        and county["armies"] >= 1
        and set(county["buildings"]) <= set(BUILDINGS)
        and Form.amount(county["markers"], match)
        for name, county in value.items()
    )


def are_favors(value, match):
    if not match.plays("court"):
        return value == []
    return len(value) == 3 and value == sorted(set(value), reverse=True) and set(value) <= set(range(1, FAVORS + 1))


# What the values of a line may be; every check takes the value and the match.
Form = SimpleNamespace(
    integer=lambda value, match: type(value) is int,
    amount=lambda value, match: type(value) is int and value >= 0,
    flag=lambda value, match: type(value) is bool,
    seat=lambda value, match: type(value) is int and 0 <= value < match.players,
    seats=lambda value, match: value == sorted(set(value)) and all(Form.seat(seat, match) for seat in value),
    maybe_seat=lambda value, match: value is None or Form.seat(value, match),
    per_seat=lambda value, match: (
        type(value) is list and len(value) == match.players and all(Form.amount(each, match) for each in value)
    ),
    county=lambda value, match: value in match.board.counties,
    counties=lambda value, match: type(value) is list and all(name in match.board.counties for name in value),
    maybe_county=lambda value, match: value is None or value in match.board.counties,
    maybe_tile=lambda value, match: value is None or value in TILES,
    events=lambda value, match: len(value) == 4 == len(set(value)) and set(value) <= set(match.board.events),
    cubes=lambda value, match: (
        list(value) == [*map(str, range(match.players)), "peasants"]
        and all(Form.amount(number, match) for number in value.values())
    ),
    card=is_card,
    bid=lambda value, match: value is None if match.ruleset.edition == "1e" else is_card(value, match),
    court=lambda value, match: list(value) == ["3", "2", "1"] and all(is_card(card, match) for card in value.values()),
    boxes=lambda value, match: list(value) == list(ACTIONS) and all(is_card(card, match) for card in value.values()),
    majorities=are_majorities,
    picks=are_picks,
    owned=are_owned,
    favors=are_favors,
    hall=lambda value, match: (
        len(value) == match.players
        and all(type(each) is int and 0 <= each <= (7 if match.plays("court") else 0) for each in value)
    ),
    points=lambda value, match: type(value) is int and 0 <= value <= (30 if match.plays("leaders") else 0),
    places=lambda value, match: len(value) == match.players and all(Form.maybe_county(each, match) for each in value),
    statues=lambda value, match: (
        len(value) == match.players and all(len(row) <= 6 and Form.counties(row, match) for row in value)
    ),
    stock=lambda value, match: (
        list(value) == list(BUILDINGS) and all(Form.amount(number, match) for number in value.values())
    ),
)


def is_one_of(*values):
    return lambda value, match: any(value == allowed and type(value) is type(allowed) for allowed in values)


def per_seat_of(*values):
    return lambda value, match: len(value) == match.players and all(type(v) is int and v in values for v in value)


def is_permutation_of(values):
    return lambda value, match: sorted(value) == sorted(values)


FORMS = {
    "game": {
        "version": is_one_of(1),
        "edition": lambda value, match: value == match.ruleset.edition,
        "expansions": lambda value, match: value == list(match.ruleset.expansions),
        "players": is_one_of(3, 4, 5),
        "setup": is_one_of("lineup", "draft"),
        "lineups": lambda value, match: value == list(match.ruleset.letters()),
        "options": lambda value, match: list(value) == [switch.mark for switch in SWITCHES],
        "seed": Form.integer,
        "game": Form.amount,
        "policies": lambda value, match: value == list(match.policies),
        "tower": lambda value, match: value == {"name": match.tower.name, **match.tower.numbers()},
    },
    "deal": {
        "seat": Form.seat,
        "county": Form.county,
        "armies": is_one_of(2, 3, 4, 5),
        "source": is_one_of("lineup", "lineup-assumed", "shown", "deck"),
    },
    "recycle": {"seat": Form.seat, "counties": Form.counties},
    "fill": {"dropped": Form.cubes, "out": Form.cubes},
    "year": {"year": is_one_of(1, 2), "events": Form.events},
    "round": {
        "year": is_one_of(1, 2),
        "season": is_one_of("spring", "summer", "fall"),
        "order": is_permutation_of(ACTIONS),
        "tiles": lambda value, match: sorted(value) == (sorted(TILES) if match.ruleset.edition == "2e" else []),
        "favors": Form.favors,
    },
    "plan": {"seat": Form.seat, "boxes": Form.boxes, "bid": Form.bid},
    "event": {"event": lambda value, match: value in match.board.events},
    "order": {"picks": Form.picks, "paid": Form.per_seat},
    "action": {"seat": Form.seat, "action": is_one_of(*ACTIONS), "county": Form.county, "done": Form.flag},
    "battle": {
        "kind": is_one_of("player", "neutral", "revolt", "winter"),
        "attacker": lambda value, match: value == "peasants" or Form.seat(value, match),
        "defender": lambda value, match: value == "neutral" or Form.seat(value, match),
        "county": Form.county,
        "tray_before": Form.cubes,
        "engaged": Form.cubes,
        "tray_after_drop": Form.cubes,
        "tower_after": Form.cubes,
        "a": Form.amount,
        "d": Form.amount,
        "p": Form.amount,
        "result": is_one_of("attacker", "defender", "tie"),
        "survivors": Form.amount,
        "tray_after": Form.cubes,
        "from": Form.maybe_county,
    },
    "winter": {
        "seat": Form.seat,
        "loss": Form.amount,
        "grain": Form.amount,
        "counties": Form.amount,
        "shortage": Form.amount,
        "revolting": Form.counties,
    },
    "score": {
        "seat": Form.seat,
        "counties": Form.amount,
        "buildings": Form.amount,
        "majorities": Form.majorities,
        "statues": Form.points,
        "trophies": Form.points,
        "total": Form.amount,
        "vp": Form.amount,
    },
    "state": {
        "counties": Form.owned,
        "thalers": Form.per_seat,
        "grain": Form.per_seat,
        "vp": Form.per_seat,
        "supply": Form.cubes,
        "tray": Form.cubes,
        "tower": Form.cubes,
        "stock": Form.stock,
        "markers": Form.amount,
        "hall": Form.hall,
    },
    "landsknechte": {
        "seat": Form.seat,
        "card": is_one_of(2, 3, 4),
        "benefit": is_one_of(*BENEFITS),
        "amount": Form.amount,
    },
    "convert": {
        "seat": Form.seat,
        "box": is_one_of(3, 2, 1),
        "card": lambda value, match: value is not None and value.startswith(("county:", "tower")),
        "done": Form.flag,
    },
    "favor": {"seat": Form.seat, "number": is_one_of(*range(1, FAVORS + 1)), "cost": is_one_of(*range(8))},
    "leader": {
        "seat": Form.seat,
        "county": Form.maybe_county,
        "from": Form.maybe_county,
        "statue": Form.flag,
        "trophy": Form.maybe_seat,
        "trophies": Form.seats,
    },
    "intervention": {"do": lambda value, match: value in INTERVENTIONS},
    "end": {
        "vp": Form.per_seat,
        "thalers": Form.per_seat,
        "winners": lambda value, match: value and all(Form.seat(seat, match) for seat in value),
    },
}


INTERVENTIONS = {
    "trade": {"counties": Form.counties},
    "hand": {
        "seat": Form.seat,
        "thalers": Form.integer,
        "grain": Form.integer,
        "vp": Form.integer,
        "armies": Form.integer,
        "county": Form.maybe_county,
    },
    "cancel_event": {},
    "tile": {"seat": Form.seat, "to": Form.maybe_tile, "with": Form.maybe_seat},
    "place": {"seat": Form.seat, "with": Form.seat},
}


def action_form(line):
    """The further keys of an action line."""
    if not line["done"]:
        return {"why": is_one_of(*OUTCOMES[1:])}
    action, form = line["action"], {}
    if action in BUILDINGS or action.startswith("deploy"):
        form["paid"] = Form.amount
    if action == "trading_post":
        form["calmed"] = Form.flag
    if action in ("grain", "taxes"):
        form |= {"gain": Form.amount, "marker": Form.flag}
        if "parried" in line:
            form["parried"] = is_one_of(True)
    if "forced" in line:
        form["forced"] = is_one_of(True)
    if action.startswith("deploy"):
        form["armies"] = Form.amount
    if "to" in line or action.startswith("combat"):
        goal = "to" if "to" in line else "target"
        form |= {goal: Form.county, "moved": lambda value, match: type(value) is int and value >= 1}
    return form


def favor_form(line):
    """The further keys of a favor line, by the number of the board's own favors (E6)."""
    number = line["number"]
    if number == 1:
        return {"cancelled": Form.flag}
    if number == 4:
        return {"county": Form.maybe_county}
    if number in (7, 17, 21):
        kind = {7: "trading_post", 17: "church", 21: "palace"}[number]
        form = {"county": Form.maybe_county, "building": is_one_of(kind)}
        return {**form, "calmed": Form.flag} if number == 7 else form
    if number == 12:
        return {"county": Form.maybe_county, "amount": is_one_of(0, 1, 2, 3)}
    return {} if number in (10, 11, 18) else {"amount": Form.amount}


def state_form(match):
    """The further keys of a state line where expansions are in play."""
    form = {}
    if match.plays("leaders"):
        form |= {"leaders": Form.places, "statues": Form.statues, "trophies": Form.per_seat}
    if match.plays("landsknechte"):
        form["top"] = per_seat_of(1, 2, 3, 4)
    if match.plays("court"):
        form["parry"] = per_seat_of(0, 1)
    return form


def form_of(line, match):
    form = dict(FORMS[line["t"]])
    if line["t"] == "action":
        form |= action_form(line)
    if line["t"] == "favor":
        form |= favor_form(line)
    if line["t"] == "intervention":
        form |= INTERVENTIONS[line["do"]]
    if line["t"] == "state":
        form |= state_form(match)
    if line["t"] == "plan" and match.plays("court"):
        form["court"] = Form.court
    if line["t"] == "deal" and line["source"] in ("shown", "deck"):
        form["shown"] = Form.counties
    return form
