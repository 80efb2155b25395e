"""The form of every line of a trace: its keys, and what the value of each may be.

A form is a word of `VALUES`; with a question mark the value may be None, with a star it is a list with one for each
seat, in brackets it is a list of any length. `2..5` are whole numbers, `spring|summer` words.
"""

from wallsim.rules.ruleset import SWITCHES
from wallsim.rules.terms import ACTIONS, BENEFITS, BUILDINGS, OUTCOMES, TILES


def is_sound(form, value, match):
    """Whether a value has a form."""
    if form[-1] == "?":
        return value is None or is_sound(form[:-1], value, match)
    if form[-1] == "*" or form[0] == "[":
        is_long = form[0] == "[" or len(value) == match.players
        return type(value) is list and is_long and all(is_sound(form.strip("[]*"), each, match) for each in value)
    if form in VALUES:
        return VALUES[form](value, match)
    low, is_range, high = form.partition("..")
    if is_range:
        return type(value) is int and int(low) <= value <= int(high)
    return value in form.split("|")


def is_card(value, match):
    kind, _, what = value.partition(":")
    if kind == "county":
        return what in match.board.counties
    is_for_all = value == "blank" if match.ruleset.edition == "1e" else kind == "money" and what in set("01234")
    return is_for_all or (value == "tower" and match.plays("court"))


def are_picks(value, match):
    seats, boxes, tiles = zip(*value, strict=True)
    if match.ruleset.edition == "1e":
        chosen = boxes == tuple(range(1, match.players + 1)) and set(tiles) == {None}
    else:
        chosen = len(set(boxes)) == match.players and set(boxes) <= {1, 2, 3, 4, 5} and set(tiles) <= set(TILES)
    return sorted(seats) == list(range(match.players)) and chosen


def are_majorities(value, match):
    return set(value) <= set(match.board.regions) and all(
        kinds and set(kinds) <= set(BUILDINGS) and all(is_sound("1..3", points, match) for points in kinds.values())
        for kinds in value.values()
    )


def are_owned(value, match):
    return all(name in match.board.counties and errors_of(OWNED, held, match) == [] for name, held in value.items())


def are_favors(value, match):
    if not match.plays("court"):
        return value == []
    return len(value) == 3 and value == sorted(set(value), reverse=True) and set(value) <= {*range(1, 22)}


def by(form, *keys):
    """Values of a form by these keys, in this order."""
    return lambda value, match: [*value] == [*keys] and all(is_sound(form, each, match) for each in value.values())


