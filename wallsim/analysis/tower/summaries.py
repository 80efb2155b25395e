"""Summary statistics of a log of casts: a few dozen numbers, the same for every log of one design.

They distinguish towers: how much an empty tower keeps, how passing decreases as it fills, how release grows with the
cast and decreases with the time a cube lies inside, the variances of all these, and how much the tower holds. Many
simulated logs are summarised in one call, because a fit needs tens of thousands.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

FULL_FILL = 20  # cubes from which on a cast into an empty tower counts as a fill
BINS = 3  # of cast sizes and of ages, equally full
WINDOWS = (0, 4, 8, 16, 32)  # casts since the tower was empty, from which contents are averaged
LAGS = (1, 4, 12)  # casts
_TYPICAL_CAST = 8  # cubes per cast
_FEW = 1.0  # cubes that a rate of the whole log counts for beside a bin's own
_RIDGE = (0.02, 2.0, 0.02, 2.0)  # holds a regression back that a log does not determine: a fraction of a cast
_REGRESSION = (
    "pass", "pass with contents", "release", "release with size", "dispersion", "dispersion of colours",
    "residuals with the last",
)  # fmt: skip


class Summaries:
    """The summary statistics of logs of one design.

    `names` are those of the statistics; `of(fallen)` their values. `thrown` int64 [casts, colours] and `emptied` bool
    [casts] are the design. Statistics that this design cannot determine are left out of both. No value is ever nan.
    """

    def __init__(self, thrown: np.ndarray, emptied: np.ndarray, memory: bool = True) -> None:
        """Compute all that does not depend on the fallen cubes.

        Without `memory`, statistics of the variance and autocorrelation of contents and colours are left out: a game
        distorts them by throwing the fallen cubes again.
        """
        self._has_memory = memory
        self._thrown = np.asarray(thrown, np.float64)
        self._casts, self._colours = thrown.shape
        starts = np.array(emptied, bool)
        starts[0] = True
        self._size = self._thrown.sum(axis=1)
        first = np.maximum.accumulate(np.where(starts, np.arange(self._casts), 0))
        self._first = first
        self._since = np.arange(self._casts) - first
        self._weight = 1 / (self._size + _TYPICAL_CAST)
        self._size_off = self._size - self._size.mean()
        # By lag the casts that have one so many casts before.
        self._lags = {lag: later for lag in LAGS if len(later := np.flatnonzero(self._since >= lag))}
        means = self._choose_casts(starts)  # of each its share in a mean of casts, float64 [casts]
        cells = self._choose_cells()  # of each whether it counts, float64 [casts * colours]
        self._mean_matrix, self._cell_matrix = (np.array([*chosen.values()]).T.copy() for chosen in (means, cells))
        self.names = (*means, *_REGRESSION, *cells, *self._memory_names())

    def of(self, fallen: np.ndarray) -> np.ndarray:
        """Values of logs, float64 [..., statistics], from what fell in their casts, integers [..., casts, colours]."""
        out = np.asarray(fallen, np.float64)
        shape = out.shape[:-2]
        out = out.reshape(-1, self._casts, self._colours)
        held = self._held(out)
        contents = held.sum(axis=2)
        parts = (
            self._averages(out, contents),
            self._regression(out, held, contents),
            self._release(out, held),
            self._memory(held, contents),
        )
        return np.concatenate(parts, axis=1).reshape(*shape, len(self.names))

    # ------------------------------------------------------------------------------------------ averages of casts

    def _choose_casts(self, starts: np.ndarray) -> dict[str, np.ndarray]:
        chosen: dict[str, np.ndarray] = {}

        def choose(name: str, casts: np.ndarray, per_cube: bool = False) -> None:
            if casts.any():
                weight = casts / casts.sum()
                chosen[name] = weight / np.where(casts, self._size, 1) if per_cube else weight

        fills = starts & (self._size >= FULL_FILL)
        choose("kept by a fill", fills, per_cube=True)
        choose("kept by a first cast", starts & ~fills, per_cube=True)
        self._fresh = len(chosen)  # the first so many are of what is kept, the others of what is held
        for low, high in zip(WINDOWS, (*WINDOWS[1:], self._casts), strict=True):
            choose(f"contents after {low} casts", (self._since >= max(low, 1)) & (self._since < high))
        late = self._since >= np.quantile(self._since, 2 / 3)
        choose("late contents", late & (self._since > 0))
        self._running = (self._since > 0).astype(float)
        self._late = (late & (self._since > 0)).astype(float)
        return chosen

    def _averages(self, out: np.ndarray, contents: np.ndarray) -> np.ndarray:
        kept = self._size - out.sum(axis=2)
        return np.concatenate(
            (kept @ self._mean_matrix[:, : self._fresh], contents @ self._mean_matrix[:, self._fresh :]), axis=1
        )

    def _held(self, out: np.ndarray) -> np.ndarray:
        before = np.zeros((len(out), self._casts + 1, self._colours))
        np.cumsum(self._thrown - out, axis=1, out=before[:, 1:])
        held: np.ndarray = before[:, :-1] - before[:, self._first]
        return held

    # ------------------------------------------------------------------------------------------------ regression

    def _regression(self, out: np.ndarray, held: np.ndarray, contents: np.ndarray) -> np.ndarray:
        # A colour lets out n (p + p' (S - mean)) + s (q + q' (N - mean)): four numbers by weighted least squares.
        thrown, weight, size_off = self._thrown, self._weight, self._size_off
        contents_off = contents - contents.mean(axis=1, keepdims=True)
        thrown_held = np.einsum("tc,btc->bt", thrown, held) * weight
        held_held = np.einsum("btc,btc->bt", held, held) * weight
        thrown_out = np.einsum("tc,btc->bt", thrown, out) * weight
        held_out = np.einsum("btc,btc->bt", held, out) * weight
        thrown_thrown = (thrown * thrown).sum(axis=1) * weight
        off_held = contents_off * thrown_held
        moments = np.empty((len(out), 4, 4))
        moments[:, 0, 0] = thrown_thrown.sum()
        moments[:, 0, 1] = contents_off @ thrown_thrown
        moments[:, 1, 1] = (contents_off * contents_off) @ thrown_thrown
        moments[:, 0, 2], moments[:, 0, 3] = thrown_held.sum(axis=1), thrown_held @ size_off
        moments[:, 1, 2], moments[:, 1, 3] = off_held.sum(axis=1), off_held @ size_off
        moments[:, 2, 2], moments[:, 2, 3] = held_held.sum(axis=1), held_held @ size_off
        moments[:, 3, 3] = held_held @ (size_off * size_off)
        for row in range(4):
            moments[:, row, row] += _RIDGE[row] * self._casts * self._weight.mean()
            moments[:, row + 1 :, row] = moments[:, row, row + 1 :]
        targets = np.stack(
            (
                thrown_out.sum(axis=1),
                np.einsum("bt,bt->b", thrown_out, contents_off),
                held_out.sum(axis=1),
                held_out @ size_off,
            ),
            axis=1,
        )
        rates = np.linalg.solve(moments, targets[:, :, None])[:, :, 0]
        return np.concatenate((rates, self._dispersion(out, held, contents, contents_off, rates)), axis=1)

    def _dispersion(
        self, out: np.ndarray, held: np.ndarray, contents: np.ndarray, contents_off: np.ndarray, rates: np.ndarray
    ) -> np.ndarray:
        passing = rates[:, :1] + rates[:, 1:2] * contents_off
        loose = rates[:, 2:3] + rates[:, 3:] * self._size_off
        residual = out - passing[:, :, None] * self._thrown - loose[:, :, None] * held
        total = residual.sum(axis=2)
        p, q = np.clip(rates[:, 0], 0.05, 0.95), np.clip(rates[:, 2], 0.01, 0.95)
        expected = (p * (1 - p)) * (self._size @ self._weight) + (q * (1 - q)) * (contents @ self._weight)
        squares = np.einsum("bt,bt,t->b", total, total, self._weight)
        of_colours = np.einsum("btc,btc,t->b", residual, residual, self._weight)
        later = np.flatnonzero(self._since >= 1)
        weight = self._weight
        with_last = np.einsum("bt,bt,t->b", total[:, later], total[:, later - 1], weight[later])
        small = 1e-3 * expected
        return np.stack(
            (
                np.log((squares + small) / expected),
                np.log((of_colours + small) / expected),
                with_last / (squares + small),
            ),
            axis=1,
        )

    # --------------------------------------------------------------------------------- release of colours not thrown

    def _choose_cells(self) -> dict[str, np.ndarray]:
        resting = (self._thrown == 0) & (self._since > 0)[:, None]
        age = self._ages()
        resting &= age < np.inf
        if not resting.any():
            return {}
        chosen = {"release alone": resting.astype(float).ravel()}
        sizes = np.broadcast_to(self._size[:, None], resting.shape)
        for what, measure in (("casts of", sizes), ("cubes since it was thrown:", age)):
            limits = np.unique(np.quantile(measure[resting], np.arange(1, BINS) / BINS))
            for low, high in pairwise([-1.0, *limits, np.inf]):
                cells = resting & (measure > low) & (measure <= high)
                if cells.any() and not cells[resting].all():
                    name = f"release, {what} {low + 1:.0f} " + (f"to {high:.0f}" if high < np.inf else "or more")
                    chosen[name] = cells.astype(float).ravel()
        return chosen

    def _ages(self) -> np.ndarray:
        # Cubes thrown since a colour was thrown itself, without this cast; infinite if it was not thrown yet.
        before = np.cumsum(self._size) - self._size  # cubes thrown before a cast
        last = np.full(self._colours, -np.inf)
        ages = np.full(self._thrown.shape, np.inf)
        for cast in range(self._casts):
            if self._since[cast] == 0:
                last[:] = -np.inf
            ages[cast] = before[cast] - last
            last[self._thrown[cast] > 0] = before[cast] + self._size[cast]
        return ages

    def _release(self, out: np.ndarray, held: np.ndarray) -> np.ndarray:
        if not self._cell_matrix.size:
            return np.empty((len(out), 0))
        flat = (len(out), self._casts * self._colours)
        loose = out.reshape(flat) @ self._cell_matrix
        inside = held.reshape(flat) @ self._cell_matrix
        alone = (loose[:, :1] + 0.05 * _FEW) / (inside[:, :1] + _FEW)
        result: np.ndarray = np.concatenate((alone, (loose[:, 1:] + _FEW * alone) / (inside[:, 1:] + _FEW)), axis=1)
        return result

    # ---------------------------------------------------------------------------------------------------- memory

    def _memory_names(self) -> list[str]:
        if not self._has_memory:
            return []
        names = ["sd of contents", "sd of late contents"]
        names += [f"contents with those {lag} casts on" for lag in self._lags]
        if self._colours > 1:
            names += ["colours apart", *(f"colours with those {lag} casts on" for lag in self._lags)]
        return names

    def _memory(self, held: np.ndarray, contents: np.ndarray) -> np.ndarray:
        if not self._has_memory:
            return np.empty((len(held), 0))
        result = []
        for among in (self._running, self._late):
            count = max(1.0, among.sum())
            mean = contents @ among / count
            square = (contents * contents) @ among / count
            result.append(np.sqrt(np.maximum(0, square - mean * mean) + 0.01))
        running = np.flatnonzero(self._running)
        mean = contents[:, running].mean(axis=1, keepdims=True) if len(running) else np.zeros((len(held), 1))
        off = (contents - mean) * self._running
        spread = np.einsum("bt,bt->b", off, off) + 0.01 * self._casts
        for lag, later in self._lags.items():
            result.append(np.einsum("bt,bt->b", off[:, later], off[:, later - lag]) / spread)
        if self._colours > 1:
            apart = held - contents[:, :, None] / self._colours
            square = np.einsum("btc,btc->b", apart, apart)
            result.append(np.log((square + 0.01 * self._casts) / (contents.sum(axis=1) + 0.01 * self._casts)))
            for lag, later in self._lags.items():
                products = np.einsum("btc,btc->b", apart[:, later], apart[:, later - lag])
                result.append(products / (square + 0.01 * self._casts))
        return np.stack(result, axis=1)
