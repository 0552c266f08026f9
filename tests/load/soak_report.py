"""The criteria of a soak, and its report."""

import itertools
import statistics
from collections import Counter, namedtuple

# seconds: a window of the 99th percentile; from the end of a fault until it must have no effect; and from a fault to the quiet times
# with which it is compared, as other programs may use the machine too
WINDOW, RECOVERY, NEAR = 5, 10, 300
MB = 1 << 20
# permitted growth of a median, from the first quarter of the measured time to its last one: a factor, and what is added
FACTOR, MORE_BYTES, MORE_DESCRIPTORS, MORE_THREADS = 1.1, 8 * MB, 8, 4
# in less time caches and pools still fill up
LEAST_SECONDS = 1_200

Criterion = namedtuple("Criterion", "name is_met value")


def quiet_spans(happenings, start, end):
    """The times without a fault."""
    edges = [start, *itertools.chain(*((happening.began, happening.ended + RECOVERY) for happening in happenings)), end]
    return [(after, before) for after, before in zip(edges[::2], edges[1::2]) if after + WINDOW <= before]


def near(spans, happening):
    """The parts of quiet spans that are near a fault."""
    first, last = happening.began - NEAR, happening.ended + NEAR
    parts = [(max(after, first), min(before, last)) for after, before in spans]
    return [(after, before) for after, before in parts if after + WINDOW <= before]


def windows(load, after, before):
    """The start and the 99th percentile of each window in a span of time."""
    starts = (after + number * WINDOW for number in range(int((before - after) / WINDOW)))
    return [(start, load.p99((start, start + WINDOW))) for start in starts]


def seconds_to_recover(load, happening, limit, until):
    """Seconds from the end of a fault to the first window within the limit, or None."""
    for seconds in range(int(until - happening.ended - WINDOW) + 1):
        start = happening.ended + seconds
        if load.p99((start, start + WINDOW)) <= limit:
            return seconds
    return None


