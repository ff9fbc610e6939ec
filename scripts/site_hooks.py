"""What MkDocs does beside mkdocs.yml: pages that lie outside ``docs/``, and links to them.

In the repository a link names the file. On the site the same link leads to the page, and to a
file that is no page it is plain text.
"""

import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[1]
PAGES = {
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "research/README.md": "research.md",
    "research/log.md": "log.md",
}
# Code first, so that a link inside is left alone.
LINK = re.compile(
    r"(?P<code>^( *)```.*?^\2```|`[^`\n]+`)|(?<!!)\[(?P<text>[^\]]+)\]\((?P<target>[^)\s]+)\)",
    re.DOTALL | re.MULTILINE,
)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages of :data:`PAGES`."""
    for source, page in PAGES.items():
        content = (ROOT / source).read_text(encoding="utf-8")
        files.append(File.generated(config, page, content=content))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Turn links between files into links between pages."""
    sources = {name: source for source, name in PAGES.items()}
    here = posixpath.dirname(sources.get(page.file.src_uri, f"docs/{page.file.src_uri}"))
    return LINK.sub(lambda match: _link(match, here), markdown)


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Show what a docstring refers to by a Sphinx role as plain code, its path left out."""
    return re.sub(r":\w+:<code>[~\w.]*?(\w+)</code>", r"<code>\1</code>", html)


def _link(match: re.Match[str], folder: str) -> str:
    """A link of a file in ``folder``, as the site has it."""
    target = match["target"] or "#"
    if match["code"] or re.match(r"#|\w+:", target):
        return match[0]
    name, *anchor = target.split("#")
    file = posixpath.normpath(posixpath.join(folder, name))
    if file in PAGES or file.startswith("docs/"):
        return f"[{match['text']}]({'#'.join([PAGES.get(file, file[5:]), *anchor])})"
    return match["text"] if (ROOT / file).exists() else match[0]
