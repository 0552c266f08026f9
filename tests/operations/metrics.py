"""Runs every query of the dashboard and every alert expression on the metrics of a real server.

    metrics.py PROGRAM

The server gets traffic of every kind, a real Prometheus scrapes it, and each query must return a series. A metric that is not
exported, not documented or not shown is an error, and so is an alert without unit tests. Traces must arrive at a collector.
Needs `prometheus` and PyYAML.
"""

import json
import re
import sys
import tempfile
import urllib.parse
from pathlib import Path

import yaml

from live import Models, Process, Server, await_true, free_port, request

ROOT = Path(__file__).resolve().parents[2]
MONITORING = ROOT / "deploy" / "monitoring"

NAME = re.compile(r"\b(?:orgmem|http_server)_[a-z_]+\b")
# The left side of an alert: all of it but the last comparison with a number.
COMPARISON = re.compile(r"^(?P<left>.*\S)\s*(?:==|!=|>=|<=|>|<)\s*[0-9.e]+\s*$", re.DOTALL)
LABEL_VALUES = re.compile(r"^label_values\((?P<series>.+), (?P<label>\w+)\)$")
SUFFIX = re.compile(r"_(?:bucket|sum|count)$")


def substitute(expression):
    """The expression with values for the variables of the dashboard."""
    for name, value in (
        ("$__rate_interval", "1m"),
        ("$__range", "5m"),
        ("$job", "orgmem"),
        ("$instance", ".*"),
    ):
        expression = expression.replace(name, value)
    return expression


def dashboard_queries():
    dashboard = json.loads((MONITORING / "dashboard.json").read_text())
    ids = [panel["id"] for panel in dashboard["panels"]]
    assert len(ids) == len(set(ids)), "panels of the dashboard share an id"
    for panel in dashboard["panels"]:
        for target in panel.get("targets", []):
            yield f"panel `{panel['title']}`", target["expr"]
    for variable in dashboard["templating"]["list"]:
        if variable["type"] == "query":
            series, label = LABEL_VALUES.match(variable["query"]["query"]).group("series", "label")
            yield f"variable `{variable['name']}`", f'count by ({label}) ({series})'


def alert_rules():
    groups = yaml.safe_load((MONITORING / "alerts.yml").read_text())["groups"]
    return [rule for group in groups for rule in group["rules"]]


def alert_queries():
    for rule in alert_rules():
        comparison = COMPARISON.match(rule["expr"])
        assert comparison, f"{rule['alert']} is not a comparison with a number"
        # the windows are longer than the test, which changes nothing
        yield f"alert {rule['alert']}", comparison["left"]


def check_pages():
    """Each alert has a unit test that fires, one that does not, and an entry in docs/operations.md."""
    tests = yaml.safe_load((MONITORING / "alerts_test.yml").read_text())["tests"]
    cases = [case for test in tests for case in test["alert_rule_test"]]
    page = (ROOT / "docs" / "operations.md").read_text()
    for rule in alert_rules():
        name = rule["alert"]
        found = [bool(case.get("exp_alerts")) for case in cases if case["alertname"] == name]
        assert True in found, f"no unit test in alerts_test.yml in which {name} fires"
        assert False in found, f"no unit test in alerts_test.yml in which {name} does not fire"
        assert f"`{name}`" in page, f"docs/operations.md does not describe {name}"


def check_collector():
    """Each component of a pipeline is configured, and the other way round."""
    collector = yaml.safe_load((MONITORING / "otel-collector.yml").read_text())
    pipelines = collector["service"]["pipelines"].values()
    for kind in ("receivers", "processors", "exporters"):
        used = {name for pipeline in pipelines for name in pipeline[kind]}
        assert used == collector[kind].keys(), f"otel-collector.yml: {kind}"


