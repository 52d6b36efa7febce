"""Other Python packages, in a Python that has them: ``python packages.py TASK.json``.

The task names a library, a file of arcs (`problems.Files.arrays`), a model (IC or LT), and what to
do: choose seeds (``k``, ``epsilon``, ``method``) or simulate from ``seeds`` until ``runs`` are
done or ``budget`` seconds have passed. The last line printed is JSON: the seconds without those
for building the library's own graph, and the seeds, or how many runs there were and the mean and
the standard deviation of their spreads. This file must not import anything of ours.
"""

import array
import json
import sys
import time

_CHUNK = 100


def choose(given, task):
    """Seeds by pynetim, which has IMM and OPIM-C."""
    import pynetim

    graph = _pynetim(given)
    begin = time.perf_counter()
    if task["method"] == "imm":
        found = pynetim.IMMAlgorithm(graph, task["model"], epsilon=task["epsilon"], random_seed=1)
        seeds = found.run(task["k"])
    else:
        found = pynetim.OPIMCAlgorithm(graph, task["model"], random_seed=1)
        seeds = found.run(task["k"], task["epsilon"])
    return {"seconds": time.perf_counter() - begin, "seeds": [int(seed) for seed in seeds]}


def simulate(given, task):
    """Run after run, or a chunk of them at a time, until there are enough."""
    import numpy as np

    made = {"ndlib": _ndlib, "cynetdiff": _cynetdiff, "pynetim": _pynetim_runs}
    run = made[task["library"]](given, task)
    chunk = _CHUNK if task["library"] == "pynetim" else 1
    spreads = []
    begin = time.perf_counter()
    while len(spreads) * chunk < task["runs"] and time.perf_counter() - begin < task["budget"]:
        spreads.append(run())
    seconds = time.perf_counter() - begin
    about = {"mean": float(np.mean(spreads)), "std": float(np.std(spreads) * chunk**0.5)}
    return {"seconds": seconds, "runs": len(spreads) * chunk, **about}


def _pynetim(given):
    from pynetim import IMGraph

    arcs = list(zip(given["sources"].tolist(), given["targets"].tolist(), strict=True))
    return IMGraph(arcs, weights=given["chances"].tolist(), directed=True, renumber=False)


def _pynetim_runs(given, task):
    """A chunk of runs in one call, two threads, which gives their mean."""
    import pynetim

    models = {"IC": pynetim.IndependentCascadeModel, "LT": pynetim.LinearThresholdModel}
    model = models[task["model"]](_pynetim(given), set(task["seeds"]))

    def run():
        return model.run_monte_carlo_diffusion(_CHUNK, use_multithread=True, num_threads=2)

    return run


def _cynetdiff(given, task):
    import numpy as np
    from cynetdiff import models

    starts = np.searchsorted(given["sources"], np.arange(int(given["n"])))
    rows = array.array("I", starts.astype(np.uint32).tobytes())
    edges = array.array("I", given["targets"].astype(np.uint32).tobytes())
    chances = array.array("f", given["chances"].tobytes())
    if task["model"] == "IC":
        model = models.IndependentCascadeModel(rows, edges, activation_probs=chances, rng=1)
    else:
        model = models.LinearThresholdModel(rows, edges, influence=chances, rng=1)
    model.set_seeds(task["seeds"])

    def run():
        model.reset_model()
        model.advance_until_completion()
        return model.get_num_activated_nodes()

    return run


def _ndlib(given, task):
    """Its threshold model counts neighbors: with thresholds drawn anew it is the linear one."""
    import networkx as nx
    import numpy as np
    from ndlib.models import ModelConfig, epidemics

    graph = nx.DiGraph()
    graph.add_nodes_from(range(int(given["n"])))
    arcs = list(zip(given["sources"].tolist(), given["targets"].tolist(), strict=True))
    graph.add_edges_from(arcs)
    config = ModelConfig.Configuration()
    config.add_model_initial_configuration("Infected", task["seeds"])
    if task["model"] == "IC":
        model = epidemics.IndependentCascadesModel(graph)
        for arc, chance in zip(arcs, given["chances"].tolist(), strict=True):
            config.add_edge_configuration("threshold", arc, chance)
    else:
        model = epidemics.ThresholdModel(graph)
        for vertex in graph:
            config.add_node_configuration("threshold", vertex, 0.5)
    model.set_initial_status(config)
    draw = np.random.default_rng(1)

    def run():
        model.reset(task["seeds"])
        if task["model"] == "LT":
            levels = 1 - draw.random(len(graph))
            model.params["nodes"]["threshold"] = dict(enumerate(levels.tolist()))
        model.iteration(node_status=False)
        while True:
            step = model.iteration(node_status=False)
            if not any(step["status_delta"].values()):
                return len(graph) - step["node_count"][0]

    return run


if __name__ == "__main__":
    sys.path.pop(0)  # this folder: its modules are not for this Python
    import numpy

    with open(sys.argv[1]) as file:
        asked = json.load(file)
    arrays = numpy.load(asked["arrays"])
    print(json.dumps({"choose": choose, "simulate": simulate}[asked["do"]](arrays, asked)))
