"""One HTML page that needs nothing but itself: no script, no font, no request.

The page follows the reader's light or dark setting. Its policy (a ``meta`` element) forbids it to
load anything, so that a name in a file can never make it do so; all text is escaped here.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from html import escape
from importlib.resources import files
from typing import NamedTuple

from edgewise.cli.terminal import seconds, took

__all__ = ["Tile", "capital", "card", "facts", "footer", "header", "inline", "listing", "meter"]
__all__ += ["page", "section", "tiles", "timings"]


class Tile(NamedTuple):
    """A number with its name, and a sentence on what it says where one is needed."""

    name: str
    text: str
    says: str = ""


def page(title: str, body: Iterable[str]) -> str:
    """The whole page as text; ``body`` is its parts, which are HTML already."""
    style, parts = _style(), "\n".join(part for part in body if part)
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "style-src 'unsafe-inline'; img-src data:\">"
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<link rel="icon" href="data:,">'
        f"<title>{escape(title)}</title>\n<style>\n{style}</style></head>\n"
        f"<body><main>\n{parts}\n</main></body></html>\n"
    )


def inline(body: Iterable[str]) -> str:
    """The parts of a page for the output of a notebook's cell: its style applies to nothing else.

    The page's style is nested in a class. What depends on the width of the window depends on that
    of the output instead.
    """
    style = _style().replace(":root", "&").replace("\nbody {", "\n& {")
    style = style.replace("@media (max-width", "@container (max-width")
    parts = "\n".join(part for part in body if part)
    return (
        f"<style>.edgewise-report {{ container-type: inline-size;\n{style}"
        "tr { background: none !important; }\n"
        f'main {{ padding: 8px; }} }}</style>\n<div class="edgewise-report"><main>\n{parts}\n'
        "</main></div>"
    )


def _style() -> str:
    return files("edgewise.cli.report").joinpath("page.css").read_text("utf-8")


def header(name: str, about: str, noticed: Iterable[str] = ()) -> str:
    """What the page is about, and what was noticed while that was read."""
    said = "".join(f'<p class="noticed">{escape(note)}</p>' for note in noticed)
    return f"<header><h1>{escape(name)}</h1><p>{escape(about)}</p>{said}</header>"


def footer(notes: Iterable[str]) -> str:
    """What the numbers mean, and who made the page."""
    from edgewise import __version__

    said = "".join(f"<p>{escape(text)}</p>" for text in notes)
    return f"<footer>{said}<p>Made by Edgewise {__version__}.</p></footer>"


def tiles(shown: Sequence[Tile]) -> str:
    """Large numbers side by side: four in a row, or three where they have sentences."""
    cells = "".join(
        f"<div><dt>{escape(capital(name))}</dt><dd>{escape(text)}</dd>"
        + (f'<dd class="says">{escape(says)}</dd>' if says else "")
        + "</div>"
        for name, text, says in shown
    )
    style = "tiles three" if any(tile.says for tile in shown) else "tiles"
    return f'<dl class="{style}">{cells}</dl>'


def section(title: str, content: str, *, wide: bool = False) -> str:
    """A card with a title around HTML; a wide one takes a whole row."""
    style = "card wide" if wide else "card"
    return f'<section class="{style}"><h2>{escape(title)}</h2>{content}</section>'


def card(title: str, picture: str | None, rows: Sequence[tuple[str, ...]]) -> str:
    """A picture with its facts under it."""
    drawn = picture or '<p class="nothing">There is nothing to draw.</p>'
    return section(title, drawn + facts(rows))


def facts(rows: Sequence[tuple[str, ...]], caption: str | None = None) -> str:
    """Names with their values; a row without a name has titles of columns."""
    lines = []
    for name, *texts in rows:
        if name:
            cells = "".join(f"<td>{escape(text)}</td>" for text in texts)
            lines.append(f'<tr><th scope="row">{escape(capital(name))}</th>{cells}</tr>')
        else:
            cells = "".join(f'<th scope="col">{escape(capital(text))}</th>' for text in texts)
            lines.append(f"<tr><td></td>{cells}</tr>")
    above = f"<caption>{escape(caption)}</caption>" if caption else ""
    return f'<table class="facts">{above}<tbody>{"".join(lines)}</tbody></table>'


def listing(
    rows: Iterable[Sequence[str]],
    heads: Sequence[str] = (),
    *,
    name: str,
    style: str = "list",
    marked: Container[int] = (),
) -> str:
    """A table of many rows alike, some of them marked by their numbers; a cell may be a `meter`."""
    above = "".join(f"<th>{escape(capital(head))}</th>" for head in heads)
    top = f"<thead><tr>{above}</tr></thead>" if heads else ""
    start = ("<tr>", '<tr class="marked">')
    lines = "".join(
        f"{start[i in marked]}{''.join(map(_cell, row))}</tr>" for i, row in enumerate(rows)
    )
    return f'<table class="{style}" id="{name}">{top}<tbody>{lines}</tbody></table>'


def timings(taken: Mapping[str, float], total: float | None = None) -> str:
    """What each step took, with a bar beside it; in all their sum, unless some went on at once."""
    most = max(taken.values(), default=0.0) or 1.0
    rows = [
        ("", capital(name), seconds(value), meter(value / most)) for name, value in taken.items()
    ]
    title = f"Time taken: {took(sum(taken.values()) if total is None else total)}"
    return section(title, listing(rows, name="timings"), wide=True)


def meter(share: float) -> Meter:
    """A bar that is as long as the share of the longest, for the last cell of a row."""
    return Meter(f'<span class="meter" style="width:{100 * share:.1f}%"></span>')


class Meter(str):
    """The HTML of a bar in a table: the only text of a cell that is not escaped."""


def capital(text: str) -> str:
    """The text with its first letter as a capital one, the others as they are."""
    return text[:1].upper() + text[1:]


def _cell(text: str) -> str:
    if isinstance(text, Meter):
        return f'<td class="meters">{text}</td>'
    return f"<td>{escape(text)}</td>"
