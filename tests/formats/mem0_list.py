"""Writes what `get_all()` of mem0 returns: python mem0_list.py FILE

The memories are added by mem0 itself, to its local vector store. Only the embedding is a stand-in, because models need a network.
"""

import hashlib
import json
import os
import sys
import tempfile

folder = tempfile.mkdtemp()
os.environ.update(MEM0_DIR=folder, MEM0_TELEMETRY="False", OPENAI_API_KEY="none")

from mem0 import Memory  # noqa: E402  after the environment that it reads


class HashEmbedding:
    """A vector from the hash of a text."""

    def embed(self, text, memory_action=None):
        digest = hashlib.sha256(text.encode()).digest()
        return [byte / 255 for byte in digest[:8]]

    def embed_batch(self, texts, memory_action=None):
        return [self.embed(text) for text in texts]


store = {"collection_name": "tests", "path": f"{folder}/qdrant", "embedding_model_dims": 8, "on_disk": True}
memory = Memory.from_config(
    {"vector_store": {"provider": "qdrant", "config": store}, "history_db_path": f"{folder}/history.db"}
)
memory.embedding_model = HashEmbedding()

memory.add("prefers window seats", user_id="ada", agent_id="planner", metadata={"trip": "rome", "stops": [1, 2]}, infer=False)
memory.add(
    [{"role": "user", "content": "I am allergic to nuts"}, {"role": "assistant", "content": "noted: no nuts"}],
    user_id="ada",
    run_id="session-7",
    infer=False,
)
memory.add("DATABASE_URL=postgres://app:hunter2horse@db.internal/app", user_id="ada", infer=False)

found = memory.get_all(filters={"user_id": "ada"}, top_k=100)
with open(sys.argv[1], "w", encoding="utf-8") as file:
    json.dump(found, file, ensure_ascii=False, indent=2, default=str)
    file.write("\n")
