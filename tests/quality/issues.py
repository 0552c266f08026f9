#!/usr/bin/env python3
"""Real issues as CSV for `orgmem rows import`, from files that packages install.

    tests/quality/issues.py glibc NEWS > glibc.csv
    tests/quality/issues.py cpython NEWS HISTORY > cpython.csv
    tests/quality/issues.py scipy FOLDER > scipy.csv

* glibc: the lists of resolved bugs in its NEWS (Debian: /usr/share/doc/libc6/NEWS.gz). A line is `[number] component: summary`, the
  number, the component and the summary of sourceware's Bugzilla; those without a component are left out. The file has no dates:
  `closed` is the first day of the month for which the version was planned (February or August).
* CPython: the changelog (Debian's python3.11: /usr/share/doc/python3.11/NEWS.gz and HISTORY.gz). A row is an issue with an entry that
  begins as a correction (`Fix`, `Prevent`, `Avoid`, `Correct`, `Ensure`, `No longer`, `Handle`, `Restore`); a correction in several versions
  counts once. The component is the first module of the standard library that the text names, otherwise the section (`Core and
  Builtins`). `severity` is `high` in the section Security. `closed` is the date of the release.

* SciPy: the lists of closed issues in its release notes (Debian's python-scipy-doc: /usr/share/doc/python-scipy-doc/html), with their
  titles. The component is the first sub-package that the title names; issues without one are left out. There are no dates.

There are no columns for the type of the defect, its cause and its trigger: `bug-import` reads them from the text.
"""

import csv
import gzip
import html
import pathlib
import re
import sys

# Version 2.18 is of August 2013, and each one after it half a year younger.
FIRST_VERSION = 18
CORRECTION = r"(Fix|Fixed|Fixes|Prevent|Avoid|Correct|Corrected|Ensure|No longer|Handle|Restore)\b"
# these modules are words of English, or parts of Python itself
NOT_COMPONENTS = set("builtins code copy operator select signal site string symbol test this time token trace types __future__ __main__".split())
# these count only where the text marks them as modules
ONLY_MARKED = set(
    "array ast calendar cmd compileall dis email enum glob html http imp inspect io keyword locale logging math numbers os parser "
    "pipes platform profile pty queue random re resource sched secrets selectors sets statistics struct sys tty typing uu warnings".split()
)
MARKED = r":(?:mod|func|class|meth|exc|attr|data|const):`[~!]?([a-zA-Z_]+)[.`]|\b([a-z_]+)\.[a-zA-Z_]+|\b(?:module|package) ([a-z_]+)|\b([a-z_]+) module"


def lines_of(path):
    content = pathlib.Path(path).read_bytes()
    return (gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content).decode("utf-8", "replace").split("\n")


def glibc(paths):
    for path in paths:
        version, bug = None, None
        for line in [*lines_of(path), ""]:
            if found := re.match(r"Version 2\.(\d+)$", line):
                version = int(found[1])
            if bug and (not line.startswith("    ") or not line.strip()):
                yield bug
                bug = None
            if version and version >= FIRST_VERSION and (found := re.match(r"\s+\[(\d{2,6})\] ([a-z_/-]+): (.*)", line)):
                half_years = version - FIRST_VERSION + 1
                closed = f"{2013 + half_years // 2}-{'08' if half_years % 2 else '02'}-01"
                bug = {"id": found[1], "component": found[2], "title": found[3], "version": f"2.{version}", "closed": closed}
            elif bug:
                bug["title"] += " " + line.strip()


def cpython(paths):
    modules = sys.stdlib_module_names - NOT_COMPONENTS
    released, section, entries = None, None, []
    for path in paths:
        lines = lines_of(path)
        for number, line in enumerate(lines):
            below = lines[number + 1] if number + 1 < len(lines) else ""
            if found := re.match(r"\*?Release date:\s*(\d{4}-\d\d-\d\d)", line):
                released = found[1]
            elif re.match(r"-{4,}$", below):
                section = line.strip()
            elif found := re.match(r"- (?:Issues? #|bpo-|gh-issue-)(\d+)[^:]{0,40}:\s*(.*)", line):
                entries.append([found[1], released, section, found[2]])
            elif entries and line.startswith("  "):
                entries[-1][3] += " " + line.strip()
            else:
                entries.append(["", released, section, ""])
    seen = set()
    # the first release with a correction: later ones repeat it for other versions
    for issue, released, section, text in sorted(entries, key=lambda entry: entry[1] or ""):
        if not issue or not released or not re.match(CORRECTION, text) or issue in seen:
            continue
        seen.add(issue)
        plain = re.sub(r":[a-z:]+:`[~!]?([^`]*)`", r"\1", text).replace("``", "")
        named = ["".join(groups) for groups in re.findall(MARKED, text)]
        named += [name for name in re.findall(r"\w+", plain) if name not in ONLY_MARKED]
        named = [name for name in named if name in modules]
        yield {
            "id": issue,
            "component": named[0] if named else section,
            "title": plain,
            "severity": "high" if section == "Security" else "",
            "closed": released,
        }


def scipy(folders):
    packages = "cluster constants fft fftpack integrate interpolate io linalg misc ndimage odr optimize signal sparse spatial special stats"
    paths = [path for folder in folders for path in pathlib.Path(folder).glob("release.*.html")]
    seen = set()
    for path in sorted(paths, key=lambda path: [int(number) for number in re.findall(r"\d+", path.name)]):
        for section in re.split(r"<h[2-5]", path.read_text("utf-8")):
            items = re.findall(r"<li>(.*?)</li>", section, re.S) if "Issues closed" in section[:300] else []
            for item in items:
                text = " ".join(html.unescape(re.sub(r"<[^>]+>", "", item)).split())
                issue = re.match(r"#(\d+):? ?(.*)", text)
                named = [word for word in re.findall(r"[a-z]+", issue[2].lower()) if word in packages.split()] if issue else []
                if named and issue[1] not in seen:
                    seen.add(issue[1])
                    yield {"id": issue[1], "component": named[0], "title": issue[2], "version": path.name[8:-5]}


def main():
    rows = list({"glibc": glibc, "cpython": cpython, "scipy": scipy}[sys.argv[1]](sys.argv[2:]))
    writer = csv.DictWriter(sys.stdout, fieldnames=rows[0].keys())
    writer.writeheader()
    writer.writerows(rows)


if __name__ == "__main__":
    main()
