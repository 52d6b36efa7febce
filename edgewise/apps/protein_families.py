"""Families of proteins from their sequences, as PASTIS [1] and HipMCL [2] find them.

Sequences that share k-mers are candidates (`proteins.seeds`). Of these, pairs that score high on a
diagonal are aligned (`proteins.alignment`). Alignments that pass the filters are the edges of a
similarity network, weighted by their score in bits, and its Markov clusters are the families.

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
from edgewise.apps.proteins.alignment import alignment_scores, alignments_of
from edgewise.apps.proteins.alphabets import ALPHABETS
from edgewise.apps.proteins.composition import Statistics, corrections
from edgewise.apps.proteins.seeds import (
    Seeds,
    best_diagonals,
    kmer_matrix,
    shared_seeds,
    similar_kmers,
)
from edgewise.apps.proteins.sequences import Sequences, encoded, read_fasta
from edgewise.base.checks import check_bytes, check_choice, check_count, check_number
from edgewise.base.compiling import clock
from edgewise.graph import Graph
from edgewise.graph.labels import Labels

__all__ = ["ProteinFamilies", "ProteinNetwork", "protein_families", "protein_network"]


class ProteinNetwork(NamedTuple):
    """A similarity network of proteins.

    Attributes
    ----------
    graph : Graph
        A vertex per sequence, labeled with its name, and an edge per similar pair, weighted by the
        score of its alignment in bits.
    pairs : dict of arrays
        The edges as columns: ``left`` and ``right`` (positions in the file), ``seeds``, ``score``,
        ``bits``, ``evalue``, ``identity``, ``left_coverage`` and ``right_coverage``.
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
        clusters = np.asarray(markov_clustering(network.graph, inflation=inflation))
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
    min_seeds: int = 1,
    max_sequences: int | None = None,
    min_diagonal: int = 33,
    gap_open: int = 11,
    gap_extend: int = 1,
    max_evalue: float = 0.01,
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
    min_seeds : int
        The smallest number of seeds that two sequences share.
    max_sequences : int, optional
        K-mers of more sequences than this are ignored. By default all are used.
    min_diagonal : int
        Pairs are aligned if they score at least this without gaps, on the diagonal of a seed.
    gap_open, gap_extend : int
        A gap of n letters costs ``gap_open + (n - 1) * gap_extend``.
    max_evalue : float
        The largest E-value: how many alignments of this score chance would produce. Scores are
        corrected for the local composition of both sequences.
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
    _check(k, alphabet, substitutes, min_seeds, max_sequences, min_diagonal)
    for name, value in {"min_identity": min_identity, "min_coverage": min_coverage}.items():
        if not 0 <= check_number(value, name) <= 1:
            raise ValueError(f"{name} must lie in [0, 1], got {value!r}")
    max_evalue = check_number(max_evalue, "max_evalue", positive=True)
    check_number(min_bits, "min_bits")
    check_bytes(memory, "memory")
    sequences = as_sequences(sequences)
    times = [clock()]
    kmers = kmer_matrix(sequences, k=k, alphabet=alphabet, max_sequences=max_sequences)
    similar = None
    if substitutes:
        options: Any = {"k": k, "alphabet": alphabet, "substitutes": substitutes}
        similar = similar_kmers(kmers.codes, **options)
    times.append(clock())
    batches = shared_seeds(kmers, similar, min_seeds=min_seeds, memory=memory)
    candidates, chosen = _candidates(sequences, batches, min_diagonal, device)
    times.append(clock())
    costs: Any = {"gap_open": gap_open, "gap_extend": gap_extend, "device": device}
    left, right = chosen.left, chosen.right
    scores = alignment_scores(sequences, left, right, **costs)
    times.append(clock())
    lengths, letters = sequences.lengths, len(sequences.letters)
    shorter = np.minimum(lengths[left], lengths[right])
    likely = Statistics.evalues(Statistics.bits(scores), shorter, letters) <= max_evalue
    left, right, scores = left[likely], right[likely], scores[likely]
    found = alignments_of(sequences, left, right, scores, **costs)
    bits = Statistics.bits(found.score + corrections(sequences, left, right, found))
    columns = {
        "left": left, "right": right, "seeds": chosen.count[likely], "score": found.score,
        "bits": bits, "evalue": Statistics.evalues(bits, shorter[likely], letters),
        "identity": found.identity,
        "left_coverage": (found.left_end - found.left_begin) / lengths[left],
        "right_coverage": (found.right_end - found.right_begin) / lengths[right],
    }  # fmt: skip
    least = np.minimum(columns["left_coverage"], columns["right_coverage"])
    kept = (columns["evalue"] <= max_evalue) & (bits >= min_bits) & (bits > 0)
    kept &= (columns["identity"] >= min_identity) & (least >= min_coverage)
    columns = {name: column[kept] for name, column in columns.items()}
    ends = columns["left"], columns["right"]
    plain = Graph.from_edges(*ends, columns["bits"], num_vertices=len(sequences.names))
    graph = Graph(plain.indptr, plain.indices, plain.weights, labels=Labels(sequences.names))
    times.append(clock())
    names = "k-mers", "candidates", "scores", "alignments"
    seconds = {name: times[i + 1] - times[i] for i, name in enumerate(names)}
    counts = {
        "sequences": len(sequences.names), "letters": letters, "k-mers": len(kmers.codes),
        "candidates": candidates, "scored": len(chosen.left),
        "cells": int((lengths[chosen.left] * lengths[chosen.right]).sum()),
        "aligned": len(left), "edges": int(kept.sum()),
    }  # fmt: skip
    return ProteinNetwork(graph, columns, counts, seconds)


def as_sequences(given: Any) -> Sequences:
    """Sequences from a path, a mapping, or as they are."""
    if isinstance(given, Sequences):
        return given
    return read_fasta(given) if isinstance(given, str | os.PathLike) else encoded(given)


def _check(
    k: int, alphabet: str, substitutes: int, min_seeds: int, max_sequences: Any, min_diagonal: int
) -> None:
    check_choice(alphabet, "alphabet", tuple(ALPHABETS))
    check_count(k, "k", least=1, most=12)
    check_count(substitutes, "substitutes", most=1000)
    check_count(min_seeds, "min_seeds", least=1)
    check_count(min_diagonal, "min_diagonal")
    if max_sequences is not None:
        check_count(max_sequences, "max_sequences", least=2)


def _candidates(
    sequences: Sequences, batches: Any, min_diagonal: int, device: str
) -> tuple[int, Seeds]:
    """How many pairs share seeds, and those that score enough on a diagonal."""
    count, ids, places = 0, np.empty(0, np.int64), np.empty((0, 2), np.int64)
    parts = [Seeds(ids, ids, ids.astype(np.int32), places, places)]
    for batch in batches:
        count += len(batch.left)
        enough = best_diagonals(sequences, batch, device)[0] >= min_diagonal
        parts.append(Seeds(*(column[enough] for column in batch)))
    return count, Seeds(*map(np.concatenate, zip(*parts, strict=True)))


def _by_size(clusters: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Clusters numbered by size, the largest first; among equals by their first member."""
    _, first, number, sizes = np.unique(
        clusters, return_index=True, return_inverse=True, return_counts=True
    )
    order = np.lexsort((first, -sizes))
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    return rank[number], sizes[order]
