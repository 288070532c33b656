#!/usr/bin/env python3
"""The table of quick_gelu() in lib/inference/arithmetic/kernels_avx512-inl.h.

gelu(x) is max(x, 0) - h(|x|), with h(u) = u Phi(-u). Around each multiple of 3/16, h is a polynomial of degree 4: the one
that equals h at the zeros of the Chebyshev polynomial of degree 5. The first has no constant term, so that gelu(0) is 0
and small results are exact to the last bits; the last is 0. The output is the coefficients, 32 of each power, and the
largest error of h with coefficients in f32.
"""
import math

from exponential import as_f32, solve

STEP, COUNT, DEGREE = 3 / 16, 32, 4


def h(u):
    return u * 0.5 * math.erfc(u / math.sqrt(2))


def polynomial(number):
    """The coefficients around number * STEP, lowest power first."""
    if number == COUNT - 1:
        return [0.0] * (DEGREE + 1)
    center, powers = number * STEP, range(DEGREE + 1)
    if number == 0:  # of h(u) / u, from 0 to STEP / 2
        places = [STEP / 4 * (1 + math.cos((2 * i + 1) * math.pi / (2 * DEGREE))) for i in range(DEGREE)]
        return [0.0] + solve([[u**p for p in range(DEGREE)] + [0.5 * math.erfc(u / math.sqrt(2))] for u in places])
    places = [STEP / 2 * math.cos((2 * i + 1) * math.pi / (2 * DEGREE + 2)) for i in powers]
    return solve([[u**p for p in powers] + [h(center + u)] for u in places])


def main():
    table = [[as_f32(value) for value in polynomial(number)] for number in range(COUNT)]
    for power in range(DEGREE + 1):
        print(f"power {power}: " + ", ".join(f"{row[power]:.9g}" for row in table))
    worst = 0
    for i in range(600001):
        u = i / 100000
        number = min(round(u / STEP), COUNT - 1)
        rest = min(u, (COUNT - 1) * STEP) - number * STEP
        worst = max(worst, abs(sum(c * rest**p for p, c in enumerate(table[number])) - h(u)))
    print(f"largest error: {worst:.2g}")


if __name__ == "__main__":
    main()
