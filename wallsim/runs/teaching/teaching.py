"""A complete teaching: the lessons, the fits of every round, and the held-out lessons."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from joblib import delayed

from wallsim.engine.version import ENGINE_VERSION
from wallsim.policies.correction.features import MOMENTS
from wallsim.runs.folder.manifest import package_version
from wallsim.runs.learning.chunked import in_single_threads, play_missing
from wallsim.runs.teaching.earlier import Earlier
from wallsim.runs.teaching.evaluation import held_out_gain
from wallsim.runs.teaching.fitting import fit_correction
from wallsim.runs.teaching.lesson_lines import LESSON_BLOCK, LESSON_CHUNK
from wallsim.runs.teaching.lessons import LessonGames, Lessons, LessonStore, joined, lessons_of
from wallsim.runs.teaching.outcome import model_of, rounded
from wallsim.runs.teaching.plan_sums import PlanSums
from wallsim.runs.teaching.settings import HELD_OUT, Settings
from wallsim.stats.intervals import Confidence

_PACKAGES = ("wallsim", "numpy", "numba")


def teach(
    settings: Settings,
    store: LessonStore,
    earlier: Sequence[Earlier] = (),
    *,
    workers: int,
    watch: Callable[[int, int], None] = lambda done, total: None,
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Play what the folder lacks, and fit; returns the result and the models by number of players and round.

    `watch` receives the number of games there are and the number of games planned.
    """
    play_missing(settings, store, lambda: LessonGames(settings).play, store.write, workers, watch)
    models, table = {}, []
    for players in settings.players:
        own = joined([store.read(players, chunk) for chunk in range(settings.chunks)])
        parts = [lessons_of(one.folder, [key for key in one.chunks if key[0] == players]) for one in earlier]
        result = _fit_all(settings, players, [*parts, own], workers)
        models[str(players)] = {name: model for name, (model, _) in zip(MOMENTS, result, strict=True)}
        table += [line for _, line in result]
    held = len(range(0, settings.chunks * LESSON_CHUNK, HELD_OUT))
    return {
        "engine_version": ENGINE_VERSION,
        "packages": {package: package_version(package) for package in _PACKAGES},
        "cells": [[cell.players, cell.setup, cell.tower] for cell in settings.cells],
        "pupil": settings.pupil.name,
        "rivals": [policy.name for policy in settings.rivals],
        "value": settings.value.digest,
        "seed": settings.seed,
        "plans": settings.plans,
        "tables": settings.tables,
        "games": {
            "fitted": settings.played_games - held * LESSON_BLOCK,
            "held_out": held * LESSON_BLOCK,
            "block": LESSON_BLOCK,
        },
        "earlier_games": sum(len(one.chunks) for one in earlier) * LESSON_BLOCK * LESSON_CHUNK,
        "passes": settings.passes,
        "shrink": settings.shrink,
        "held_out": table,
    }, models


def _fit_all(
    settings: Settings, players: int, parts: list[Lessons], workers: int
) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    whole = joined(_numbered(parts))
    confidence = Confidence(n_comparisons=len(MOMENTS) * len(settings.players))
    tasks = (
        delayed(_fit)(
            whole.where(whole.moment == moment), settings, settings.seed_for("network", players, moment), confidence
        )
        for moment in range(len(MOMENTS))
    )
    result = in_single_threads(tasks, len(MOMENTS), workers)
    return [
        (model, {"players": players, "round": name, **line})
        for name, (model, line) in zip(MOMENTS, result, strict=True)
    ]


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
    held = lessons.block % HELD_OUT == 0
    fit = rounded(
        fit_correction(PlanSums(lessons.where(~held)), settings.units, settings.passes, settings.shrink, seed)
    )
    new = lessons.where(held)
    return model_of(fit), held_out_gain(PlanSums(new), new.block, fit, confidence)
