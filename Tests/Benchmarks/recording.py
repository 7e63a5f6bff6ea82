"""What simulated trucks publish, to be published again as fast as a broker takes it, and whether a gateway is done with it."""
import datetime
import re
import subprocess
import time

from harness import connected, get, running, until, value

TIME = re.compile(r'"time":"([^"]+)"')


def record(work, settings, port, choices):
    """Topics and payloads, in the order published to a broker of its own; `settings` name that one.

    In `work` lies its configuration, `mosquitto.conf`.
    """
    file = work / "recording"
    with running("/usr/sbin/mosquitto", "-c", work / "mosquitto.conf"), open(file, "w") as out:
        until("a broker", lambda: connected(port))
        topics = ["-t", "fleet/+/profile", "-t", "fleet/+/location"]
        with running("mosquitto_sub", "-p", port, *topics, "-F", "%t %p", stdout=out):
            simulate = [choices.headroom, "simulate", "--config", settings, "--trucks", choices.trucks, "--seconds",
                        choices.seconds, "--interval", "1 s", "--height", choices.height, "--seed", 1]
            subprocess.run([str(word) for word in simulate], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(1)
    return [line.split(" ", 1) for line in file.read_text().splitlines()]


def moved(messages):
    """With times so that the newest fix is of now."""
    def moment(text):
        return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
    times = [moment(found[1]) for _, payload in messages if (found := TIME.search(payload))]
    shift = datetime.datetime.now(datetime.timezone.utc) - max(times)

    def text(found):
        return f'"time":"{(moment(found[1]) + shift).isoformat(timespec="milliseconds").replace("+00:00", "Z")}"'
    return [(topic, TIME.sub(text, payload)) for topic, payload in messages]


def is_done(messages, urls):
    """Every fix was judged, what came of it is on disk, and the broker has it."""
    fixes = sum(topic.endswith("/location") for topic, _ in messages)
    texts = [get(f"{url}/metrics") for url in urls]
    judged = sum(value(text, name) for text in texts for name in ["headroom_fixes_total", "headroom_rejected_total"])
    return judged >= fixes and all(value(text, "headroom_outbox_pending") == 0 for text in texts)


def figures(count, seconds, cpu):
    return {"messages": count, "seconds": round(seconds, 2), "messages_per_second": round(count / seconds),
            "cpu_microseconds_per_message": round(cpu / count * 1e6, 1)}
