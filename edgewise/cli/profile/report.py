"""A profile as one HTML page: its numbers, its pictures, its highest vertices, its timings."""

from __future__ import annotations

from typing import Any

from edgewise.cli.profile import pictures
from edgewise.cli.profile.facts import Row, degree_columns, facts, file_notes, headline, notes
from edgewise.cli.report import page
from edgewise.cli.report.page import Tile, card, listing, meter, section
from edgewise.cli.terminal import number

__all__ = ["html_report", "inline_report"]


def html_report(profile: dict[str, Any], name: str) -> str:
    """The whole page as text; ``name`` says which graph it is about."""
    return page.page(f"{name}: graph profile", _parts(profile, name))


def inline_report(profile: dict[str, Any], name: str) -> str:
    """The same as a part of a page, such as the output of a notebook's cell."""
    return page.inline(_parts(profile, name))


def _parts(profile: dict[str, Any], name: str) -> list[str]:
    rows = facts(profile)
    size = profile["sizes"]
    kind = "directed graph" if size["directed"] else "undirected graph"
    made = f"{'Weighted ' if size['weighted'] else ''}{kind}".capitalize()
    about = f"{number(size['vertices'])} vertices and {number(size['edges'])} edges"
    component_title = next(title for title in rows if title.lower().endswith("components"))
    return [
        page.header(name, f"{made} with {about}", file_notes(profile)),
        page.tiles([Tile(*row) for row in headline(profile)]),
        '<div class="cards">',
        card("Degrees", pictures.degree_picture(profile["degrees"]), rows["Degrees"]),
        card("Distances", pictures.distance_picture(profile["distances"]), rows["Distances"]),
        card(
            component_title,
            pictures.component_picture(profile["components"]),
            rows[component_title],
        ),
        card("PageRank", pictures.rank_picture(profile["ranks"]), rows["PageRank"]),
        card("Cores", pictures.core_picture(profile["cores"]), rows["Cores"]),
        _overview(rows),
        _top_vertices(profile["ranks"]),
        page.timings(profile["timings"]),
        "</div>",
        page.footer(notes(profile)),
    ]


def _overview(rows: dict[str, list[Row]]) -> str:
    """The sections without a picture."""
    tables = page.facts(rows["Sizes"]) + page.facts(rows["Triangles"], "Triangles")
    return section("Sizes and triangles", tables)


def _top_vertices(ranks: dict[str, Any]) -> str:
    if not ranks["top"]:
        return ""
    most = ranks["top"][0]["score"] or 1.0
    sides = degree_columns(ranks)
    rows = [
        [
            *(str(place), str(row["vertex"]), *(number(row[side]) for side in sides)),
            *(f"{row['score']:.4g}", meter(row["score"] / most)),
        ]
        for place, row in enumerate(ranks["top"], 1)
    ]
    heads = ["", "vertex", *sides.values(), "score", ""]
    return section("Highest PageRank", listing(rows, heads, name="top"), wide=True)
