"""Checks the Helm chart.

    chart.py [HELM]

Without `helm` only the values are checked against the schema. With it, the chart is linted and rendered with its defaults and with
each file of `ci/`. The objects are checked against the schemas of Kubernetes, and for the properties on which the installation
depends. Needs PyYAML and jsonschema, and with helm kubernetes-validate.
"""

import copy
import json
import subprocess
import sys
from pathlib import Path

import jsonschema
import yaml

CHART = Path(__file__).resolve().parents[2] / "deploy" / "helm" / "orgmem"
# The oldest release that the chart permits, and a current one.
KUBERNETES = ("1.25", "1.34")

SECRETS = {
    "ORGMEM_DATABASE_URL": "postgres://orgmem:example@db/orgmem",
    "ORGMEM_JWT_SECRET": "0123456789abcdef0123456789abcdef",
    "ORGMEM_ACCESS_LOG_KEY": "0123456789abcdef0123456789abcdef",
}

# Values that the schema refuses.
INVALID = [
    {"database": "mysql"},
    {"replicas": 0},
    {"unknown": 1},
    {"ingress": {"enabled": True, "hosts": []}},
    {"service": {"port": 70000}},
    {"mcp": {"allowedOrigins": ["app.example.org"]}},
    {"secrets": {"env": {"PATH": "/bin"}}},
    {"secrets": {"env": {**SECRETS, "ORGMEM_JWT_SECRET": "short"}}},
    {"secrets": {"env": {**SECRETS, "ORGMEM_DATABASE_URL": "mysql://db"}}},
]

# Values that the templates refuse, with a part of the message.
REFUSED = [
    ({"database": "postgres"}, "needs secrets.existingSecret, or ORGMEM_DATABASE_URL"),
    ({"database": "postgres", "secrets": {"env": {"ORGMEM_DATABASE_URL": "postgres://db"}}}, "ORGMEM_JWT_SECRET"),
    ({"secrets": {"env": SECRETS}}, "set database=postgres"),
    ({"database": "postgres", "secrets": {"existingSecret": "a", "env": SECRETS}}, "exclude each other"),
]


def merged(base, over):
    result = copy.deepcopy(base)
    for key, value in over.items():
        both = isinstance(value, dict) and isinstance(result.get(key), dict)
        result[key] = merged(result[key], value) if both else value
    return result


def cases():
    yield "the defaults", {}
    files = sorted((CHART / "ci").glob("*.yaml"))
    assert files, "no values in ci/"
    for file in files:
        yield file.name, yaml.safe_load(file.read_text())


def check_schema():
    defaults = yaml.safe_load((CHART / "values.yaml").read_text())
    schema = json.loads((CHART / "values.schema.json").read_text())
    validator = jsonschema.Draft7Validator(schema)
    validator.check_schema(schema)
    undescribed = defaults.keys() - schema["properties"].keys()
    assert not undescribed, f"values.schema.json does not describe {sorted(undescribed)}"
    for name, values in cases():
        validator.validate(merged(defaults, values))
    for values in INVALID:
        assert not validator.is_valid(merged(defaults, values)), f"values.schema.json permits {values}"


def helm(program, *args, values=None):
    command = [program, *args, *(["--values", "-"] if values is not None else [])]
    text = yaml.safe_dump(values) if values is not None else None
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False)


def rendered(program, values):
    args = ["template", "release", str(CHART), "--namespace", "mem", "--kube-version", f"{KUBERNETES[0]}.0"]
    return helm(program, *args, values=values)


def check_schemas(name, objects):
    # only needed here, because it is large
    import kubernetes_validate

    for found in objects:
        # of the Prometheus operator, so not in the schemas of Kubernetes
        if found["kind"] != "ServiceMonitor":
            for release in KUBERNETES:
                try:
                    kubernetes_validate.validate(found, release, strict=True)
                except kubernetes_validate.ValidationError as error:
                    raise SystemExit(f"{name}, {found['kind']}, Kubernetes {release}: {error.message}") from error


