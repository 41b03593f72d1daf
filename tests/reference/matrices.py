"""The sensitivity of correlated noise by its definition: the strategy matrix written out, and every set of steps in which
a record may take part tried in turn. For matrices so small that this ends."""
from itertools import combinations
from mpmath import mpf, matrix, sqrt


def tree(steps):
    """A row for each node of the complete binary tree of at least so many leaves: the leaves below it."""
    leaves = 1
    while leaves < steps:
        leaves *= 2
    rows, size = [], 1
    while size <= leaves:
        rows += [[mpf(first <= i < first + size) for i in range(steps)] for first in range(0, leaves, size)]
        size *= 2
    return rows


def square_root_of_sums(steps):
    """The lower triangular R with R R = the matrix of all ones below its diagonal, entry after entry."""
    entry = [[mpf(0)] * steps for _ in range(steps)]
    for distance in range(steps):
        for j in range(steps - distance):
            i = j + distance
            between = sum(entry[i][m] * entry[m][j] for m in range(j + 1, i))
            entry[i][j] = mpf(1) if distance == 0 else (1 - between) / (entry[i][i] + entry[j][j])
    return entry


def banded(rows, bandwidth):
    return [[x if abs(i - j) < bandwidth else mpf(0) for j, x in enumerate(row)] for i, row in enumerate(rows)]


def inverse(rows):
    return (matrix(rows) ** -1).tolist()


def strategy(description):
    steps, scheme = int(description["steps"]), description["scheme"]
    if scheme == "tree":
        return tree(steps)
    if scheme == "columns":
        column = [mpf(x) for x in description["columns"]] + [mpf(0)] * steps
        return [[column[i - j] if i >= j else mpf(0) for j in range(steps)] for i in range(steps)]
    root = square_root_of_sums(steps)
    if scheme == "banded":
        return banded(root, int(description["bandwidth"]))
    if scheme == "banded-inverse":
        return inverse(banded(inverse(root), int(description["bandwidth"])))
    return root


def participations(description):
    """Every set of steps."""
    steps, most, apart = (int(description[name]) for name in ("steps", "participations", "separation"))
    if description["schedule"] == "fixed-order":
        return [list(range(start, steps, apart))[:most] for start in range(min(apart, steps))]
    far = lambda chosen: all(b - a >= apart for a, b in zip(chosen, chosen[1:]))
    return [chosen for size in range(1, most + 1) for chosen in combinations(range(steps), size) if far(chosen)]


def sensitivity(description):
    rows = strategy(description)
    square = lambda chosen: sum(sum(row[i] for i in chosen) ** 2 for row in rows)
    return sqrt(max(map(square, participations(description))))
