#!/usr/bin/env python3
"""Retrieval from real documents: recall@10 of orgmem by words, by meaning and by both, and of SQLite's FTS5 over the same passages.

    tests/quality/documents.py PROGRAM [--model FOLDER] [--text MAN_FOLDER] [--html FOLDER] [--pdf PDF=INFO]... [--markdown FOLDER]

A source for each type of file, each in a workspace of its own. The questions come from the structure of the documents:

* `--text`: man pages, rendered as plain text (such as /usr/share/man). The question is the summary in NAME ("list directory
  contents"), which is removed from the document with its section; the gold range is the whole page.
* `--html`: a DocBook manual in chunks with a `bookindex.html` (PostgreSQL's). The question is an index entry of two words or more,
  with the entry above it; the gold range is the section to which the entry leads.
* `--pdf`: Texinfo manuals, each with its Info file. The question is an entry of the indices of the Info file of two words or more;
  the gold range is the text under the heading of its section in the PDF file.
* `--markdown`: a folder of pages with front matter (the documentation of Next.js in its npm package). The front matter is removed;
  its `description` is a question for the page, and the text of a link of two words or more is a question for the page or section to
  which it leads.

A question with the same words as the title of its document or the heading of its section is left out: headings are indexed. A hit is
one of the first ten passages that has at least 40 characters of the gold range (or all of a shorter one). Everything is chosen by
hashes of names, so that a run is repeatable.

FTS5 gets the passages of orgmem as (title, headings, text), Porter stems and bm25(); stop words are left out of its query.
"""

import argparse
import collections
import concurrent.futures
import glob
import gzip
import hashlib
import html
import json
import os
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile
import time
import unicodedata
import urllib.error
import urllib.parse
import urllib.request
import uuid

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "operations"))
from live import Server, request  # noqa: E402

STOP_WORDS = set("a an and are as at be by can do for from how in into is it of on or that the this to what with".split())
OVERLAP = 40
# the greatest size of a passage: the gold range of an entry of a list, which has no heading of its own
LIST_ENTRY = 2000
LONGEST_MAN_PAGE = 60_000

# `locate` takes the text of the stored document and returns the gold range in it, in characters, and the heading of the range
Target = collections.namedtuple("Target", "document locate")
File = collections.namedtuple("File", "name content fields")
Passage = collections.namedtuple("Passage", "document title headings start end text")


class Refused(Exception):
    pass


def by_hash(names):
    return sorted(names, key=lambda name: hashlib.sha256(str(name).encode()).digest())


def words(text):
    return [word for word in re.findall(r"\w+", text.lower()) if word not in STOP_WORDS]


class Normalised:
    """A text without anything but letters and digits, and the place of each of them in the text."""

    def __init__(self, text):
        self.text, self.places = [], []
        for place, character in enumerate(text):
            for normal in unicodedata.normalize("NFKC", character).lower():
                if normal.isalnum():
                    self.text.append(normal)
                    self.places.append(place)
        self.text = "".join(self.text)


def normalise(text):
    return Normalised(text).text


def whole(content):
    return 0, len(content), ""


def section_at(content, place):
    """The section of Markdown that begins at `place`, or the entry of a list there."""
    begin = content.rfind("\n", 0, place) + 1
    heading = re.match(r"(#+) (.*)", content[begin:])
    if not heading:
        end = re.compile(r"(?m)^#+ ").search(content, place)
        return begin, min(end.start() if end else len(content), begin + LIST_ENTRY), ""
    end = re.compile(r"(?m)^#{1,%d} " % len(heading[1])).search(content, begin + heading.end())
    return begin, end.start() if end else len(content), heading[2]


# Plain text: man pages


