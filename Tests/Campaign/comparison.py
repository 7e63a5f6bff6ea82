"""What the campaigns share: a fleet whose messages go to two sides, and whether both have said the same of them."""
import contextlib
import itertools
import json
import pathlib
import signal
import subprocess
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Benchmarks"))
from harness import ROOT, broker_settings, connected, drain, free_port, get, publication, running, until  # noqa: E402

KINDS = ["alert", "event", "visit"]
TOPICS = [word for kind in KINDS for word in ("-t", f"fleet/+/{kind}")]


def settings(reorder):
    """What gateways of both sides are set to, beside where they find broker, store and console."""
    return ("privacy: {keep_positions: 1 h, keep_events: 1 h}\ntracking: {groups: [all]}\nvisits: {duration: 1 min}\n"
            f"fixes: {{reorder: {reorder}}}\n")


def add_arguments(parser):
    parser.add_argument("--seed", type=int, default=1, help="what trips, changes and faults are drawn from (default: 1)")
    parser.add_argument("--map", default=ROOT / "config/demo/ann-arbor.osm", help="an OSM extract to drive on (default: the demo's)")
    parser.add_argument("--trucks", type=int, default=300, help="(default: 300)")
    parser.add_argument("--height", default="4.0", help="of each truck (default: 4.0)")
    parser.add_argument("--headroom", default=ROOT / ".build/release/headroom", help="the program (default: the release build)")
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for the logs and what was said")


