"""A teaching: lessons, also of earlier ones, the fits of every round, their gain on held-out lessons, and its files."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from joblib import delayed

from wallsim.errors import InputError
from wallsim.experiment.identity import identity_hash
from wallsim.folder.layout import JOURNAL
from wallsim.folder.local_files import FileStore
from wallsim.folder.search_kinds import LESSON_BLOCK, LESSON_CHUNK, TEACHINGS, chunk_file
from wallsim.policies.catalogue import Policy
from wallsim.policies.correction.attack_features import INPUT_NAMES as CHOICE_INPUTS
from wallsim.policies.correction.correction_file import ATTACKS, FORM, OUTPUT_NAMES, Correction
from wallsim.policies.correction.features import INPUT_NAMES, MOMENTS
from wallsim.policies.models_file import models_for
from wallsim.searches.learning.chunked import ends_of, fit_all, made_with
from wallsim.searches.learning.fitting import models_text
from wallsim.searches.teaching.fitting import AttackSums, PlanSums, Sums, Taught, fit_correction
from wallsim.searches.teaching.lessons import HELD_OUT, Lessons, Settings, joined
from wallsim.searches.tuning.outcome import policy_text
from wallsim.stats.blocks import block_ratio
from wallsim.stats.intervals import Confidence

_DIGITS = 4  # of a coefficient
_STEP = 500  # lessons at a time


def model_of(fit: Taught) -> dict[str, list[list[float]]]:
    """A model in types of JSON."""
    return {"linear": _rows(fit.linear), "units": _rows(fit.units), "outward": _rows(fit.outward)}


def rounded(fit: Taught) -> Taught:
    """The model as it is written and played."""
    model = model_of(fit)
    return Taught(
        *(
            np.array(model[part]).reshape(whole.shape).astype(np.float32)
            for part, whole in (("linear", fit.linear), ("units", fit.units), ("outward", fit.outward))
        )
    )


def correction_text(result: dict[str, Any], models: dict[str, Any], pupil: Correction | None, attacks: bool) -> str:
    """The text of a file of `data/corrections`: what was taught, and what the pupil has of the other kind."""
    known = pupil.contents if pupil is not None else {}
    if attacks:
        taught = {**result, "inputs": list(CHOICE_INPUTS), "models": models}
        header = {key: value for key, value in known.items() if key != "models"}
        return models_text({**header, "name": result["name"], "attacks": taught}, known["models"])
    kept = {"attacks": known["attacks"]} if "attacks" in known else {}
    return models_text({**result, "outputs": list(OUTPUT_NAMES), "inputs": list(INPUT_NAMES), **kept}, models)


def taught_policy_text(pupil: Policy, file: str, comments: Sequence[str]) -> str:
    """The text of the policy file of the pupil with the correction of a file that lies beside it."""
    description = f"`{pupil.name}` whose worths of cards a taught correction corrects, see the file."
    taught = replace(pupil, correction=Correction("", "", {}, said=file))  # whose file is named, not read
    return policy_text(taught, description, comments)


def _rows(table: np.ndarray) -> list[list[float]]:
    return [[json.loads(f"{float(number):.{_DIGITS}g}") for number in row] for row in table]


class Earlier(NamedTuple):
    """The folder of an earlier teaching, its chunks: numbers of players and numbers, and a digest of all."""

    folder: Path
    chunks: tuple[tuple[int, int], ...]
    digest: str

    def lessons(self, players: int) -> Lessons:
        """Its lessons of games of so many players."""
        parts = []
        for key in self.chunks:
            if key[0] == players:
                with np.load(self.folder / chunk_file(TEACHINGS.room, key)) as arrays:
                    parts.append(Lessons(**arrays))
        return joined(parts)


def earlier_teaching(settings: Settings, folder: Path) -> Earlier:
    """The chunks of an earlier teaching that another one, with these settings, can fit.

    InputError if the folder is not one of a teaching, is damaged or has none of its numbers of players, or if its games
    had other rules or another engine version, or its lessons are not of plans, or of attacks, as these are.
    """
    place, what = FileStore(folder), TEACHINGS.what
    try:
        journal = TEACHINGS.journal(place)
    except OSError as error:
        raise InputError(f"{folder}: {JOURNAL}: {error.strerror}; name the folder of a {what}") from None
    if journal.header is None or journal.errors:
        raise InputError(f"{folder}: {journal.errors[0]}; name the folder of a {what}, or repeat its command")
    own = settings.identity()
    for key in ("engine_version", "rules"):
        if journal.header.get(key) != own[key]:
            raise InputError(f"{folder}: its {key.replace('_', ' ')} are not those of this {what}")
    if journal.header.get("attacks", False) != settings.attacks:
        what_it_has = "plans" if settings.attacks else "attacks"
        raise InputError(f"{folder}: its lessons are of {what_it_has}, and cannot be fitted with those of this {what}")
    digests = {name: digest for receipt in journal.records.values() for name, digest in receipt.files.items()}
    for name, digest in digests.items():
        if place.digest(name) != digest:
            raise InputError(f"{folder}: {name}: is missing or changed; repeat the command that made it")
    chunks = tuple((int(n), int(chunk)) for n, chunk in journal.records if n in settings.players)
    missing = set(settings.players) - {players for players, _ in chunks}
    if missing:
        raise InputError(f"{folder}: has no lessons of games of {min(missing)} players")
    return Earlier(folder, chunks, identity_hash(digests))


def held_out_gain(sums: Sums, blocks: np.ndarray, fit: Taught, confidence: Confidence) -> dict[str, Any]:
    """How many hundredths of a win the pupil gains if the correction chooses among the plans that a lesson tried.

    `blocks` are the numbers of the lessons' blocks of games, the unit of the interval.
    """
    gains = []
    for first in range(0, sums.lessons, _STEP):
        last = min(sums.lessons, first + _STEP)
        worth = sums.worth[first:last] + sums.of_tried(fit.of_rows(sums, first, last), first, last)
        best = np.where(sums.found[first:last], worth, -np.inf).argmax(axis=1)
        result = sums.result[first:last]
        gains.append(result[np.arange(last - first), best] - result[:, 0])
    _, place = np.unique(blocks, return_inverse=True)
    gain = block_ratio(np.bincount(place, np.concatenate(gains)), np.bincount(place).astype(float))
    return {"lessons": sums.lessons, "gain": round(gain.value, 3), **ends_of(gain, confidence, 3)}


def fit_corrections(
    settings: Settings, read: Callable[[tuple[int, int]], Lessons], earlier: Sequence[Earlier], workers: int
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Fit models to the chunks that `read` gives and to earlier lessons.

    Returns the result, and the models by number of players and round.
    """
    confidence = Confidence(n_comparisons=len(settings.moments) * len(settings.players))
    held = len(range(0, settings.chunks * LESSON_CHUNK, HELD_OUT))

    def tasks(players: int) -> Iterator[Any]:
        parts = [one.lessons(players) for one in earlier]
        own = joined([read((players, chunk)) for chunk in range(settings.chunks)])
        whole = joined(_numbered([*parts, own]))
        for moment in settings.moments:
            seed = settings.seed_for("network", players, moment)
            yield delayed(_fit)(whole.where(whole.moment == moment), settings, seed, confidence)

    models, lines = fit_all(settings, [MOMENTS[moment] for moment in settings.moments], "round", tasks, workers)
    known = {} if settings.pupil.correction is None else settings.pupil.correction.contents
    form, known = (ATTACKS, known.get("attacks", {})) if settings.attacks else (FORM, known)
    for players, taught in models.items():
        kept = {} if len(taught) == len(MOMENTS) else models_for(known, form, players)
        models[players] = {name: taught.get(name) or kept[name] for name in MOMENTS}
    return {
        **made_with(settings),
        "pupil": settings.pupil.name,
        "rivals": [policy.name for policy in settings.rivals],
        "value": settings.value.digest,
        "seed": settings.seed,
        **({} if settings.attacks else {"plans": settings.plans}),
        "tables": settings.tables,
        "games": {
            "fitted": settings.played_games - held * LESSON_BLOCK,
            "held_out": held * LESSON_BLOCK,
            "block": LESSON_BLOCK,
        },
        "earlier_games": sum(len(one.chunks) for one in earlier) * LESSON_BLOCK * LESSON_CHUNK,
        "passes": settings.passes,
        "shrink": settings.shrink,
        "held_out": lines,
    }, models


def _numbered(parts: list[Lessons]) -> list[Lessons]:
    # Blocks of different folders get different numbers; whether they are held out stays as it was.
    first, result = 0, []
    for part in parts:
        result.append(part._replace(block=part.block + first))
        first += -(-(int(part.block.max()) + 1) // HELD_OUT) * HELD_OUT
    return result


def _fit(
    lessons: Lessons, settings: Settings, seed: int, confidence: Confidence
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The model of a round and its held-out gain."""
    held, sums = lessons.block % HELD_OUT == 0, AttackSums if settings.attacks else PlanSums
    fit = rounded(fit_correction(sums(lessons.where(~held)), settings.units, settings.passes, settings.shrink, seed))
    new = lessons.where(held)
    return model_of(fit), held_out_gain(sums(new), new.block, fit, confidence)
