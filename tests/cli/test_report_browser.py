"""The reports in a real browser: they draw, in light and dark, and ask for nothing."""

from __future__ import annotations

import pytest

from edgewise.cli.profile import measure
from edgewise.cli.profile.report import html_report
from edgewise.cli.sense.report import html_report as sense_report
from edgewise.generators import rmat
from tests.cli.chromium import Chromium, find_chromium
from tests.cli.sense.found import SIZE, sensed

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(find_chromium() is None, reason="there is no Chromium on this machine"),
]

BOXES = """
[...document.querySelectorAll('%s')].map(e => {
  const box = e.getBoundingClientRect();
  return [box.width, box.height, box.right, box.left];
})
"""


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    with Chromium(find_chromium(), tmp_path_factory.mktemp("browser")) as running:
        yield running


@pytest.fixture(scope="module")
def found():
    return measure(rmat(9, directed=True, seed=1))


@pytest.fixture(scope="module")
def texts(found):
    """The reports: their names and their pages."""
    sensing = sensed(levels=True)
    return {
        "profile": html_report(found, "R-MAT <9>"),
        "sense": sense_report(sensing, "a <b>.pcap", window=SIZE),
    }


def shown(browser, texts, name, folder):
    path = folder / "report.html"
    path.write_text(texts[name])
    browser.requests.clear()
    browser.complaints.clear()
    browser.call("Emulation.setEmulatedMedia", features=[])
    browser.call("Emulation.clearDeviceMetricsOverride")
    browser.open(path)
    return path


@pytest.fixture
def page(browser, texts, tmp_path):
    return shown(browser, texts, "profile", tmp_path)


@pytest.fixture
def sense_page(browser, texts, tmp_path):
    return shown(browser, texts, "sense", tmp_path)


@pytest.fixture(params=["profile", "sense"])
def either(request, browser, texts, tmp_path):
    return shown(browser, texts, request.param, tmp_path)


def test_page_asks_for_nothing_and_does_not_complain(browser, either):
    assert [url for url in browser.requests if not url.startswith("data:")] == [either.as_uri()]
    assert browser.complaints == []


def test_page_says_what_was_measured(browser, page, found):
    assert browser.evaluate("document.title") == "R-MAT <9>: graph profile"
    assert browser.evaluate("document.querySelector('h1').textContent") == "R-MAT <9>"
    text = browser.evaluate("document.body.innerText")
    assert f"{found['sizes']['edges']:,}" in text
    assert "Weakly connected components" in text
    top = browser.evaluate("document.querySelector('#top tbody tr').innerText").split()
    assert top[:2] == ["1", str(found["ranks"]["top"][0]["vertex"])]
    rows = browser.evaluate("document.querySelectorAll('#timings tr').length")
    assert rows == len(found["timings"])


def test_places_and_heads_stay_on_one_line(browser, page):
    heights = browser.evaluate(
        "[...document.querySelectorAll('#top tr > :first-child, #top th')].map(e => e.clientHeight)"
    )
    assert max(heights) < 45


def test_pictures_have_size_and_content(browser, page):
    boxes = browser.evaluate(BOXES % "svg")
    assert len(boxes) == 5
    for width, height, *_ in boxes:
        assert width > 300
        assert height > 150
    for inside in ("svg circle", "svg .bar", "svg .line", "svg text"):
        assert any(
            width > 0 and height > 0 for width, height, *_ in browser.evaluate(BOXES % inside)
        )
    strangers = "[...document.querySelectorAll('svg *')].filter(e => !(e instanceof SVGElement))"
    assert browser.evaluate(f"{strangers}.length") == 0


def test_sensing_is_drawn_and_marked(browser, sense_page):
    assert browser.evaluate("document.title") == "a <b>.pcap: network sensing"
    boxes = browser.evaluate(BOXES % "svg")
    assert len(boxes) == 14
    assert all(width > 200 and height > 100 for width, height, *_ in boxes)
    for inside in ("svg .band", "svg .flag", "#windows .marked", "#unusual tbody td"):
        boxes = browser.evaluate(BOXES % inside)
        assert boxes, inside
        assert all(width > 0 and height > 0 for width, height, *_ in boxes), inside
    rows = browser.evaluate("document.querySelectorAll('#windows tbody tr').length")
    assert rows == 24
    for table in ("#links", "#sources", "#destinations"):
        assert browser.evaluate(f"document.querySelectorAll('{table} tbody tr').length") == 10


def test_dark_setting_is_followed(browser, either):
    color = "getComputedStyle(document.body).backgroundColor"
    light = browser.evaluate(color)
    dark_feature = [{"name": "prefers-color-scheme", "value": "dark"}]
    browser.call("Emulation.setEmulatedMedia", features=dark_feature)
    dark = browser.evaluate(color)
    assert _brightness(light) > 200
    assert _brightness(dark) < 60
    ink = "getComputedStyle(document.querySelector('svg .tick')).fill"
    assert _brightness(browser.evaluate(ink)) > 120


@pytest.mark.parametrize("width", [360, 820, 1400])
def test_nothing_sticks_out(browser, either, width):
    browser.call(
        "Emulation.setDeviceMetricsOverride",
        width=width,
        height=900,
        deviceScaleFactor=1,
        mobile=False,
    )
    assert browser.evaluate("document.documentElement.scrollWidth") <= width
    whole = "svg, table:not(.numbers), .scroll, h1, .tiles div"  # tables of numbers may scroll
    for *_, right, left in browser.evaluate(BOXES % whole):
        assert left >= 0
        assert right <= width


def _brightness(color: str) -> float:
    """The mean of the three parts of ``rgb(r, g, b)``."""
    parts = [float(part) for part in color.split("(")[1].rstrip(")").split(",")[:3]]
    return sum(parts) / 3
