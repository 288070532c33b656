// The kernels of logits, a part of kernels-inl.h, which includes this file.
// NOLINTBEGIN(misc-definitions-in-headers): each set of kernels gets its own copy, by intention

/// exp(x) of a term of a sum: with quick_exponential in sets with vectors of 16 floats, which have it.
template <typename Vector>
ARITHMETIC_INLINE Vector term(Vector x) {
  if constexpr (kLanes == 16) {
    return quick_exponential(x);
  } else {
    return exponential(x);
  }
}

/// The sum of exp(x - largest). The last vector is filled up with terms of exp(-87), which is next to nothing.
ARITHMETIC_INLINE float sum_of_exponentials(const float* x, int64_t count, float largest) {
  Floats sums = {};
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) sums += term(load(x + i) - largest);
  if (i < count) sums += term(load_part(x + i, count - i, -__builtin_inff()) - largest);
  return sum_of(sums);
}

/// Adds logits x [count] to a sum. Returns what add_logits() writes.
ARITHMETIC_INLINE float add_row(const float* x, int64_t count, RunningSum& sum) {
  const float most = largest_of_row(x, count);
  if (most > sum.largest) {
    if (sum.sum > 0) sum.sum *= __builtin_expf(sum.largest - most);
    sum.largest = most;
  }
  sum.sum += sum_of_exponentials(x, count, sum.largest);
  return sum.sum == sum.sum ? most : sum.sum;  // NaN in a logit reaches the sum
}

void add_logits(const Logits& in, RunningSum* sums, float* largest) {
  const Logits logits = in;  // a copy, which no write to a result can change
  for (int64_t r = 0; r < logits.rows; ++r) largest[r] = add_row(logits.x + r * logits.ldx, logits.count, sums[r]);
}

/// The largest element; NaN if one is NaN.
ARITHMETIC_INLINE float largest_or_nan(const float* x, int64_t count) {
  Floats most = all(-__builtin_inff());
  Ints numbers = ~Ints{};  // all bits set where no element was NaN
  const auto take = [&](Floats value) ARITHMETIC_LAMBDA {
    most = maximum(most, value);
    numbers &= value == value;  // NOLINT(misc-redundant-expression): it is false for NaN
  };
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) take(load(x + i));
  if (i < count) take(load_part(x + i, count - i, -__builtin_inff()));
  const Floats ones = __builtin_bit_cast(Floats, numbers & __builtin_bit_cast(Ints, all(1.0F)));
  return lanes_above(ones, 0) == (1U << kLanes) - 1 ? largest_of(most) : __builtin_nanf("");
}

void largest_logits(const Logits& in, RunningSum* sums, float* largest) {
  const Logits logits = in;  // a copy, which no write to a result can change
  for (int64_t r = 0; r < logits.rows; ++r) {
    const float most = largest[r] = largest_or_nan(logits.x + r * logits.ldx, logits.count);
    if (!(most <= sums[r].largest)) sums[r].largest = sums[r].largest == sums[r].largest ? most : sums[r].largest;
  }
}

int64_t places_above(const float* x, int64_t count, float limit, int32_t* places) {
  int64_t found = 0, i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    for (uint32_t lanes = lanes_above(load(x + i), limit); lanes != 0; lanes &= lanes - 1) {
      places[found++] = static_cast<int32_t>(i) + __builtin_ctz(lanes);
    }
  }
  for (; i < count; ++i) {
    if (x[i] > limit) places[found++] = static_cast<int32_t>(i);
  }
  return found;
}

float lower_bound_of(const float* x, int64_t count, int64_t rank) {
  if (rank > kPanel || count < kPanel) return -__builtin_inff();
  Floats groups[kVectorsOfPanel];  // the largest of the elements whose numbers have the same remainder
  for (int j = 0; j < kVectorsOfPanel; ++j) groups[j] = load(x + j * kLanes);
  for (int64_t i = kPanel; i + kPanel <= count; i += kPanel) {
    for (int j = 0; j < kVectorsOfPanel; ++j) groups[j] = maximum(groups[j], load(x + i + j * kLanes));
  }
  float largest[kPanel];
  for (int j = 0; j < kVectorsOfPanel; ++j) store(groups[j], largest + j * kLanes);
  float bound = -__builtin_inff();
  for (const float candidate : largest) {
    Ints reaching = {};
    for (int j = 0; j < kVectorsOfPanel; ++j) reaching += load(largest + j * kLanes) >= candidate;  // -1 where it is so
    int32_t sum = 0;
    for (int i = 0; i < kLanes; ++i) sum -= reaching[i];
    if (sum >= rank && candidate > bound) bound = candidate;
  }
  return bound;
}
// NOLINTEND(misc-definitions-in-headers)
