"""Writes an agent file with the schema classes that Letta's export uses: python letta_agent.py FILE

A running Letta server needs a database and a model, so its classes are filled here instead.
"""

import sys
from datetime import datetime, timezone

from letta.schemas.agent_file import AgentFileSchema, AgentSchema, BlockSchema, MessageSchema

written = datetime(2026, 3, 1, 9, 0, tzinfo=timezone.utc)
blocks = [
    BlockSchema(
        id="block-0",
        label="human",
        value="Name: Ada. Prefers short answers.",
        limit=5000,
        description="What the agent knows about the user.",
        metadata={"reviewed": True},
    ),
    BlockSchema(id="block-1", label="persona", value="I plan trips, and never book without asking.", limit=5000, read_only=True),
    BlockSchema(id="block-2", label="scratchpad", value="", limit=2000),
]
agent = AgentSchema(
    id="agent-0",
    name="trip planner",
    system="You plan trips.",
    block_ids=[block.id for block in blocks],
    tags=["travel"],
    messages=[
        MessageSchema(id="message-0", role="user", content="hello", created_at=written),
        MessageSchema(id="message-1", role="assistant", content="hi, where to?", created_at=written),
    ],
    in_context_message_ids=["message-0", "message-1"],
)
file = AgentFileSchema(
    agents=[agent], groups=[], blocks=blocks, files=[], sources=[], tools=[], mcp_servers=[], created_at=written
)
with open(sys.argv[1], "w", encoding="utf-8") as out:
    out.write(file.model_dump_json(indent=2) + "\n")
