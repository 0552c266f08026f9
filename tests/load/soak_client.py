"""Requests of a soak, and the documented errors."""

import http.client
import json
import re
from pathlib import Path
from urllib.parse import urlsplit

ERRORS = Path(__file__).resolve().parents[2] / "docs" / "errors.md"
STATUS = {code: int(status) for code, status in re.findall(r"^\| `(\w+)` \| (\d+) \|", ERRORS.read_text(), re.MULTILINE)}
TIMEOUT = 45


def outcome(status, headers, body):
    """`status code` of a documented problem, `undocumented` of any other response from 400 on, otherwise None."""
    if status < 400:
        return None
    try:
        problem = json.loads(body)
        code = problem["code"]
    except (ValueError, KeyError, TypeError):
        return "undocumented"
    right = STATUS.get(code) == status == problem.get("status") and problem.get("type") == f"urn:orgmem:problem:{code}"
    right = right and headers.get("Content-Type") == "application/problem+json"
    return f"{status} {code}" if right and (status not in (429, 503) or headers.get("Retry-After")) else "undocumented"


class Connection:
    """A persistent connection. A request on a connection that the server has closed meanwhile is sent again, once."""

    def __init__(self, url):
        self.http = http.client.HTTPConnection(urlsplit(url).netloc, timeout=TIMEOUT)

    def send(self, method, path, token, body=None, key=None):
        """The status, the headers and the body, or an `OSError` or `HTTPException`."""
        headers = {"Authorization": f"Bearer {token}"}
        if key:
            headers["Idempotency-Key"] = key
        if body is not None:
            body, headers["Content-Type"] = json.dumps(body), "application/json"
        self.is_repeated = False
        for is_last in (self.http.sock is None, True):
            try:
                self.http.request(method, path, body, headers)
                response = self.http.getresponse()
                return response.status, response.headers, response.read()
            except (OSError, http.client.HTTPException) as error:
                self.http.close()
                if is_last or not isinstance(error, (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError)):
                    raise
                self.is_repeated = True
