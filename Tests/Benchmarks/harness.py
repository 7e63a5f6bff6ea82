"""What the benchmarks share: processes that end with them, a gateway's metrics, and a client that only publishes."""
import contextlib
import json
import os
import pathlib
import re
import socket
import struct
import subprocess
import sys
import threading
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LIMIT_SECONDS = 600
# The gateway under test. A gateway that a benchmark starts would take the variable for a setting.
PROGRAM = os.environ.pop("HEADROOM_BINARY", ROOT / ".build/release/headroom")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def running(*command, stdout=subprocess.DEVNULL):
    process = subprocess.Popen([str(word) for word in command], stdout=stdout, stderr=subprocess.DEVNULL)
    try:
        yield process.pid
    finally:
        process.terminate()
        process.wait(timeout=60)


def until(what, condition, pause=0.01):
    """To ask has a cost, for who is asked too: a measurement under way is asked rarely."""
    deadline = time.monotonic() + LIMIT_SECONDS
    while True:
        with contextlib.suppress(OSError):
            if condition():
                return
        if time.monotonic() > deadline:
            sys.exit(f"{pathlib.Path(sys.argv[0]).name}: {what}: not within {LIMIT_SECONDS} s")
        time.sleep(pause)


def get(url):
    with urllib.request.urlopen(url, timeout=30) as answer:
        return answer.read().decode()


def metric(url, name):
    return value(get(f"{url}/metrics"), name)


def value(text, name):
    """Of a metric, over all of its labels."""
    return sum(float(line.split()[-1]) for line in text.splitlines() if re.match(rf"{name}[ {{]", line))


def cpu_seconds(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory_bytes(pid, peak=False):
    name = "VmHWM" if peak else "VmRSS"
    return int(re.search(rf"{name}:\s+(\d+)", pathlib.Path(f"/proc/{pid}/status").read_text())[1]) * 1024


def bare_client(work):
    """The path of the client that does nothing, built there."""
    program = work / "bare-client"
    source = ROOT / "Tests/Benchmarks/bare-client.c"
    subprocess.run(["cc", "-O2", "-o", str(program), str(source), "-lmosquitto"], check=True)
    return program


def broker_settings(port):
    return f"listener {port} 127.0.0.1\nallow_anonymous true\nmax_queued_messages 0\nset_tcp_nodelay true\n"


def connected(port, client=b"bench"):
    """A client that publishes at QoS 0; nil where no broker answers yet. Ends another one of that id."""
    try:
        link = socket.create_connection(("127.0.0.1", port))
    except OSError:
        return None
    rest = b"\x00\x04MQTT\x04\x02\x00\x00" + struct.pack(">H", len(client)) + client
    link.sendall(b"\x10" + bytes([len(rest)]) + rest)
    return link if link.recv(4)[:1] == b"\x20" else None


def publication(topic, payload, retain=False, packet=None):
    """A PUBLISH packet; at QoS 1 where it has a packet identifier."""
    number = b"" if packet is None else struct.pack(">H", packet)
    rest, length = 2 + len(topic) + len(number) + len(payload), bytearray()
    while rest > 127:
        length.append(rest & 127 | 128)
        rest >>= 7
    first = 0x30 | (1 if retain else 0) | (0 if packet is None else 2)
    return bytes([first]) + bytes(length) + bytes([rest]) + struct.pack(">H", len(topic)) + topic + number + payload


def publish(port, messages, retain=False, qos=0):
    """All of topic and payload, as fast as the broker takes them."""
    stream = b"".join(
        publication(topic.encode(), payload.encode(), retain, 1 + number % 0xFFFF if qos else None)
        for number, (topic, payload) in enumerate(messages))
    with connected(port) as link:
        # The broker's acknowledgements are read, so that it goes on.
        reader = threading.Thread(target=drain, args=[link], daemon=True)
        reader.start()
        link.sendall(stream + b"\xe0\x00")
        reader.join(timeout=60)


def drain(link):
    """Reads until the broker ends the connection."""
    with contextlib.suppress(OSError):
        while link.recv(1 << 16):
            pass


def circle(lat, lon, radius, name):
    """A fence as GeoJSON."""
    return json.dumps({"type": "Feature", "geometry": {"type": "Point", "coordinates": [lon, lat]},
                       "properties": {"name": name, "radius": round(radius, 1)}})