def make_traffic(server, models):
    """Calls of every kind, so that every metric has a value."""
    root = server.call("POST", "/workspaces", {"name": "Acme"})["id"]
    bot = server.call("POST", "/workspaces", {"name": "Bot", "parent_id": root})["id"]
    token = server.call("POST", f"/workspaces/{bot}/tokens", {"role": "agent"})["token"]
    path = f"/workspaces/{bot}/memories"

    def call(method, where, body=None, expect=(200, 201)):
        return server.call(method, where, body, token, expect)

    def commit(content, expect=(200, 201), **fields):
        return call("POST", path, {"scope": "TEAM", "content": content, **fields}, expect)

    for number in range(8):
        commit(f"The deployment number {number} of the fleet took two minutes.")
    memory = commit("Backups of the fleet run at midnight.")["id"]
    commit("Backups of the fleet run at one.", id=memory)
    call("PATCH", f"{path}/{memory}", {"content": "Backups of the fleet run at two."})
    call("GET", f"{path}?q=fleet")
    call("DELETE", f"{path}/{memory}")
    commit("", expect=(400, 422))
    profile = call("GET", f"/workspaces/{bot}/profiles")[0]["id"]
    call("GET", f"/workspaces/{bot}/profiles/{profile}/summary")

    def embedded():
        text = request("GET", server.url + "/metrics")[1]
        return re.search(r"^orgmem_embedding_embedded_total [1-9]", text, re.MULTILINE)

    await_true("a memory is embedded", embedded)
    models.failing = True
    commit("The embedder is down.")
    # 503: the text of the query cannot be embedded
    call("GET", f"{path}?q=another+question&mode=hybrid", expect=(503,))
    call("GET", f"/workspaces/{bot}/profiles/{profile}/summary")
    # the server requires more free space than the disk has
    server.call("GET", "/readyz", expect=(503,))
    # beyond limits.caller.streams
    call("GET", f"/workspaces/{bot}/events", expect=(429,))

    def more():
        call("GET", f"{path}?q=fleet")
        commit("Another memory.")

    return more


def check_queries(prometheus, more):
    queries = [*dashboard_queries(), *alert_queries()]
    missing = list(queries)

    def empty(query):
        address = f"{prometheus}/api/v1/query?query={urllib.parse.quote(substitute(query[1]))}"
        status, answer = request("GET", address)
        if status != 200:
            raise SystemExit(f"{query[0]}: {query[1]}: {answer}")
        # NaN is the quotient of two rates of zero
        return not any(sample["value"][1] != "NaN" for sample in answer["data"]["result"])

    def all_return():
        more()
        # those that returned a series once do not need to return it again
        missing[:] = [query for query in missing if empty(query)]
        return not missing

    await_true(lambda: "\n".join(f"no series: {what}: {text}" for what, text in missing), all_return)
    return len(queries)


def check_names(prometheus):
    """Each exported metric is documented and on the dashboard, and each used name is exported."""
    _, answer = request("GET", f"{prometheus}/api/v1/label/__name__/values")
    exported = {name for name in answer["data"] if NAME.fullmatch(name)}
    used = {name for _, text in (*dashboard_queries(), *alert_queries()) for name in NAME.findall(text)}
    page = (ROOT / "docs" / "logging.md").read_text()
    unknown = {name for name in used if name not in exported}
    assert not unknown, f"not exported: {sorted(unknown)}"
    shown = {SUFFIX.sub("", name) for name in used}
    for name in {SUFFIX.sub("", name) for name in exported}:
        assert name in shown, f"the dashboard does not show {name}"
        assert name in page, f"docs/logging.md does not describe {name}"


def main(program):
    check_pages()
    check_collector()
    models = Models()
    settings = {
        "ORGMEM_EMBEDDER": models.url,
        "ORGMEM_EMBEDDING_MODEL": "test",
        "ORGMEM_RERANKER": models.url,
        "ORGMEM_RERANKING_MODEL": "test",
        "ORGMEM_SUMMARY_ENDPOINT": models.url,
        "ORGMEM_SUMMARY_MODEL": "test",
        "ORGMEM_OTLP_ENDPOINT": models.address,
        "ORGMEM_LIMITS_CALLER_STREAMS": "0",
        "ORGMEM_STORE_MIN_FREE_BYTES": str(1 << 50),
    }
    with tempfile.TemporaryDirectory(prefix="orgmem-metrics-") as folder, Server(program, folder, settings) as server:
        config = yaml.safe_load((MONITORING / "prometheus.yml").read_text())
        config["global"].update(scrape_interval="1s", evaluation_interval="1s")
        config["scrape_configs"][0]["static_configs"] = [{"targets": [server.url.removeprefix("http://")]}]
        config["rule_files"] = [str(MONITORING / "alerts.yml")]
        Path(folder, "prometheus.yml").write_text(yaml.safe_dump(config))
        address = f"127.0.0.1:{free_port()}"
        args = [
            "prometheus",
            f"--config.file={folder}/prometheus.yml",
            f"--storage.tsdb.path={folder}/prometheus",
            f"--web.listen-address={address}",
        ]
        with open(f"{folder}/prometheus.log", "wb") as log, Process(args, stdout=log, stderr=log):
            prometheus = f"http://{address}"
            await_true("Prometheus is ready", lambda: request("GET", f"{prometheus}/-/ready")[0] == 200)
            more = make_traffic(server, models)
            count = check_queries(prometheus, more)
            check_names(prometheus)
            await_true("traces arrive", lambda: models.traces)
    print(f"{count} queries return a series")


if __name__ == "__main__":
    main(sys.argv[1])
