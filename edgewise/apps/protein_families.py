"""Families of proteins from their sequences, as PASTIS [1] and HipMCL [2] find them.

Sequences that share spaced k-mers are candidates (`proteins.seeds`). Of these, pairs that score
high without gaps are aligned (`proteins.alignment`). Alignments that pass the filters are the edges
of a similarity network, weighted by their score in bits, and its Markov clusters are the families.

[1] O. Selvitopi, S. Ekanayake, G. Guidi, et al. Distributed many-to-many protein sequence alignment
    using sparse matrices. SC 2020.
[2] A. Azad, G. Pavlopoulos, C. Ouzounis, N. Kyrpides, A. Buluc. HipMCL: a high-performance parallel
    implementation of the Markov clustering algorithm. Nucleic Acids Research 2018.
"""

from __future__ import annotations

import os
from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.communities.markov_clustering import markov_clustering
from edgewise.apps.proteins.alignment import alignments_of, regions_of, scores_and_ends
from edgewise.apps.proteins.alphabets import ALPHABETS
from edgewise.apps.proteins.composition import Statistics, corrections, summed_biases
from edgewise.apps.proteins.seeds import Seeds, seed_pairs
from edgewise.apps.proteins.sequences import Sequences, encoded, read_fasta
from edgewise.base.checks import check_bytes, check_choice, check_count, check_number
from edgewise.base.compiling import clock
from edgewise.graph import Graph
from edgewise.graph.labels import Labels
from edgewise.operators import intersect

__all__ = ["ProteinFamilies", "ProteinNetwork", "protein_families", "protein_network"]

#: The smallest score in bits, of which the weights of edges must be positive.
_LEAST = 1e-6
#: Iterations of Markov clustering: with an inflation of 1.2, 100 do not always suffice.
_PATIENCE = 1000
#: How much larger E-values may be before alignments are exact.
_SLACK = 10.0


class ProteinNetwork(NamedTuple):
    """A similarity network of proteins.

    Attributes
    ----------
    graph : Graph
        A vertex per sequence, labeled with its name, and an edge per similar pair, weighted by the
        score of its alignment in bits.
    pairs : dict of arrays
        The edges as columns: ``left`` and ``right`` (positions in the file), ``ungapped`` (the best
        score without gaps around a seed), ``score``, ``bits``, ``evalue``, ``identity``,
        ``left_coverage``, ``right_coverage``, ``left_seed`` and ``right_seed`` (the positions of
        that seed, as `align_proteins` takes them).
    counts : dict of int
        The number of sequences, letters and k-mers, of pairs after each step, and of cells of
        dynamic programs.
    seconds : dict of float
        The time of each step in seconds.
    """

    graph: Graph
    pairs: dict[str, np.ndarray]
    counts: dict[str, int]
    seconds: dict[str, float]


class ProteinFamilies(NamedTuple):
    """Families of proteins, and the network they come from.

    Attributes
    ----------
    names : list of str
        The name of each sequence, in the order of the file.
    families : array of int64
        The family of each sequence. Families are numbered by size; 0 is the largest.
    sizes : array of int64
        The number of members of each family.
    network : ProteinNetwork
        The similarity network, with its alignments, counts and times.
    """

    names: list[str]
    families: np.ndarray
    sizes: np.ndarray
    network: ProteinNetwork


def protein_families(sequences: Any, *, inflation: float = 1.4, **options: Any) -> ProteinFamilies:
    """Return the families of proteins: Markov clusters of their similarity network.

    Parameters
    ----------
    sequences : path, dict or Sequences
        A FASTA file (also compressed), a mapping of names to sequences, or what `read_fasta`
        returns.
    inflation : float
        The inflation of Markov clustering, above 1. Larger values give more and smaller families.
    options
        The parameters of `protein_network`.

    Returns
    -------
    ProteinFamilies
        The family of each sequence, the sizes of families, and the network.

    Raises
    ------
    FileFormatError
        If the file is no FASTA file of proteins; the error names the line.
    ValueError
        If a parameter is out of range.

    Examples
    --------
    >>> kinase = "MGSNKSKPKDASQRRRSLEPAENVHGAGGGAFPASQTPSKPASADGHRGPSAAFAPAAAEPKLFGGFNSSDTV"
    >>> globin = "MVLSPADKTNVKAAWGKVGAHAGEYGAEALERMFLSFPTTKTYFPHFDLSHGSAQVKGHGKKVADALTNAVAHV"
    >>> found = protein_families({
    ...     "a": kinase, "b": globin, "c": kinase.replace("RRR", "RKR"), "d": globin[5:]})
    >>> found.families.tolist(), found.sizes.tolist()
    ([0, 1, 0, 1], [2, 2])
    """
    sequences = as_sequences(sequences)
    inflation = check_number(inflation, "inflation")
    if not inflation > 1:
        raise ValueError(f"inflation must be above 1, got {inflation!r}")
    network = protein_network(sequences, **options)
    start = clock()
    clusters = np.arange(len(sequences.names))
    if network.graph.num_edges:
        found = markov_clustering(network.graph, inflation=inflation, max_iter=_PATIENCE)
        clusters = np.asarray(found)
    network.seconds["clusters"] = clock() - start
    families, sizes = _by_size(clusters)
    network.counts["families"] = len(sizes)
    return ProteinFamilies(sequences.names, families, sizes, network)


