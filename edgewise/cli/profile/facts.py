"""A profile in words: the same lines for the terminal and for the report.

A row is ``(name, text)``, or ``(name, text, text)`` where out and in degrees stand side by side; a
row without a name is a heading. An interval follows its estimate.
"""

from __future__ import annotations

from typing import Any

from edgewise.cli.describe import say_ids, say_weights
from edgewise.cli.profile.tail import PLAUSIBLE
from edgewise.cli.terminal import number, percent, say_bytes

__all__ = ["Row", "degree_columns", "facts", "file_notes", "headline", "notes"]

Row = tuple[str, ...]


def headline(profile: dict[str, Any]) -> list[Row]:
    """The eight numbers that describe a graph best."""
    size, distance = profile["sizes"], profile["distances"]
    triangle, component = profile["triangles"], profile["components"]
    return [
        ("vertices", number(size["vertices"])),
        ("edges", number(size["edges"])),
        (_mean_name(size), number(_round(size["mean_degree"]))),
        ("components", number(component["count"])),
        ("in the largest", percent(component["largest_share"])),
        ("effective diameter", number(_round(distance["effective_diameter"]))),
        ("average clustering", number(_round(triangle["average_clustering"]))),
        ("degeneracy", number(profile["cores"]["degeneracy"])),
    ]


def facts(profile: dict[str, Any]) -> dict[str, list[Row]]:
    """The rows of each section, by the section's title."""
    made = {"Sizes": _sizes(profile["sizes"])}
    made["Degrees"] = _degrees(profile["degrees"])
    directed = profile["sizes"]["directed"]
    made["Weakly connected components" if directed else "Components"] = _components(
        profile["components"]
    )
    made["Distances"] = _distances(profile["distances"])
    made["Triangles"] = _triangles(profile["triangles"])
    made["Cores"] = _cores(profile["cores"])
    made["PageRank"] = _ranks(profile["ranks"])
    return made


def file_notes(profile: dict[str, Any]) -> list[str]:
    """What was noticed and decided while the file was read."""
    texts = [note["text"] for note in profile.get("notes", ())]
    return [f"{text[:1].upper()}{text[1:]}." for text in texts]


def notes(profile: dict[str, Any]) -> list[str]:
    """What the numbers mean and how sure they are."""
    said = []
    if profile["sizes"]["directed"]:
        said.append(
            "Degrees, distances and PageRank follow the arcs; components, triangles and cores "
            "are those of the undirected graph beneath."
        )
    distance, triangle, ranks = profile["distances"], profile["triangles"], profile["ranks"]
    if not distance["exact"]:
        said.append(
            f"Distances were measured from {number(distance['sources'])} random vertices to all "
            "others; intervals hold with 95% confidence. The longest distance is a lower bound."
        )
    sketched = (
        f" It was found by {number(distance['sketches'])} sketches of all vertices' neighborhoods."
    )
    said.append(
        "The effective diameter is the distance, interpolated, within which 90% of the pairs lie "
        "that reach one another. Distances count edges, not weights."
        + (sketched if distance["sketches"] else "")
    )
    if not triangle["exact"]:
        said.append(
            f"Triangles and clustering were estimated from {number(triangle['wedges'])} random "
            "wedges; intervals hold with 95% confidence."
        )
    said += _tail_notes([part["tail"] for part in profile["degrees"].values() if part["tail"]])
    if not ranks["converged"]:
        said.append("PageRank did not converge; its unfinished scores are shown.")
    elif ranks["weighted"]:
        said.append("PageRank follows the weights.")
    elif profile["sizes"]["weighted"]:
        said.append(
            "The weights were not used: they may be lengths as well as strengths. With --weights "
            'weight (in Python weights="weight"), PageRank follows them.'
        )
    return said


def _tail_notes(tails: list[dict[str, Any]]) -> list[str]:
    if not tails:
        return []
    said = (
        f"A power law is plausible for a tail if p is at least {PLAUSIBLE}: the share of samples "
        "of the best fit that lie no nearer to their own fits than the degrees do"
    )
    if any(tail["plausible"] for tail in tails):
        said += "; other laws may fit as well"
    return [f"{said}."]


def degree_columns(ranks: dict[str, Any]) -> dict[str, str]:
    """The degrees that the table of the highest vertices has: keys of its rows, and titles."""
    names = {"degree": "degree", "in_degree": "in-degree", "out_degree": "out-degree"}
    return {key: name for key, name in names.items() if ranks["top"] and key in ranks["top"][0]}


