"""Means of groups with standard errors and degrees of freedom, row by row and with whole matrices."""

import numpy as np


def naive_mean(rows):
    """Mean, standard error and degrees of freedom of rows (block, value), without any closed form."""
    blocks = sorted({block for block, _ in rows})
    mean = sum(value for _, value in rows) / len(rows)
    residuals = [sum(value - mean for block, value in rows if block == each) for each in blocks]
    count = len(blocks)
    variance = count / (count - 1) * sum(each**2 for each in residuals) / len(rows) ** 2
    return mean, variance**0.5, _satterthwaite(_covariance([block for block, _ in rows], blocks))


def naive_difference(rows, others):
    """The same of the mean of `rows` minus that of `others`."""
    blocks = sorted({block for block, _ in (*rows, *others)})
    means, influences, matrices = [], [], []
    for part in (rows, others):
        mean, error, _ = naive_mean(part)
        count = len({block for block, _ in part})
        scale = (count / (count - 1)) ** 0.5 / len(part)
        means.append(mean)
        influences.append([scale * sum(value - mean for block, value in part if block == each) for each in blocks])
        covariance = _covariance([block for block, _ in part], blocks)
        matrices.append(covariance * error**2 / np.trace(covariance))
    error = sum((one - other) ** 2 for one, other in zip(*influences, strict=True)) ** 0.5
    return means[0] - means[1], error, _satterthwaite(matrices[0] + matrices[1])


def _covariance(of_row, blocks):
    """That of the sums of residuals by block, where rows are independent and have the variance 1."""
    number = len(of_row)
    residuals = np.eye(number) - np.ones((number, number)) / number
    sums = np.array([[float(block == each) for block in of_row] for each in blocks])
    return sums @ residuals @ residuals.T @ sums.T


def _satterthwaite(matrix):
    return np.trace(matrix) ** 2 / np.trace(matrix @ matrix)
