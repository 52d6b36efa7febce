"""Checks of HTML reports without a browser: elements nest, pictures stay inside, nothing loads."""

from __future__ import annotations

import re
from html.parser import HTMLParser

VOID = {"meta", "link", "br"}
DRAWN = {"circle", "line", "rect", "polyline"}


class Page(HTMLParser):
    """Collects elements and checks that they nest."""

    def __init__(self, text):
        super().__init__()
        self.open, self.seen = [], []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.seen.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.seen.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def count(self, tag):
        return sum(one == tag for one, _ in self.seen)


def check_page(text, pictures):
    """A whole page with so many pictures, without a script, an address or a number that is none."""
    page = Page(text)
    assert page.count("svg") == pictures
    assert page.count("script") == 0
    for forbidden in ("http://", "https://", "url(", "@import", "nan", "inf,"):
        assert forbidden not in text.lower().replace("http-equiv", ""), forbidden
    for tag, attributes in page.seen:
        if tag in DRAWN:
            numbers = re.findall(r"-?\d+\.?\d*", " ".join(attributes.values()))
            assert all(-1 <= float(value) <= 600 for value in numbers), attributes
    return page
