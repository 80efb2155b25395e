"""Summary statistics of a log of casts, loop by loop, as their names say it."""

from __future__ import annotations

from math import inf, log, sqrt
from statistics import fmean

import numpy as np

WINDOWS = ((0, 4), (4, 8), (8, 16), (16, 32), (32, 10**9))
LAGS = (1, 4, 12)


def naive_summaries(thrown, emptied, fallen, memory=True):
    """All statistics by name, from lists of cubes by cast and colour."""
    casts, colours = range(len(thrown)), range(len(thrown[0]))
    held, since, age = [], [], []
    for t in casts:
        fresh = t == 0 or emptied[t]
        since.append(0 if fresh else since[-1] + 1)
        held.append([0 if fresh else held[-1][c] + thrown[t - 1][c] - fallen[t - 1][c] for c in colours])
        age.append([_age(thrown, t, since[t], c) for c in colours])
    size, inside = [sum(row) for row in thrown], [sum(row) for row in held]
    result = _averages(size, inside, since, [sum(row) for row in fallen])
    result |= _regression(thrown, held, fallen, since)
    result |= _release(thrown, held, fallen, since, age)
    return result | (_memory(held, since) if memory else {})


def _age(thrown, t, since, colour):
    cubes = 0
    for before in range(t - 1, t - 1 - since, -1):
        if thrown[before][colour]:
            return cubes
        cubes += sum(thrown[before])
    return inf


def _averages(size, inside, since, out):
    casts, result = range(len(size)), {}
    firsts = [t for t in casts if since[t] == 0]
    fills = [t for t in firsts if size[t] >= 20]
    for name, chosen in (("a fill", fills), ("a first cast", [t for t in firsts if size[t] < 20])):
        if chosen:
            result[f"kept by {name}"] = fmean((size[t] - out[t]) / size[t] for t in chosen)
    for low, high in WINDOWS:
        if chosen := [t for t in casts if since[t] > 0 and low <= since[t] < high]:
            result[f"contents after {low} casts"] = fmean(inside[t] for t in chosen)
    if late := _late(since):
        result["late contents"] = fmean(inside[t] for t in late)
    return result


def _late(since):
    limit = np.quantile(since, 2 / 3)
    return [t for t in range(len(since)) if since[t] > 0 and since[t] >= limit]


def _regression(thrown, held, fallen, since):
    casts, colours = range(len(thrown)), range(len(thrown[0]))
    size, inside = [sum(row) for row in thrown], [sum(row) for row in held]
    mean_size, mean_inside = fmean(size), fmean(inside)
    weight = [1 / (n + 8) for n in size]
    rows, targets = [], []
    for t in casts:
        for c in colours:
            n, s = thrown[t][c], held[t][c]
            root = sqrt(weight[t])
            rows.append([root * x for x in (n, n * (inside[t] - mean_inside), s, s * (size[t] - mean_size))])
            targets.append(root * fallen[t][c])
    for place, ridge in enumerate((0.02, 2.0, 0.02, 2.0)):  # a ridge is a row that asks for nothing
        rows.append([sqrt(ridge * sum(weight)) * (other == place) for other in range(4)])
        targets.append(0.0)
    rates = np.linalg.lstsq(np.array(rows), np.array(targets), rcond=None)[0]
    names = ("pass", "pass with contents", "release", "release with size")
    result = dict(zip(names, rates, strict=True))
    p, q = min(max(rates[0], 0.05), 0.95), min(max(rates[2], 0.01), 0.95)
    expected = sum(weight[t] * (size[t] * p * (1 - p) + inside[t] * q * (1 - q)) for t in casts)
    off = [
        [
            fallen[t][c]
            - thrown[t][c] * (rates[0] + rates[1] * (inside[t] - mean_inside))
            - held[t][c] * (rates[2] + rates[3] * (size[t] - mean_size))
            for c in colours
        ]
        for t in casts
    ]
    squares = sum(weight[t] * sum(off[t]) ** 2 for t in casts)
    result["dispersion"] = log(squares / expected + 1e-3)
    result["dispersion of colours"] = log(sum(weight[t] * x * x for t in casts for x in off[t]) / expected + 1e-3)
    with_last = sum(weight[t] * sum(off[t]) * sum(off[t - 1]) for t in casts if since[t] >= 1)
    result["residuals with the last"] = with_last / (squares + 1e-3 * expected)
    return result


def _release(thrown, held, fallen, since, age):
    resting = [
        (sum(thrown[t]), age[t][c], held[t][c], fallen[t][c])
        for t in range(len(thrown))
        for c in range(len(thrown[0]))
        if thrown[t][c] == 0 and since[t] > 0 and age[t][c] < inf
    ]
    if not resting:
        return {}
    alone = (sum(y for *_, y in resting) + 0.05) / (sum(s for *_, s, _ in resting) + 1)
    result = {"release alone": alone}
    for place, what in enumerate(("casts of", "cubes since it was thrown:")):
        measure = [cell[place] for cell in resting]
        limits = sorted({float(np.quantile(measure, third / 3)) for third in (1, 2)})
        for low, high in zip([-1.0, *limits], [*limits, inf], strict=True):
            cells = [cell for cell in resting if low < cell[place] <= high]
            if cells and len(cells) < len(resting):
                end = f"to {high:.0f}" if high < inf else "or more"
                loose, inside = sum(y for *_, y in cells), sum(s for *_, s, _ in cells)
                result[f"release, {what} {low + 1:.0f} {end}"] = (loose + alone) / (inside + 1)
    return result


def _memory(held, since):
    casts, colours = range(len(held)), range(len(held[0]))
    inside, few = [sum(row) for row in held], 0.01 * len(held)
    running, late = [t for t in casts if since[t] > 0], _late(since)
    result = {}
    for name, chosen in (("sd of contents", running), ("sd of late contents", late)):
        mean = fmean(inside[t] for t in chosen) if chosen else 0.0
        variance = fmean((inside[t] - mean) ** 2 for t in chosen) if chosen else 0.0
        result[name] = sqrt(variance + 0.01)
    mean = fmean(inside[t] for t in running) if running else 0.0
    off = [inside[t] - mean if since[t] > 0 else 0.0 for t in casts]
    apart = [[s - sum(row) / len(row) for s in row] for row in held]
    square = sum(x * x for row in apart for x in row)
    many = len(colours) > 1
    if many:
        result["colours apart"] = log((square + few) / (sum(inside) + few))
    for lag in LAGS:
        if pairs := [t for t in casts if since[t] >= lag]:
            together = sum(off[t] * off[t - lag] for t in pairs)
            result[f"contents with those {lag} casts on"] = together / (sum(x * x for x in off) + few)
            together = sum(apart[t][c] * apart[t - lag][c] for t in pairs for c in colours)
            if many:
                result[f"colours with those {lag} casts on"] = together / (square + few)
    return result
