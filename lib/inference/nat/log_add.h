#pragma once
#include <cmath>
#include <limits>
#include <utility>

namespace ventris::nat {

/// The logarithm of the probability 0.
inline constexpr double kImpossible = -std::numeric_limits<double>::infinity();

/// log(exp(a) + exp(b))
inline double log_add(double a, double b) {
  constexpr double kNegligible = 40;  // exp(-40) changes no digit of a double
  if (a < b) std::swap(a, b);
  return b == kImpossible || b < a - kNegligible ? a : a + std::log1p(std::exp(b - a));
}

}  // namespace ventris::nat
