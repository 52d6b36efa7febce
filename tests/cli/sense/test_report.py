"""The report of what was sensed: complete, well-formed, and silent about who is who."""

from __future__ import annotations

import re

import numpy as np
import pytest

from edgewise.cli.sense.pictures import Series, series_picture
from edgewise.cli.sense.report import html_report
from edgewise.sensing import anomalies, describe_anomalies
from edgewise.sensing.packet_batches import Tally
from tests.cli.pages import Page, check_page
from tests.cli.sense.found import SIZE, nothing, sensed


@pytest.fixture(scope="module")
def found():
    return sensed()


@pytest.mark.parametrize(
    ("make", "pictures"),
    [
        (lambda: sensed(levels=True), 14),
        (lambda: sensed(60, last=77), 14),
        (lambda: sensed(3, times=False), 14),
        (lambda: sensed(0, last=5), 5),
        (nothing, 0),
    ],
    ids=["events", "many", "few", "one", "none"],
)
def test_page_is_well_formed(make, pictures):
    check_page(html_report(make(), "some.pcap", window=SIZE), pictures)


def test_page_says_what_was_found(found):
    text = html_report(found, "some.pcap", window=SIZE)
    assert describe_anomalies(anomalies(found.windows)) == {7: "scan", 11: "flood from many"}
    assert "<h1>some.pcap</h1>" in text
    assert "24,576 packets in 24 windows of 2^10 packets, from 2023-11-14 22:13:20 to" in text
    for value in found.quantities:
        assert f"<dd>{value:,}</dd>" in text
    for said in ("flood from many", "Zipf-Mandelbrot exponent", "NOT anonymized"):
        assert said in text
    rows = re.findall(r"<tr( class=\"marked\")?><td>(\d+)</td><td>2023", text)
    assert [int(i) for marked, i in rows if marked][-2:] == [7, 11]
    assert len(rows) == 24 + 2  # all windows, and two that are unusual
    assert text.count('class="dot flag"') == len(anomalies(found.windows))
    assert text.count('class="band"') == 9


def test_anonymized_pages_name_no_file(found):
    text = html_report(found, "10.1.2.3.pcap", window=SIZE, anonymized="permutation")
    assert "10.1.2.3" not in text
    assert "anonymized (permutation)" in text
    assert "<h1>Anonymized traffic</h1>" in text


def test_anonymized_pages_have_no_real_address():
    from edgewise.sensing import Key, permutation

    secret = bytes(range(100, 132))
    plain = html_report(sensed(), "some.pcap", window=SIZE)
    text = html_report(
        sensed(anonymize=permutation(Key(secret))), "x", window=SIZE, anonymized="permutation"
    )
    real, shown = (set(re.findall(r"\b\d+\.\d+\.\d+\.\d+\b", one)) for one in (plain, text))
    assert len(real) >= 10
    assert len(shown) == len(real)
    assert not real & shown
    assert secret.hex() not in text


def test_names_are_escaped(found):
    text = html_report(found, "<script>a</script>.pcap", window="<b>60s")
    assert "<script" not in text
    assert "windows of &lt;b&gt;60s" in text
    Page(text)


def test_many_windows_are_thinned():
    found = sensed(60)
    text = html_report(found, "some.pcap", window=SIZE)
    assert "Windows: the unusual ones and some others of 60" in text
    table = text[text.index('id="windows"') :]
    rows = re.findall(r"<tr[^>]*><td>(\d+)</td><td>20", table[: table.index("</table>")])
    assert {"0", "7", "11", "59"} <= set(rows)
    assert len(rows) <= 40


def test_few_windows_are_not_judged():
    text = html_report(sensed(3), "some.pcap", window=SIZE)
    assert "What is usual takes 5 windows to say; there are 3." in text
    assert 'class="band"' not in text


def test_what_was_left_out_is_said(found):
    tally = Tally(files=2, bytes_read=5000, packets=30000, ipv4=24576, other=5424, damaged=300)
    text = html_report(
        found._replace(tally=tally, late=7, empty=3), "some.pcap", window="60s", anonymized="x"
    )
    for said in ("300 bytes of damaged files", "7 packets came after", "3 windows of time had no"):
        assert said in text
    assert "24,576 (81.9%)" in text


@pytest.mark.parametrize("values", [[0, 0, 0], [5] * 3, [0, 10**6, 3], list(range(1, 1000))])
def test_series_of_any_values_stay_inside(values):
    series = Series(np.array(values), (0, 40), {1: "said"})
    text = series_picture(series, "title", ["–"] * len(values))
    check_page(text, 1)
    assert "said" in text


def test_one_window_is_no_series():
    assert series_picture(Series(np.array([4]), None, {}), "title", ["–"]) is None
