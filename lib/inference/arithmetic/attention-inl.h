// The kernels of attention, a part of kernels-inl.h, which includes this file.
// NOLINTBEGIN(misc-definitions-in-headers): each set of kernels gets its own copy, by intention

/// The products of two vectors [count], in lanes whose sum is their dot product.
ARITHMETIC_INLINE Floats dot_lanes(const float* a, const float* b, int64_t count) {
  Floats sums = {};
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) sums = fma(load(a + i), load(b + i), sums);
  if (i < count) sums = fma(load_part(a + i, count - i, 0), load_part(b + i, count - i, 0), sums);
  return sums;
}

/// vector . tanh(a + b), [count] each, in lanes whose sum it is.
ARITHMETIC_INLINE Floats additive_lanes(const float* a, const float* b, const float* vector, int64_t count) {
  Floats sums = {};
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) sums = fma(load(vector + i), tanh_of(load(a + i) + load(b + i)), sums);
  if (i < count) {
    const Floats both = load_part(a + i, count - i, 0) + load_part(b + i, count - i, 0);
    sums = fma(load_part(vector + i, count - i, 0), tanh_of(both), sums);
  }
  return sums;
}

/// sums[j] = the products of `a` and b[j], [count] each, in lanes whose sum is their dot product.
ARITHMETIC_INLINE void dot_four(const float* a, const float* const (&b)[4], int64_t count, Floats (&sums)[4]) {
  for (int j = 0; j < 4; ++j) sums[j] = Floats{};
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    const Floats one = load(a + i);
#pragma GCC unroll 4
    for (int j = 0; j < 4; ++j) sums[j] = fma(one, load(b[j] + i), sums[j]);
  }
  if (i == count) return;
  const Floats one = load_part(a + i, count - i, 0);
#pragma GCC unroll 4
  for (int j = 0; j < 4; ++j) sums[j] = fma(one, load_part(b[j] + i, count - i, 0), sums[j]);
}

/// scores[t] = the sum of the lanes that four(keys, lanes) computes for the key at positions[t] + offset. With in.add,
/// this is added to scores[t]. `four` takes four keys: the last group is filled up with its last key, whose extra sums
/// are dropped.
template <typename Four>
ARITHMETIC_INLINE void step_scores(const StepAttention& in, int64_t offset, float* scores, const Four& four) {
  for (int64_t t = 0; t < in.count; t += 4) {
    const int64_t here = least(4, in.count - t);
    const float* keys[4];
    for (int64_t i = 0; i < 4; ++i) keys[i] = in.positions[t + least(i, here - 1)] + offset;
    Floats lanes[4];
    four(keys, lanes);
    if (here == 4 && !in.add) {
      store_four_sums(lanes[0], lanes[1], lanes[2], lanes[3], scores + t);
      continue;
    }
    float sums[4];
    store_four_sums(lanes[0], lanes[1], lanes[2], lanes[3], sums);
    for (int64_t i = 0; i < here; ++i) scores[t + i] = in.add ? scores[t + i] + sums[i] : sums[i];
  }
}

/// out [kCount * kLanes] = the sum over t of weights[t] times the vector at positions[t] + offset.
template <int kCount>
ARITHMETIC_INLINE void mix_vectors(const StepAttention& in, const float* weights, int64_t offset, float* out) {
  Floats sums[kCount] = {};
  for (int64_t t = 0; t < in.count; ++t) {
    const float* value = in.positions[t] + offset;
    const Floats weight = all(weights[t]);
#pragma GCC unroll 4
    for (int j = 0; j < kCount; ++j) sums[j] = fma(weight, load(value + j * kLanes), sums[j]);
  }
#pragma GCC unroll 4
  for (int j = 0; j < kCount; ++j) store(sums[j], out + j * kLanes);
}

