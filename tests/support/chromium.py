"""A headless Chromium, controlled over its DevTools protocol through two pipes."""

import base64
import json
import os
import shutil
import subprocess
import time

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars",
         "--disable-background-networking", "--disable-component-update", "--disable-sync"]
KEYS = {"Tab": 9, "Enter": 13, " ": 32, "ArrowLeft": 37, "ArrowRight": 39}  # that press() knows, with their codes
TEXTS = {"Enter": "\r", " ": " "}  # what they type


def program():
    """The path of Chromium; None if there is none here."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


class Page:
    """A page on a screen of the given width in CSS pixels. `profile` is a folder for what the browser writes."""

    def __init__(self, profile, url, width, height=900, dark=False):
        from_us, to_browser = os.pipe()
        from_browser, to_us = os.pipe()
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec "$0" "$@" 3<&{from_us} 4>&{to_us}', program(), *FLAGS, "--remote-debugging-pipe",
             f"--user-data-dir={profile}"],
            pass_fds=(from_us, to_us), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(from_us)
        os.close(to_us)
        self.sending, self.receiving = os.fdopen(to_browser, "wb", 0), os.fdopen(from_browser, "rb")
        self.calls, self.session = 0, None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Page.enable")
        self.show(url, width, height, dark)

    def show(self, url, width, height=900, dark=False):
        """Opens another page, or the same one again."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=True)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])
        self.call("Page.navigate", url=url)
        while self.receive().get("method") != "Page.loadEventFired":
            pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.session = None
        self.call("Browser.close")
        self.process.wait(60)
        self.sending.close()
        self.receiving.close()

    def receive(self):
        message = bytearray()
        while (byte := self.receiving.read(1)) != b"\0":
            if not byte:
                raise EOFError("Chromium ended")
            message += byte
        return json.loads(message)

    def call(self, method, **parameters):
        self.calls += 1
        message = {"id": self.calls, "method": method, "params": parameters}
        if self.session is not None:
            message["sessionId"] = self.session
        self.sending.write(json.dumps(message).encode() + b"\0")
        while (answer := self.receive()).get("id") != self.calls:
            pass
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        return answer["result"]

    def value(self, expression):
        """The value of a JavaScript expression; a page without scripts is asked, too."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def wait_for(self, expression, seconds=60):
        """Waits until a JavaScript expression is true."""
        until = time.monotonic() + seconds
        while not self.value(f"Boolean({expression})"):
            if time.monotonic() > until:
                raise TimeoutError(f"it did not come true: {expression}; the page: {self.value('document.body.innerText')}")
            time.sleep(0.02)

    def point_at(self, x, y):
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def middle_of(self, selector):
        """Where an element is on the screen, after it was scrolled there."""
        return self.value(f"""(one => {{ one.scrollIntoView({{block: "center"}}); const box = one.getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2]; }})(document.querySelector({json.dumps(selector)}))""")

    def click(self, selector):
        x, y = self.middle_of(selector)
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def write(self, text):
        """Puts a text in where the cursor is, at once. A long one takes minutes: paste it."""
        self.call("Input.insertText", text=text)

    def paste(self, text):
        """Puts a text in where the cursor is, from the clipboard."""
        self.value(f"""(() => {{ window.pasted = [document.activeElement, document.createElement("textarea")];
            document.body.append(pasted[1]); pasted[1].value = {json.dumps(text)}; pasted[1].select(); }})()""")
        self.call("Input.dispatchKeyEvent", type="keyDown", commands=["copy"])
        self.value("pasted[1].remove(), pasted[0].focus()")
        self.call("Input.dispatchKeyEvent", type="keyDown", commands=["paste"])

    def press(self, key, shift=False):
        """A key of KEYS."""
        event = {"key": key, "windowsVirtualKeyCode": KEYS[key], "modifiers": 8 if shift else 0}
        self.call("Input.dispatchKeyEvent", type="keyDown", **event, **({"text": TEXTS[key]} if key in TEXTS else {}))
        self.call("Input.dispatchKeyEvent", type="keyUp", **event)

    def choose_file(self, selector, path):
        """As in the dialog of an <input type="file">."""
        found = self.call("Runtime.evaluate", expression=f"document.querySelector({json.dumps(selector)})")
        self.call("DOM.setFileInputFiles", files=[str(path)], objectId=found["result"]["objectId"])

    def picture(self):
        """What is on the screen, as a PNG file."""
        return base64.b64decode(self.call("Page.captureScreenshot")["data"])
