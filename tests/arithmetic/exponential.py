#!/usr/bin/env python3
"""The numbers of the exponentials in lib/inference/arithmetic: exponential() of kernels-inl.h, and quick_exponential() of
kernels_avx512-inl.h.

The first is a polynomial for 2^x, by the exchange algorithm of Remez.

p(x) = 1 + c1 x + ... + c5 x^5 = 1 + x q(x), for x from -1/2 to 1/2. q is the polynomial of degree 4 for which the
largest relative error of p is the smallest. The relative error of p, times the sign of x, then has its largest size at
six places, with alternating signs. The output is the coefficients, rounded to f32, and the largest relative error with
them.

The second is 2^whole 2^(j / 32) 2^x, with x from -1/64 to 1/64. For 2^x, it takes 1 + c1 x + c2 x^2, with the terms of the
exponential series, except that c1 has a part of the third term: of all lines, that with the slope 3/4 h^2 is the closest to
x^3 from -h to h.
"""
import math
import struct

DEGREE = 5
POINTS = [i / 20000 - 0.5 for i in range(20001)]


def solve(rows):
    """Gauss-Jordan elimination of rows [a1, ..., an, b]."""
    rows = [list(row) for row in rows]
    for i in range(len(rows)):
        pivot = max(range(i, len(rows)), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [value / rows[i][i] for value in rows[i]]
        for r in range(len(rows)):
            if r != i:
                rows[r] = [a - rows[r][i] * b for a, b in zip(rows[r], rows[i])]
    return [row[-1] for row in rows]


def error(coefficients, x):
    """The relative error, times the sign of x."""
    value = 0.0
    for coefficient in reversed(coefficients):
        value = (value + coefficient) * x
    return math.copysign(1, x) * ((1 + value) / 2**x - 1)


def extremes(coefficients):
    """The places of the largest errors, one between two changes of sign."""
    found, best = [], None
    for x in POINTS:
        now = error(coefficients, x)
        if best is not None and now * best[1] < 0:
            found.append(best[0])
            best = None
        if best is None or abs(now) > abs(best[1]):
            best = (x, now)
    return found + [best[0]]


def as_f32(value):
    return struct.unpack("f", struct.pack("f", value))[0]


def spread(coefficients):
    """How much larger the largest of the extreme errors is than the smallest, as a share."""
    sizes = [abs(error(coefficients, x)) for x in extremes(coefficients)]
    return max(sizes) / min(sizes) - 1


def bits(value):
    return struct.unpack("i", struct.pack("f", value))[0]


def print_table():
    ln2, h = math.log(2), 1 / 64
    quadratic = [as_f32(ln2 + 0.75 * h**2 * ln2**3 / 6), as_f32(ln2**2 / 2)]
    largest = max(abs(error(quadratic, i / 20000 * h)) for i in range(-20000, 20001))
    print("table of the powers:", ", ".join(str(bits(2**(j / 32)) - bits(1) - (j << 18)) for j in range(32)))
    print("its coefficients of x and x^2:", " ".join(f"{coefficient:.9f}" for coefficient in quadratic))
    print(f"largest relative error: {largest:.2e}")


def main():
    places = [-math.cos(math.pi * (i + 0.5) / (DEGREE + 1)) / 2 for i in range(DEGREE + 1)]
    for _ in range(20):
        rows = [[x**power / 2**x for power in range(1, DEGREE + 1)] + [(-1)**i * math.copysign(1, x), 1 - 2**-x]
                for i, x in enumerate(places)]
        coefficients = solve(rows)[:DEGREE]
        found = extremes(coefficients)
        if len(found) != DEGREE + 1:
            raise SystemExit(f"expected {DEGREE + 1} places of the largest error, found {len(found)}")
        places = found
    rounded = [as_f32(coefficient) for coefficient in coefficients]
    print("coefficients of x, x^2, ...:", " ".join(f"{coefficient:.8e}" for coefficient in rounded))
    print(f"largest relative error: {max(abs(error(rounded, x)) for x in POINTS):.2e}")
    print(f"before rounding, the errors at the six places are equal to within {spread(coefficients):.0%}")
    print_table()


if __name__ == "__main__":
    main()
