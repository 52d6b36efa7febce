"""A profile as one HTML page that needs nothing but itself: no script, no font, no request.

The page follows the reader's light or dark setting. Its policy (a ``meta`` element) forbids it to
load anything, so that a label in a graph file can never make it do so; all text is escaped.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from importlib.resources import files
from typing import Any

from edgewise.cli.profile import pictures
from edgewise.cli.profile.facts import Row, degree_columns, facts, file_notes, headline, notes
from edgewise.cli.terminal import number, seconds

__all__ = ["html_report"]


def html_report(profile: dict[str, Any], name: str) -> str:
    """The whole page as text; ``name`` says which graph it is about."""
    rows = facts(profile)
    size = profile["sizes"]
    kind = "directed graph" if size["directed"] else "undirected graph"
    about = f"{number(size['vertices'])} vertices and {number(size['edges'])} edges"
    made = f"{'Weighted ' if size['weighted'] else ''}{kind}".capitalize()
    noticed = "".join(f'<p class="noticed">{escape(note)}</p>' for note in file_notes(profile))
    component_title = next(title for title in rows if title.lower().endswith("components"))
    body = [
        f"<header><h1>{escape(name)}</h1><p>{made} with {about}</p>{noticed}</header>",
        _tiles(headline(profile)),
        '<div class="cards">',
        _card("Degrees", pictures.degree_picture(profile["degrees"]), rows["Degrees"]),
        _card("Distances", pictures.distance_picture(profile["distances"]), rows["Distances"]),
        _card(
            component_title,
            pictures.component_picture(profile["components"]),
            rows[component_title],
        ),
        _card("PageRank", pictures.rank_picture(profile["ranks"]), rows["PageRank"]),
        _card("Cores", pictures.core_picture(profile["cores"]), rows["Cores"]),
        _overview(rows),
        _top_vertices(profile["ranks"]),
        _timings(profile["timings"]),
        "</div>",
        _footer(profile),
    ]
    style = files("edgewise.cli.profile").joinpath("report.css").read_text("utf-8")
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "style-src 'unsafe-inline'; img-src data:\">"
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<link rel="icon" href="data:,">'
        f"<title>{escape(name)}: graph profile</title>\n<style>\n{style}</style></head>\n"
        f"<body><main>\n{chr(10).join(body)}\n</main></body></html>\n"
    )


def _tiles(rows: Sequence[Row]) -> str:
    cells = "".join(
        f"<div><dt>{escape(_capital(name))}</dt><dd>{escape(text)}</dd></div>"
        for name, text in rows
    )
    return f'<dl class="tiles">{cells}</dl>'


def _card(title: str, picture: str | None, rows: Sequence[Row]) -> str:
    """A picture with its facts under it."""
    drawn = picture or '<p class="nothing">There is nothing to draw.</p>'
    return f'<section class="card"><h2>{escape(title)}</h2>{drawn}{_facts(rows)}</section>'


def _facts(rows: Sequence[Row], caption: str | None = None) -> str:
    lines = []
    for name, *texts in rows:
        if name:
            cells = "".join(f"<td>{escape(text)}</td>" for text in texts)
            lines.append(f'<tr><th scope="row">{escape(_capital(name))}</th>{cells}</tr>')
        else:
            cells = "".join(f'<th scope="col">{escape(_capital(text))}</th>' for text in texts)
            lines.append(f"<tr><td></td>{cells}</tr>")
    above = f"<caption>{escape(caption)}</caption>" if caption else ""
    return f'<table class="facts">{above}<tbody>{"".join(lines)}</tbody></table>'


def _overview(rows: dict[str, list[Row]]) -> str:
    """The sections without a picture."""
    return (
        '<section class="card"><h2>Sizes and triangles</h2>'
        f"{_facts(rows['Sizes'])}{_facts(rows['Triangles'], 'Triangles')}</section>"
    )


def _top_vertices(ranks: dict[str, Any]) -> str:
    if not ranks["top"]:
        return ""
    most = ranks["top"][0]["score"] or 1.0
    sides = degree_columns(ranks)
    lines = "".join(
        f"<tr><td>{place}</td><td>{escape(str(row['vertex']))}</td>"
        + "".join(f"<td>{number(row[side])}</td>" for side in sides)
        + f"<td>{row['score']:.4g}</td>"
        f'<td class="meters"><span class="meter" style="width:{100 * row["score"] / most:.1f}%">'
        "</span></td></tr>"
        for place, row in enumerate(ranks["top"], 1)
    )
    heads = "".join(f"<th>{_capital(name)}</th>" for name in sides.values())
    return (
        '<section class="card wide"><h2>Highest PageRank</h2><table class="list" id="top"><thead>'
        f"<tr><th></th><th>Vertex</th>{heads}<th>Score</th><th></th></tr></thead>"
        f"<tbody>{lines}</tbody></table></section>"
    )


def _timings(timings: dict[str, float]) -> str:
    most = max(timings.values(), default=0.0) or 1.0
    total = sum(timings.values())
    lines = "".join(
        f"<tr><td></td><td>{escape(_capital(name))}</td><td>{escape(seconds(value))}</td>"
        f'<td class="meters"><span class="meter" style="width:{100 * value / most:.1f}%"></span>'
        "</td></tr>"
        for name, value in timings.items()
    )
    return (
        f'<section class="card wide"><h2>Time taken: {seconds(total)}</h2>'
        f'<table class="list" id="timings"><tbody>{lines}</tbody></table></section>'
    )


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _footer(profile: dict[str, Any]) -> str:
    from edgewise import __version__

    said = "".join(f"<p>{escape(text)}</p>" for text in notes(profile))
    return f"<footer>{said}<p>Made by Edgewise {__version__}.</p></footer>"
