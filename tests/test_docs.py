"""The documents agree with the package: commands, versions, links, and a site without warnings.

The examples in README and docs are executed by pytest itself (``--doctest-glob=*.md``).
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import edgewise

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def test_every_command_is_documented():
    from typer.main import get_command

    from edgewise.cli.app import app

    text = (ROOT / "docs" / "cli.md").read_text()
    for name in get_command(app).commands:
        assert re.search(rf"`{name}\b", text), f"docs/cli.md does not mention {name}"


def test_versions_agree():
    assert f"\n## {edgewise.__version__}\n" in (ROOT / "CHANGELOG.md").read_text()
    assert f"\nversion: {edgewise.__version__}\n" in (ROOT / "CITATION.cff").read_text()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text()):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_generated_files_are_current(capsys):
    from docs import stubs, tables

    used = "".join(page.read_text() for page in PAGES)
    for name, make in tables.TABLES.items():
        assert f"<!-- table: {name} -->" in used, f"no page has the table {name}"
        assert make().count("\n") > 2
    assert set(re.findall(r"<!-- table: (\w+) -->", used)) == set(tables.TABLES)
    assert tables.main(["--check"]) == 0, capsys.readouterr().out
    assert set(stubs.stubs()) == set((ROOT / "edgewise").rglob("*.pyi"))
    assert "| `bfs` | traversal |" in (ROOT / "docs" / "index.md").read_text()


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


def test_the_built_reference_has_docstrings():
    from docs import hooks

    made = hooks.on_page_markdown("<!-- docstrings -->")
    assert "::: edgewise.algorithms.traversal.bfs.bfs" in made


def test_every_folder_of_tests_is_in_the_table():
    text = (ROOT / "docs" / "testing.md").read_text()
    for path in [ROOT / "tests", *(ROOT / "tests").rglob("test_*.py")]:
        folder = path.relative_to(ROOT) if path.is_dir() else path.parent.relative_to(ROOT)
        near = [str(one) for one in (folder, *folder.parents[:-2])]
        assert any(f"| `{one}` |" in text for one in near), (
            f"docs/testing.md does not list {folder}"
        )


@pytest.mark.slow
def test_site_builds_without_warnings(tmp_path):
    pytest.importorskip("mkdocs", reason="the documentation's tools are not installed")
    command = [sys.executable, "-W", "ignore", "-m", "mkdocs", "build", "--strict", "--quiet"]
    done = subprocess.run(
        [*command, "--site-dir", str(tmp_path)], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "single_source_dijkstra" in (tmp_path / "index.html").read_text()