/// out [d_v] = the sum over t of weights[t] times the vector at positions[t] + offset.
ARITHMETIC_INLINE void mix(const StepAttention& in, const float* weights, int64_t offset, float* out) {
  int64_t i = 0;
  for (; i + 4 * kLanes <= in.d_v; i += 4 * kLanes) mix_vectors<4>(in, weights, offset + i, out + i);
  for (; i + 2 * kLanes <= in.d_v; i += 2 * kLanes) mix_vectors<2>(in, weights, offset + i, out + i);
  for (; i < in.d_v; i += kLanes) {
    const int64_t valid = least(kLanes, in.d_v - i);
    Floats sum = {};
    for (int64_t t = 0; t < in.count; ++t) {
      sum = fma(all(weights[t]), load_part(in.positions[t] + offset + i, valid, 0), sum);
    }
    store_part(sum, valid, out + i);
  }
}

void step_attention(const StepAttention& given) {
  const StepAttention in = given;  // a copy, which no write to a result can change
  for (int64_t h = 0; h < in.heads; ++h) {
    const int64_t offset = h * in.d_k;
    const float* query = in.query + offset;
    float* scores = in.weights + h * in.count;
    if (in.vector == nullptr) {
      step_scores(in, offset, scores, [&](const float* const(&keys)[4], Floats(&lanes)[4]) ARITHMETIC_LAMBDA {
        dot_four(query, keys, in.d_k, lanes);
      });
    } else {
      step_scores(in, offset, scores, [&](const float* const(&keys)[4], Floats(&lanes)[4]) ARITHMETIC_LAMBDA {
        for (int j = 0; j < 4; ++j) lanes[j] = additive_lanes(query, keys[j], in.vector + offset, in.d_k);
      });
    }
  }
  softmax(in.weights, in.count, in.heads, in.count);
  for (int64_t h = 0; h < in.heads; ++h) {
    mix(in, in.weights + h * in.count, in.heads * in.d_k + h * in.d_v, in.out + h * in.d_v);
  }
}

template <int kRows, int kPanels>
ARITHMETIC_INLINE void tile_additive(const ProductF32& in, const float* vector, int64_t row, int64_t panel) {
  constexpr int kColumns = kPanels * kVectorsOfPanel;
  Floats sums[kRows][kColumns] = {};
  const float* a = in.a + row * in.lda;
  const float* b = in.b + panel * in.k * kPanel;
  for (int64_t i = 0; i < in.k; ++i) {
#pragma GCC unroll 16
    for (int j = 0; j < kColumns; ++j) {
      const Floats key = load(b + (j / kVectorsOfPanel) * in.k * kPanel + i * kPanel + (j % kVectorsOfPanel) * kLanes);
#pragma GCC unroll 16
      for (int r = 0; r < kRows; ++r)
        sums[r][j] = fma(all(vector[i]), tanh_of(all(a[r * in.lda + i]) + key), sums[r][j]);
    }
  }
  finish_tile(sums, in, row, panel);
}

void additive_scores(const ProductF32& in, const float* vector) {
  each_tile<2, 1>(in.rows, panels_of(in.n), [&](auto rows, auto panels, int64_t row, int64_t panel) ARITHMETIC_LAMBDA {
    tile_additive<decltype(rows)::kValue, decltype(panels)::kValue>(in, vector, row, panel);
  });
}

void squares(const float* x, int64_t ldx, int64_t rows, int64_t heads, int64_t width, float* out) {
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t h = 0; h < heads; ++h) {
      const float* part = x + r * ldx + h * width;
      out[r * heads + h] = sum_of(dot_lanes(part, part, width));
    }
  }
}

/// elu(x) + 1. Both branches are computed for all elements.
ARITHMETIC_INLINE Floats linear_feature(Floats x) { return x > 0.0F ? x + 1.0F : exponential(-maximum(Floats{}, -x)); }

void linear_features(float* x, int64_t ldx, int64_t rows, int64_t width) {
  for (int64_t r = 0; r < rows; ++r, x += ldx) {
    int64_t i = 0;
    for (; i + kLanes <= width; i += kLanes) store(linear_feature(load(x + i)), x + i);
    if (i < width) store_part(linear_feature(load_part(x + i, width - i, 0)), width - i, x + i);
  }
}

