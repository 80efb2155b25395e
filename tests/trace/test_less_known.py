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


# By the start of a line: what of it may be unknown, and what is then there.
LESS = {
    r"[A-E] (line-up|[0-9])": [
        (r" line-up [A-E]", ""), (r"(?<!line-up) (?!line-up)\S+", ""), (r"(?<= )[0-9]+(?=[vgth]\b)", "?"),
        (r"(?<=[^\W\d])[0-9]+", "?"), (r"(?<=[^\W\d])[0-9]+\S*", ""), (r"([^\W\d][0-9]+)[pct!]+", r"\1"),
    ],
    r"(events|scores|led|won|owned): ": [(r"(?<=: )[^,]+(, |$)|, [^,]+", "")],
    r"\w+ [12] (actions|tiles): ": [(r"(?<=: )[^,]+(, |$)|, [^,]+", ""), (r"\w+(?=,|$)", "?")],
    r"\w+ [12] [A-E] \w+=": [
        (r"(?<= [A-E] )[^,]+(, |$)|, [^,]+", ""), (r"(?<==)\w+", ""), (r"(?<==)\w+", "?"),
    ],
    r".* x ": [
        (r"^(end|\w+ [12]) ", ""), (r"([A-E]|peasants) (?=x )", ""), (r"([A-E]|peasants) (?=x )", "? "),
        (r"(?<=x )\S+ ", ""), (r" [0-9]+:\S+", ""), (r"[0-9]+(?=:)", "?"), (r"(?<=:)[0-9]+", "?"), (r" \w+$", ""),
    ],
}  # fmt: skip


def without_some(line, rng):
    """A line with a note of it left out, or None for the line left out as a whole."""
    cuts = next((LESS[start] for start in LESS if re.match(start, line)), [])
    places = [(found, less) for pattern, less in cuts for found in re.finditer(pattern, line)]
    if not places or rng.random() < 0.3:
        return None if line else line
    found, less = rng.choice(places)
    rest = (line[: found.start()] + found.expand(less) + line[found.end() :]).strip()
    return None if rest in ("events:", "scores:", "led:", "won:", "owned:") else rest


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


@pytest.mark.parametrize("game", [*GAMES[:3], *EXPANDED[:3]], ids=name_of)
def test_a_complete_text_gets_no_errors_for_what_is_left_out(game):
    lines, rng = complete(game), random.Random(11)
    assert checked("\n".join(lines))[1] == []
    for _ in range(25):
        less = lines
        for _ in range(rng.randint(1, 4)):
            less = knows_less(less, rng)
            found = checked("\n".join(less))[1]
            assert found == [], "\n".join([*less, *map(str, found)])


@pytest.mark.parametrize(("number", "seed"), [(60, 4), pytest.param(400, 5, marks=pytest.mark.slow)])
def test_a_wrong_text_gets_no_more_errors_without_a_line_of_it(number, seed):
    lines, rng, wrong = complete(FOUR), random.Random(seed), 0
    for _ in range(number):
        text = mutated("\n".join(lines), rng).splitlines()
        errors = checked("\n".join(text))[1]
        at = rng.randrange(len(text))
        is_needed = RULES.match(text[at]) or SEASON.match(text[at]) or text[at] in ("battles", "plans", "")
        if is_needed or any("already; write" in each.message for each in errors):
            continue  # of what is there twice, either may be the one that is left out
        less = checked("\n".join(text[:at] + text[at + 1 :]))[1]
        assert len(less) <= len(errors), "\n".join(text)
        wrong += bool(errors)
    assert wrong > number / 3
