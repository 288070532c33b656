"""The page of ventris-serve in headless Chromium, with a model that copies its text.

Usage: page_test.py VENTRIS_SERVE WRITE_COPYING_BUNDLE COPYING_BACKEND. Skips (exit code 77) where there is no Chromium.
"""

import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request

sys.path.append(str(pathlib.Path(__file__).parents[1] / "support"))
import chromium  # noqa: E402

LINE = "The driver likes bread."
HOSTILE = '<img src=x onerror="document.title=1"><script>document.title=2</script><b>bread</b>'
RESULT = "document.getElementById('result').value"
MESSAGE = "document.getElementById('message').textContent"
MARKED = "[...document.querySelectorAll('.marked')].map(word => word.parentElement.id + ' ' + word.textContent)"
# The contrast of each visible text with what is behind it: (L1 + 0.05) / (L2 + 0.05) of WCAG 2.
CONTRASTS = """(() => {
  const parts = colour => colour.match(/[\\d.]+/g).map(Number);
  const luminance = colour => parts(colour).slice(0, 3).map(value => value / 255).map(
    value => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4).reduce(
    (sum, value, i) => sum + value * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = one => !one ? 'rgb(255, 255, 255)' : (parts(getComputedStyle(one).backgroundColor)[3] ?? 1) === 0
    ? behind(one.parentElement) : getComputedStyle(one).backgroundColor;
  return [...document.querySelectorAll('h1, h2, label, select, button:enabled, textarea, p, li, a')].filter(
    one => one.offsetParent && (one.value || one.textContent)).map(one => {
      const [low, high] = [getComputedStyle(one).color, behind(one)].map(luminance).sort((a, b) => a - b);
      return [(high + 0.05) / (low + 0.05), one.tagName + ' ' + one.id + ' ' + one.className];
    });
})()"""
# Buttons whose name is broken into lines.
BROKEN = """[...document.querySelectorAll('button:not(.word)')].filter(one => {
  const range = document.createRange();
  range.selectNodeContents(one);
  return new Set([...range.getClientRects()].map(line => line.top)).size > 1; }).map(one => one.textContent)"""
# Whatever can be seen or used and is not whole on the screen, with its left and right end.
OUTSIDE = """[...document.querySelectorAll('main *')].filter(one => one.offsetParent && !one.matches('.unseen, option')).map(
  one => [one.tagName + ' ' + one.id, one.getBoundingClientRect()]).filter(
  ([, box]) => box.left < 0 || box.right > innerWidth).map(([name, box]) => [name, box.left, box.right])"""


