"""Errors in the words of the command line: options instead of arguments, and suggestions.

The library says ``max_iter must be ...`` and ``pass header='none'``; on the command line that is
``--max-iter must be ...`` and ``--header none``. Only what the command at hand has is renamed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextvars import ContextVar
from difflib import get_close_matches
from pathlib import Path
from typing import Any

__all__ = ["flags_of", "in_options", "said", "speak", "suggestion", "usage_text", "visible"]

_spoken: ContextVar[tuple[Mapping[str, str], Mapping[str, str]]] = ContextVar("spoken")

#: What a command line does in place of a line of Python.
_PHRASES = (
    (r"graph\.to_undirected\(\) makes one", "--undirected reads the file as one", "--undirected"),
    (r", or use the unfinished result in \.best", "", None),
    (r"; copy it with graph\.to\('cpu'\)", "; leave --device out", "--device"),
    (r"\bdirected=False\b", "--undirected", "--undirected"),
    (r"\bdirected=True\b", "--directed", "--directed"),
)


#: What typer says about a number, and how we put it.
_RULES = {
    r"valid number": "a number",
    r"valid integer": "a whole number",
    r"greater than or equal to (\S+)": r"a number from \1 on",
    r"less than or equal to (\S+)": r"a number up to \1",
}


def speak(flags: Mapping[str, str], names: Mapping[str, str]) -> None:
    """From now on `said` knows these options, and better names for some files."""
    _spoken.set((flags, names))


def said(text: str) -> str:
    """An error, a warning or a note in the words of the command that runs."""
    flags, names = _spoken.get(({}, {}))
    for name, better in names.items():
        text = text.replace(name, better)
    return in_options(text, flags)


def flags_of(command: Any) -> dict[str, str]:
    """The options of a command: the name in Python, and the flag.

    Of a pair as ``--loud/--no-loud`` it is both, with a bar between them.
    """
    found = {}
    for option in getattr(command, "params", ()):
        long = [flag for flag in option.opts if flag.startswith("--")]
        if long:
            other = [flag for flag in option.secondary_opts if flag.startswith("--")]
            found[option.name] = "|".join([long[0], *other[:1]])
    return found


def in_options(text: str, flags: Mapping[str, str]) -> str:
    """An error of the library with options in place of arguments.

    >>> flags = {"max_iter": "--max-iter", "header": "--header", "source": "--source"}
    >>> in_options("max_iter must be at least 1, got 0", flags)
    '--max-iter must be at least 1, got 0'
    >>> in_options("the first line is no header; pass header='none'", flags)
    'the first line is no header; pass --header none'
    >>> in_options("the source of all evil", flags)
    'the source of all evil'
    """
    known = {flag for flag in flags.values() for flag in flag.split("|")}
    for pattern, said, needs in _PHRASES:
        if needs is None or needs in known:
            text = re.sub(pattern, said, text)
    for name, flag in flags.items():
        yes, _, no = flag.partition("|")
        spelled = re.escape(name)

        def value(found: re.Match, name: str = name, yes: str = yes, no: str = no) -> str:
            given = found["value"]
            if name == "columns":  # which are counted from 1 here
                given = re.sub(r"\d+", lambda digits: str(int(digits[0]) + 1), given or "")
            if given == "True" or (given == "False" and no):
                return yes if given == "True" else no
            plain = (given or "").strip("'\"").replace(", ", ",").strip("()").replace("'", "")
            return f"{yes} {plain}".strip()

        text = re.sub(
            rf"(?<![\w.,:/-]){spelled}=(?P<value>'[^']*'|\"[^\"]*\"|\([^)]*\)|[\w.-]+)?",
            value,
            text,
        )
        if name != "weights":  # which may be those of the file
            text = re.sub(
                rf"(?<![\w.'-])(?<!standard ){spelled}(?= (?:must|takes|has|needs|and \w+ must)\b)",
                yes,
                text,
            )
        if "_" in name:  # no word of English
            text = re.sub(rf"(?<![\w.'/-]){spelled}(?![\w.'/(-])", yes, text)
    return text


def suggestion(word: str, known: Iterable[str]) -> str | None:
    """The known word that someone may have meant.

    >>> suggestion("pagernk", ["bfs", "pagerank"]), suggestion("suitor", ["matching.suitor"])
    ('pagerank', 'matching.suitor')
    """
    names = {name.lower().replace("-", "_"): name for name in known}
    for name in list(names):
        if "." in name:
            names.setdefault(name.rpartition(".")[2], names[name])
    near = get_close_matches(word.lower().replace("-", "_"), names, n=1, cutoff=0.6)
    return names[near[0]] if near else None


def usage_text(error: Any) -> str:
    """What was wrong with a command line, in one sentence, with a suggestion if there is one."""
    text = error.format_message().rstrip(".").replace(": Value error, ", ": ")
    context = getattr(error, "ctx", None)
    if found := re.match(r"No such command '(.*?)'", text):
        command: Any = getattr(context, "command", None)
        known = command.list_commands(context) if hasattr(command, "list_commands") else []
        kind = {"run": "algorithm", "simulate": "algorithm", "generate": "generator"}
        what = kind.get(getattr(context, "info_name", None) or "", "command")
        near = suggestion(found[1], known)
        if what == "command":
            near = _elsewhere(found[1], near)
        return _meant(f"there is no {what} {found[1]!r}", near)
    if found := re.match(r"No such option: (\S+)", text):
        long = [one for flag in flags_of(getattr(context, "command", None)).values()
                for one in flag.split("|")]  # fmt: skip
        return _meant(f"there is no option {found[1]}", suggestion(found[1], long))
    if found := re.match(r"(.*: )'(.*)' is not one of (.*)", text, re.DOTALL):
        choices = re.findall(r"'([^']*)'", found[3])
        meant = suggestion(found[2], choices)
        said = f"{found[1]}{found[2]!r} is not one of {', '.join(choices)}"
        return _meant(said, meant)
    if found := re.match(r"Invalid value for '(-\S+?)'[^:]*: (.*)", text):
        for pattern, rule in _RULES.items():
            if rest := re.search(pattern, found[2]):
                return f"{found[1]} takes {rest.expand(rule)}"
    return text


def _elsewhere(word: str, near: str | None) -> str | None:
    """A command line that begins with an algorithm, a generator or a file, as it should be.

    ``near`` is a command that is spelled much like the word: that goes before what is only spelled
    much like an algorithm.
    """
    from edgewise.algorithms import ALGORITHMS
    from edgewise.generators import GENERATORS

    if word == "help":
        return "edgewise --help"
    tables = (("run", ALGORITHMS), ("generate", [*GENERATORS, "traffic"]))
    for command, names in tables:
        if word.replace("-", "_") in names:
            return f"edgewise {command} {word}"
    if Path(word).is_file():
        return f"edgewise info {word}"
    close = (f"edgewise {command} {meant}" for command, names in tables
             if (meant := suggestion(word, names)))  # fmt: skip
    return near or next(close, None)


def _meant(text: str, word: str | None) -> str:
    return text if word is None else f"{text}; did you mean {word}?"


def visible(text: str) -> str:
    """Text of a file with control characters escaped, which a terminal would obey.

    >>> visible("a\\x1b[2J\\u202eb\\n")
    'a\\\\x1b[2J\\\\u202eb\\n'
    """
    return _CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


#: Control characters but for tabs and line ends, and those that turn the direction of writing.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
