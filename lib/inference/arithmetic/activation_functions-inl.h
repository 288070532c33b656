// Activations of single vectors, a part of kernels-inl.h, which includes this file.
// NOLINTBEGIN(misc-definitions-in-headers): each set of kernels gets its own copy, by intention

/// x Phi(x). The error of erf is at most 1.5e-7. Source: Abramowitz and Stegun 1964, formula 7.1.26.
ARITHMETIC_INLINE Floats gelu(Floats x) {
  const Floats scaled = x * 0.70710678F;
  const Floats size = maximum(scaled, -scaled);
  const Floats t = 1.0F / fma(size, all(0.3275911F), all(1.0F));
  Floats sum = all(1.061405429F);
  sum = fma(sum, t, all(-1.453152027F));
  sum = fma(sum, t, all(1.421413741F));
  sum = fma(sum, t, all(-0.284496736F));
  sum = fma(sum, t, all(0.254829592F));
  const Floats tail = sum * t * exponential(-(size * size));  // 1 - erf(size)
  const Floats negative = 0.5F * x * tail, positive = fma(x, all(-0.5F) * tail, x);
  return x < 0.0F ? negative : positive;
}

/// gelu(x), with quick_gelu in sets with vectors of 16 floats, which have it.
template <typename Vector>
ARITHMETIC_INLINE Vector best_gelu(Vector x) {
  if constexpr (kLanes == 16) {
    return quick_gelu(x);
  } else {
    return gelu(x);
  }
}

/// x sigmoid(x).
ARITHMETIC_INLINE Floats silu(Floats x) {
  x = maximum(all(-87.0F), x);  // in this order, NaN stays NaN; below, it is next to nothing
  return x / (1.0F + exponential(-x));
}

/// x sigmoid(u). Below, the exponential is next to infinity.
ARITHMETIC_INLINE Floats times_sigmoid(Floats x, Floats u) {
  return x / (1.0F + exponential(-maximum(all(-87.0F), u)));
}

/// 0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))), which is x sigmoid of twice what tanh gets.
ARITHMETIC_INLINE Floats gelu_tanh(Floats x) {
  return times_sigmoid(x, x * fma(x * x, all(0.0713548163F), all(1.59576912F)));
}

/// x sigmoid(1.702 x).
ARITHMETIC_INLINE Floats gelu_sigmoid(Floats x) { return times_sigmoid(x, x * 1.702F); }

ARITHMETIC_INLINE Floats tanh_of(Floats x) {
  x = maximum(all(-10.0F), x);    // in this order, NaN stays NaN
  x = -maximum(all(-10.0F), -x);  // tanh(10) is 1 in f32
  return 1.0F - 2.0F / (exponential(x + x) + 1.0F);
}

// NOLINTEND(misc-definitions-in-headers)
