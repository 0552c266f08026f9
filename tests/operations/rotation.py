"""Follows docs/operations.md, "Rotate keys", on a real server.

    rotation.py PROGRAM

A server is started again with the settings of each step, as the servers of a deployment are one by one.
"""

import sys
import tempfile

from live import Server

OLD, NEW = "old-" * 10, "new-" * 10


def main(program):
    with tempfile.TemporaryDirectory(prefix="orgmem-rotation-") as folder:

        def server(secret, previous="", key=OLD, previous_keys=""):
            settings = {
                "ORGMEM_JWT_SECRET": secret,
                "ORGMEM_JWT_PREVIOUS_SECRET": previous,
                "ORGMEM_ACCESS_LOG_KEY": key,
                "ORGMEM_ACCESS_LOG_PREVIOUS_KEYS": previous_keys,
            }
            return Server(program, folder, settings)

        def check(running, token, status=200):
            running.call("GET", f"/workspaces/{root}/memories", token=token, expect=(status,))

        def issue(running):
            return running.call("POST", f"/workspaces/{root}/tokens", {"role": "agent"})["token"]

        def intact(running):
            return running.call("GET", f"/workspaces/{root}/access-log/verify")["intact"]

        with server(OLD) as before:
            root = before.call("POST", "/workspaces", {"name": "Acme"})["id"]
            old = issue(before)
        with server(NEW, previous=OLD) as step_2:
            new = issue(step_2)
            check(step_2, old)
        # a server that is still in step 1 accepts the token of one in step 2
        with server(OLD, previous=NEW) as step_1:
            check(step_1, old)
            check(step_1, new)
        with server(NEW) as step_3:
            check(step_3, old, status=401)
            check(step_3, new)
            assert intact(step_3), "the key of the audit log did not change"
        with server(NEW, key=NEW, previous_keys=OLD) as sealed:
            check(sealed, new)
            assert intact(sealed), "seals of the previous key are valid"
        with server(NEW, key=NEW) as forgotten:
            assert not intact(forgotten), "without the previous key its seals are not valid"
    print("tokens and seals stay valid during a rotation")


if __name__ == "__main__":
    main(sys.argv[1])
