"""The README's commands, run in its order by a shell."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from support import PACKAGE, PROGRAM, Server


def test_commands_of_the_readme_print_what_it_promises(server: Server, tmp_path: Path) -> None:
    blocks = re.findall(r"^```(sh|python)\n(.*?)^```$", (PACKAGE / "README.md").read_text(), re.DOTALL | re.MULTILINE)
    script = ["set -euo pipefail"]
    for number, (language, text) in enumerate(blocks):
        if language == "sh":
            script.append(text)
        else:
            (tmp_path / f"{number}.py").write_text(text)
            script.append(f"python -W error {tmp_path / f'{number}.py'}")
    (tmp_path / "orgmem").symlink_to(PROGRAM.resolve())
    env = {
        **os.environ,
        **server.env,
        "ORGMEM_URL": server.url,
        "PATH": f"{Path(sys.executable).parent}:{tmp_path}:/usr/bin:/bin",
        # the package is installed already
        "PIP_NO_INDEX": "1",
    }
    # the program refuses the second one, which is not its setting
    for name in ("ORGMEM_TOKEN", "ORGMEM_REVIEW"):
        env.pop(name, None)
    done = subprocess.run(["bash", "-c", "\n".join(script)], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    for line in (
        "Staging deploys happen on Tuesdays.",
        "## Context Memory\n- [0.5] Staging deploys happen on Tuesdays.",
        "2 memories",
        "memory_committed",
        "{'rank': 1, 'text': 'Ada likes pizza.'}",
        "[('users', 'ada'), ('users', 'bob')]",
        "Invoices are sent on the first of the month.",
    ):
        assert line in done.stdout, done.stdout
