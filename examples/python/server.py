"""Answers HTTP requests: each has a JSON list of texts, and gets a JSON list of their translations.

    python server.py run/best 8000
    curl -d '["two dogs play", "a man sleeps"]' http://127.0.0.1:8000
"""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import ventris

MOST_BYTES = 1 << 20


class Server(ThreadingHTTPServer):
    def __init__(self, port: int, translator: ventris.Translator) -> None:
        super().__init__(("127.0.0.1", port), Handler)  # only this machine can connect
        self.translator = translator  # for all requests; each has a thread of its own


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        try:
            self.answer(200, self.server.translator.translate(self.texts()))
        except ValueError as error:  # json.JSONDecodeError, ventris.ConfigError and ventris.DataError are such errors
            self.answer(400, {"error": str(error)})

    def texts(self) -> list[str]:
        length = int(self.headers.get("Content-Length", 0))
        if not 0 < length <= MOST_BYTES:
            raise ValueError(f"expected a request of 1 to {MOST_BYTES} bytes, got {length}")
        texts = json.loads(self.rfile.read(length))
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise ValueError("expected a JSON list of texts")
        return texts

    def answer(self, code: int, content: object) -> None:
        body = json.dumps(content, ensure_ascii=False).encode() + b"\n"
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def main() -> None:
    if len(sys.argv) != 3 or not sys.argv[2].isdecimal():
        sys.exit("usage: server.py MODEL PORT")
    translator = ventris.Translator(sys.argv[1], threads=2)  # two batches at the same time, of all requests together
    with Server(int(sys.argv[2]), translator) as server:
        print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
        server.serve_forever()


if __name__ == "__main__":
    try:
        main()
    except (ventris.Error, OSError) as error:
        sys.exit(f"server.py: {error}")
    except KeyboardInterrupt:
        pass