def man_page(path):
    """The name, the summary and the text without the section NAME; none without a summary of at least three words."""
    environment = dict(os.environ, MANWIDTH="90", MAN_KEEP_FORMATTING="", LC_ALL="C.UTF-8")
    shown = subprocess.run(["man", "--no-hyphenation", "--pager=cat", "-l", str(path)], env=environment, capture_output=True, check=False)
    text = re.sub(r"\x1b\[[0-9;]*m|.\x08", "", shown.stdout.decode("utf-8", "replace"))
    sections = re.split(r"(?m)^(?=[A-Z][A-Z -]+$)", text)
    name = next((section for section in sections if section.startswith("NAME\n")), "")
    summary = re.search(r"\s[-–—]+\s+(.+)", " ".join(name.split()))
    rest = [section for section in sections[1:] if not section.startswith("NAME\n")]
    if not summary or not rest or len(words(summary[1])) < 3 or len(text) > LONGEST_MAN_PAGE:
        return None
    return path.name.split(".")[0], summary[1], "\n".join(rest)


def from_man_pages(folder, count):
    paths = []
    for section in "1235678":
        # in section 1, names with `_` are those of generated pages, thousands of which differ by a word
        files = [p for p in pathlib.Path(folder, f"man{section}").glob("*") if not p.is_symlink()]
        files = [p for p in files if section != "1" or "_" not in p.name]
        paths += by_hash(files)[: count // 4]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        pages = [page for page in pool.map(man_page, by_hash(paths)) if page]
    # translations and aliases share a summary
    seen = collections.Counter(summary for _, summary, _ in pages) + collections.Counter(name for name, _, _ in pages)
    pages = [(name, summary, text) for name, summary, text in pages if seen[summary] == 1 and seen[name] == 1]
    files = [File(f"{name}.txt", text.encode(), {"title": name, "media_type": "text/plain"}) for name, _, text in pages]
    return files, {"summary to page": {summary: [Target(f"{name}.txt", whole)] for name, summary, _ in pages}}


# HTML: a manual with an index


def locate_element(page, element):
    """Finds the element in the extracted text by the text after it."""
    at = page.find(f'id="{element}"')
    if at < 0:
        return None
    after = normalise(html.unescape(re.sub(r"<[^>]*>", " ", page[page.index(">", at) + 1 :][:4000])))[:60]

    def locate(content):
        text = Normalised(content)
        found = text.text.find(after)
        return section_at(content, text.places[found]) if found >= 0 else None

    return locate


def from_html(folder, _):
    pages = {path.name: path.read_text("utf-8", "replace") for path in pathlib.Path(folder).glob("*.html")}
    index = pages.pop("bookindex.html")
    names = [name for name in pages if not re.match(r"release|biblio|bookindex|index|acronyms|glossary", name)]
    questions = collections.defaultdict(list)
    above = [""]
    for part in re.findall(r"<dd><dl>|</dl></dd>|<dt[^>]*>.*?</dt>", index, re.S):
        if part == "<dd><dl>":
            above.append("")
            continue
        if part == "</dl></dd>":
            above.pop()
            continue
        above[-1] = html.unescape(re.sub(r"<[^>]*>", "", re.split(r",\s*<a|\(see", part)[0])).strip()
        question = " ".join(" ".join(above).split())
        for name, _, element in re.findall(r'class="indexterm" href="([^"#]*)(#([^"]*))?"', part):
            locate = locate_element(pages[name], element) if element and name in pages else whole
            if len(words(question)) > 1 and locate and name in names:
                questions[question].append(Target(name, locate))
    return [File(name, pages[name].encode(), {}) for name in by_hash(names)], {"index entry to section": questions}


# PDF: manuals with an Info file


def bytes_of(path):
    content = pathlib.Path(path).read_bytes()
    return gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content


def info_nodes(path):
    """The nodes of an Info file of one or more parts: their names and texts."""
    parts = sorted(glob.glob(f"{path}-*"), key=lambda part: int(re.search(r"-(\d+)", part[len(path) :])[1]))
    stem, gz = os.path.splitext(path)
    parts = parts or sorted(glob.glob(f"{stem}-*{gz}"), key=lambda part: int(re.search(r"-(\d+)\.gz$", part)[1])) or [path]
    nodes = {}
    for part in parts:
        for node in bytes_of(part).decode("utf-8", "replace").split("\x1f")[1:]:
            name = re.match(r"\s*File: [^\n]*?Node: ([^\n,]+),[^\n]*\n+", node)
            if name:
                nodes[name[1]] = node[name.end() :]
    return nodes


def locate_section(title, titles):
    """The text from the line with the title to the next line with a title. Lines of the table of contents end with a page."""
    title = normalise(title)

    def locate(content):
        lines = content.split("\n")
        starts = [0]
        for line in lines:
            starts.append(starts[-1] + len(line) + 1)
        normal = [normalise(line) if len(line) < 200 else "" for line in lines]
        # a title may need two lines, with an empty one between them
        found = [n for n, line in enumerate(normal) if line and title.startswith(line) and title in (line, *(line + m for m in normal[n + 1 : n + 3]))]
        if not found:
            return None
        next_title = (n for n in range(found[-1] + 2, len(lines)) if normal[n] in titles)
        return starts[found[-1]], starts[next(next_title, len(lines))], lines[found[-1]].lstrip("# ")

    return locate


def from_pdf(pairs, _):
    files, questions = [], collections.defaultdict(list)
    for pair in pairs:
        pdf, info = pair.split("=")
        nodes = info_nodes(info)
        titles = {name: re.match(r"[ \t]*(\S[^\n]*)", text) for name, text in nodes.items()}
        titles = {name: title[1] for name, title in titles.items() if title}
        all_titles = {normalise(title) for title in titles.values()}
        name = pathlib.Path(pdf).name.removesuffix(".gz")
        files.append(File(name, bytes_of(pdf), {"media_type": "application/pdf"}))
        for index in (text for text in nodes.values() if "\x08[index" in text):
            for term, node in re.findall(r"(?m)^\* (.+?)(?: <\d+>)?:\s+([^\n]+?)\.\s+\(line\s+\d+\)", index):
                # the properties of a graphics object are a list of hundreds of names
                if len(words(term)) > 1 and " " in term and not titles.get(node, " Properties").endswith(" Properties"):
                    questions[term].append(Target(name, locate_section(titles[node], all_titles)))
    return files, {"index entry to section": questions}


# Markdown: pages with front matter


def slug(heading):
    heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower().strip()
    return re.sub(r"[^\w\- ]", "", heading).replace(" ", "-")


def locate_heading(anchor):
    def locate(content):
        code = False
        for line in re.finditer(r"(?m)^.*$", content):
            code ^= line[0].startswith("```")
            heading = None if code else re.match(r"#+ (.*)", line[0])
            if heading and slug(heading[1]) == anchor:
                return section_at(content, line.start())
        return None

    return locate


def from_markdown(folder, _):
    files, pages, aliases = [], {}, {}
    for path in pathlib.Path(folder).rglob("*.md"):
        front = re.match(r"---\n(.*?)\n---\n", text := path.read_text("utf-8"), re.S)
        fields = dict(re.findall(r"(?m)^(\w+): *(.*)$", front[1])) if front else {}
        name = "/".join(re.sub(r"^\d+-", "", part) for part in path.relative_to(folder).with_suffix("").parts).removesuffix("/index")
        if "source" in fields:
            aliases[name] = fields["source"]
        elif front and text[front.end() :].strip():
            pages[name] = (fields, text[front.end() :])
    described = collections.Counter(fields.get("description") for fields, _ in pages.values())
    descriptions, links = {}, collections.defaultdict(list)
    for name in by_hash(pages):
        fields, text = pages[name]
        files.append(File(f"{name}.md", text.encode(), {"title": fields["title"].strip("'\""), "media_type": "text/markdown"}))
        description = fields.get("description", "").strip("'\"")
        if described[fields.get("description")] == 1 and len(words(description)) > 2:
            descriptions[description] = [Target(f"{name}.md", whole)]
        for label, target, anchor in re.findall(r"(?<!!)\[([^\]]+)\]\(/docs/([^)#]+)(?:#([^)]+))?\)", text):
            target = aliases.get(target.rstrip("/"), target.rstrip("/"))
            if len(words(label)) > 1 and " " in label and target in pages and target != name:
                links[re.sub("[`*]", "", label).lower()].append(Target(f"{target}.md", locate_heading(anchor) if anchor else whole))
    # "learn more" leads everywhere
    vague = re.compile(r"\b(here|more|see|read)\b")
    links = {label: targets for label, targets in links.items() if len({t.document for t in targets}) <= 2 and not vague.search(label)}
    return files, {"description to page": descriptions, "text of a link to page or section": links}


# The server, and FTS5


def upload(server, workspace, file):
    """Stores a file; returns the document."""
    boundary = uuid.uuid4().hex
    fields = {"scope": "LOCAL", **file.fields}
    parts = [
        f'--{boundary}\r\nContent-Disposition: form-data; name="document"\r\n\r\n{json.dumps(fields)}\r\n'.encode(),
        f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{pathlib.Path(file.name).name}"\r\n\r\n'.encode(),
        file.content,
        f"\r\n--{boundary}--\r\n".encode(),
    ]
    address = f"{server.url}/workspaces/{workspace}/documents"
    call = urllib.request.Request(address, data=b"".join(parts), method="POST")
    call.add_header("Authorization", f"Bearer {server.token}")
    call.add_header("Content-Type", f"multipart/form-data; boundary={boundary}")
    try:
        with urllib.request.urlopen(call) as response:
            stored = json.load(response)
    except urllib.error.HTTPError as error:
        raise Refused(error.read().decode()) from error
    return server.call("GET", f"/workspaces/{workspace}/documents/{stored['id']}")


def read(server, workspace, document):
    """The text of a document and its passages."""
    text, passages, start = "", [], 0
    while start is not None:
        part = server.call("GET", f"/workspaces/{workspace}/documents/{document['id']}/content?from={start}&length=1000000")
        text += part["content"]
        passages += [place for place in part["passages"] if place["from"] >= start]
        start = part.get("next")
    found = []
    for place in passages:
        begin, end = place["from"], place["from"] + place["length"]
        found.append(Passage(document["id"], document["title"], tuple(place["heading"]), begin, end, text[begin:end]))
    return text, found


def fts5(passages):
    database = sqlite3.connect(":memory:")
    database.execute("CREATE VIRTUAL TABLE passages USING fts5(title, heading, text, tokenize = 'porter unicode61')")
    rows = [(number, p.title, " ".join(p.headings), p.text) for number, p in enumerate(passages)]
    database.executemany("INSERT INTO passages (rowid, title, heading, text) VALUES (?, ?, ?, ?)", rows)

    def search(question):
        query = " OR ".join(f'"{word}"' for word in words(question))
        ranked = database.execute("SELECT rowid FROM passages WHERE passages MATCH ? ORDER BY bm25(passages) LIMIT 10", [query])
        return [(passages[n].document, passages[n].start, passages[n].end, passages[n].headings) for (n,) in ranked]

    return search


def orgmem(server, workspace, mode):
    def search(question):
        query = urllib.parse.urlencode({"in": "documents", "q": question, "limit": 10, "mode": mode})
        items = server.call("GET", f"/workspaces/{workspace}/memories?{query}")
        found = [item["passage"] for item in items]
        return [(p["document_id"], p["from"], p["from"] + p["length"], tuple(p["heading"])) for p in found]

    return search


def await_vectors(server, passages):
    """Waits until the model has embedded as many passages."""
    while True:
        _, metrics = request("GET", f"{server.url}/metrics", server.token)
        done = sum(int(n) for n in re.findall(r"(?m)^orgmem_embedding_(?:embedded|refused)_total (\d+)", metrics))
        if done >= passages:
            return
        time.sleep(2)


def gold_ranges(targets, documents, contents, question):
    """The ranges of the targets that are in the corpus; none if one of them has the question as its heading."""
    ranges = set()
    for target in targets:
        if target.document not in documents:
            continue
        document = documents[target.document]
        found = target.locate(contents[document["id"]])
        if not found:
            continue
        begin, end, heading = found
        if set(words(question)) in (set(words(heading)), set(words(document["title"]))):
            return set()
        ranges.add((document["id"], begin, end))
    return ranges


def is_hit(found, gold):
    document, begin, end, _ = found
    return any(d == document and min(end, z) - max(begin, a) >= min(OVERLAP, z - a) for d, a, z in gold)


def measure(name, searches, documents, passages, questions, misses):
    line = [name, str(len(documents)), str(len(passages)), str(len(questions))]
    ranks = {}
    for engine, search in searches.items():
        found = {question: search(question) for question, _ in questions}
        ranks[engine] = [next((n for n, f in enumerate(found[q], 1) if is_hit(f, gold)), None) for q, gold in questions]
        recall = sum(1 for rank in ranks[engine] if rank) / len(questions)
        line.append(f"{recall:.3f} / {sum(1 / rank for rank in ranks[engine] if rank) / len(questions):.3f}")
    print("| " + " | ".join(line) + " |", flush=True)
    titles = {document["id"]: document["title"] for document in documents.values()}
    for n, (question, gold) in enumerate(questions):
        ranges = [[titles[d], d, a, z] for d, a, z in sorted(gold)]
        print(json.dumps({"set": name, "question": question, "gold": ranges, **{e: r[n] for e, r in ranks.items()}}), file=misses)


def run(server, name, source, options, misses, before):
    """Measures one source; returns the number of passages that the server has now."""
    files, sets = source
    workspace = server.call("POST", "/workspaces", {"name": name})["id"]
    documents, contents, passages = {}, {}, []
    for file in files:
        if len(passages) >= options.passages and name != "PDF":
            break
        try:
            document = upload(server, workspace, file)
        except Refused as refused:
            print(f"{file.name}: {refused}", file=sys.stderr)
            continue
        documents[file.name] = document
        contents[document["id"]], found = read(server, workspace, document)
        passages += found
    searches = {"words": orgmem(server, workspace, "keyword")}
    if options.model:
        begun = time.monotonic()
        await_vectors(server, before + len(passages))
        print(f"{name}: {len(passages)} passages embedded within {time.monotonic() - begun:.0f} s", file=sys.stderr)
        searches |= {"meaning": orgmem(server, workspace, "semantic"), "both": orgmem(server, workspace, "hybrid")}
    searches["FTS5"] = fts5(passages)
    for kind, questions in sets.items():
        chosen = []
        for question in by_hash(questions):
            if len(chosen) == options.questions:
                break
            gold = gold_ranges(questions[question], documents, contents, question)
            if gold:
                chosen.append((question, gold))
        measure(f"{name}: {kind}", searches, documents, passages, chosen, misses)
    return before + len(passages)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--model", help="a folder with a model; without it only words are measured")
    parser.add_argument("--text", metavar="MAN_FOLDER")
    parser.add_argument("--html", metavar="FOLDER")
    parser.add_argument("--pdf", metavar="PDF=INFO", action="append")
    parser.add_argument("--markdown", metavar="FOLDER")
    parser.add_argument("--passages", type=int, default=3000, help="documents are added until a source has as many (not of PDF)")
    parser.add_argument("--questions", type=int, default=400)
    parser.add_argument("--ranks", default=os.devnull, help="a file for the rank of each question, a JSON object a line")
    options = parser.parse_args()
    sources = {"text": from_man_pages, "HTML": from_html, "PDF": from_pdf, "Markdown": from_markdown}
    settings = {"ORGMEM_EMBEDDER": os.path.abspath(options.model)} if options.model else {}
    with tempfile.TemporaryDirectory() as scratch, open(options.ranks, "w", encoding="utf-8") as misses:
        with Server(os.path.abspath(options.program), scratch, settings) as server:
            engines = ["words", "meaning", "both", "FTS5"] if options.model else ["words", "FTS5"]
            print(f"| questions | documents | passages | questions | {' | '.join(engines)} |")
            print("|---" * (4 + len(engines)) + "|", flush=True)
            before = 0
            for name, read_source in sources.items():
                if folder := getattr(options, name.lower()):
                    before = run(server, name, read_source(folder, options.questions * 4), options, misses, before)


if __name__ == "__main__":
    main()