/// sums [d_k, d_v] += key times value; out [d_v] = query times sums times factor.
ARITHMETIC_INLINE void linear_head(const LinearStep& in, const float* query, const float* key, const float* value,
                                   float* sums, float factor, float* out) {
  for (int64_t column = 0; column < in.d_v; column += kLanes) {
    const int64_t valid = least(kLanes, in.d_v - column);
    const bool whole = valid == kLanes;
    const Floats own = whole ? load(value + column) : load_part(value + column, valid, 0);
    Floats mixed = {};
    for (int64_t i = 0; i < in.d_k; ++i) {
      float* place = sums + i * in.d_v + column;
      const Floats sum = fma(all(key[i]), own, whole ? load(place) : load_part(place, valid, 0));
      if (whole) {
        store(sum, place);
      } else {
        store_part(sum, valid, place);
      }
      mixed = fma(all(query[i]), sum, mixed);
    }
    if (whole) {
      store(mixed * factor, out + column);
    } else {
      store_part(mixed * factor, valid, out + column);
    }
  }
}

void linear_step(const LinearStep& in) {
  float* sums = in.sums;
  for (int64_t h = 0; h < in.heads; ++h, sums += in.d_k * (in.d_v + 1)) {
    const float *query = in.query + h * in.d_k, *key = in.key + h * in.d_k;
    float* key_sums = sums + in.d_k * in.d_v;
    for (int64_t i = 0; i < in.d_k; ++i) key_sums[i] += key[i];
    const float weight = sum_of(dot_lanes(query, key_sums, in.d_k));
    const float factor = 1.0F / (weight < in.smallest ? in.smallest : weight);
    linear_head(in, query, key, in.value + h * in.d_v, sums, factor, in.out + h * in.d_v);
  }
}

/// The next cell of an SSRU.
ARITHMETIC_INLINE Floats next_cell(Floats input, Floats forget, Floats cell) {
  return fma(times_sigmoid(all(1.0F), forget), cell - input, input);
}

void ssru_step(const SsruStep& in) {
  int64_t i = 0;
  for (; i + kLanes <= in.width; i += kLanes) {
    const Floats cell = next_cell(load(in.input + i), load(in.forget + i), load(in.cell + i));
    store(cell, in.cell + i);
    store(maximum(Floats{}, cell), in.out + i);  // in this order, NaN stays NaN
  }
  if (i == in.width) return;
  const int64_t rest = in.width - i;
  const Floats cell =
      next_cell(load_part(in.input + i, rest, 0), load_part(in.forget + i, rest, 0), load_part(in.cell + i, rest, 0));
  store_part(cell, rest, in.cell + i);
  store_part(maximum(Floats{}, cell), rest, in.out + i);
}

/// The elements with those of each pair of neighbours exchanged.
ARITHMETIC_INLINE Floats exchanged(Floats x) {
  using Pairs = uint64_t __attribute__((vector_size(sizeof(Floats))));
  const Pairs pairs = __builtin_bit_cast(Pairs, x);
  return __builtin_bit_cast(Floats, (pairs << 32) | (pairs >> 32));
}

ARITHMETIC_INLINE Floats turned(Floats x, Floats cosines, Floats sines) {
  return fma(x, cosines, exchanged(x) * sines);
}

void rotate(float* x, int64_t heads, int64_t width, const float* turns) {
  for (int64_t h = 0; h < heads; ++h, x += width) {
    int64_t i = 0;
    for (; i + kLanes <= width; i += kLanes) {
      store(turned(load(x + i), load(turns + i), load(turns + width + i)), x + i);
    }
    if (i == width) continue;
    const int64_t rest = width - i;
    store_part(turned(load_part(x + i, rest, 0), load_part(turns + i, rest, 0), load_part(turns + width + i, rest, 0)),
               rest, x + i);
  }
}
// NOLINTEND(misc-definitions-in-headers)
