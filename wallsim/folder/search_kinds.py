"""The folders of searches: tunings and best responses, which search for weights, and learnings and teachings."""

from __future__ import annotations

from collections.abc import Iterator

from wallsim.folder.receipts import Facts, Key
from wallsim.folder.work_folder import WorkKind

CURVE, PICTURE = "curve.parquet", "curve.png"
GENERATION, CHECK = "generation", "check"  # the first words of keys
MOST_GENERATIONS = 100_000
_GENERATION = {"asked", "scores", "mean", "score", "share", "error", "step", "joined"}
_TIME = {"cpu"}  # which generations of a best response have besides

BLOCK = 50  # games of one seating of a learning, the unit of all intervals
CHUNK = 40  # blocks that are played and stored together
LESSON_BLOCK = 20  # the same of a teaching
LESSON_CHUNK = 20
MOST_CHUNKS = 100_000
_SIZES = (3, 4, 5)  # numbers of players


def _generations(identity: Facts, steps: int) -> Iterator[Key]:
    every = identity.get("check_every")
    for number in range(steps):
        yield GENERATION, number
        if type(every) is int and every > 0 and (number + 1) % every == 0:
            yield CHECK, number + 1


def _fits_generation(key: Key, facts: Facts) -> bool:
    if len(key) != 2 or type(key[1]) is not int or not 0 <= key[1] <= MOST_GENERATIONS:
        return False
    if key[0] == CHECK:
        return facts.keys() == {"findings"}
    return key[0] == GENERATION and facts.keys() - _TIME == _GENERATION


def _generation_name(key: Key) -> str:
    return f"generation {key[1]}" if key[0] == GENERATION else f"the check after {key[1]} generations"


def _of_weights(what: str, result: str) -> WorkKind:
    # A search for weights: generations, and after every so many of them a check.
    return WorkKind(
        what, "generations", _generations, _fits_generation, _generation_name,
        amount=lambda key, facts: int(key[0] == GENERATION),
        wanted=lambda identity, steps: steps,
        most=MOST_GENERATIONS, results=(result, CURVE, PICTURE),
    )  # fmt: skip


TUNINGS = _of_weights("tuning", "tune.json")
RESPONSES = _of_weights("best response", "exploit.json")


def chunk_file(room: str, key: Key) -> str:
    """The name of the file of a chunk, whose key is a number of players and its own number."""
    return f"{room}/{key[0]}p-{key[1]:05d}.npz"


def players_of(identity: Facts) -> tuple[int, ...]:
    """The numbers of players of a learning or a teaching, in the order of the command."""
    try:
        counts = dict.fromkeys(cell["players"] for cell in identity["cells"])
    except (KeyError, TypeError):
        return ()
    return tuple(count for count in counts if count in _SIZES)


def _of_chunks(what: str, room: str, chunk_games: int, *counts: str) -> WorkKind:
    # A search that plays chunks of games, whose receipts have these counts, and computes its results from them.
    def keys(identity: Facts, steps: int) -> Iterator[Key]:
        counts = players_of(identity)
        return ((players, chunk) for chunk in range(steps) for players in counts)

    def fits(key: Key, facts: Facts) -> bool:
        numbers = (*key, *facts.values())
        return len(key) == 2 and facts.keys() == {*counts} and all(type(n) is int and 0 <= n <= 10**9 for n in numbers)

    return WorkKind(
        what, "games", keys, fits,
        name=lambda key: chunk_file(room, key),
        amount=lambda key, facts: facts["games"],
        wanted=lambda identity, steps: steps * chunk_games * len(players_of(identity)),
        most=MOST_CHUNKS, room=room,
    )  # fmt: skip


LEARNINGS = _of_chunks("learning", "positions", BLOCK * CHUNK, "games")
TEACHINGS = _of_chunks("teaching", "lessons", LESSON_BLOCK * LESSON_CHUNK, "games", "lessons")