def protein_network(
    sequences: Any,
    *,
    k: int = 6,
    alphabet: str = "murphy10",
    substitutes: int = 0,
    num_shapes: int = 8,
    max_sequences: int | None = None,
    max_chance: float = 0.03,
    gap_open: int = 11,
    gap_extend: int = 1,
    max_evalue: float = 0.03,
    support: float = 100.0,
    min_bits: float = 0.0,
    min_identity: float = 0.0,
    min_coverage: float = 0.0,
    memory: int | str = "1GiB",
    device: str = "cpu",
) -> ProteinNetwork:
    """Return the similarity network of proteins.

    Parameters
    ----------
    sequences : path, dict or Sequences
        A FASTA file (also compressed), a mapping of names to sequences, or what `read_fasta`
        returns.
    k : int
        The length of seeds. Shorter seeds find more distant relatives and more candidates.
    alphabet : {"full", "murphy15", "mmseqs13", "murphy10", "dayhoff6"}
        The alphabet of seeds. Reduced alphabets treat similar amino acids as equal.
    substitutes : int
        How many of the most similar k-mers also count as equal to a k-mer.
    num_shapes : int
        The number of shapes of spaced seeds. More shapes find more distant relatives, more slowly.
    max_sequences : int, optional
        K-mers of more sequences than this are ignored. By default all are used.
    max_chance : float
        Pairs are aligned if chance rarely gives their best score without gaps around a seed: to at
        most this fraction of all pairs of their lengths.
    gap_open, gap_extend : int
        A gap of n letters costs ``gap_open + (n - 1) * gap_extend``.
    max_evalue : float
        The largest E-value: how many of all sequences would have such a score with one of them by
        chance, if they had the lengths of the pair. Scores are corrected for composition.
    support : float
        Pairs that share a neighbor may have an E-value this many times larger: three sequences are
        rarely similar to one another by chance. 1 turns this off.
    min_bits : float
        The smallest corrected score in bits.
    min_identity : float
        The smallest fraction of equal letters in an alignment.
    min_coverage : float
        The smallest fraction of either sequence that an alignment covers.
    memory : int or str
        The memory for candidates at a time, in bytes or as "4GiB".
    device : str
        Where pairs are aligned, "cpu" or "cuda".

    Returns
    -------
    ProteinNetwork
        The network as a labeled `Graph`, its alignments, and counts and times of all steps.

    Raises
    ------
    FileFormatError
        If the file is no FASTA file of proteins; the error names the line.
    ValueError
        If a parameter is out of range.

    Notes
    -----
    The time is that of one product of sparse matrices, and O(m n) for each pair that is aligned.

    Examples
    --------
    >>> found = protein_network({"a": "MKVLAWHEAGAWGHEEPWDKF", "b": "MKVLAWHEAGAWGHEEPWDKY"})
    >>> found.graph
    Graph(undirected, 2 vertices, 1 edge, weights float64, labeled 'a', 'b', 48 B)
    """
    _check(k, alphabet, substitutes, num_shapes, max_sequences)
    for name, value in {"min_identity": min_identity, "min_coverage": min_coverage}.items():
        if not 0 <= check_number(value, name) <= 1:
            raise ValueError(f"{name} must lie in [0, 1], got {value!r}")
    max_evalue = check_number(max_evalue, "max_evalue", positive=True)
    max_chance = check_number(max_chance, "max_chance", positive=True)
    if not check_number(support, "support") >= 1:
        raise ValueError(f"support must be at least 1, got {support!r}")
    check_number(min_bits, "min_bits")
    space = check_bytes(memory, "memory")
    sequences = as_sequences(sequences)
    times = [clock()]
    found, chosen = seed_pairs(
        sequences, k=k, alphabet=alphabet, num_shapes=num_shapes, substitutes=substitutes,
        max_sequences=max_sequences, max_chance=max_chance, memory=space, device=device,
    )  # fmt: skip
    times.append(clock())
    costs: Any = {"gap_open": gap_open, "gap_extend": gap_extend, "device": device}
    scores = scores_and_ends(sequences, chosen.left, chosen.right, **costs)
    times.append(clock())
    aligned, columns = _similarities(sequences, chosen, scores, max_evalue, support, costs)
    kept = columns["bits"] >= min_bits
    least = np.minimum(columns["left_coverage"], columns["right_coverage"])
    kept &= (columns["identity"] >= min_identity) & (least >= min_coverage)
    columns = {name: column[kept] for name, column in columns.items()}
    graph = network_of(columns["left"], columns["right"], columns["bits"], sequences.names)
    times.append(clock())
    steps = "seeds", "scores", "alignments"
    seconds = {name: times[i + 1] - times[i] for i, name in enumerate(steps)}
    cells = sequences.lengths[chosen.left] * sequences.lengths[chosen.right]
    counts = {
        "sequences": len(sequences.names), "letters": len(sequences.letters),
        "k-mers": found, "candidates": len(chosen.left), "cells": int(cells.sum()),
        "aligned": aligned, "edges": int(kept.sum()),
    }  # fmt: skip
    return ProteinNetwork(graph, columns, counts, seconds)


