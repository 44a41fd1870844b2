"""The other side of benches/scoring.rs: the same ranking and cross-tabulation in NumPy.

Reads `go` lines; answers each with the winner's average and the seconds that each way of counting matchpoints took
(0: that way does not suit these scores). Everything is vectorised over the entrants; matchpoints are integers, so that
the averages of equal entrants are equal, as they must be for the ties.
"""

import sys
import time

import numpy as np


def scores(kind, entrants, boards):
    """The same numbers as the Rust side, one row per board."""
    state, mask = 20_260_101, (1 << 64) - 1
    wakeng = [-48, -24, -12, -6, -3, 3, 6, 12, 24, 48, 96]
    values = np.empty(entrants * boards, dtype=np.int64)
    for at in range(entrants * boards):
        state = (state * 6_364_136_223_846_793_005 + 1_442_695_040_888_963_407) & mask
        upper = state >> 33
        values[at] = wakeng[upper % 11] if kind == "wakeng" else upper % 4_000_000 - 2_000_000
    return values.reshape(boards, entrants)


def by_search(column):
    """Sorts, then looks up how many are below and how many are not above."""
    ordered = np.sort(column)
    return np.searchsorted(ordered, column, "left") + np.searchsorted(ordered, column, "right") - 1


def by_argsort(column):
    """Sorts positions, finds where the score changes, and spreads the points back."""
    order = np.argsort(column)
    ordered = column[order]
    starts = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))
    counts = np.diff(starts, append=len(column))
    points = np.empty(len(column), dtype=np.int64)
    points[order] = np.repeat(2 * starts + counts - 1, counts)
    return points


def by_unique(column):
    """Lets NumPy find the distinct scores and their numbers."""
    _, inverse, counts = np.unique(column, return_inverse=True, return_counts=True)
    return (2 * np.cumsum(counts) - counts - 1)[inverse]


def by_bincount(column):
    """Counts every score from the lowest to the highest: for scores that are close together."""
    key = column - column.min()
    counts = np.bincount(key)
    return (2 * np.cumsum(counts) - counts - 1)[key]


def rank(raw, points_of):
    """Averages, order with the tie-breaks that need no recursion, cross-tabulation of scores and rates."""
    points = np.empty(raw.shape, dtype=np.int64)
    for board, column in enumerate(raw):
        points[board] = points_of(column)
    top = 2 * (raw.shape[1] - 1)
    total = points.sum(axis=0)
    full = (points == top).sum(axis=0)
    order = np.lexsort((-raw.sum(axis=0), -full, -total))
    table = np.stack((raw[:, order], points[:, order] / top)).T
    return total[order[0]] / (top * raw.shape[0]), table


def main():
    kind, entrants, boards = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    raw = scores(kind, entrants, boards)
    close = raw.max() - raw.min() <= 4 * entrants
    print("ready", flush=True)
    for _ in sys.stdin:
        answer = []
        for way in (by_search, by_argsort, by_unique, by_bincount):
            if way is by_bincount and not close:
                answer.append(0)
                continue
            begun = time.perf_counter()
            best, _ = rank(raw, way)
            answer.append(time.perf_counter() - begun)
        print(best, *answer, flush=True)


main()