VALUES = {
    "whole": lambda value, match: type(value) is int,
    "amount": lambda value, match: type(value) is int and value >= 0,
    "flag": lambda value, match: type(value) is bool,
    "yes": lambda value, match: value is True,
    "edition": lambda value, match: value == match.ruleset.edition,
    "expansions": lambda value, match: value == list(match.ruleset.expansions),
    "lineups": lambda value, match: value == list(match.ruleset.letters()),
    "options": lambda value, match: list(value) == [switch.mark for switch in SWITCHES],
    "policies": lambda value, match: value == list(match.policies),
    "tower": lambda value, match: value == {"name": match.tower.name, **match.tower.numbers()},
    "seat": lambda value, match: type(value) is int and 0 <= value < match.players,
    "seats": lambda value, match: is_sound("[seat]", value, match) and value == sorted(set(value)),
    "winners": lambda value, match: value != [] and is_sound("seats", value, match),
    "attacker": lambda value, match: value == "peasants" or is_sound("seat", value, match),
    "defender": lambda value, match: value == "neutral" or is_sound("seat", value, match),
    "county": lambda value, match: value in match.board.counties,
    "statues": lambda value, match: is_sound("[county]", value, match) and len(value) <= 6,
    "event": lambda value, match: value in match.board.events,
    "events": lambda value, match: is_sound("[event]", value, match) and len(value) == 4 == len(set(value)),
    "action": lambda value, match: value in ACTIONS,
    "building": lambda value, match: value in BUILDINGS,
    "tile": lambda value, match: value in TILES,
    "benefit": lambda value, match: value in BENEFITS,
    "outcome": lambda value, match: value in OUTCOMES[1:],
    "actions": lambda value, match: sorted(value) == sorted(ACTIONS),
    "tiles": lambda value, match: sorted(value) == (sorted(TILES) if match.ruleset.edition == "2e" else []),
    "cubes": lambda value, match: by("amount", *map(str, range(match.players)), "peasants")(value, match),
    "stock": by("amount", *BUILDINGS),
    "card": is_card,
    "petition": lambda value, match: value.startswith(("county:", "tower")) and is_card(value, match),
    "bid": lambda value, match: value is None if match.ruleset.edition == "1e" else is_sound("card?", value, match),
    "boxes": by("card?", *ACTIONS),
    "court": by("card?", "3", "2", "1"),
    "picks": are_picks,
    "majorities": are_majorities,
    "points": lambda value, match: is_sound("0..30" if match.plays("leaders") else "0..0", value, match),
    "hall": lambda value, match: is_sound("0..7" if match.plays("court") else "0..0", value, match),
    "owned": are_owned,
    "favors": are_favors,
}
OWNED = "owner=seat armies=1..62 buildings=[building] markers=amount"
FORMS = {
    "game": "version=1..1 edition=edition expansions=expansions players=3..5 setup=lineup|draft lineups=lineups "
    "options=options seed=whole game=amount policies=policies tower=tower",
    "deal": "seat=seat county=county armies=2..5 source=lineup|lineup-assumed|shown|deck",
    "recycle": "seat=seat counties=[county]",
    "fill": "dropped=cubes out=cubes",
    "year": "year=1..2 events=events",
    "round": "year=1..2 season=spring|summer|fall order=actions tiles=tiles favors=favors",
    "plan": "seat=seat boxes=boxes bid=bid",
    "event": "event=event",
    "order": "picks=picks paid=amount*",
    "action": "seat=seat action=action county=county done=flag",
    "battle": "kind=player|neutral|revolt|winter attacker=attacker defender=defender county=county from=county? "
    "tray_before=cubes engaged=cubes tray_after_drop=cubes tower_after=cubes tray_after=cubes "
    "a=amount d=amount p=amount result=attacker|defender|tie survivors=amount",
    "winter": "seat=seat loss=amount grain=amount counties=amount shortage=amount revolting=[county]",
    "score": "seat=seat counties=amount buildings=amount majorities=majorities statues=points trophies=points "
    "total=amount vp=amount",
    "state": "counties=owned thalers=amount* grain=amount* vp=amount* supply=cubes tray=cubes tower=cubes stock=stock "
    "markers=amount hall=hall*",
    "landsknechte": "seat=seat card=2..4 benefit=benefit amount=amount",
    "convert": "seat=seat box=1..3 card=petition done=flag",
    "favor": "seat=seat number=1..21 cost=0..7",
    "leader": "seat=seat county=county? from=county? statue=flag trophy=seat? trophies=seats",
    "intervention": "do=trade|hand|cancel_event|tile|place",
    "end": "vp=amount* thalers=amount* winners=winners",
}
OF_INTERVENTIONS = {
    "trade": "counties=[county]",
    "hand": "seat=seat thalers=whole grain=whole vp=whole armies=whole county=county?",
    "cancel_event": "",
    "tile": "seat=seat to=tile? with=seat?",
    "place": "seat=seat with=seat",
}
OF_FAVORS = {  # by the number of the board's own favors (E6)
    1: "cancelled=flag",
    4: "county=county?",
    7: "county=county? building=trading_post calmed=flag",
    12: "county=county? amount=0..3",
    17: "county=county? building=church",
    21: "county=county? building=palace",
    **dict.fromkeys((10, 11, 18), ""),
}
OF_EXPANSIONS = {"leaders": "leaders=county?* statues=statues* trophies=amount*", "landsknechte": "top=1..4*"}
OF_EXPANSIONS |= {"court": "parry=0..1*"}


def form_of_action(line):
    """The further keys of an action line."""
    if not line["done"]:
        return "why=outcome"
    action, goal = line["action"], "to" if "to" in line else "target"
    is_deployed, is_income = action.startswith("deploy"), action in ("grain", "taxes")
    forms = {
        "paid=amount": action in BUILDINGS or is_deployed,
        "armies=amount": is_deployed,
        "calmed=flag": action == "trading_post",
        "gain=amount marker=flag": is_income,
        "parried=yes": is_income and "parried" in line,
        "forced=yes": "forced" in line,
        f"{goal}=county moved=1..62": "to" in line or action.startswith("combat"),
    }
    return " ".join(form for form, is_there in forms.items() if is_there)


def form_of(line, match):
    """The form of a line, as `key=form` for every key."""
    kind, further = line["t"], ""
    if kind == "action":
        further = form_of_action(line)
    elif kind == "favor":
        further = OF_FAVORS.get(line["number"], "amount=amount")
    elif kind == "intervention":
        further = OF_INTERVENTIONS[line["do"]]
    elif kind == "state":
        further = " ".join(form for expansion, form in OF_EXPANSIONS.items() if match.plays(expansion))
    elif kind == "plan":
        further = "court=court" if match.plays("court") else ""
    elif kind == "deal":
        further = "shown=[county]" if line["source"] in ("shown", "deck") else ""
    return f"{FORMS[kind]} {further}"


def errors_of(form, line, match):
    """The keys of a line, but for `t`, that it must not have, lacks, or has with another value."""
    forms = dict(each.partition("=")[::2] for each in form.split())
    wrong = [key for key in forms if key in line and not is_sound(forms[key], line[key], match)]
    return sorted({*wrong, *(set(line) - {"t"} ^ set(forms))})