def growth(name, samples, value, more, unit=1):
    """The criterion that the last quarter is not far above the first, and its figures."""
    quarter = max(1, len(samples) // 4)
    first, last = (statistics.median(map(value, part)) for part in (samples[:quarter], samples[-quarter:]))
    slope = statistics.linear_regression([sample.at for sample in samples], [value(sample) for sample in samples]).slope * 3_600
    limit = first * FACTOR + more
    shown = [f"{number / unit:.1f}" for number in (first, last, limit)]
    text = "{} in the first quarter, {} in the last, at most {}".format(*shown) + f"; {slope / unit:+.1f} an hour"
    figures = {"first": first, "last": last, "limit": limit, "slope_per_hour": slope}
    if samples[-1].at - samples[0].at < LEAST_SECONDS:
        return Criterion(name, None, f"{text}; not judged in so short a time"), figures
    return Criterion(name, last <= limit, text), figures


def assign(load, happenings, start):
    """Counts each failure for its fault. Returns the failures that no fault permits."""
    unexplained = []
    for failure in load.failures:
        happening = next((h for h in happenings if failure.began < h.ended + RECOVERY and failure.ended > h.began), None)
        if happening:
            happening.failures[failure.outcome] += 1
        if not happening or failure.outcome not in happening.fault.failures:
            unexplained.append(f"{failure.began - start:.1f} s, {failure.what}: {failure.outcome} {failure.detail}")
    return unexplained


def judge(load, happenings, samples, span, compared):
    start, end = span
    spans = quiet_spans(happenings, start + WINDOW, end)
    quiet = [p99 for span in spans for _, p99 in windows(load, *span)]
    for happening, until in zip(happenings, [*(happening.began for happening in happenings[1:]), end]):
        happening.quiet = load.p99(*near(spans, happening))
        happening.recovered = seconds_to_recover(load, happening, 2 * happening.quiet, until)
    late = [h for h in happenings if h.recovered is None or h.recovered > RECOVERY]
    unexplained = assign(load, happenings, start)
    shown = ", ".join(f"{h.fault.name}: {h.recovered}" for h in late) or "always"
    wrong = [f"{happening.fault.name}: {text}" for happening in happenings for text in happening.wrong]

    # of the last process, without the minute in which it starts
    one = [sample for sample in samples if sample.pid == samples[-1].pid]
    one = [sample for sample in one if sample.at > one[0].at + min(60, (one[-1].at - one[0].at) / 10)]
    grown = [
        growth("memory without the index cache, MB", one, lambda sample: sample.resident - sample.index, MORE_BYTES, MB),
        growth("descriptors", one, lambda sample: sample.descriptors, MORE_DESCRIPTORS),
        growth("threads", one, lambda sample: sample.threads, MORE_THREADS),
    ]
    criteria = [
        *(criterion for criterion, _ in grown),
        Criterion("requests that fail without a documented reason", not unexplained, len(unexplained)),
        Criterion("p99 within twice its quiet value", not late, shown),
        Criterion("acknowledged writes, events, audit log", not load.wrong, f"{compared:,} compared, {len(load.wrong)} wrong"),
        Criterion("faults with another course than expected", not wrong, len(wrong)),
    ]
    return {
        "requests": sum(len(caller.times) for caller in load.callers),
        "commits": sum(len(caller.committed) for caller in load.callers),
        "compared": compared,
        "quiet_p99_ms": load.p99(*spans) * 1e3,
        "quiet_windows_p99_ms": [value * 1e3 for value in statistics.quantiles(quiet, n=10)],
        "measured_minutes": (one[-1].at - one[0].at) / 60,
        "index_cache_mb": max(sample.index for sample in one) / MB,
        "growth": {criterion.name: figures for criterion, figures in grown},
        "minutes": list(minutes(samples, start)),
        "p99_ms": [(at - start, round(p99 * 1e3, 1)) for at, p99 in windows(load, start, end)],
        "faults": [course(happening, start) for happening in happenings],
        "criteria": [criterion._asdict() for criterion in criteria],
        "wrong": [*unexplained, *load.wrong, *wrong],
    }


def minutes(samples, start):
    """Medians of resident, anonymous and index bytes, descriptors and threads, for each minute."""
    for number, same in itertools.groupby(samples, key=lambda sample: int((sample.at - start) / 60)):
        yield [number, *(statistics.median(column) for column in list(zip(*same))[2:])]


def course(happening, start):
    return {
        "name": happening.fault.name,
        "at": happening.began - start,
        "seconds": happening.ended - happening.began,
        "failures": happening.failures,
        "quiet_p99_ms": happening.quiet * 1e3,
        "recovered": happening.recovered,
        "note": happening.note,
    }


def show(database, report):
    """Prints a row for each kind of fault, and the criteria."""
    print(f"\n{database}: {report['requests']:,} requests, {report['commits']:,} memories")
    tenths = report["quiet_windows_p99_ms"]
    print(f"  quiet p99: {report['quiet_p99_ms']:.1f} ms; of windows of {WINDOW} s: median {tenths[4]:.1f} ms", end="")
    print(f", nine in ten up to {tenths[8]:.1f} ms")
    print(f"  index cache: at most {report['index_cache_mb']:.1f} MB; growth measured over {report['measured_minutes']:.0f} min")
    print("\n| fault | times | lasted | failures of callers | p99 within twice its quiet value after | |")
    print("|---|---|---|---|---|---|")
    for name in dict.fromkeys(fault["name"] for fault in report["faults"]):
        same = [fault for fault in report["faults"] if fault["name"] == name]
        failures = sum((Counter(fault["failures"]) for fault in same), Counter())
        errors = ", ".join(f"{count} × {code}" for code, count in failures.most_common()) or "none"
        recovered = [fault["recovered"] for fault in same]
        shown = "never" if None in recovered else f"{statistics.median(recovered):.0f} s, at most {max(recovered)} s"
        lasted = statistics.median(fault["seconds"] for fault in same)
        print(f"| {name} | {len(same)} | {lasted:.1f} s | {errors} | {shown} | {same[-1]['note']} |")
    print()
    for criterion in report["criteria"]:
        verdict = {True: "met", False: "NOT MET", None: "not judged"}[criterion["is_met"]]
        print(f"{verdict}: {criterion['name']}: {criterion['value']}")
    for text in report["wrong"][:40]:
        print(f"  {text}")