class Server:
    """ventris-serve with models for English to German and back, on a port of its own or the given one."""

    def __init__(self, *arguments, port=0, microseconds=0):
        environment = {**os.environ, "VENTRIS_BACKEND": BACKEND}
        if microseconds:
            environment["COPYING_BACKEND_MICROSECONDS"] = str(microseconds)
        self.process = subprocess.Popen(
            [SERVE, "-m", f"en-de={Pages.bundle}", "-m", f"de-en={Pages.bundle}", "--port", str(port), "--quiet", *arguments],
            stdout=subprocess.PIPE, text=True, env=environment)
        self.url = self.process.stdout.readline().strip()
        self.port = int(self.url.rsplit(":", 1)[1])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def metric(self, name):
        """A number of /metrics; 0 if it is not there."""
        with urllib.request.urlopen(self.url + "/metrics", timeout=60) as answer:
            found = re.search(rf"^{re.escape(name)} (\S+)$", answer.read().decode(), re.MULTILINE)
        return float(found[1]) if found else 0

    def wait_for(self, name, value):
        for _ in range(6000):
            if self.metric(name) == value:
                return
            time.sleep(0.01)
        raise TimeoutError(f"{name} is {self.metric(name)}, not {value}")


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="ventris-test-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.bundle = cls.folder / "bundle"
        subprocess.run([BUNDLE, cls.bundle], check=True)
        cls.server = Server()
        cls.addClassCleanup(cls.server.__exit__)
        cls.page = chromium.Page(cls.folder / "profile", "about:blank", 1280)
        cls.addClassCleanup(cls.page.__exit__)

    def show(self, server=None, width=1280, dark=False):
        self.page.show((server or self.server).url, width, dark=dark)
        self.page.wait_for("document.getElementById('target').value")
        self.page.value("document.getElementById('text').focus()")

    def write(self, text):
        """Pastes a text and waits for its translation."""
        self.page.paste(text)
        self.page.wait_for(f"{RESULT}.length === {len(text)} && !result.classList.contains('waiting')")
        self.assertEqual(self.page.value(RESULT), text)

    def wait_for_message(self, text):
        self.page.wait_for(f"{MESSAGE}.includes({json.dumps(text)})")

    def test_what_is_typed_is_translated_without_a_request_for_each_key(self):
        self.show()
        name = 'ventris_requests_total{path="/v1/translate",status="200"}'
        before = self.server.metric(name)
        self.page.value(f"for (const letter of {json.dumps(LINE)}) document.execCommand('insertText', false, letter)")
        self.page.wait_for(f"{RESULT} === {json.dumps(LINE)}")
        self.assertEqual(self.server.metric(name) - before, 1)
        self.assertEqual(self.page.value("document.getElementById('count').textContent"), "23 of 100,000 characters")
        self.assertEqual(self.page.value("[source.value, target.value].join()"), "de,en")
        self.page.click("#swap")
        self.assertEqual(self.page.value("[source.value, target.value].join()"), "en,de")
        self.page.click("#clear")
        self.page.wait_for(f"{RESULT} === ''")

    def test_a_text_of_100_kb_can_be_pasted_and_one_that_is_too_long_is_said(self):
        self.show()
        text = (LINE + "\n") * 4166
        self.write(text)
        self.page.write(LINE)
        self.wait_for_message("The text is too long: at most 100,000 characters.")
        self.page.click("#clear")
        self.page.wait_for(f"{MESSAGE} === ''")

    def test_html_in_a_text_is_text(self):
        self.show()
        for box in ("#wantothers", "#wantlinks"):
            self.page.click(box)
        self.page.click("#text")
        self.page.write(HOSTILE)
        self.page.wait_for("document.querySelectorAll('#sourcewords .word').length === 3")
        self.assertIn("onerror", self.page.value("document.getElementById('sourcewords').textContent"))
        self.assertEqual(self.page.value("document.querySelectorAll('img, b, section script').length"), 0)
        self.assertEqual(self.page.value("document.title"), "Translate")
        # The name of a file, too.
        self.page.value(f"""(() => {{ const data = new DataTransfer();
            data.items.add(new File(['bread'], {json.dumps(HOSTILE.replace('/', ''))} + '.pdf'));
            element('file').files = data.files; element('file').dispatchEvent(new Event('change')); }})()""")
        self.page.wait_for("element('filestate').textContent.includes('file format not supported')")
        self.assertEqual(self.page.value("document.querySelectorAll('img, b, section script').length"), 0)
        self.assertEqual(self.page.value("document.title"), "Translate")

    def test_a_server_that_has_gone_is_said_and_used_again_when_it_is_back(self):
        with Server() as first:
            self.show(first)
            self.write("bread")
        self.page.write(" umbrella")
        self.wait_for_message("The server cannot be reached.")
        self.assertEqual(self.page.value(f"document.querySelector('#message').className + {RESULT}"), "badbread")
        with Server(port=first.port):
            self.page.write(".")
            self.page.wait_for(f"{RESULT} === 'bread umbrella.'")
            self.page.wait_for(f"{MESSAGE} === ''")

    def test_a_request_that_is_not_wanted_any_more_is_cancelled(self):
        with Server("--mini-batch", "4", microseconds=3000) as server:
            self.show(server)
            self.page.paste((LINE + "\n") * 300)
            server.wait_for("ventris_requests_in_work", 1)
            self.assertTrue(self.page.value("result.classList.contains('waiting')"))
            self.page.click("#clear")
            server.wait_for("ventris_abandoned_total", 1)
            self.write("bread")
            self.assertFalse(self.page.value("result.classList.contains('waiting')"))
            self.assertEqual(server.metric("ventris_requests_in_work"), 0)

    def test_a_file_is_translated_and_saved_under_a_name_with_its_language(self):
        self.show()
        sent, downloads = self.folder / "my letter.txt", self.folder / "downloads"
        sent.write_text(f"{LINE}\n\nNobody.\n")
        self.assertIn(".txt,", self.page.value("document.getElementById('file').accept"))
        self.page.call("Page.setDownloadBehavior", behavior="allow", downloadPath=str(downloads))
        self.page.choose_file("#file", sent)
        self.page.wait_for("document.querySelector('#filestate a')")
        self.page.click("#filestate a")
        saved = downloads / "my letter.en.txt"
        for _ in range(6000):
            if saved.exists():
                break
            time.sleep(0.01)
        self.assertEqual(saved.read_text(), sent.read_text())
        self.page.choose_file("#file", self.bundle / "model.safetensors")
        self.page.wait_for("document.getElementById('filestate').className === 'bad'")
        self.assertIn("file format not supported", self.page.value("document.getElementById('filestate').textContent"))

    def test_other_translations_can_be_used(self):
        self.show()
        self.page.click("#wantothers")
        self.page.click("#text")
        self.page.write(LINE)
        self.page.wait_for("document.querySelector('#others button')")
        others = self.page.value("[...document.querySelectorAll('#others li span')].map(one => one.textContent)")
        self.assertFalse({LINE, ""} & set(others))
        self.page.click("#others li:first-child button")
        self.assertEqual(self.page.value(RESULT), others[0])
        self.page.click("#wantothers")
        self.page.wait_for(f"document.querySelector('#others').hidden && {RESULT} === {json.dumps(LINE)}")

    def test_a_word_under_the_pointer_and_its_partners_are_marked(self):
        self.show()
        self.page.click("#wantlinks")
        self.page.click("#text")
        self.page.write("The driver  likes\nbread.")
        self.page.wait_for("document.querySelectorAll('#targetwords .word').length === 4")
        self.assertEqual(self.page.value("document.getElementById('sourcewords').textContent"), "The driver  likes\nbread.")
        with urllib.request.urlopen(urllib.request.Request(
                self.server.url + "/v1/translate", json.dumps(
                    {"text": "The driver  likes\nbread.", "source": "en", "target": "de", "alignment": True}).encode(),
                {"Content-Type": "application/json"}), timeout=60) as answer:
            links = json.load(answer)["translations"][0]["alignment"].split()
        words = ["The", "driver", "likes", "bread."]
        for number, word in enumerate(words):
            self.page.point_at(*self.page.middle_of(f"#targetwords .word:nth-of-type({number + 1})"))
            partners = [f"sourcewords {words[int(link.split('-')[0])]}" for link in links if link.endswith(f"-{number}")]
            self.assertEqual(self.page.value(MARKED), [*partners, f"targetwords {word}"])
        self.page.point_at(1, 1)
        self.assertEqual(self.page.value(MARKED), [])

    def test_warnings_are_said(self):
        self.show()
        self.write("My sister sees the bridge and likes bread.")
        shown = "[...document.querySelectorAll('#warnings:not([hidden]) li')].map(one => one.textContent)"
        self.assertEqual(self.page.value(shown), ["The translation is the same as the text."])
        self.page.click("#clear")
        self.page.wait_for("document.getElementById('warnings').hidden")

    def fill_everything(self):
        """A page with something in all of its parts."""
        for box in ("#wantothers", "#wantlinks"):
            self.page.click(box)
        self.page.click("#text")
        self.page.write("My sister sees the bridge and likes bread. " + "bread" * 40)
        self.page.wait_for("document.querySelector('#targetwords .word') && document.querySelector('#others li')")
        self.page.value("element('filestate').textContent = 'x'.repeat(200)")

    def test_everything_is_legible_and_on_the_screen_in_light_and_dark_wide_and_narrow(self):
        for width, dark in ((1280, False), (390, True)):
            with self.subTest(width=width, dark=dark):
                self.show(width=width, dark=dark)
                self.fill_everything()
                self.assertEqual(self.page.value("document.documentElement.scrollWidth"), width)
                self.assertEqual(self.page.value(OUTSIDE), [])
                self.assertEqual(self.page.value(BROKEN), [])
                luminances = self.page.value("getComputedStyle(document.body).backgroundColor")
                self.assertEqual(max(map(int, re.findall(r"\d+", luminances))) < 64, dark, luminances)
                contrasts = self.page.value(CONTRASTS)
                self.assertGreater(len(contrasts), 20)
                self.assertEqual([one for one in contrasts if one[0] < 4.5], [])

    def test_the_keyboard_is_enough(self):
        self.show()
        self.write(LINE)
        focused = "document.activeElement.id || document.activeElement.className"
        seen = []
        for _ in range(7):
            self.page.press("Tab")
            seen.append(self.page.value(focused))
            if seen[-1].startswith("want"):
                self.page.press(" ")
        self.assertEqual(seen, ["clear", "result", "copy", "wantothers", "wantlinks", "file", seen[-1]])
        self.page.wait_for("document.querySelector('#targetwords .word') && document.querySelector('#others button')")
        self.page.value("element('file').focus()")
        self.page.press("Tab")
        self.assertEqual(self.page.value("document.activeElement.ariaLabel"), "Use other translation 1")
        self.page.press("Enter")
        self.assertNotEqual(self.page.value(RESULT), LINE)
        self.page.click("#text")
        self.page.write(" ")
        self.page.wait_for(f"{RESULT} === {json.dumps(LINE + ' ')}")
        self.page.wait_for("!element('links').hidden && document.querySelector('#sourcewords .word')")
        self.page.value("document.querySelector('#others li:last-child button').focus()")
        self.page.press("Tab")
        self.page.press("ArrowRight")
        self.assertIn("sourcewords driver", self.page.value(MARKED))
        self.page.press("ArrowLeft")
        self.assertIn("sourcewords The", self.page.value(MARKED))
        self.page.press("Tab")
        self.assertEqual(self.page.value("document.activeElement.parentElement.id"), "targetwords")
        self.page.value("text.focus()")
        for expected in ("target", "swap", "source"):
            self.page.press("Tab", shift=True)
            self.assertEqual(self.page.value(focused), expected)

    def test_whatever_can_be_used_has_a_name_for_those_who_do_not_see_it(self):
        self.show()
        self.fill_everything()
        nodes = self.page.call("Accessibility.getFullAXTree")["nodes"]
        focusable = [node for node in nodes if not node["ignored"] and any(
            one["name"] == "focusable" and one["value"]["value"] for one in node.get("properties", []))]
        names = {node["name"]["value"] for node in focusable}
        self.assertNotIn("", names)
        for name in ("From", "Into", "Swap languages", "Text", "Translation", "Clear", "Copy", "Other translations",
                     "Links between words", "Translate a file", "Use other translation 1"):
            self.assertTrue(any(one.startswith(name) for one in names), (name, names))
        self.assertTrue(any(re.fullmatch(r"bridge: \S.*", name) for name in names), names)

    def test_a_key_is_asked_for_where_one_is_needed(self):
        keys = self.folder / "keys"
        keys.write_text(f"anna {hashlib.sha256(b'secret').hexdigest()}\n")
        with Server("--api-keys", keys) as server:
            self.show(server)
            self.assertIsNone(self.page.value("element('key').offsetParent && null"))
            self.page.write("bread")
            self.wait_for_message("Please contact the server operator to get an API key")
            self.page.click("#key")
            self.page.write("secret")
            self.page.press("Enter")
            self.page.wait_for(f"{RESULT} === 'bread' && {MESSAGE} === ''")
            self.page.choose_file("#file", keys.rename(self.folder / "keys.txt"))
            self.page.wait_for("document.querySelector('#filestate a')")


if __name__ == "__main__":
    SERVE, BUNDLE, BACKEND = (sys.argv.pop(1) for _ in range(3))
    if chromium.program() is None:
        print("skipped: there is no Chromium here to open the page with; scripts/setup.sh --test-tools installs it")
        sys.exit(77)
    unittest.main()
