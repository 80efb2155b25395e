"""What a replay of some chunks says about the others."""

from math import comb

import pytest

from wallsim.runs.replay.audit import detection, drawn, forged_of, largest_undetected


@pytest.mark.parametrize("chunks", [1, 2, 7, 20])
def test_the_probability_of_detection_is_hypergeometric(chunks):
    for count in range(chunks + 1):
        for forged in range(chunks + 1):
            exact = 1 - comb(chunks - forged, count) / comb(chunks, count)
            assert detection(chunks, count, forged) == pytest.approx(exact)


def test_of_many_chunks_it_is_that_of_independent_draws():
    assert detection(10**6, 50, 50_000) == pytest.approx(1 - 0.95**50, abs=1e-4)
    assert largest_undetected(10**6, 59) / 10**6 == pytest.approx(1 - 0.05 ** (1 / 59), abs=1e-4)


@pytest.mark.parametrize(("chunks", "count"), [(20, 5), (20, 19), (20, 20), (1, 1), (3, 1), (1000, 60)])
def test_the_largest_undetected_number_is_the_last_one_that_a_draw_misses_too_often(chunks, count):
    most = largest_undetected(chunks, count)
    assert most == 0 or detection(chunks, count, most) < 0.95
    assert most == chunks - count or detection(chunks, count, most + 1) >= 0.95


def test_a_share_is_at_least_one_chunk():
    assert [forged_of(chunks) for chunks in (1, 20, 21, 1000)] == [1, 1, 2, 50]


def test_a_draw_can_be_repeated_has_every_chunk_equally_often_and_no_chunk_twice():
    every = [("", chunk) for chunk in range(10)]
    counts = dict.fromkeys(range(10), 0)
    for seed in range(2000):
        chosen = drawn(every, 3, seed)
        assert chosen == drawn(every, 3, seed)
        assert len(set(chosen)) == 3
        for _, chunk in chosen:
            counts[chunk] += 1
    assert all(abs(count - 600) < 5 * (2000 * 0.3 * 0.7) ** 0.5 for count in counts.values())
    assert drawn(every, None, 0) == drawn(every, 99, 0) == every