def check_pod(name, template):
    spec = template["spec"]
    (container,) = spec["containers"]
    env = {variable["name"]: variable.get("value") for variable in container["env"]}
    assert spec["enableServiceLinks"] is False, f"{name}: service links"
    assert spec["automountServiceAccountToken"] is False, f"{name}: token of the service account"
    assert spec["securityContext"]["runAsNonRoot"] is True and spec["securityContext"]["runAsUser"] == 10001, name
    assert spec["securityContext"]["fsGroupChangePolicy"] == "OnRootMismatch", name
    security = container["securityContext"]
    assert security["readOnlyRootFilesystem"] is True and security["allowPrivilegeEscalation"] is False, name
    assert security["capabilities"] == {"drop": ["ALL"]}, name
    assert spec["terminationGracePeriodSeconds"] > 35, f"{name}: longer than preStop and shutdown_timeout_seconds"
    paths = {probe: container[probe]["httpGet"]["path"] for probe in ("startupProbe", "livenessProbe", "readinessProbe")}
    assert paths == {"startupProbe": "/healthz", "livenessProbe": "/healthz", "readinessProbe": "/readyz"}, name
    volumes = {volume["name"] for volume in spec["volumes"]}
    mounts = {mount["mountPath"]: mount["name"] for mount in container["volumeMounts"]}
    assert env["ORGMEM_DATA_DIR"].startswith("/data/") and mounts["/data"] == "data" and "/tmp" in mounts, name
    return env, volumes, container


def check_objects(name, values, text):
    objects = [found for found in yaml.safe_load_all(text) if found]
    check_schemas(name, objects)
    kinds = {found["kind"]: found for found in objects}
    assert len(kinds) == len(objects), f"{name}: two objects of one kind"
    postgres = values.get("database") == "postgres"
    workload = kinds["Deployment" if postgres else "StatefulSet"]
    assert ("StatefulSet" if postgres else "Deployment") not in kinds, name
    env, volumes, container = check_pod(name, workload["spec"]["template"])
    selector = workload["spec"]["selector"]["matchLabels"]
    assert selector.items() <= workload["spec"]["template"]["metadata"]["labels"].items(), name
    assert kinds["Service"]["spec"]["selector"] == selector, name
    assert kinds["Service"]["metadata"]["name"] in env["ORGMEM_MCP_ALLOWED_HOSTS"].split(","), name
    if postgres:
        assert workload["spec"]["replicas"] == values.get("replicas", 2), name
        assert kinds["PodDisruptionBudget"]["spec"]["selector"]["matchLabels"] == selector, name
        secret = container["envFrom"][0]["secretRef"]["name"]
        made = kinds.get("Secret")
        assert secret == (made["metadata"]["name"] if made else values["secrets"]["existingSecret"]), name
        assert not made or made["stringData"] == values["secrets"]["env"], name
        assert "data" in volumes, name
    else:
        assert workload["spec"]["replicas"] == 1 and "PodDisruptionBudget" not in kinds, name
        assert workload["spec"]["volumeClaimTemplates"][0]["metadata"]["name"] == "data", name
    ingress = values.get("ingress", {})
    assert ("Ingress" in kinds) == ingress.get("enabled", False), name
    assert set(ingress.get("hosts", [])) <= set(env["ORGMEM_MCP_ALLOWED_HOSTS"].split(",")), name
    assert ("ServiceMonitor" in kinds) == values.get("serviceMonitor", {}).get("enabled", False), name
    if "ServiceMonitor" in kinds:
        monitor = kinds["ServiceMonitor"]["spec"]
        assert monitor["selector"]["matchLabels"].items() <= kinds["Service"]["metadata"]["labels"].items(), name
        assert monitor["endpoints"][0]["path"] == "/metrics", name
    return len(objects)


def check_templates(program):
    count = 0
    for name, values in cases():
        lint = helm(program, "lint", "--strict", str(CHART), values=values)
        assert lint.returncode == 0, f"{name}: {lint.stdout}{lint.stderr}"
        output = rendered(program, values)
        assert output.returncode == 0, f"{name}: {output.stderr}"
        count += check_objects(name, values, output.stdout)
    for values, message in REFUSED:
        output = rendered(program, values)
        assert output.returncode != 0 and message in output.stderr, f"{values}: {output.stderr}"
    # one server is nothing that a disruption budget could protect
    one = rendered(program, {"database": "postgres", "replicas": 1, "secrets": {"env": SECRETS}})
    assert one.returncode == 0 and "PodDisruptionBudget" not in one.stdout, one.stderr
    return count


if __name__ == "__main__":
    check_schema()
    if len(sys.argv) > 1:
        print(f"the chart renders {check_templates(sys.argv[1])} objects")
    else:
        print("helm is not installed, so the templates of the chart are not checked, only its values")
