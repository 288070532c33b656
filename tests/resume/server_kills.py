"""Kills a server while it loads a new model, or the program that writes this model, at random instants.

A server answers two clients all the time. Again and again, a program writes another model in the place of the one that
the server has, and the server gets SIGHUP. At a random instant, the server or the writer is killed with SIGKILL. Then:
- each answer was, in full, that of the old or the new model;
- a killed server starts again, and a server whose writer was killed goes on, also after another SIGHUP;
- the model in the folder is the whole old or the whole new one.

Usage: server_kills.py --programs FOLDER [--kills N] [--seed N]
"""

import argparse
import http.client
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time

MODELS = pathlib.Path(__file__).resolve().parents[2] / "tests/imports/data"
KINDS = ("marian_shared", "t5_small")
TEXT = "q=ab%20c%20abc%20cab%20b&source=en&target=de"


class Server:
    """A server of the model in a folder, until it is stopped."""

    def __init__(self, programs, folder, log):
        self.process = subprocess.Popen([programs / "ventris-serve", "-m", f"en-de={folder}", "--port", "0"],
                                        stdout=subprocess.PIPE, stderr=log, text=True)
        url = self.process.stdout.readline().strip()
        if not url:
            raise SystemExit(f"the server did not start: exit code {self.process.wait()}")
        self.address = url.removeprefix("http://")

    def ask(self):
        """Returns (status, body); (0, "") if the server is gone."""
        try:
            connection = http.client.HTTPConnection(self.address, timeout=60)
            connection.request("POST", "/translate", TEXT, {"Content-Type": "application/x-www-form-urlencoded"})
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        except (OSError, http.client.HTTPException):
            return 0, ""

    def stop(self):
        self.process.terminate()
        if self.process.wait(timeout=60) != 0:
            raise SystemExit(f"the server ended with exit code {self.process.returncode}")


class Client(threading.Thread):
    """Asks a server until it is told to stop, and keeps the different answers."""

    def __init__(self, server):
        super().__init__()
        self.server, self.answers, self.count, self.going_on = server, set(), 0, True
        self.start()

    def run(self):
        while self.going_on:
            status, body = self.server.ask()
            if status == 0:
                if self.server.process.poll() is not None:
                    return  # it was killed
                continue
            self.answers.add((status, body))
            self.count += 1

    def finish(self):
        self.going_on = False
        self.join()


class Trial:
    def __init__(self, programs, place, draw):
        self.programs, self.folder, self.draw = programs, place / "model", draw
        self.log = open(place / "log", "w")  # noqa: SIM115
        self.expected, self.reloads = {}, 0
        for kind in KINDS:
            if self.write(kind).wait() != 0:
                raise SystemExit("the model was not written")
            server = self.start()
            self.expected[kind] = server.ask()
            server.stop()
        if len(set(self.expected.values())) < 2 or any(status != 200 for status, _ in self.expected.values()):
            raise SystemExit(f"the two models cannot be told apart: {self.expected}")

    def start(self):
        return Server(self.programs, self.folder, self.log)

    def write(self, kind):
        return subprocess.Popen([self.programs / "ventris-import", "-m", MODELS / kind, "-o", self.folder, "--quiet"],
                                stderr=subprocess.DEVNULL)

    def seconds_to_write(self):
        began = time.monotonic()
        self.write(KINDS[0]).wait()
        return time.monotonic() - began

    def check(self, answers, when):
        wrong = answers - set(self.expected.values())
        for status, body in wrong:
            print(f"{when}: an answer of neither model: {status} {body}", flush=True)
        return len(wrong)

    def kill(self, number, seconds):
        """Returns how much was wrong, and the number of answers."""
        server = self.start()
        clients = [Client(server) for _ in range(2)]
        writer = self.write(KINDS[number % 2])
        victim, name = self.draw.choice([(server.process, "the server"), (writer, "the writer")])
        if victim is server.process:  # while it loads, or while the model is written
            if self.draw.random() < 0.7:
                writer.wait()
                server.process.send_signal(signal.SIGHUP)
            time.sleep(self.draw.uniform(0, 0.1))
        else:
            time.sleep(self.draw.uniform(0, seconds))
        victim.send_signal(signal.SIGKILL)
        victim.wait()
        writer.wait()
        if victim is server.process:
            for client in clients:
                client.finish()
            clients.append(Client(again := self.start()))
        else:
            again = server
            server.process.send_signal(signal.SIGHUP)
        time.sleep(0.2)
        wrong = self.check({again.ask()}, f"{name} was killed; then")
        for client in clients:
            client.finish()
            wrong += self.check(client.answers, f"{name} was killed")
            self.reloads += len(client.answers) > 1
        if again.process.poll() is not None:
            print(f"{name} was killed: the server ended", flush=True)
            wrong += 1
        else:
            again.stop()
        return wrong, sum(client.count for client in clients)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", type=pathlib.Path, required=True)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    wrong = answers = 0
    with tempfile.TemporaryDirectory() as place:
        trial = Trial(given.programs, pathlib.Path(place), random.Random(given.seed))
        seconds = trial.seconds_to_write()
        for number in range(given.kills):
            more, count = trial.kill(number, seconds)
            wrong, answers = wrong + more, answers + count
    print(f"{given.kills} kills, {answers} answers, {wrong} wrong; {trial.reloads} clients saw both models")
    sys.exit(wrong > 0 or trial.reloads == 0)


if __name__ == "__main__":
    main()
