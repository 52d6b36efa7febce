"""The documents agree with the package: names, commands, versions, links, and the site itself.

The examples in README and docs are executed by pytest itself (``--doctest-glob=*.md``).
"""

from __future__ import annotations

import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

import edgewise
from tests.cli.chromium import Chromium, find_chromium

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]

SEARCH = """
document.querySelector('#__search').click();
const box = document.querySelector('.md-search__input');
box.focus();
box.value = 'pagerank';
box.dispatchEvent(new Event('input', {bubbles: true}));
"""
#: Pages with wide tables, long lines of code, large figures.
PHONE = ("index", "choosing", "coming-from-networkx", "glossary", "speed", "guides/operators",
         "guides/grid", "reference/index", "reference/traversal")  # fmt: skip
FOUND = "[...document.querySelectorAll('.md-search-result__link')].map(one => one.href)"


def test_every_command_is_documented():
    from typer.main import get_command

    from edgewise.cli.app import app

    text = (ROOT / "docs" / "guides" / "cli.md").read_text()
    for name in get_command(app).commands:
        assert re.search(rf"`{name}\b", text), f"docs/guides/cli.md does not mention {name}"


def test_versions_agree():
    assert f"\n## {edgewise.__version__}\n" in (ROOT / "CHANGELOG.md").read_text()
    assert f"\nversion: {edgewise.__version__}\n" in (ROOT / "CITATION.cff").read_text()


def anchors(page):
    """What a link to a page may name behind #: its headings, and in the reference public names."""
    from docs.tables import homes

    text = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    found = {
        name for name, home in homes().items() if page.parts[-2:] == ("reference", f"{home}.md")
    }
    for title in re.findall(r"^#+ (.*)$", text, flags=re.MULTILINE):
        words = re.sub(r"[^\w\s-]", "", re.sub(r"\[(.*?)\]\(.*?\)", r"\1", title).lower())
        found.add(re.sub(r"[-\s]+", "-", words.strip()))
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    """Links to pages, their sections, and figures."""
    for target, anchor in re.findall(r"\]\(([^)#\s]*)(?:#([^)]*))?\)", page.read_text()):
        if "://" not in target and "`" not in target:
            there = page.parent / target if target else page
            assert there.exists(), f"{page.name} links to {target}"
            assert not anchor or anchor in anchors(there), f"{page.name}: {target}#{anchor}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_names_in_pages_exist(page):
    if "decisions" in page.parts:
        pytest.skip("decisions name things as they were then")
    for name in re.findall(r"`ew\.([A-Za-z_][\w.]*)", page.read_text()):
        found = edgewise
        for part in name.split("."):
            assert hasattr(found, part), f"{page.name} says ew.{name}"
            found = getattr(found, part)


def test_every_algorithm_can_be_chosen():
    text = (ROOT / "docs" / "choosing.md").read_text()
    named = set(re.findall(r"`ew\.([\w.]+)", text))
    assert set(edgewise.algorithms.ALGORITHMS) <= named


def test_every_page_is_in_the_menu_once():
    docs, text = ROOT / "docs", (ROOT / "mkdocs.yml").read_text()
    menu = re.findall(r"^ +- (?:[\w ]+: )?([\w/-]+\.md)$", text, flags=re.MULTILINE)
    assert len(menu) == len(set(menu))
    apart = ("decisions", "benchmarks")  # one has a table of its pages, one is expanded
    pages = {str(page.relative_to(docs)) for page in docs.rglob("*.md")}
    pages = {page for page in pages if not page.startswith(apart)} | {"decisions/README.md"}
    assert pages | {"contributing.md"} == set(menu)


def test_the_reference_describes_every_public_name():
    from docs.tables import homes, is_described, public

    described = homes()
    for name in edgewise.__all__:
        value = getattr(edgewise, name)
        if is_described(value):
            assert name in described or f"join.{name}" in described, name
    assert set(edgewise.algorithms.ALGORITHMS) <= set(described)
    assert all(row.work for row in edgewise.algorithms.ALGORITHMS.values())
    for page in public():
        assert f"<!-- docstrings: {page} -->" in (ROOT / f"docs/reference/{page}.md").read_text()


def test_generated_files_are_current(capsys):
    from docs import stubs, tables

    used = "".join(page.read_text() for page in PAGES)
    for name, make in tables.TABLES.items():
        assert f"<!-- table: {name} -->" in used, f"no page has the table {name}"
        assert make().count("\n") > 2
    assert set(re.findall(r"<!-- table: (\w+) -->", used)) == set(tables.TABLES)
    assert tables.main(["--check"]) == 0, capsys.readouterr().out
    assert set(stubs.stubs()) == set((ROOT / "edgewise").rglob("*.pyi"))
    assert "| [`bfs`](#bfs) |" in (ROOT / "docs" / "reference" / "traversal.md").read_text()


def test_a_table_that_is_not_current_is_found_and_written(tmp_path, monkeypatch, capsys):
    from docs import tables

    page = tmp_path / "docs" / "page.md"
    page.parent.mkdir()
    page.write_text("# A\n\n<!-- table: formats -->\nold\n<!-- end of table -->\n\nB\n")
    monkeypatch.setattr(tables, "PAGES", page.parent)
    monkeypatch.setattr(tables, "stubs", dict)  # none: this test writes
    assert tables.main(["--check"]) == 1
    assert "page.md is out of date: run make generate" in capsys.readouterr().out
    assert "old" in page.read_text()
    assert tables.main([]) == 0
    assert page.read_text().startswith("# A\n\n<!-- table: formats -->\n| format |")
    assert page.read_text().endswith("|\n<!-- end of table -->\n\nB\n")
    assert tables.main(["--check"]) == 0


