"""A text never gets more errors for knowing less: whatever of a game is left out, nothing else becomes wrong."""

import random
import re
from dataclasses import replace

import pytest

from tests.trace.recorded import EXPANDED, GAMES, name_of
from tests.trace.test_game_text import FOUR, checked, game_of, mutated
from wallsim.trace.game_text.model import OwnedCounty
from wallsim.trace.game_text.writing import text_of

SEASON = re.compile(r"^(start|end|(spring|summer|fall|winter) [12])$")
RULES = re.compile(r"^(players|edition|expansions|changed):")  # what is played is no note
SIDES = re.compile(r"^([0-9]+):([0-9]+)(n?!?)$")


def complete(game):
    """A text that notes everything, also what people report without a photo."""
    typed = game_of(game)
    early, end = typed.sections["winter 1"].rows, typed.sections["winter 2"].rows
    most = [max(row.vp for row in rows.values()) for rows in (early, end)]
    led, won = ([seat for seat, row in rows.items() if row.vp == best] for rows, best in zip((early, end), most))  # noqa: B905
    owned = [OwnedCounty(seat, end[seat].holdings[0].county) for seat in end if end[seat].holdings]
    names = dict(enumerate(("Anna", "Ben Smith", "Cleo", "Dora", "Emil")[: typed.players]))
    lines = text_of(replace(typed, led=tuple(led), won=tuple(won[:1]), owned=owned, names=names)).splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("led:"))
    scores = ", ".join(f"{names[seat]} {end[seat].vp}" for seat in names)
    return [*lines[:at], f"scores: {scores}", f"led: {', '.join(names[seat] for seat in led)}", *lines[at + 1 :]]


def without_some(line, rng):
    """A line with a note of it left out, or None for the line left out as a whole."""
    words = line.split(" ")
    if rng.random() < 0.3 or line.startswith(("game:", "tower:")) or not line:
        return None if line else line
    if " x " in line:
        return battle_with_less(line, rng)
    if "=" in line or " actions: " in line or " tiles: " in line:
        head, _, rest = line.partition(" " + words[3] if "=" in line else ": ")
        parts = (words[3] + rest if "=" in line else rest).split(", ")
        parts[rng.randrange(len(parts))] = rng.choice(["", "?"]) if "=" not in line else ""
        if "=" in line and rng.random() < 0.5:
            parts = (words[3] + rest).split(", ")
            at = rng.randrange(len(parts))
            parts[at] = parts[at].partition("=")[0] + rng.choice(["=", "=?"])
        joined = ", ".join(part for part in parts if part)
        return f"{head} {joined}".rstrip() if "=" in line else f"{head}: {joined}"
    if re.match(r"^(events|scores|led|won|owned): ", line):
        key, _, rest = line.partition(": ")
        parts = rest.split(", ")
        parts.pop(rng.randrange(len(parts)))
        return f"{key}: {', '.join(parts)}" if parts else None
    return row_with_less(words, rng)


def row_with_less(words, rng):
    """The line of a seat with a word left out, or a number or a mark of it."""
    if "line-up" in words and rng.random() < 0.5:
        at = words.index("line-up")
        return " ".join(words[:at] + words[at + 2 :])
    places = [number for number, word in enumerate(words) if number and word not in ("line-up", *"ABCDE")]
    if not places or words[0] not in "ABCDE" or len(words[0]) > 1:
        return None
    at = rng.choice(places)
    word = words[at]
    number = re.search(r"[0-9]+|\?", word)
    less = ["", word.rstrip("!"), re.sub(r"[0-9]+", "?", word)]
    if number and number.end() < len(word) and not re.match(r"[0-9?]", word):
        less.append(word[: number.end()])  # without buildings
    elif number and not re.match(r"[0-9?]", word):
        less.append(word[: number.start()])  # without its armies
    words[at] = rng.choice(less)
    return " ".join(each for each in words if each)


def battle_with_less(line, rng):
    """The line of a battle with a part left out."""
    before, _, after = line.partition(" x ")
    season = re.match(r"^(end|[a-z]+ [12]) ?", before)[0] if re.match(r"^(end|[a-z]+ [12]) ?", before) else ""
    attacker, words = before[len(season) :], after.split(" ")
    part = rng.randrange(5)
    if part == 0:
        season = ""
    elif part == 1:
        attacker = rng.choice(["", "?"])
    else:
        at = rng.randrange(len(words))
        sides = SIDES.match(words[at])
        words[at] = rng.choice(["", f"?:{sides[2]}{sides[3]}", f"{sides[1]}:?{sides[3]}"]) if sides else ""
    return " ".join(each for each in (season.strip(), attacker, "x", *words) if each)


def knows_less(lines, rng):
    """The lines with some notes left out, single ones and whole season ends."""
    found, skipped = [], False
    for line in lines:
        if SEASON.match(line) or line in ("battles", "plans", ""):
            skipped = bool(SEASON.match(line)) and rng.random() < 0.2
            found += [] if skipped else [line]
        elif not skipped:
            less = without_some(line, rng) if not RULES.match(line) and rng.random() < 0.3 else line
            found += [] if less is None else [less]
    return found


def errors_of(lines):
    return len(checked("\n".join(lines))[1])


@pytest.mark.parametrize("game", [*GAMES[:3], *EXPANDED[:3]], ids=name_of)
def test_a_complete_text_gets_no_errors_for_what_is_left_out(game):
    lines, rng = complete(game), random.Random(11)
    assert errors_of(lines) == 0
    for _ in range(25):
        less = lines
        for _ in range(rng.randint(1, 4)):
            less = knows_less(less, rng)
            found = checked("\n".join(less))[1]
            assert found == [], "\n".join([*less, *map(str, found)])


def holds_for_wrong_texts(number, seed):
    """How many texts were wrong, in which no note is there twice; all get no more errors without a line."""
    rng, wrong = random.Random(seed), 0
    lines = complete(FOUR)
    for _ in range(number):
        text = mutated("\n".join(lines), rng).splitlines()
        errors = checked("\n".join(text))[1]
        if any("already; write" in each.message for each in errors):
            continue  # of what is there twice, either may be the one that is left out
        before = len(errors)
        at = rng.randrange(len(text))
        if RULES.match(text[at]) or SEASON.match(text[at]) or text[at] in ("battles", "plans", ""):
            continue
        less = text[:at] + text[at + 1 :]
        assert errors_of(less) <= before, "\n".join(text)
        wrong += before > 0
    return wrong


def test_a_wrong_text_gets_no_more_errors_without_a_line_of_it():
    assert holds_for_wrong_texts(60, 4) > 20


@pytest.mark.slow
def test_a_thousand_wrong_texts_get_no_more_errors_without_a_line():
    assert holds_for_wrong_texts(1000, 5) > 400
