"""Linkage by another tool, in a Python that has it: ``python linkers.py RECORDS.json TOOL``.

The tools are recordlinkage, splink and dedupe, each as its documentation begins: title, names and
year are compared, recordlinkage and splink learn without labels (Fellegi-Sunter, by expectation
maximization), dedupe from the labeled pairs that it is given. Prints one line of JSON: seconds,
the pairs as positions, and the peak memory of the process and of those that it started. This file
must not import anything of ours.
"""

import contextlib
import io
import json
import logging
import os
import resource
import sys
import time

_FIELDS = ("title", "names", "year")
_NEAR = 9  # neighbors in the order of titles that are compared
_SURE = 0.9  # the probability of a match from which on it counts


def recordlinkage(left, right, labels):
    """Neighbors in the order of titles, classified by expectation maximization."""
    import recordlinkage as tool
    from pandas import DataFrame

    tables = [DataFrame(side, columns=_FIELDS) for side in (left, right) if side is not None]
    index = tool.Index()
    index.sortedneighbourhood("title", window=_NEAR)
    chosen = index.index(*tables)
    compare = tool.Compare()
    compare.string("title", "title", method="jarowinkler", threshold=0.9)
    compare.string("names", "names", method="jarowinkler", threshold=0.85)
    compare.exact("year", "year")
    found = tool.ECMClassifier(use_col_names=False).fit_predict(compare.compute(chosen, *tables))
    return [(int(i), int(j)) for i, j in found]


def splink(left, right, labels):
    """Blocks by the beginning of titles, by names and by years; a model of three comparisons."""
    import splink.comparison_library as compare
    from pandas import DataFrame
    from splink import DuckDBAPI, Linker, SettingsCreator, block_on

    tables = [
        DataFrame([{"unique_id": i, **row} for i, row in enumerate(side)])
        for side in (left, right)
        if side is not None
    ]
    begin, rest = block_on("substr(title, 1, 6)"), block_on("substr(names, 1, 5)", "year")
    settings = SettingsCreator(
        link_type="dedupe_only" if right is None else "link_only",
        comparisons=[
            compare.JaroWinklerAtThresholds("title", [0.95, 0.9, 0.8]),
            compare.JaroWinklerAtThresholds("names", [0.9, 0.7]),
            compare.ExactMatch("year"),
        ],
        blocking_rules_to_generate_predictions=[begin, rest],
    )
    database = DuckDBAPI()
    given = [
        database.register(table, dataset_display_name=f"side{i}") for i, table in enumerate(tables)
    ]
    linker = Linker(given if right is not None else given[0], settings)
    train = linker.training
    train.estimate_probability_two_random_records_match([block_on("title")], recall=0.7)
    train.estimate_u_using_random_sampling(max_pairs=1e6, seed=1)
    train.estimate_parameters_using_expectation_maximisation(begin)
    train.estimate_parameters_using_expectation_maximisation(rest)
    found = linker.inference.predict(threshold_match_probability=_SURE).as_pandas_dataframe()
    return found[["unique_id_l", "unique_id_r"]].to_numpy().tolist()


def dedupe(left, right, labels):
    """Blocks and weights learned from labeled pairs; clusters of at least even odds."""
    import dedupe as tool

    sides = [dict(enumerate(side)) for side in (left, right) if side is not None]
    fields = [
        tool.variables.ShortString("title"),
        tool.variables.ShortString("names", has_missing=True),
        tool.variables.Exact("year", has_missing=True),
    ]
    linker = (tool.Dedupe if right is None else tool.RecordLink)(fields, num_cores=2)
    last = sides[-1]
    pairs = {kind: [(sides[0][i], last[j]) for i, j in chosen] for kind, chosen in labels.items()}
    training = io.StringIO(json.dumps(pairs))
    linker.prepare_training(*sides, training_file=training, sample_size=500)
    linker.train()
    if right is not None:
        return [tuple(map(int, ends)) for ends, _ in linker.join(*sides, threshold=0.5)]
    groups = [sorted(map(int, ids)) for ids, _ in linker.partition(sides[0], threshold=0.5)]
    return [(i, j) for ids in groups for k, i in enumerate(ids) for j in ids[k + 1 :]]


def _peak():
    who = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return max(resource.getrusage(one).ru_maxrss for one in who) * 1024


def _record(row):
    """The fields, None where there is nothing to compare."""
    return {name: row[name] or None for name in _FIELDS}


if __name__ == "__main__":
    sys.path.pop(0)  # this folder: its modules are not for this Python
    logging.disable(logging.WARNING)
    tools = {one.__name__: one for one in (recordlinkage, splink, dedupe)}
    with open(sys.argv[1]) as file:
        records = json.load(file)
    sides = [
        side and [_record(row) for row in side] for side in (records["left"], records["right"])
    ]
    begin = time.perf_counter()
    with contextlib.redirect_stdout(io.StringIO()):
        found = tools[sys.argv[2]](*sides, records["labels"])
    seconds = time.perf_counter() - begin
    if sides[1] is None:
        found = [sorted(pair) for pair in found]
    print(json.dumps({"seconds": seconds, "pairs": found, "peak": _peak()}))
    sys.stdout.flush()
    os._exit(0)  # some keep threads that would wait