def build_roads(choices, work):
    roads = work / "map.roads"
    subprocess.run([str(choices.headroom), "roads", "build", str(choices.map), "-o", str(roads)], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return roads


def keys(text):
    """Of all messages that were said, one a line, with the message."""
    messages = {(m["id"], m["sequence"]): m for m in (json.loads(line) for line in text.splitlines() if line.endswith("}"))}
    keys, counts = {}, {}
    for message in messages.values():
        key = (message["type"], message["vehicle"], message["id"], message["sequence"])
        if message.get("event") == "determined":
            # An outage is noticed within 2 s, in which time passes: a fence that dispatch changes just then may come into
            # force a position later, and that position's time is in the id.
            key = (message["type"], message["vehicle"], message["fence"]["id"], "determined")
            counts[key] = counts.get(key, 0) + 1
            key += (counts[key],)
        keys[key] = message
    return keys


def by_type(keys):
    counts = {}
    for key in keys:
        counts[key[0]] = counts.get(key[0], 0) + 1
    return counts


def show(missing, extra, expected, found):
    for name, keys, messages in [("missing", missing, expected), ("extra", extra, found)]:
        for key in sorted(keys, key=str)[:10]:
            print(f"{name}: {json.dumps(messages[key])[:300]}")


class Side:
    """A broker, a gateway with an SQLite file, and who writes down what it says."""

    def __init__(self, work, name, choices, roads, gateway_settings=settings("2 s")):
        self.work, self.choices, self.name = work / name, choices, name
        self.work.mkdir()
        self.port, console = free_port(), free_port()
        self.url = f"http://127.0.0.1:{console}"
        self.disk = self.work / "disk"
        self.make_disk()
        (self.work / "mosquitto.conf").write_text(broker_settings(self.port) + "max_inflight_messages 0\n")
        self.broker = self.start("/usr/sbin/mosquitto", "-c", self.work / "mosquitto.conf")
        until("a broker", lambda: connected(self.port))
        (self.work / "headroom.yaml").write_text(
            f'broker: {{url: "mqtt://127.0.0.1:{self.entrance()}", client_id: gateway}}\nroads: [{roads}]\n'
            f'store: {{file: {self.disk}/headroom.sqlite, snapshot_interval: 5 s}}\n'
            f'console: {{listen: "127.0.0.1:{console}"}}\n' + gateway_settings)
        subprocess.run([str(choices.headroom), "check-config", str(self.work / "headroom.yaml")], check=True, stdout=subprocess.DEVNULL)
        self.log = open(self.work / "gateway.log", "ab")
        self.start_gateway()
        self.said = open(self.work / "said", "w+b")
        self.listener = subprocess.Popen(
            ["mosquitto_sub", "-p", str(self.port), "-q", "1", *TOPICS, "-F", "%p"], stdout=self.said, stderr=subprocess.DEVNULL)
        until("the gateway is ready", lambda: get(f"{self.url}/readyz"))
        self.link = connected(self.port)
        threading.Thread(target=drain, args=[self.link], daemon=True).start()
        self.packet = 0

    def make_disk(self):
        self.disk.mkdir()

    def entrance(self):
        """The port at which the gateway finds its broker."""
        return self.port

    def start(self, *command, **streams):
        return subprocess.Popen([str(word) for word in command], **{"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, **streams})

    def start_gateway(self):
        self.gateway = self.start(self.choices.headroom, "serve", "--config", self.work / "headroom.yaml", stderr=self.log)

    def publish(self, topic, payload, retain=False):
        self.packet = self.packet % 0xFFFF + 1
        self.link.sendall(publication(topic.encode(), payload.encode(), retain, self.packet))

    def keys(self):
        return keys((self.work / "said").read_text())

    def end(self):
        self.gateway.send_signal(signal.SIGCONT)
        self.broker.send_signal(signal.SIGCONT)
        for process in (self.gateway, self.listener, self.broker):
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(timeout=20)
            process.kill()


def driven(choices, roads, work, seconds):
    """What simulated trucks publish at a broker of their own, topic and payload, as it comes."""
    port = free_port()
    (work / "source.conf").write_text(broker_settings(port))
    (work / "source.yaml").write_text(f'broker: {{url: "mqtt://127.0.0.1:{port}"}}\nroads: [{roads}]\n')
    with running("/usr/sbin/mosquitto", "-c", work / "source.conf"):
        until("a broker", lambda: connected(port))
        source = subprocess.Popen(
            ["mosquitto_sub", "-p", str(port), "-t", "fleet/+/profile", "-t", "fleet/+/location", "-F", "%t %p"],
            stdout=subprocess.PIPE, text=True)
        time.sleep(0.5)
        simulate = subprocess.Popen(
            [str(word) for word in [
                choices.headroom, "simulate", "--config", work / "source.yaml", "--trucks", choices.trucks, "--seconds",
                round(seconds), "--interval", "1 s", "--height", choices.height, "--noise", "5 m", "--seed", choices.seed]],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        threading.Thread(target=lambda: (simulate.wait(), time.sleep(1), source.terminate()), daemon=True).start()
        try:
            for line in source.stdout:
                topic, _, payload = line.rstrip("\n").partition(" ")
                if payload:  # Profiles are removed at the end.
                    yield topic, payload
        finally:
            simulate.terminate()
            simulate.wait()
            source.wait()


def compared(whole, faulty, excepted=None, seconds=120):
    """Missing and extra keys, once both have had time to say everything, and how many are excepted from that."""
    deadline = time.monotonic() + seconds
    while True:
        expected, found = whole.keys(), faulty.keys()
        missing, extra = expected.keys() - found.keys(), found.keys() - expected.keys()
        may_differ = excepted(expected, found) if excepted and missing | extra else set()
        count = {"missing": len(missing & may_differ), "extra": len(extra & may_differ)}
        missing, extra = missing - may_differ, extra - may_differ
        if not missing and not extra or time.monotonic() > deadline:
            return expected, found, missing, extra, count
        time.sleep(1)


def alerts(messages):
    """The stages of each alert, by vehicle and id, in their order."""
    alerts = {}
    for key in sorted(key for key in messages if key[0] == "low-clearance"):
        alerts.setdefault(key[1:3], []).append(messages[key])
    return alerts


def excepted(expected, found, is_old):
    """Keys of the alerts that differ because of a position that is too old for alerts when it is judged.

    An alert is one of them if the first stage that one side has and the other has not is of a time at which such a position is the
    vehicle's newest; or if an earlier one of the vehicle about the same clearance is one: then there is another id, or another
    pause between two alerts.

    is_old: of a vehicle and a time, whether the vehicle's newest position then is such a one.

    >>> def said(*stages):
    ...     return {("low-clearance", "T1", alert, sequence): {
    ...         "stage": stage, "attention": "alarm", "time": time, "clearance": {"id": bridge}, "chain": []}
    ...         for alert, sequence, stage, time, bridge in stages}
    >>> def old(vehicle, time):
    ...     return time == "12:01"

    Begun at an old position, and so at a later one under another id:

    >>> whole = said(("a", 1, "ahead", "12:01", "low"), ("a", 2, "detour", "12:03", "low"))
    >>> sorted(key[2:] for key in excepted(whole, said(("b", 1, "ahead", "12:02", "low")), old))
    [('a', 1), ('a', 2), ('b', 1)]

    At a new position, or about another bridge, it is missing:

    >>> excepted(said(("a", 1, "ahead", "12:00", "low"), ("b", 1, "ahead", "12:02", "lower")), {}, old)
    set()

    A stage that was left out at an old position, and one that is missing at a new one:

    >>> whole = said(("a", 1, "ahead", "12:00", "low"), ("a", 2, "detour", "12:01", "low"), ("a", 3, "stop", "12:02", "low"))
    >>> sorted(key[2:] for key in excepted(whole, said(("a", 1, "ahead", "12:00", "low"), ("a", 2, "stop", "12:02", "low")), old))
    [('a', 1), ('a', 2), ('a', 3)]
    >>> excepted(said(("a", 1, "ahead", "12:00", "low"), ("a", 2, "detour", "12:02", "low")), said(("a", 1, "ahead", "12:00", "low")), old)
    set()
    """
    told, differing = (alerts(expected), alerts(found)), []
    for alert in told[0].keys() | told[1].keys():
        for stages in itertools.zip_longest(*(side.get(alert, []) for side in told)):
            stages = [stage for stage in stages if stage]
            if len(stages) < 2 or any(stages[0][name] != stages[1][name] for name in ["stage", "attention", "time"]):
                first = min(stages, key=lambda stage: stage["time"])
                differing.append((first["time"], alert, {first["clearance"]["id"], *first["chain"]}))
                break
    excepted, clearances = set(), {}
    for when, alert, about in sorted(differing, key=lambda difference: difference[:2]):
        if is_old(alert[0], when) or about & clearances.get(alert[0], set()):
            excepted.add(alert)
            clearances.setdefault(alert[0], set()).update(about)
    return {key for key in expected.keys() | found.keys() if key[0] == "low-clearance" and key[1:3] in excepted}