def test_every_result_has_one_page():
    from docs.speed import RESULT, RESULTS

    pages = (ROOT / "docs" / "benchmarks").glob("*.md")
    shown = [mark[2] for page in pages for mark in RESULT.finditer(page.read_text())]
    recorded = {path.stem for path in RESULTS.glob("*.md")}
    versions = {"before-cpu", "before-cuda"}  # two versions of Edgewise: for its developers
    versions |= {
        "networkx",
        "networkx-scripts",
        "networkx-conversion",
        "generators",
        "columns",
    }  # in the guides to these
    assert sorted(shown) == sorted(recorded - versions - {"cold"})  # which is the table `kernels`


def test_results_go_between_the_marks(tmp_path, monkeypatch):
    from docs import speed

    monkeypatch.setattr(speed, "RESULTS", tmp_path)
    text = "# few\n\nBy `a`.\n\n- PASS: quick.\n- MISS: small.\n\n## Times\n\n| a |\n"
    (tmp_path / "few.md").write_text(text)
    mark, end = "<!-- results: few -->", "<!-- end of results -->"
    told = "By `a`.\n\n## Times\n\n| a |\n\n## Goals\n\n- met: quick.\n- **missed**: small."
    made = speed.with_results(f"# A\n\n{mark}\nold\n{end}\nB\n")
    assert made == f"# A\n\n{mark}\n\n{told}\n\n{end}\nB\n"
    assert speed.with_results(made) == made
    deeper = speed.with_results(f"# A\n\n## On a GPU\n\n{mark}\n{end}\n")
    assert "\n### Times\n" in deeper and "\n### Goals\n" in deeper


def test_the_page_on_speed_is_short_and_its_pictures_are_whole():
    from xml.etree import ElementTree

    from docs import speed

    assert (ROOT / "docs" / "speed.md").read_text().count("\n") <= 200
    for text in (speed.cpu_picture(), speed.gpu_picture()):
        drawn = ElementTree.fromstring(text)
        names = [one.text for one in drawn.iter("{http://www.w3.org/2000/svg}text")]
        assert "core_number" in names and "times faster" in names


def test_peers_that_are_ahead_are_in_bold():
    from docs.measured import Pair
    from docs.speed import _beside_peers

    pairs = [Pair("a", "g", 2.0, "SciPy", 1.0), Pair("a", "h", 1.0, "igraph", 3.0),
             Pair("a", "g", 2.0, "GAP", 4.0)]  # fmt: skip
    row = _beside_peers(pairs).splitlines()[-1]
    assert row == "| `a` | g | 2 s | SciPy, 1 s | **0.50** (**0.50** to 3.00) | GAP: 2.00 |"


def test_the_built_reference_has_docstrings():
    from docs import hooks

    made = hooks.on_page_markdown("<!-- docstrings: traversal -->")
    assert "::: edgewise.algorithms.traversal.bfs.bfs" in made
    assert "| **Runs on** | CPU, GPU, grid |" in made
    assert "| **Work** | O(n + m) |" in made


def test_an_entry_of_the_menu_may_be_a_folder(tmp_path):
    from docs import hooks

    (tmp_path / "some").mkdir()
    (tmp_path / "some" / "b.md").touch()
    (tmp_path / "some" / "a.md").touch()
    menu = [{"A": ["one.md", {"B": ["some/"]}, {"C": ["none/"]}]}, "two.md"]
    made = [{"A": ["one.md", {"B": ["some/a.md", "some/b.md"]}]}, "two.md"]
    assert hooks.with_folders(menu, tmp_path) == made


def test_every_folder_of_tests_is_in_the_table():
    text = (ROOT / "docs" / "testing.md").read_text()
    for path in [ROOT / "tests", *(ROOT / "tests").rglob("test_*.py")]:
        folder = path.relative_to(ROOT) if path.is_dir() else path.parent.relative_to(ROOT)
        near = [str(one) for one in (folder, *folder.parents[:-2])]
        assert any(f"| `{one}` |" in text for one in near), (
            f"docs/testing.md does not list {folder}"
        )


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    pytest.importorskip("mkdocs", reason="the documentation's tools are not installed")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-W", "ignore", "-m", "mkdocs", "build", "--strict", "--quiet"]
    done = subprocess.run(
        [*command, "--site-dir", str(folder)], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.mark.slow
def test_site_builds_without_warnings(site):
    assert "single_source_dijkstra" in (site / "reference" / "index.html").read_text()
    assert 'id="bfs"' in (site / "reference" / "traversal.html").read_text()


@pytest.mark.slow
def test_pages_ask_nothing_of_other_servers(site):
    for page in site.rglob("*.html"):
        asked = re.findall(
            r"<(?:script|img|link)[^>]+(?:src|href)=\"(https?://[^\"]+)", page.read_text()
        )
        assert not asked, f"{page.name} loads {asked}"


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.skipif(find_chromium() is None, reason="there is no Chromium on this machine")
def test_pages_fit_a_phone_and_search_works_from_disk(site, tmp_path):
    with Chromium(find_chromium(), tmp_path) as browser:
        for width in (1280, 390):
            browser.call("Emulation.setDeviceMetricsOverride", width=width, height=800,
                         deviceScaleFactor=1, mobile=width < 500)  # fmt: skip
            for page in PHONE:
                browser.open(site / f"{page}.html")
                assert browser.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        browser.open(site / "index.html")
        browser.evaluate(SEARCH)
        limit = time.monotonic() + 30
        while not (found := browser.evaluate(FOUND)):
            assert time.monotonic() < limit, "nothing was found"
            time.sleep(0.1)
        assert "reference/centrality.html" in found[0]
        assert not browser.complaints
