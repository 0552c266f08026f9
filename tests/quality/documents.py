#!/usr/bin/env python3
"""Retrieval from real documents: recall@10 of orgmem and of SQLite's FTS5 over the same passages.

    tests/quality/documents.py PROGRAM [HTML_FOLDER...]

The documents are those of the machine, and the questions come from their own structure:

* man pages of section 1: the question is the summary in NAME ("list directory contents"), and a hit is a passage of that page.
  The section NAME is left out of the document. Generated pages (names with `_`) are left out.
* pages of HTML_FOLDER (such as /usr/share/doc/nodejs/api): the question is a heading of at least three words that occurs once
  among all pages, and a hit is a passage under that heading.

FTS5 gets the passages of orgmem as (title, headings, text), Porter stems and bm25(); stop words are left out of its query.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile
import urllib.error
import urllib.parse
import urllib.request
import uuid

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "operations"))
from live import Server  # noqa: E402

MAN_PAGES = 400
HEADINGS = 400
STOP_WORDS = set("a an and are as at be by can do for from how in into is it of on or that the this to what with".split())


class Refused(Exception):
    pass


def upload(server, workspace, fields, name, content):
    """Stores a file; returns the id of the document."""
    boundary = uuid.uuid4().hex
    parts = [
        f'--{boundary}\r\nContent-Disposition: form-data; name="document"\r\n\r\n{json.dumps(fields)}\r\n'.encode(),
        f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'.encode(),
        content,
        f"\r\n--{boundary}--\r\n".encode(),
    ]
    address = f"{server.url}/workspaces/{workspace}/documents"
    request = urllib.request.Request(address, data=b"".join(parts), method="POST")
    request.add_header("Authorization", f"Bearer {server.token}")
    request.add_header("Content-Type", f"multipart/form-data; boundary={boundary}")
    try:
        with urllib.request.urlopen(request) as response:
            return json.load(response)["id"]
    except urllib.error.HTTPError as error:
        raise Refused(error.read().decode()) from error


def man_page(path):
    """The text with headings and the summary; none without both."""
    environment = dict(os.environ, MANWIDTH="90", MAN_KEEP_FORMATTING="", LC_ALL="C.UTF-8")
    shown = subprocess.run(["man", "--no-hyphenation", "--pager=cat", "-l", str(path)], env=environment, capture_output=True, check=False)
    text = re.sub(r"\x1b\[[0-9;]*m|.\x08", "", shown.stdout.decode("utf-8", "replace"))
    sections = re.split(r"(?m)^(?=[A-Z][A-Z -]+$)", text)
    name = next((section for section in sections if section.startswith("NAME\n")), "")
    summary = re.search(r"\s[-–—]+\s+(.+)", " ".join(name.split()))
    rest = [section for section in sections[1:] if not section.startswith("NAME\n")]
    if not summary or not rest or len(summary.group(1).split()) < 3:
        return None
    document = "\n".join(re.sub(r"(?m)^ {1,7}", "", f"# {section}") for section in rest)
    return path.name.split(".")[0], summary.group(1), document


def man_pages():
    # names with `_` are those of generated pages, thousands of which differ by a word
    paths = pathlib.Path("/usr/share/man/man1").iterdir()
    paths = sorted(path for path in paths if not path.is_symlink() and "_" not in path.name)
    paths = paths[:: max(1, len(paths) // (MAN_PAGES * 5 // 4))]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        pages = [page for page in pool.map(man_page, paths) if page]
    # translations and aliases share a summary
    summaries = [summary for _, summary, _ in pages]
    return [page for page in pages if summaries.count(page[1]) == 1][:MAN_PAGES]


def passages_of(server, workspace, document, title):
    found, start = [], 0
    while start is not None:
        part = server.call("GET", f"/workspaces/{workspace}/documents/{document}/content?from={start}&length=1000000")
        for place in part["passages"]:
            if start <= place["from"]:
                begin = place["from"] - start
                text = part["content"][begin : begin + place["length"]]
                found.append((document, title, tuple(place["heading"]), place["from"], text))
        start = part.get("next")
    return found


def fts5(passages):
    database = sqlite3.connect(":memory:")
    database.execute("CREATE VIRTUAL TABLE passages USING fts5(title, heading, text, tokenize = 'porter unicode61')")
    rows = [(number, p[1], " ".join(p[2]), p[4]) for number, p in enumerate(passages)]
    database.executemany("INSERT INTO passages (rowid, title, heading, text) VALUES (?, ?, ?, ?)", rows)

    def search(question):
        words = [word for word in re.findall(r"\w+", question.lower()) if word not in STOP_WORDS]
        query = " OR ".join(f'"{word}"' for word in words)
        ranked = database.execute("SELECT rowid FROM passages WHERE passages MATCH ? ORDER BY bm25(passages) LIMIT 10", [query])
        return [(passages[number][0], passages[number][2]) for (number,) in ranked]

    return search


def measure(name, server, workspace, passages, questions):
    def orgmem(question):
        query = urllib.parse.urlencode({"in": "documents", "q": question, "limit": 10})
        items = server.call("GET", f"/workspaces/{workspace}/memories?{query}")
        return [(item["passage"]["document_id"], tuple(item["passage"]["heading"])) for item in items]

    if not questions:
        raise SystemExit(f"{name}: these documents have no heading to ask for; name folders with more pages")
    line = [name, str(len({p[0] for p in passages})), str(len(passages)), str(len(questions))]
    for search in (orgmem, fts5(passages)):
        ranks = []
        for question, is_hit in questions:
            ranks.append(next((rank for rank, found in enumerate(search(question), 1) if is_hit(found)), None))
        line.append(f"{sum(1 for rank in ranks if rank) / len(ranks):.3f}")
        line.append(f"{sum(1 / rank for rank in ranks if rank) / len(ranks):.3f}")
    print("| " + " | ".join(line) + " |", flush=True)


def from_man_pages(server):
    workspace = server.call("POST", "/workspaces", {"name": "Manuals"})["id"]
    passages, questions = [], []
    for title, summary, text in man_pages():
        fields = {"title": title, "scope": "LOCAL", "media_type": "text/markdown"}
        document = upload(server, workspace, fields, f"{title}.md", text.encode())
        passages += passages_of(server, workspace, document, title)
        questions.append((summary, lambda found, document=document: found[0] == document))
    measure("man pages: summary to page", server, workspace, passages, questions)


def from_pages(server, folders):
    workspace = server.call("POST", "/workspaces", {"name": "Pages"})["id"]
    passages = []
    for path in sorted(path for folder in folders for path in pathlib.Path(folder).rglob("*.html")):
        fields = {"title": path.stem, "scope": "LOCAL"}
        try:
            document = upload(server, workspace, fields, path.name, path.read_bytes())
        except Refused as refused:
            print(f"{path}: {refused}", file=sys.stderr)
            continue
        passages += passages_of(server, workspace, document, path.stem)
    headings = sorted({(p[0], p[2]) for p in passages if p[2]})
    names = [heading[-1] for _, heading in headings]
    asked = [(d, h) for d, h in headings if names.count(h[-1]) == 1 and len(re.findall(r"[A-Za-z]{2,}", h[-1])) >= 3]
    asked = asked[:: max(1, len(asked) // HEADINGS)][:HEADINGS]
    questions = [(h[-1], lambda found, d=d, h=h: found[0] == d and found[1][: len(h)] == h) for d, h in asked]
    measure("HTML: heading to section", server, workspace, passages, questions)


def main():
    program, folders = sys.argv[1], sys.argv[2:]
    with tempfile.TemporaryDirectory() as scratch, Server(os.path.abspath(program), scratch, {}) as server:
        print("| set | documents | passages | questions | orgmem recall@10 | MRR | FTS5 recall@10 | MRR |")
        print("|---|---|---|---|---|---|---|---|")
        from_man_pages(server)
        if folders:
            from_pages(server, folders)


if __name__ == "__main__":
    main()
