"""Opens a report in headless Chromium: it is whole and legible on wide and narrow screens, in light and dark, shows
values under the pointer, and asks for nothing from outside.

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

sys.path.append(str(pathlib.Path(__file__).parents[1] / "support"))
import chromium  # noqa: E402

TRAINING, VALIDATION = (0x00, 0x72, 0xB2), (0xD5, 0x5E, 0x00)  # colours of the first two series
DARK_TRAINING = (0x56, 0xB4, 0xE9)  # the first, on a dark screen
SCREENS = [(width, dark) for width in (1280, 390) for dark in (False, True)]
POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>')


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
        done = subprocess.run([chromium.program(), *chromium.FLAGS, f"--user-data-dir={self.folder / 'profile'}", f"--log-net-log={log}",
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

    def on_screen(self, width, dark=False):
        return chromium.Page(self.folder / "profile", (self.folder / "run/report.html").as_uri(), width, dark=dark)

    def test_wide_and_narrow_screens_have_the_whole_page_in_light_and_dark(self):
        for width, dark in SCREENS:
            with self.subTest(width=width, dark=dark), self.on_screen(width, dark) as page:
                self.assertEqual(page.value("innerWidth"), width)
                self.assertLessEqual(page.value("document.documentElement.scrollWidth"), width)
                rows, step = rows_of(page.picture())
                self.assertEqual(len(rows[0]), width * step)
                background = range(0x30) if dark else range(0xE0, 0x100)
                self.assertTrue(all(value in background for value in rows[2][2 * step:2 * step + 3]), rows[2][:12])
                self.assertGreater(len(columns_with(DARK_TRAINING if dark else TRAINING, rows, step)), 100)

    def test_numbers_and_texts_are_legible_on_every_screen(self):
        small = """[...document.querySelectorAll("svg text")].filter(text => {
            const svg = text.ownerSVGElement, scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
            return parseFloat(getComputedStyle(text).fontSize) * scale < 9;
        }).map(text => text.textContent)"""
        broken = """[...document.querySelectorAll(".card b, .numbers td:not(:first-child)")].filter(
            cell => new Set([...cell.getClientRects()].map(line => line.top)).size > 1 ||
                    cell.getBoundingClientRect().height > 2.2 * parseFloat(getComputedStyle(cell).lineHeight)
        ).map(cell => cell.textContent)"""
        for width in (1280, 390):
            with self.subTest(width=width), self.on_screen(width) as page:
                self.assertEqual(page.value(small), [])
                self.assertEqual(page.value(broken), [])

    def test_the_heads_stand_in_two_rows_of_two_below_their_sentence(self):
        places = """(heading => {
            const sentence = heading.nextElementSibling, maps = [...sentence.nextElementSibling.children];
            return [sentence, ...maps].map(one => one.getBoundingClientRect()).map(box => [box.left, box.top, box.bottom]);
        })([...document.querySelectorAll("h3")].find(one => one.textContent == "Heads of the last layer"))"""
        for width, across, down in ((1280, 2, 2), (390, 1, 4)):
            with self.subTest(width=width), self.on_screen(width) as page:
                sentence, *maps = page.value(places)
                self.assertEqual(len(maps), 4)
                self.assertEqual(len({left for left, _, _ in maps}), across)
                self.assertEqual(len({top for _, top, _ in maps}), down)
                self.assertTrue(0 <= maps[0][1] - sentence[2] < 40)  # pixels between both

    def test_values_are_shown_under_the_pointer(self):
        tips = """[...document.querySelector("svg").querySelectorAll(".tip")].map(tip => getComputedStyle(tip).display)"""
        with self.on_screen(1280) as page:
            self.assertEqual(set(page.value(tips)), {"none"})
            spots = page.value("""[...document.querySelector("svg").querySelectorAll(".spot > rect")].map(
                spot => spot.getBoundingClientRect()).map(box => [box.x + box.width / 2, box.y + box.height / 2])""")
            for at in (0, len(spots) - 1):
                page.point_at(*spots[at])
                self.assertEqual([i for i, shown in enumerate(page.value(tips)) if shown != "none"], [at])
            told = page.value("""[...document.querySelector("svg").querySelectorAll(".spot:hover text")].map(
                text => text.textContent)""")
            self.assertEqual(told, ["update 600", "training 1.81", "validation 2.11"])

    def test_the_page_has_no_script_and_all_its_parts(self):
        dom, _ = self.open(self.html, "--dump-dom")
        self.assertEqual(len(re.findall("<svg ", dom)), 8 + 6 + 1)
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
    if chromium.program() is None:
        print("skipped: there is no Chromium here to open a report with")
        sys.exit(77)
    unittest.main()
