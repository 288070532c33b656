#!/usr/bin/env python3
"""Treats ventris-serve badly, and looks whether it still answers others, and how much memory it takes.

    serve_hostile.py --model run/best --programs build/release/bin [--requests 1000000]

After each attack, an ordinary request must be answered, in a time that is printed. Uses slowhttptest (1,000 slow
headers, bodies and readers) and wrk (many small requests) of Debian if they are installed. 10,000 connections need
`ulimit -n 25000`; otherwise there are as many as the limit allows.
"""
import argparse
import json
import os
import pathlib
import random
import resource
import shutil
import socket
import subprocess
import tempfile
import time


class Server:
    def __init__(self, options, *more):
        self.process = subprocess.Popen(
            [options.programs / "ventris-serve", "-m", f"en-de={options.model}", "--port", "0", "--quiet", *more],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.port = int(self.process.stdout.readline().rsplit(":", 1)[1])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        assert self.process.wait(60) == 0, "it did not end as it should"

    def mib(self, what="VmRSS"):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split(what + ":")[1].split()[0]) / 1024

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), 10)

    def ask(self, data, seconds=60):
        """All that comes back for these bytes until the connection is closed."""
        with self.connect() as connection:
            connection.settimeout(seconds)
            received = b""
            try:
                connection.sendall(data)
            except OSError:
                pass  # closed by the server; there may be an answer all the same
            try:
                while block := connection.recv(65536):
                    received += block
            except OSError:
                pass
            return received

    def check(self, attack):
        """An ordinary request is answered."""
        started = time.perf_counter()
        answer = self.ask(post("/translate", {"q": "two dogs play", "source": "en", "target": "de"}))
        milliseconds = 1000 * (time.perf_counter() - started)
        assert answer.startswith(b"HTTP/1.1 200"), (attack, answer[:200])
        print(f"{attack}: an ordinary request took {milliseconds:.0f} ms; memory {self.mib():.0f} MiB, "
              f"at most {self.mib('VmHWM'):.0f}", flush=True)


def post(path, body, headers=""):
    if not isinstance(body, bytes):
        body = json.dumps(body).encode()
    return (f"POST {path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json\r\n{headers}"
            f"Content-Length: {len(body)}\r\n\r\n").encode() + body


def status_of(answer):
    return answer.split(b" ", 2)[1].decode() if answer.startswith(b"HTTP/1.1 ") else "none"


def bodies(server):
    """Bodies that mean nothing, and such as are too large."""
    names = {"100,000 levels of JSON": b'{"q":' + b"[" * 100_000, "invalid UTF-8": b'{"q":"\xff\xfe"}',
             "half a surrogate pair": b'{"q":"\\ud800","source":"en","target":"de"}',
             "100,000 keys": json.dumps({str(i): i for i in range(50_000)}).encode(),
             "a number of 500,000 digits": b'{"q":"a","alternatives":' + b"9" * 500_000 + b"}",
             "nothing": b"", "zeros": bytes(100_000)}  # fmt: skip
    for name, body in names.items():
        print(f"  {name}: {status_of(server.ask(post('/translate', body)))}")
    for path in ("/translate_file", "/v1/translate", "/detect", "/suggest", "/none"):
        server.ask(post(path, b"\x00" * 1000, "X: y\r\n"))
    server.check("bodies that mean nothing")


def large_bodies(server):
    """A gigabyte, announced and unannounced."""
    head = "POST /translate HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
    answer = server.ask(f"{head}Content-Length: {1 << 30}\r\n\r\n".encode())
    print(f"  1 GB announced: {status_of(answer)}")
    block = b"100000\r\n" + b"a" * 0x100000 + b"\r\n"
    sent = 0
    with server.connect() as connection:
        connection.settimeout(20)
        try:
            connection.sendall(f"{head}Transfer-Encoding: chunked\r\n\r\n".encode())
            for _ in range(1024):
                connection.sendall(block)
                sent += 1
            connection.sendall(b"0\r\n\r\n")
            answer = connection.recv(4096)
        except OSError:
            answer = b""
    print(f"  1 GB in chunks: {sent} MiB were taken, answer {status_of(answer)}")
    server.check("bodies of a gigabyte")