def _similarities(
    sequences: Sequences, chosen: Seeds, scored: Any, max_evalue: float, support: float, costs: Any
) -> tuple[int, dict[str, np.ndarray]]:  # fmt: skip
    """How many pairs were aligned, and the columns of `ProteinNetwork.pairs` for similar ones."""
    lengths, biases = sequences.lengths, summed_biases(sequences)

    def similar(pairs: Any, corrected: np.ndarray, slack: float = 1.0) -> Any:
        """The pairs of small E-values, and their bits and E-values."""
        bits = Statistics.bits(corrected)
        evalues = Statistics.evalues(bits, lengths[pairs[0]], lengths[pairs[1]], len(lengths))
        kept = (evalues <= max_evalue * support * slack) & (bits >= _LEAST)
        return [column[kept] for column in (*pairs, bits, evalues)]

    *pairs, ends, _, _ = similar([*chosen, *scored], scored[0])
    count = len(pairs[0])
    for exact in (False, True):
        left, right, _, _, scores = pairs
        if exact:  # and slow
            found, slack = alignments_of(sequences, left, right, scores, **costs), 1.0
        else:
            found, slack = regions_of(sequences, left, right, scores, ends, **costs), _SLACK
        corrected = scores + corrections(sequences, left, right, found, biases)
        regions = [(found.left_end - found.left_begin) / lengths[left],
                   (found.right_end - found.right_begin) / lengths[right]]  # fmt: skip
        *pairs, bits, evalues = similar([*pairs, found.identity, *regions], corrected, slack)
        kept = with_support(pairs[0], pairs[1], evalues <= max_evalue * slack, sequences.names)
        *pairs, bits, evalues = (column[kept] for column in (*pairs, bits, evalues))
        pairs, rest = pairs[:5], pairs[5:]
    *pairs, places, scores = pairs
    names = ("left", "right", "ungapped", "score", "bits", "evalue", "identity", "left_coverage",
             "right_coverage", "left_seed", "right_seed")  # fmt: skip
    columns = (*pairs, scores, bits, evalues, *rest, *places.T.copy())
    return count, dict(zip(names, columns, strict=True))


def with_support(
    left: np.ndarray, right: np.ndarray, sure: np.ndarray, names: list[str]
) -> np.ndarray:
    """Which pairs are sure, or have a common neighbor."""
    kept = sure.copy()
    if not sure.all():
        graph = network_of(left, right, np.ones(len(left)), names)
        kept[~sure] = intersect(graph, (left[~sure], right[~sure])).counts > 0
    return kept


def as_sequences(given: Any) -> Sequences:
    """Sequences from a path, a mapping, or as they are."""
    if isinstance(given, Sequences):
        return given
    return read_fasta(given) if isinstance(given, str | os.PathLike) else encoded(given)


def _check(k: int, alphabet: str, substitutes: int, num_shapes: int, max_sequences: Any) -> None:
    check_choice(alphabet, "alphabet", tuple(ALPHABETS))
    check_count(k, "k", least=1, most=12)
    check_count(substitutes, "substitutes", most=1000)
    check_count(num_shapes, "num_shapes", least=1, most=64)
    if max_sequences is not None:
        check_count(max_sequences, "max_sequences", least=2)


def network_of(left: np.ndarray, right: np.ndarray, bits: np.ndarray, names: list[str]) -> Graph:
    """The pairs as edges of a labeled graph; NumPy sorts them, so that nothing is compiled."""
    sources, targets = np.concatenate([left, right]), np.concatenate([right, left])
    order = np.lexsort((targets, sources))
    indptr = np.searchsorted(sources[order], np.arange(len(names) + 1))
    weights = np.concatenate([bits, bits])[order]
    return Graph(indptr, targets[order].astype(np.int32), weights, labels=Labels(names))


def _by_size(clusters: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Clusters numbered by size, the largest first; among equals by their first member."""
    _, first, number, sizes = np.unique(
        clusters, return_index=True, return_inverse=True, return_counts=True
    )
    order = np.lexsort((first, -sizes))
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    return rank[number], sizes[order]
