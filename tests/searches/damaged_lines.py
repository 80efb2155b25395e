"""Damage to the lines of a journal, one line at a time: every line can be hit in each of these ways."""

import random


def flipped(lines, place, chance):
    """One bit of a line has changed, or of the line's end."""
    line = bytearray(lines[place])
    line[chance.randrange(len(line))] ^= 1 << chance.randrange(8)
    return [*lines[:place], bytes(line), *lines[place + 1 :]]


def deleted(lines, place, chance):
    """A line is missing."""
    return [*lines[:place], *lines[place + 1 :]]


def duplicated(lines, place, chance):
    """A line is there twice, the second time somewhere behind it."""
    behind = chance.randrange(place + 1, len(lines) + 1)
    return [*lines[:behind], lines[place], *lines[behind:]]


def cut(lines, place, chance):
    """A part of a line is missing at its end."""
    line = lines[place]
    return [*lines[:place], line[: chance.randrange(1, len(line) - 1)] + b"\n", *lines[place + 1 :]]


WAYS = (flipped, deleted, duplicated, cut)


def damaged_journals(data):
    """Each way to damage each line of a journal, but for the loss of its last one: way, line from 0, and bytes."""
    lines = data.splitlines(keepends=True)
    for way in WAYS:
        for place in range(len(lines)):
            if way is deleted and place == len(lines) - 1:
                continue
            spoilt = b"".join(way(lines, place, random.Random(f"{way.__name__} {place}")))
            assert spoilt != data
            yield way, place, spoilt
