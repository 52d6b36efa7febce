"""Balance the tasks of a Fock matrix: blocks of integrals over a molecule, on 64 workers.

A chain of atoms has shells of orbitals. A task computes the integrals of a pair of shells with all
others. Its cost grows with the number of orbitals, and falls with the distance of the shells, as
the screening of small integrals makes it do. Costs differ by orders of magnitude. A task may run on
the workers that store the rows of its two shells, and on the next one.
"""

from __future__ import annotations

import numpy as np

import edgewise as ew

WORKERS, ATOMS = 64, 120


def tasks(atoms: int, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """The cost of each task, and the two shells of each."""
    rng = np.random.default_rng(seed)
    places = np.cumsum(rng.uniform(1.0, 1.6, (atoms, 1)), axis=0) + rng.normal(0, 0.3, (atoms, 3))
    shells = np.repeat(np.arange(atoms), 4)  # an s, two p and a d shell for each atom
    orbitals = np.tile([1.0, 3.0, 3.0, 6.0], atoms)
    depth = np.tile([6.0, 3.0, 1.0, 1.0], atoms)  # primitive functions
    first, second = np.triu_indices(len(shells))
    apart = np.linalg.norm(places[shells[first]] - places[shells[second]], axis=1)
    overlap = np.exp(-0.12 * apart**2)
    near = overlap > 1e-8
    first, second, overlap = first[near], second[near], overlap[near]
    size = orbitals[first] * orbitals[second] * depth[first] * depth[second]
    return size * (0.02 + overlap), np.stack([first, second])


def main() -> None:
    costs, pairs = tasks(ATOMS)
    shells = int(pairs.max()) + 1
    owner = pairs * WORKERS // shells
    allowed = np.zeros((len(costs), WORKERS), bool)
    for side in (owner[0], owner[1], (owner[0] + 1) % WORKERS):
        allowed[np.arange(len(costs)), side] = True
    per_worker = -(-len(costs) // WORKERS)
    anywhere = ew.matching.assign_tasks(costs, WORKERS, max_tasks=per_worker)
    near = ew.matching.assign_tasks(costs, WORKERS, allowed=allowed)
    chance = np.random.default_rng(2).integers(0, WORKERS, len(costs))
    loads = {
        "bound": anywhere.lower_bound,
        "anywhere": anywhere.makespan,
        "near their rows": near.makespan,
        "owner of the first shell": np.bincount(owner[0], costs, minlength=WORKERS).max(),
        "random": np.bincount(chance, costs, minlength=WORKERS).max(),
    }
    print(f"{len(costs):,} tasks on {WORKERS} workers; largest load beside the bound:")
    for name, load in loads.items():
        print(f"  {name:25} {load / anywhere.lower_bound:.3f}")
    assert loads["anywhere"] < 1.05 * loads["bound"]
    assert loads["near their rows"] < loads["owner of the first shell"]


if __name__ == "__main__":
    main()
