"""The other side of benches/scoring.rs: the same ranking and cross-tabulation in NumPy.

Reads `go` lines; answers each with the winner's average and the seconds that each way of counting matchpoints took.
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


def by_search(raw):
    points = np.empty(raw.shape, dtype=np.int64)
    for board, column in enumerate(raw):
        ordered = np.sort(column)
        points[board] = np.searchsorted(ordered, column, "left") + np.searchsorted(ordered, column, "right") - 1
    return points


def by_unique(raw):
    points = np.empty(raw.shape, dtype=np.int64)
    for board, column in enumerate(raw):
        _, inverse, counts = np.unique(column, return_inverse=True, return_counts=True)
        beaten = np.cumsum(counts) - counts
        points[board] = (2 * beaten + counts - 1)[inverse]
    return points


def rank(raw, matchpoints):
    """Rates, averages, places with the first two tie-breaks that need no recursion, cross-tabulation."""
    rates = matchpoints(raw) / (2 * (raw.shape[1] - 1))
    average = rates.mean(axis=0)
    full = (rates == 1).sum(axis=0)
    total = raw.sum(axis=0)
    order = np.lexsort((-total, -full, -average))
    table = np.stack((raw.T[order].astype(np.float64), rates.T[order]), axis=2)
    return average[order[0]], table


def main():
    kind, entrants, boards = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    raw = scores(kind, entrants, boards)
    print("ready", flush=True)
    for _ in sys.stdin:
        answer = []
        for way in (by_search, by_unique):
            begun = time.perf_counter()
            best, _ = rank(raw, way)
            answer.append(time.perf_counter() - begun)
        print(best, *answer, flush=True)


main()
