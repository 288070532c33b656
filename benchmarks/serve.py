#!/usr/bin/env python3
"""Measures how fast ventris-serve translates single sentences of many clients, next to ventris-translate.

    serve.py --model run/best --input test.en --programs build/release/bin

Each of --connections clients sends one sentence at a time and waits for its translation, until all lines are done. The
client runs on the same cores as the server. In each round, ventris-translate translates the same lines from a file. Both
have --threads threads; the time of ventris-translate includes its start. Lines per second of processor time are those of
the program alone, so the client and other work on the machine do not count. Every translation of the server is compared
with that of ventris-translate.
"""
import argparse
import json
import os
import pathlib
import resource
import selectors
import socket
import statistics
import subprocess
import time


def start_server(arguments):
    """Returns the process and its port."""
    server = subprocess.Popen(
        [arguments.programs / "ventris-serve", "-m", f"xx-yy={arguments.model}", "--port", "0", "--quiet",
         "--threads", str(arguments.threads)], stdout=subprocess.PIPE, text=True)
    return server, int(server.stdout.readline().rsplit(":", 1)[1])


def request(line):
    """The bytes of a request to translate a line."""
    body = json.dumps({"q": line, "source": "xx", "target": "yy"}).encode()
    return (f"POST /translate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n").encode() + body


def answer(data):
    """The translation in an answer; None if it is not complete."""
    head, found, body = data.partition(b"\r\n\r\n")
    if not found:
        return None
    length = int(head.lower().split(b"content-length:")[1].split()[0])
    return json.loads(body)["translatedText"] if len(body) >= length else None


def translate_by_server(port, lines, connections):
    """Returns the translations, the seconds in all, and those of each line."""
    selector, waiting = selectors.DefaultSelector(), iter(range(len(lines)))
    translations, seconds, left = [None] * len(lines), [0.0] * len(lines), len(lines)
    requests = [request(line) for line in lines]

    def send_next(client, state):
        number = next(waiting, None)
        state.update(number=number, data=b"", started=time.perf_counter())
        if number is not None:
            client.sendall(requests[number])

    started = time.perf_counter()
    for _ in range(connections):
        client, state = socket.create_connection(("127.0.0.1", port)), {}
        selector.register(client, selectors.EVENT_READ, state)
        send_next(client, state)
    while left:
        for key, _ in selector.select():
            state = key.data
            state["data"] += key.fileobj.recv(65536)
            text = answer(state["data"])
            if text is None:
                continue
            translations[state["number"]] = text
            seconds[state["number"]] = time.perf_counter() - state["started"]
            left -= 1
            send_next(key.fileobj, state)
    elapsed = time.perf_counter() - started
    for key in list(selector.get_map().values()):
        key.fileobj.close()
    return translations, elapsed, sorted(seconds)


def processor_seconds(process):
    """What a running process has used so far."""
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def translate_by_program(arguments):
    """Returns the translations, the seconds, and the seconds of processor time."""
    def used():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    before, started = used(), time.perf_counter()
    output = subprocess.run(
        [arguments.programs / "ventris-translate", "-m", arguments.model, "-i", arguments.input, "--quiet",
         "--threads", str(arguments.threads), "--split-sentences"], capture_output=True, text=True, check=True).stdout
    return output.split("\n")[:-1], time.perf_counter() - started, used() - before


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=pathlib.Path, required=True)
    parser.add_argument("--input", type=pathlib.Path, required=True)
    parser.add_argument("--programs", type=pathlib.Path, default=pathlib.Path("build/release/bin"))
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    lines = arguments.input.read_text().split("\n")[:-1]
    server, port = start_server(arguments)
    ratios, processor_ratios = [], []
    try:
        for _ in range(arguments.rounds):
            expected, alone, alone_used = translate_by_program(arguments)
            before = processor_seconds(server)
            found, served, seconds = translate_by_server(port, lines, arguments.connections)
            served_used = processor_seconds(server) - before
            ratios.append(alone / served)
            processor_ratios.append(alone_used / served_used)
            differing = sum(one != other for one, other in zip(expected, found))
            print(f"lines/s: ventris-translate {len(lines) / alone:.0f}, ventris-serve {len(lines) / served:.0f}; "
                  f"per second of processor time: {len(lines) / alone_used:.0f}, {len(lines) / served_used:.0f}; "
                  f"an answer takes {1000 * statistics.median(seconds):.1f} ms, "
                  f"99 % at most {1000 * seconds[int(0.99 * len(seconds))]:.1f} ms; {differing} lines differ")
    finally:
        server.terminate()
        server.wait()
    for name, all_ratios in (("time", ratios), ("processor time", processor_ratios)):
        print(f"ratio of {name}: {statistics.median(all_ratios):.2f} ({min(all_ratios):.2f} to {max(all_ratios):.2f})")


if __name__ == "__main__":
    main()