def garbage(server):
    numbers = random.Random(1)
    for _ in range(2000):
        with server.connect() as connection:
            try:
                connection.sendall(numbers.randbytes(numbers.randrange(1, 3000)) + b"\r\n\r\n")
            except OSError:
                pass
    server.check("2,000 connections with random bytes")


def pipelining(server):
    one = b"GET /health HTTP/1.1\r\nHost: a\r\n\r\n"
    answers = server.ask(one * 9999 + one.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
    print(f"  10,000 requests on one connection, sent together: {answers.count(b'HTTP/1.1 200')} answers")
    server.check("pipelining")


def gone(server):
    """Clients that send a request and vanish, and such as close only their own half."""
    texts = ["two dogs play and a man sleeps under a tree"] * 200
    for _ in range(200):
        connection = server.connect()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")  # RST
        connection.sendall(post("/translate", {"q": texts, "source": "en", "target": "de"}))
        connection.close()
    half = [server.connect() for _ in range(200)]
    for connection in half:
        connection.sendall(b"POST /translate HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{")
        connection.shutdown(socket.SHUT_WR)
    server.check("400 clients that have gone")
    for connection in half:
        connection.close()


def unread(server):
    """Clients that do not read their answers."""
    connections = []
    for _ in range(200):
        connection = server.connect()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n" * 200)
        connections.append(connection)
    server.check("200 clients that do not read 200 pages each")
    for connection in connections:
        connection.close()


def idle(server, count, others_have_room):
    """`others_have_room`: whether an ordinary request is answered while they are there."""
    connections = []
    try:
        for _ in range(count):
            connections.append(server.connect())
    except OSError:
        pass
    if others_have_room:
        server.check(f"{len(connections)} idle connections")
    for connection in connections:
        connection.close()
    if not others_have_room:
        time.sleep(1)
        server.check(f"{len(connections)} idle connections of one address, after them")


def slow(server):
    """What slowhttptest does: headers, bodies, and readers of answers, a byte now and then."""
    for name, flag in (("headers", "-H"), ("bodies", "-B"), ("readers", "-X")):
        attack = subprocess.Popen(
            ["slowhttptest", flag, "-c", "1000", "-r", "500", "-i", "2", "-l", "20", "-u",
             f"http://127.0.0.1:{server.port}/"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(8)
        server.check(f"1,000 slow {name}")
        attack.wait()


def many(server, count):
    """Small requests without end: of texts that need no model, so that everything else is what is measured."""
    script = pathlib.Path(tempfile.mkdtemp()) / "post.lua"
    script.write_text('wrk.method = "POST"\nwrk.headers["Content-Type"] = "application/json"\n'
                      'wrk.body = \'{"q":"","source":"en","target":"de"}\'\n')  # fmt: skip
    url, done, memory = f"http://127.0.0.1:{server.port}/translate", 0, []
    while done < count:
        out = subprocess.run(["wrk", "-t", "1", "-c", "64", "-d", "5s", "-s", script, url], capture_output=True,
                             text=True, check=True).stdout  # fmt: skip
        assert "Non-2xx" not in out, out
        done += int(out.split(" requests in")[0].split()[-1])
        memory.append(server.mib())
    print(f"  memory after each round of 5 s: {', '.join(f'{mib:.1f}' for mib in memory)} MiB")
    server.check(f"{done} small requests")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=pathlib.Path, required=True)
    parser.add_argument("--programs", type=pathlib.Path, default=pathlib.Path("build/release/bin"))
    parser.add_argument("--requests", type=int, default=1_000_000)
    options = parser.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    os.environ["NO_COLOR"] = "1"
    with Server(options) as server:
        server.check("nothing")
        for attack in (bodies, large_bodies, garbage, pipelining, gone):
            attack(server)
    with Server(options) as server:  # with the usual limit for one address, which ends these at once
        idle(server, min(10_000, hard - 1000), others_have_room=False)
    with Server(options, "--connections", "12000", "--address-connections", "0") as server:
        idle(server, min(10_000, hard - 1000), others_have_room=True)
        unread(server)
        if shutil.which("slowhttptest"):
            slow(server)
        if shutil.which("wrk") and options.requests > 0:
            many(server, options.requests)


if __name__ == "__main__":
    main()