def _sizes(size: dict[str, Any]) -> list[Row]:
    kind = ["directed" if size["directed"] else "undirected"]
    kind += ["weighted"] if size["weighted"] else []
    kind += ["labeled"] if size["labeled"] else []
    rows: list[Row] = [
        ("kind", ", ".join(kind)),
        ("vertices", number(size["vertices"])),
        ("labels" if size["labeled"] else "ids", say_ids(size["ids"], size["vertices"])),
        ("edges", number(size["edges"])),
        ("self-loops", number(size["self_loops"])),
        ("density", number(size["density"])),
        ("in memory", say_bytes(size["bytes"])),
    ]
    if size["directed"]:
        rows.insert(5, ("reciprocity", number(size["reciprocity"])))
    if size["weights"]:
        rows.append(("weights", say_weights(size["weights"])))
    return rows


def _degrees(parts: dict[str, Any]) -> list[Row]:
    sides = list(parts.values())
    rows = [("", *parts)] if len(parts) > 1 else []
    rows += [
        ("mean", *(number(_round(part["mean"])) for part in sides)),
        ("median", *(number(part["median"]) for part in sides)),
        ("90%, 99% quantile", *(f"{number(part['p90'])}, {number(part['p99'])}" for part in sides)),
        ("largest", *(number(part["max"]) for part in sides)),
        ("vertices of degree 0", *(number(part["isolated"]) for part in sides)),
        ("edge ends at the top 1%", *(percent(part["top_share"]) for part in sides)),
    ]
    tails = [part["tail"] for part in sides]
    if any(tails):
        rows.append(("power-law tail", *map(_verdict, tails)))
        misfits = (f"{tail['misfit']:.3f}" if tail else "–" for tail in tails)
        rows.append(("distance of the fit (KS)", *misfits))
    good = [tail if tail and tail["plausible"] else None for tail in tails]
    if any(good):
        fits = (f"{t['exponent']:.2f} ± {1.96 * t['error']:.1g}" if t else "–" for t in good)
        starts = (number(t["from_degree"] if t else None) for t in good)
        rows += [("tail exponent", *fits), ("fitted from degree", *starts)]
    return rows


def _verdict(tail: dict[str, Any] | None) -> str:
    """Whether a power law fits, and how well."""
    if tail is None:
        return "–"
    least = 1 / tail["samples"]
    p_value = f"p = {tail['p_value']:.2f}" if tail["p_value"] >= least else f"p < {least:.2g}"
    return f"{'plausible' if tail['plausible'] else 'no'} ({p_value})"


def _components(part: dict[str, Any]) -> list[Row]:
    return [
        ("number", number(part["count"])),
        ("largest", f"{number(part['largest'])} ({percent(part['largest_share'])})"),
        ("second largest", number(part["top"][1] if len(part["top"]) > 1 else None)),
        ("single vertices", number(part["isolated"])),
    ]


def _distances(part: dict[str, Any]) -> list[Row]:
    effective, mean = "effective_diameter", "mean"
    longest = number(part["longest"])
    return [
        ("effective diameter", _with_interval(part[effective], part[f"{effective}_interval"])),
        ("mean", _with_interval(part[mean], part[f"{mean}_interval"])),
        ("longest", longest if part["exact"] else f"at least {longest}"),
        ("pairs that are connected", percent(part["reachable"])),
        ("measured from", "all vertices" if part["exact"] else f"{part['sources']} vertices"),
    ]


def _triangles(part: dict[str, Any]) -> list[Row]:
    return [
        ("triangles", _with_interval(part["total"], part["total_interval"])),
        ("transitivity", _with_interval(part["transitivity"], part["transitivity_interval"])),
        (
            "average clustering",
            _with_interval(part["average_clustering"], part["average_clustering_interval"]),
        ),
    ]


def _cores(part: dict[str, Any]) -> list[Row]:
    return [
        ("degeneracy", number(part["degeneracy"])),
        ("median core number", number(part["median"])),
        ("vertices in the innermost core", number(part["innermost"])),
        ("its density", number(part["innermost_density"])),
    ]


def _ranks(part: dict[str, Any]) -> list[Row]:
    return [
        ("score of the top 1%", percent(part["top_share"])),
        ("vertices that hold half", number(part["half"])),
        ("highest score", number(part["top"][0]["score"] if part["top"] else None)),
        ("damping factor", number(part["alpha"])),
    ]


def _with_interval(value: Any, interval: Any) -> str:
    text = number(_round(value))
    if interval is None:
        return text
    return f"{text} ({number(_round(interval[0]))} to {number(_round(interval[1]))})"


def _mean_name(size: dict[str, Any]) -> str:
    return "mean in/out-degree" if size["directed"] else "mean degree"


def _round(value: Any) -> Any:
    """Two digits after the point are enough above one, three leading ones below."""
    if value is None or isinstance(value, int):
        return value
    return round(value, 2) if abs(value) >= 1 else float(f"{value:.3g}")
