"""Several threads translate with one model, as in a server: each request is a call.

    python many_threads.py run/best "two dogs play" "a man sleeps"
"""

import sys
from concurrent.futures import ThreadPoolExecutor

import ventris


def main() -> None:
    if len(sys.argv) < 3:
        sys.exit("usage: many_threads.py MODEL TEXT...")
    translator = ventris.Translator(sys.argv[1], threads=2)  # two batches at the same time, of all calls together

    def answer(request: str) -> str:
        best = translator.translate_detailed([request], alignment=True)[0]
        links = " ".join(f"{source}-{target}" for source, target in best.alignment)
        return f"{best.score:.3f}\t{best.text}\t{links}"

    with ThreadPoolExecutor(8) as pool:
        for line in pool.map(answer, sys.argv[2:]):
            print(line)


if __name__ == "__main__":
    try:
        main()
    except ventris.Error as error:
        sys.exit(f"many_threads.py: {error}")
