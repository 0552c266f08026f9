"""Texts and questions, and the engines that index them: tantivy and SQLite's FTS5. For `keyword_engines.py`."""

import json
import random
import re
import sqlite3
from pathlib import Path

import tantivy

REPOSITORY = Path(__file__).resolve().parents[2]
BATCH, QUERIES = 500, 400
STOP_WORDS = frozenset(re.search(r'STOP_WORDS: &str = "(.*?)"', (REPOSITORY / "tests/load/src/fts.rs").read_text(), re.S)[1].split())
# The partitions that each reader can read: 0 is LOCAL of the root, 1 is GLOBAL, the others are TEAM of its children.
REACHES = {"all": range(10), "half": range(1, 10), "a tenth": range(1, 2)}


def pieces(text, length=100):
    """As in `src/texts.rs`."""
    found, piece = [], ""
    for word in text.split():
        piece = f"{piece} {word}" if piece else word
        if len(piece.encode()) >= length:
            found.append(piece)
            piece = ""
    return found + [piece] if piece and (not found or len(piece.encode()) > length // 2) else found


class Texts:
    def __init__(self, folder):
        self.halves, questions = [], []
        for corpus in sorted(Path(folder).glob("*/corpus.jsonl")) if folder else ():
            for line in corpus.read_text(encoding="utf-8").splitlines():
                self.halves += pieces(json.loads(line)["text"])
            lines = corpus.with_name("queries.jsonl").read_text(encoding="utf-8").splitlines()
            questions += [json.loads(line)["question"] for line in lines]
        if not folder:
            for file in sorted((REPOSITORY / "server/demo").glob("*.yaml")):
                for text in file.read_text(encoding="utf-8").split("content:")[1:]:
                    self.halves += pieces(text.split("scope:")[0].lstrip(" >|-"))
            questions = [half[:60] for half in self.halves[::3]]
        self.questions = sorted(set(questions))
        random.Random(3).shuffle(self.questions)

    def memory(self, number):
        count = len(self.halves)
        first, turn = number % count, number // count
        return f"{self.halves[first]} {self.halves[(first + 1 + turn * 7919) % count]}"

    def queries(self, memories):
        """Questions, and one and two of their words that occur in the memories."""
        chance = random.Random(5)
        known = {word for number in range(min(memories, len(self.halves))) for word in words(self.memory(number))}
        found = {"one word": [], "two words": [], "question": self.questions[:QUERIES]}
        for question in self.questions:
            # tantivy omits words of 40 bytes or more
            usable = [word for word in words(question) if word in known and word.isalpha() and 2 < len(word.encode()) < 40]
            usable = [word for word in usable if word not in STOP_WORDS]
            for name, count in (("one word", 1), ("two words", 2)):
                query = " ".join(chance.sample(usable, min(count, len(usable))))
                if query.count(" ") == count - 1 and query and query not in found[name] and len(found[name]) < QUERIES:
                    found[name].append(query)
        return found


def words(text):
    return re.findall(r"[^\W_]+", text.lower())


def significant(query):
    every = words(query)
    return [word for word in every if word not in STOP_WORDS] or every


class Fts:
    """As in `src/fts.rs`."""

    def __init__(self, folder):
        self.database = sqlite3.connect(folder / "fts.db", isolation_level=None)
        self.database.executescript("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -500000;")

    def fill(self, batches):
        self.database.executescript(
            "CREATE TABLE texts (id INTEGER PRIMARY KEY, content TEXT NOT NULL);"
            "CREATE TABLE documents (id INTEGER PRIMARY KEY, partition INTEGER NOT NULL);"
            "CREATE VIRTUAL TABLE fts USING fts5 (content, content='texts', content_rowid='id');"
        )
        for number, (partition, texts) in enumerate(batches):
            rows = [(number * BATCH + row, text) for row, text in enumerate(texts)]
            self.database.execute("BEGIN")
            self.database.executemany("INSERT INTO texts VALUES (?, ?)", rows)
            self.database.executemany("INSERT INTO fts (rowid, content) VALUES (?, ?)", rows)
            self.database.executemany("INSERT INTO documents VALUES (?, ?)", [(row, partition) for row, _ in rows])
            self.database.execute("COMMIT")
        self.database.executescript("INSERT INTO fts (fts) VALUES ('optimize'); ANALYZE; PRAGMA wal_checkpoint(TRUNCATE)")

    def search(self, query, reach):
        filtered = "" if reach == "all" else f"JOIN documents ON id = fts.rowid AND partition IN ({', '.join(map(str, REACHES[reach]))})"
        best = f"SELECT fts.rowid AS id FROM fts {filtered} WHERE fts MATCH ? ORDER BY bm25(fts) LIMIT 10"
        expression = " OR ".join(f'"{word}"' for word in significant(query))
        return self.database.execute(f"SELECT content FROM ({best}) JOIN texts USING (id)", [expression]).fetchall()


class Tantivy:
    def __init__(self, folder):
        folder = folder / "tantivy"
        folder.mkdir(exist_ok=True)
        builder = tantivy.SchemaBuilder().add_text_field("content", stored=True, tokenizer_name="en_stem")
        self.schema = builder.add_unsigned_field("partition", indexed=True, fast=True).build()
        self.index = tantivy.Index(self.schema, path=str(folder))
        self.searcher = self.index.searcher()

    def fill(self, batches):
        writer = self.index.writer(256 << 20)
        for partition, texts in batches:
            for text in texts:
                document = tantivy.Document(content=text)
                document.add_unsigned("partition", partition)
                writer.add_document(document)
        writer.commit()
        writer.wait_merging_threads()
        self.index.reload()
        self.searcher = self.index.searcher()

    def search(self, query, reach):
        query = self.index.parse_query(" ".join(f'"{word}"' for word in significant(query)), ["content"])
        if reach != "all":
            first, last = REACHES[reach][0], REACHES[reach][-1]
            # the fastest form of each, as measured
            if first == last:
                readable = tantivy.Query.term_query(self.schema, "partition", first)
            else:
                readable = tantivy.Query.range_query(self.schema, "partition", tantivy.FieldType.Unsigned, first, last)
            must = tantivy.Occur.Must
            query = tantivy.Query.boolean_query([(must, query), (must, tantivy.Query.const_score_query(readable, 0.0))])
        # without a count, which would read every match
        hits = self.searcher.search(query, 10, count=False).hits
        return [self.searcher.doc(address)["content"] for _, address in hits]


ENGINES = {"tantivy": Tantivy, "FTS5": Fts}
