"""For mkdocs: hooks of the build.

Formulas ($...$ and $$...$$) become MathML, which browsers draw by themselves; pages of notebooks are notebooks with
fresh outputs; the page of the command lists its options and schemas.
"""

import re
from html import unescape
from importlib import import_module
from inspect import isclass, isroutine
from pathlib import Path
from typing import Any

import docs_command
import docs_notebooks
from latex2mathml.converter import convert
from mkdocs.structure.files import File, Files

_FORMULA = re.compile(r'<(span|div) class="arithmatex">(?:\\\(|\\\[)(.*?)(?:\\\)|\\\])</\1>', re.DOTALL)
_NOTEBOOK = re.compile(r"notebooks/(\w+)\.md")
_MEMBERS = re.compile(
    r"(?P<before>^::: (?P<module>gamecore\.\w+)\n(?: +.*\n)*? +members: \[)(?P<names>[^]]*)\]", re.MULTILINE
)
_pages: dict[str, str] = {}  # the notebooks' pages of this build, by the name of their source


def on_files(files: Files, *, config: Any) -> Files:
    """Run the notebooks; their pictures become files beside their pages."""
    root = Path(config.config_file_path).parent
    found = [match[1] for file in files if (match := _NOTEBOOK.fullmatch(file.src_uri))]
    for name, (page, pictures) in docs_notebooks.pages(root, found).items():
        _pages[f"notebooks/{name}.md"] = page
        for picture, data in pictures.items():
            files.append(File.generated(config, f"notebooks/{picture}", content=data))
        source = (root / "examples" / f"{name}.ipynb").read_bytes()
        files.append(File.generated(config, f"notebooks/{name}.ipynb", content=source))
    return files


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """Return a generated page: a whole notebook, or the marked parts of the command's page."""
    if page.file.src_uri in _pages:
        return _pages[page.file.src_uri]
    if page.file.src_uri == "reference/command.md":
        return docs_command.filled(markdown)
    return _MEMBERS.sub(completed, markdown)


def completed(match: re.Match[str]) -> str:
    """Complete a module's list of members: the listed ones first, then every other public class and function."""
    first = match["names"].replace(",", " ").split()
    module = import_module(match["module"])
    public = [getattr(module, name) for name in module.__all__]
    known = [getattr(module, name) for name in first]
    rest = [one.__name__ for one in public if (isclass(one) or isroutine(one)) and one not in known]
    return f"{match['before']}{', '.join([*first, *rest])}]"


def on_page_content(html: str, **_: Any) -> str:
    """Formulas as MathML."""
    return _FORMULA.sub(lambda match: mathml(unescape(match[2]), display=match[1] == "div"), html)


def mathml(formula: str, *, display: bool) -> str:
    """One formula of LaTeX."""
    return convert(formula.strip(), display="block" if display else "inline")
