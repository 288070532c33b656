"""Opens a report in headless Chromium: its curves are on the screen, and nothing is asked for from outside.

Usage: browser_test.py WRITE_SMALL_REPORT. Skips (exit code 77) where there is no Chromium.
"""

import http.server
import json
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import threading
import unittest
import zlib

TRAINING, VALIDATION = (0x00, 0x72, 0xB2), (0xD5, 0x5E, 0x00)  # colours of the first two series
DARK_TRAINING = (0x56, 0xB4, 0xE9)  # the first, on a dark screen
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars",
         "--disable-background-networking", "--disable-component-update", "--disable-sync"]
POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>')


def browser():
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def unfiltered(filter_type, line, above, step):
    """A row of a PNG file, whose bytes are differences from their neighbours."""
    out = bytearray(line)
    if filter_type == 2:
        return bytearray((a + b) & 255 for a, b in zip(line, above))
    for i in range(len(out) if filter_type else 0):
        left, up = (out[i - step] if i >= step else 0), above[i]
        if filter_type == 1:
            guess = left
        elif filter_type == 3:
            guess = (left + up) // 2
        else:
            corner = above[i - step] if i >= step else 0
            whole = left + up - corner
            guess = min((left, up, corner), key=lambda value: abs(whole - value))
        out[i] = (out[i] + guess) & 255
    return out


def rows_of(png):
    """Rows of a PNG file as bytes, and how many of these a pixel has."""
    data, at, width, step = b"", 8, 0, 0
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at:at + 8])
        chunk = png[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, _, _, colour = struct.unpack(">IIBB", chunk[:10])
            step = {2: 3, 6: 4}[colour]
        elif kind == b"IDAT":
            data += chunk
        at += length + 12
    data, rows, above = zlib.decompress(data), [], bytearray(width * step)
    for start in range(0, len(data), width * step + 1):
        above = unfiltered(data[start], data[start + 1:start + 1 + width * step], above, step)
        rows.append(bytes(above))
    return rows, step


def columns_with(colour, rows, step):
    """Columns of pixels in which the colour is found."""
    wanted, columns = bytes(colour), set()
    for row in rows:
        at = row.find(wanted)
        while at >= 0:
            if at % step == 0:
                columns.add(at // step)
            at = row.find(wanted, at + 1)
    return columns


class Listener(http.server.BaseHTTPRequestHandler):
    asked = []

    def do_GET(self):
        self.asked.append(self.path)
        self.send_error(404)

    def log_message(self, *_):
        pass


class Report(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="ventris-test-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        subprocess.run([WRITER, str(cls.folder / "run")], check=True)
        cls.html = (cls.folder / "run/report.html").read_text()

    def open(self, html, *flags):
        """Opens a page and returns standard output and the pages' own requests, those of the browser left out."""
        page, log = self.folder / "page.html", self.folder / "net.json"
        page.write_text(html)
        done = subprocess.run([browser(), *FLAGS, f"--user-data-dir={self.folder / 'profile'}", f"--log-net-log={log}",
                               *flags, page.as_uri()], capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        text = log.read_text()
        try:
            events = json.loads(text)
        except json.JSONDecodeError:  # the browser was done before its log was
            events = json.loads(text.rstrip().rstrip(",") + "]}")
        start = events["constants"]["logEventTypes"]["URL_REQUEST_START_JOB"]
        begun = [event["params"] for event in events["events"] if event["type"] == start and "params" in event]
        return done.stdout, [one["url"] for one in begun if one.get("initiator", "not an origin") != "not an origin"]

    def test_the_curves_are_drawn(self):
        picture = self.folder / "report.png"
        self.open(self.html, "--window-size=1100,1100", f"--screenshot={picture}")
        rows, step = rows_of(picture.read_bytes())
        self.assertEqual(len(rows), 1100)
        self.assertGreater(len(columns_with(TRAINING, rows, step)), 500)
        self.assertGreater(len(columns_with(VALIDATION, rows, step)), 200)

    def test_wide_and_narrow_screens_have_the_whole_page_in_light_and_dark(self):
        inner = self.folder / "inner.html"
        inner.write_text(POLICY.sub("", self.html).replace(
            "</body>", "<script>parent.postMessage([document.documentElement.scrollWidth, window.innerWidth].join('/'),"
            " '*')</script></body>"))
        # In a frame, because windows of Chromium are at least 500 wide.
        outer = ("<!DOCTYPE html><title></title><script>onmessage = event => document.title = event.data</script>"
                 f'<iframe src="{inner.as_uri()}" width="%d" height="900" frameborder="0"></iframe>')
        for width in (1280, 390):
            for scheme, background, curves in ((1, range(0xE0, 0x100), TRAINING), (0, range(0x30), DARK_TRAINING)):
                with self.subTest(width=width, scheme=scheme):
                    flags = [f"--window-size={width},1100", f"--blink-settings=preferredColorScheme={scheme}"]
                    dom, _ = self.open(outer % width, *flags, "--virtual-time-budget=3000", "--dump-dom")
                    used, window = map(int, re.search(r"<title>(\d+)/(\d+)</title>", dom).groups())
                    self.assertEqual(window, width)
                    self.assertLessEqual(used, width)  # nothing has to be scrolled sideways
                    picture = self.folder / "screen.png"
                    self.open(self.html, *flags, f"--screenshot={picture}")
                    rows, step = rows_of(picture.read_bytes())
                    self.assertEqual(len(rows[0]), width * step)
                    self.assertTrue(all(value in background for value in rows[2][2 * step:2 * step + 3]), rows[2][:12])
                    self.assertGreater(len(columns_with(curves, rows, step)), 100)

    def test_the_page_has_no_script_and_all_its_parts(self):
        dom, _ = self.open(self.html, "--dump-dom")
        self.assertEqual(len(re.findall("<svg ", dom)), 8 + 4 + 1)
        self.assertEqual(len(re.findall("<h2>", dom)), 6)
        self.assertNotIn("<script", dom)

    def test_nothing_is_asked_for_from_outside(self):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Listener)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        _, asked = self.open(self.html, "--dump-dom")
        self.assertEqual(asked, [])
        leak = f'<img src="http://127.0.0.1:{server.server_port}/leak">'
        _, asked = self.open(self.html.replace("</body>", leak + "</body>"), "--dump-dom")  # the policy holds
        self.assertEqual((asked, Listener.asked), ([], []))
        without, changed = POLICY.subn("", self.html)
        self.assertEqual(changed, 1)
        _, asked = self.open(without.replace("</body>", leak + "</body>"), "--dump-dom")  # and this test would see it
        self.assertEqual((asked, Listener.asked), ([leak[10:-2]], ["/leak"]))


if __name__ == "__main__":
    WRITER = sys.argv.pop(1)
    if browser() is None:
        print("skipped: there is no Chromium here to open a report with")
        sys.exit(77)
    unittest.main()
