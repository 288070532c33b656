#!/usr/bin/env python3
"""Measures how fast ventris-serve translates single sentences of many clients, next to ventris-translate.

    serve.py --model run/best --input test.en --programs build/release/bin
    serve.py --model run/best --input test.en --libretranslate ~/libretranslate/bin/python --ctranslate2 FOLDER
    serve.py --model run/best --input test.en --flood 4

Each of --connections clients sends one sentence at a time and waits for its translation, until all lines are done. The
client runs on the same cores as the server. In each round, ventris-translate translates the same lines from a file.
Both have --threads threads; the time of ventris-translate includes its start. Lines per second of processor time are
those of the program alone, so the client and other work on the machine do not count. Every translation of the server is
compared with that of ventris-translate.

With --libretranslate, LibreTranslate with the same model (of `ventris-export --format ctranslate2`) takes part, too, in
each round, with the first --peer-lines lines. At the end, one client measures how much later an answer comes than the
search for it ends, while the server has nothing else to do.

With --flood, the script measures only this: how long a client waits that sends one sentence at a time, alone, and while
--flood other clients send documents of a megabyte (the lines of --input, repeated), each the next one as soon as it has
the translation of the last one.
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
import threading
import time


def start_server(arguments, *more):
    """Returns the process and its port."""
    server = subprocess.Popen(
        [arguments.programs / "ventris-serve", "-m", f"en-de={arguments.model}", "--port", "0", "--quiet",
         "--threads", str(arguments.threads), "--beam-size", str(arguments.beam_size), *more],
        stdout=subprocess.PIPE, text=True)
    return server, int(server.stdout.readline().rsplit(":", 1)[1])


def start_libretranslate(arguments):
    """The same for LibreTranslate."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    script = pathlib.Path(__file__).with_name("serve_libretranslate.py")
    server = subprocess.Popen(
        [arguments.libretranslate, script, arguments.ctranslate2.resolve(), str(port), str(arguments.threads)],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(600):
        try:
            translate_by_server(port, ["a"], 1)
            return server, port
        except OSError:
            time.sleep(0.2)
    raise SystemExit("LibreTranslate does not start")


def request(line, path="/translate"):
    """The bytes of a request to translate a line."""
    body = json.dumps({"q" if path == "/translate" else "text": line, "source": "en", "target": "de"}).encode()
    return (f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
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


def added_milliseconds(port, lines):
    """How much longer a client waits for each of these lines than the search for its translation takes."""
    added = []
    with socket.create_connection(("127.0.0.1", port)) as client:
        for line in lines:
            started, data = time.perf_counter(), b""
            client.sendall(request(line, "/v1/translate"))
            while not data.endswith(b"}]}"):
                data += client.recv(65536)
            seconds = time.perf_counter() - started
            (translation,) = json.loads(data.partition(b"\r\n\r\n")[2])["translations"]
            if translation["sentences"] == 1:
                added.append(1000 * (seconds - translation["seconds"]))
    return sorted(added)


def measure_flood(arguments, lines):
    """Prints how long one sentence takes without and with clients that send documents of a megabyte."""
    characters = str(arguments.flood * 2**21)
    server, port = start_server(arguments, "--max-body", "2048", "--max-characters", str(2**21), "--deadline", "3600",
                                "--client-characters", characters, "--queue-characters", characters)
    document = ("\n".join(lines) + "\n") * (2**20 // sum(len(line) + 1 for line in lines) + 1)
    done, stop = [], threading.Event()

    def send_documents():
        while not stop.is_set():
            try:
                translate_by_server(port, [document[:2**20]], 1)
            except OSError:  # the server has ended
                return
            done.append(1)

    def measure(name):
        _, _, seconds = translate_by_server(port, lines[:500], 1)
        print(f"{name}: a sentence takes {1000 * statistics.median(seconds):.1f} ms (median), 99 % at most "
              f"{1000 * seconds[int(0.99 * len(seconds))]:.1f} ms, all at most {1000 * seconds[-1]:.1f} ms", flush=True)

    try:
        measure("alone")
        for _ in range(arguments.flood):
            threading.Thread(target=send_documents, daemon=True).start()
        time.sleep(2)
        for _ in range(arguments.rounds):
            measure(f"with {arguments.flood} clients that send documents of 1 MB ({len(done)} are translated)")
    finally:
        stop.set()
        server.kill()
        server.wait()


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
         "--threads", str(arguments.threads), "--split-sentences", "--beam-size", str(arguments.beam_size)],
        capture_output=True, text=True, check=True).stdout
    return output.split("\n")[:-1], time.perf_counter() - started, used() - before


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=pathlib.Path, required=True)
    parser.add_argument("--input", type=pathlib.Path, required=True)
    parser.add_argument("--programs", type=pathlib.Path, default=pathlib.Path("build/release/bin"))
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--beam-size", type=int, default=4, help="that of LibreTranslate is 4")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--libretranslate", type=pathlib.Path, help="a Python that has it")
    parser.add_argument("--ctranslate2", type=pathlib.Path, help="the model in the format of CTranslate2")
    parser.add_argument("--peer-lines", type=int, default=500)
    parser.add_argument("--flood", type=int, default=0, metavar="CLIENTS", help="measure only one sentence beside these")
    arguments = parser.parse_args()
    lines = arguments.input.read_text().split("\n")[:-1]
    if arguments.flood > 0:
        measure_flood(arguments, lines)
        return
    server, port = start_server(arguments)
    peer, peer_port = start_libretranslate(arguments) if arguments.libretranslate else (None, 0)
    ratios, processor_ratios, peer_ratios, peer_processor_ratios = [], [], [], []
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
            if peer is None:
                continue
            few = lines[:arguments.peer_lines]
            served_before, before = processor_seconds(server), processor_seconds(peer)
            _, served, _ = translate_by_server(port, few, arguments.connections)
            _, by_peer, peer_seconds = translate_by_server(peer_port, few, arguments.connections)
            served_used, peer_used = processor_seconds(server) - served_before, processor_seconds(peer) - before
            peer_ratios.append(by_peer / served)
            peer_processor_ratios.append(peer_used / served_used)
            print(f"  {len(few)} lines: ventris-serve {len(few) / served:.0f} lines/s, LibreTranslate "
                  f"{len(few) / by_peer:.0f}; per second of processor time: {len(few) / served_used:.0f}, "
                  f"{len(few) / peer_used:.0f}; an answer of LibreTranslate takes "
                  f"{1000 * statistics.median(peer_seconds):.0f} ms")
        added = added_milliseconds(port, lines[:300])
        print(f"an idle server adds {statistics.median(added):.2f} ms to a search (90 %: at most "
              f"{added[int(0.9 * len(added))]:.2f} ms)")
    finally:
        for process in filter(None, (server, peer)):
            process.terminate()
            process.wait()
    for name, all_ratios in (("time", ratios), ("processor time", processor_ratios),
                             ("time, LibreTranslate's to ventris-serve's", peer_ratios),
                             ("processor time, LibreTranslate's to ventris-serve's", peer_processor_ratios)):
        if not all_ratios:
            continue
        print(f"ratio of {name}: {statistics.median(all_ratios):.2f} ({min(all_ratios):.2f} to {max(all_ratios):.2f})")


if __name__ == "__main__":
    main()
