"""Whom to follow: recommendations tested on edges that were hidden from them.

Of some users of wiki-Vote and soc-Slashdot0902, a fifth of those whom they follow is taken out of
the network. Then ten are recommended to each, and counted how many of these were hidden ones:
beside the ten most popular whom the user does not follow yet, and beside ten drawn at random.

Run it: python examples/who_to_follow.py
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import edgewise as ew
from edgewise.apps import recommend

FOLDER = Path(__file__).resolve().parents[2] / "shared" / "data" / "graphs"
COUNT, CIRCLE, USERS = 10, 100, 150


def hide(graph, users, seed=0):
    """The graph without a fifth of the users' out-edges, and the hidden targets of each."""
    rng, (sources, targets, _) = np.random.default_rng(seed), graph.arcs()
    kept, hidden = np.ones(len(sources), bool), {}
    for user in users.tolist():
        row = np.arange(graph.indptr[user], graph.indptr[user + 1])
        drawn = rng.choice(row, len(row) // 5, replace=False)
        kept[drawn], hidden[user] = False, set(targets[drawn].tolist())
    rest = ew.Graph.from_edges(
        sources[kept], targets[kept], directed=True, num_vertices=graph.num_vertices
    )
    return rest, hidden


def found(graph, hidden, method):
    """Which share of all recommendations are hidden ones."""
    hits = sum(len(known & set(method(graph, user))) for user, known in hidden.items())
    return hits / (COUNT * len(hidden))


def by(method):
    def recommended(graph, user):
        options = {"k": COUNT, "method": method, "circle_size": CIRCLE}
        return recommend(graph, user, **options).vertices.tolist()

    return recommended


def most_popular(graph, user):
    known = {user, *graph.neighbors(user).tolist()}
    best = np.argsort(-graph.in_degrees(), kind="stable")[: COUNT + len(known)].tolist()
    return [v for v in best if v not in known][:COUNT]


def test(name):
    graph = ew.read(FOLDER / f"{name}.txt.gz", directed=True).without_self_loops()
    active = np.flatnonzero(graph.degrees() >= 10)
    users = np.random.default_rng(1).choice(active, USERS, replace=False)
    rest, hidden = hide(graph, users)
    money, salsa = found(rest, hidden, by("money")), found(rest, hidden, by("salsa"))
    popular = found(rest, hidden, most_popular)
    chance = np.mean([len(known) for known in hidden.values()]) / graph.num_vertices
    print(f"{name}: hidden ones among {COUNT} recommended: Money {money:.1%}, SALSA {salsa:.1%}, "
          f"the most popular {popular:.1%}, at random {chance:.2%}")  # fmt: skip
    assert money > 1.5 * popular and money > 40 * chance


def main():
    for name in ("wiki-Vote", "soc-Slashdot0902"):
        if (FOLDER / f"{name}.txt.gz").exists():
            test(name)
        else:
            print(f"{name}: left out, as there is no file {FOLDER / name}.txt.gz")


if __name__ == "__main__":
    main()
