"""Games of a known truth: finishing orders drawn from planted strengths, with numpy alone."""

import numpy as np
import polars as pl


def planted_rows(strengths, blocks, seed, *, games=4, players=4, lineups=False, noise=0.0, edge=None, twice=False):
    """Games of Plackett-Luce orders as rows: orders of strengths plus standard Gumbel noise are those of the model.

    Each game seats `players` of the policies `p0`, `p1` ... at random, some perhaps `twice`. Blocks share a Gumbel-free
    luck of the seats with standard deviation `noise`. `edge[i, j]` is added to the worth of i for each j at its table.
    """
    rng = np.random.default_rng(seed)
    strengths = np.asarray(strengths, float)
    count, total = len(strengths), blocks * games
    if twice:
        policy = rng.integers(0, count, (total, players))
    else:
        policy = np.argsort(rng.random((total, count)), axis=1)[:, :players]
    worth = strengths[policy] + rng.gumbel(size=policy.shape)
    worth += np.repeat(rng.normal(0, noise, (blocks, players)), games, axis=0) if noise else 0
    if edge is not None:
        worth += np.asarray(edge)[policy[:, :, None], policy[:, None, :]].sum(axis=2)
    return frame(policy, worth, games, lineups)


def frame(policy, worth, games, lineups=False):
    """Rows of games whose seats finish in order of `worth`, both [games, seats]; equal worth is a tie."""
    total, players = policy.shape
    rank = 1 + (worth[:, None, :] > worth[:, :, None]).sum(axis=2)
    first = rank == 1
    number = np.arange(total)
    seat = np.tile(np.arange(players), total)
    return pl.DataFrame(
        {
            "block": np.repeat(number // games, players),
            "game": np.repeat(number, players),
            "seat": seat,
            "lineup": [f"L{s}" for s in seat] if lineups else [None] * len(seat),
            "policy": [f"p{k}" for k in policy.ravel()],
            "rank": rank.ravel().astype(np.int8),
            "win": (first / first.sum(axis=1, keepdims=True)).ravel(),
            "vp": np.round(20 + 4 * worth).ravel().astype(np.int64),
        }
    )
