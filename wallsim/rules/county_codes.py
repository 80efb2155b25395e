"""The codes of counties, short names of three or four letters, and the counties that a typed word can mean."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import takewhile

_TITLES = {"Bm.", "Erzbm.", "Fm.", "Gft.", "Hm.", "Sächs."}  # of counties: bishopric, county and so on
_LEAST, _MOST = 3, 4  # letters of a code


def codes(names: Sequence[str]) -> dict[str, str]:
    """A code for each name, unlike all others: the first three or four letters of its first word that is no title.

    Names that begin alike have their initial and the letters from where they part: `HKas`, `OPfa`.
    """
    return dict(_codes(tuple(names)))


@lru_cache(maxsize=8)
def _codes(names: tuple[str, ...]) -> dict[str, str]:
    stems = {name: stem_of(name) for name in names}
    result = {}
    for name, stem in stems.items():
        tried = [stem[:letters] for letters in range(_LEAST, _MOST + 1)]
        others = [each for other, each in stems.items() if other != name]
        free = [code for code in tried if not any(other.startswith(code) for other in others)]
        part = stem[max(_alike(stem, other) for other in others) :]
        result[name] = free[0] if free else f"{stem[0]}{part[:1].upper()}{part[1:_LEAST]}"
    return result


def stem_of(name: str) -> str:
    """The first word of a county's name that is no title: `Trier` of `Erzbm. Trier`."""
    return next((word for word in name.split() if word not in _TITLES), name)


def meant_counties(word: str, names: Sequence[str], playing: Iterable[str]) -> list[str]:
    """The counties in play that a typed word can mean: one if it is clear, none if the word is unknown.

    `names` are all counties of the board, which determine the codes. A word is a code, a name, or the beginning of a
    name or of its first word that is no title, from three letters on. Capitals and accents do not matter.
    """
    wanted, forms, there = folded(word), _forms(tuple(names)), list(playing)
    exact = [name for name in there if wanted in forms[name]]
    if exact or len(wanted) < _LEAST:
        return exact[:1]
    return [name for name in there if any(form.startswith(wanted) for form in forms[name][1:])]


@lru_cache(maxsize=8)
def _forms(names: tuple[str, ...]) -> dict[str, tuple[str, str, str]]:
    # Of each county what may be typed: its code, its name, and its first word that is no title.
    short = _codes(names)
    return {name: (folded(short[name]), folded(name), folded(stem_of(name))) for name in names}


def folded(word: str) -> str:
    """A word without capitals, accents and spaces: `oost` of `OÖst`."""
    letters = unicodedata.normalize("NFKD", word.strip().lower().replace("ß", "ss"))
    return "".join(letter for letter in letters if not unicodedata.combining(letter) and not letter.isspace())


def _alike(one: str, other: str) -> int:
    """How many letters two names have in common before they part."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
