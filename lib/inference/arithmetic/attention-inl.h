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

/// The first `count` elements, and `fill` for the others; all if `count` is kLanes or more.
ARITHMETIC_INLINE Floats first_elements(Floats x, int64_t count, float fill) {
  Ints places = {};
  for (int i = 0; i < kLanes; ++i) places[i] = i;
  return places < static_cast<int32_t>(count) ? x : all(fill);
}

/// Softmax of a row in memory that has whole vectors: what follows its `count` elements is overwritten. Masked stores
/// would be slow, because these weights are read at once.
ARITHMETIC_INLINE void softmax_of_whole(float* x, int64_t count) {
  const float nothing = -__builtin_inff();
  const int64_t last = (count - 1) / kLanes * kLanes;
  const Floats end = first_elements(load(x + last), count - last, nothing);
  Floats most = all(nothing);
  for (int64_t i = 0; i < last; i += kLanes) most = maximum(most, load(x + i));
  const float largest = largest_of(maximum(most, end));
  Floats sums = {};
  for (int64_t i = 0; i < last; i += kLanes) {
    const Floats value = exponential(load(x + i) - largest);
    store(value, x + i);
    sums += value;
  }
  const Floats value = exponential(end - largest);
  const float factor = 1.0F / sum_of(sums + value);
  for (int64_t i = 0; i < last; i += kLanes) store(load(x + i) * factor, x + i);
  store(first_elements(value, count - last, 0) * factor, x + last);  // without the others, which would become denormal
}

/// Starts to fetch `count` floats into the cache.
ARITHMETIC_INLINE void fetch(const float* from, int64_t count) {
  for (int64_t i = 0; i < count; i += 16) __builtin_prefetch(from + i);
}

/// sums[j] = the products of `a` and b[j] + offset, [count] each, in lanes whose sum is their dot product.
ARITHMETIC_INLINE void dot_four(const float* a, const float* const (&b)[4], int64_t offset, int64_t count,
                                Floats (&sums)[4]) {
  for (int j = 0; j < 4; ++j) sums[j] = Floats{};
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    const Floats one = load(a + i);
#pragma GCC unroll 4
    for (int j = 0; j < 4; ++j) sums[j] = fma(one, load(b[j] + offset + i), sums[j]);
  }
  if (i == count) return;
  const Floats one = load_part(a + i, count - i, 0);
#pragma GCC unroll 4
  for (int j = 0; j < 4; ++j) sums[j] = fma(one, load_part(b[j] + offset + i, count - i, 0), sums[j]);
}

/// scores [heads, stride] of all keys, where lanes(head, keys, sums) computes the lanes whose sums are those of four
/// keys in a head. With in.add, they are added to what is there. The last group is filled up with its last key, whose
/// scores follow those of the others.
template <typename Lanes>
ARITHMETIC_INLINE void step_scores(const StepAttention& in, int64_t stride, const Lanes& lanes) {
  const int64_t width = in.heads * (in.d_k + in.d_v);
  for (int64_t t = 0; t < in.count; t += 4) {
    const float* keys[4];
    for (int64_t i = 0; i < 4; ++i) keys[i] = in.positions[least(t + i, in.count - 1)];
    for (int64_t i = t; i < least(t + 4, in.next_count); ++i) fetch(in.next[i], width);
    for (int64_t h = 0; h < in.heads; ++h) {
      Floats products[4];
      lanes(h * in.d_k, keys, products);
      float sums[4];
      float* scores = in.weights + h * stride + t;
      store_four_sums(products[0], products[1], products[2], products[3], in.add ? sums : scores);
      for (int64_t i = 0; in.add && i < 4; ++i) scores[i] += sums[i];
    }
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

/// kPanels panels of the scores [kHeads * kRows, panels_of(len) * kPanel] of some queries in some heads.
template <int kHeads, int kRows, int kPanels>
ARITHMETIC_INLINE void packed_scores(const PackedAttention& in, int64_t row, int64_t head, int64_t panel) {
  constexpr int kColumns = kPanels * kVectorsOfPanel;
  const float* queries = in.queries + row * in.ldq + head * in.d_k;
  const float* keys = in.keys + head * in.head_size + panel * in.d_k * kPanel;
  Floats sums[kHeads * kRows][kColumns] = {};
  for (int64_t i = 0; i < in.d_k; ++i) {
#pragma GCC unroll 8
    for (int h = 0; h < kHeads; ++h) {
#pragma GCC unroll 8
      for (int j = 0; j < kColumns; ++j) {
        const int64_t of_panel = j / kVectorsOfPanel * in.d_k;
        const Floats key = load(keys + h * in.head_size + (of_panel + i) * kPanel + j % kVectorsOfPanel * kLanes);
#pragma GCC unroll 8
        for (int r = 0; r < kRows; ++r) {
          Floats& sum = sums[h * kRows + r][j];
          sum = fma(all(queries[r * in.ldq + h * in.d_k + i]), key, sum);
        }
      }
    }
  }
#pragma GCC unroll 8
  for (int pair = 0; pair < kHeads * kRows; ++pair) {
#pragma GCC unroll 8
    for (int j = 0; j < kColumns; ++j) {
      const int64_t place = panel * kPanel + j * kLanes;
      const float* terms = in.terms + (head + pair / kRows) * in.head_size + place;
      const Floats sum = sums[pair][j];
      store(in.terms == nullptr ? sum : sum + load(terms), in.scores + pair * panels_of(in.len) * kPanel + place);
    }
  }
}

/// The scores of the first `seen` positions.
template <int kHeads, int kRows>
ARITHMETIC_INLINE void all_packed_scores(const PackedAttention& in, int64_t row, int64_t head, int64_t seen) {
  constexpr int kPanels = kVectorsOfPanel == 1 ? 2 : 1;
  int64_t panel = 0;
  for (; panel + kPanels <= panels_of(seen); panel += kPanels) {
    packed_scores<kHeads, kRows, kPanels>(in, row, head, panel);
  }
  if constexpr (kPanels > 1) {
    if (panel < panels_of(seen)) packed_scores<kHeads, kRows, 1>(in, row, head, panel);
  }
}

/// Turns the scores of a query into weights: those of the first `own` positions. The others up to `seen` are 0.
ARITHMETIC_INLINE void packed_weights(float* scores, int64_t own, int64_t seen) {
  softmax_of_whole(scores, own);
  for (int64_t t = (own + kLanes - 1) / kLanes * kLanes; t < seen; t += kLanes) store(Floats{}, scores + t);
}

/// kPanels panels of the means of the first `seen` values, from their weights in `scores`.
template <int kHeads, int kRows, int kPanels>
ARITHMETIC_INLINE void packed_means(const PackedAttention& in, int64_t row, int64_t head, int64_t panel, int64_t seen) {
  constexpr int kColumns = kPanels * kVectorsOfPanel;
  const float* values = in.values + head * in.head_size + panel * in.len * kPanel;
  const int64_t stride = panels_of(in.len) * kPanel;
  Floats sums[kHeads * kRows][kColumns] = {};
  for (int64_t t = 0; t < seen; ++t) {
#pragma GCC unroll 8
    for (int h = 0; h < kHeads; ++h) {
      Floats columns[kColumns];
#pragma GCC unroll 8
      for (int j = 0; j < kColumns; ++j) {
        columns[j] = load(values + h * in.head_size + (j / kVectorsOfPanel * in.len + t) * kPanel +
                          j % kVectorsOfPanel * kLanes);
      }
#pragma GCC unroll 8
      for (int r = 0; r < kRows; ++r) {
        const Floats weight = all(in.scores[(h * kRows + r) * stride + t]);
#pragma GCC unroll 8
        for (int j = 0; j < kColumns; ++j) sums[h * kRows + r][j] = fma(weight, columns[j], sums[h * kRows + r][j]);
      }
    }
  }
#pragma GCC unroll 8
  for (int pair = 0; pair < kHeads * kRows; ++pair) {
    float* out = in.out + (row + pair % kRows) * in.heads * in.d_v + (head + pair / kRows) * in.d_v + panel * kPanel;
#pragma GCC unroll 8
    for (int j = 0; j < kColumns; ++j) {
      write(sums[pair][j], /*add=*/false, in.d_v - panel * kPanel - j * kLanes, out + j * kLanes);
    }
  }
}

template <int kHeads, int kRows>
ARITHMETIC_INLINE void packed_tile(const PackedAttention& in, int64_t row, int64_t head) {
  const int64_t seen = in.causal ? row + kRows : in.len;
  all_packed_scores<kHeads, kRows>(in, row, head, seen);
  const int64_t stride = panels_of(in.len) * kPanel;
  for (int pair = 0; pair < kHeads * kRows; ++pair) {
    float* scores = in.scores + pair * stride;
    packed_weights(scores, in.causal ? row + pair % kRows + 1 : seen, seen);
    if (in.weights == nullptr) continue;
    float* weights = in.weights + ((row + pair % kRows) * in.heads + head + pair / kRows) * in.len;
    for (int64_t t = 0; t < in.len; ++t) weights[t] = scores[t];
  }
  constexpr int kPanels = kVectorsOfPanel == 1 ? 2 : 1;
  int64_t panel = 0;
  for (; panel + kPanels <= panels_of(in.d_v); panel += kPanels) {
    packed_means<kHeads, kRows, kPanels>(in, row, head, panel, seen);
  }
  if constexpr (kPanels > 1) {
    if (panel < panels_of(in.d_v)) packed_means<kHeads, kRows, 1>(in, row, head, panel, seen);
  }
}

/// All heads of some rows. With few rows, several heads at once: a sum waits for its last addition.
template <int kRows>
ARITHMETIC_INLINE void packed_rows(const PackedAttention& in, int64_t row) {
  constexpr int kHeads = kRows == 1 ? 4 : kRows <= 3 ? 2 : 1;
  int64_t head = 0;
  for (; head + kHeads <= in.heads; head += kHeads) {
    if (row == 0 && in.next != nullptr) fetch(in.next + head * in.next_head_size, kHeads * in.next_head_size);
    packed_tile<kHeads, kRows>(in, row, head);
  }
  if constexpr (kHeads > 1) {
    for (; head < in.heads; ++head) packed_tile<1, kRows>(in, row, head);
  }
}

void packed_attention(const PackedAttention& given) {
  const PackedAttention in = given;  // a copy, which no write to a result can change
  each_tile<ShapeF32::kRows, 1>(in.rows, 1, {}, [&](auto rows, auto, int64_t row, int64_t) ARITHMETIC_LAMBDA {
    packed_rows<decltype(rows)::kValue>(in, row);
  });
}

void step_attention(const StepAttention& given) {
  const StepAttention in = given;  // a copy, which no write to a result can change
  const int64_t stride = step_stride(in.count);
  if (in.vector == nullptr) {
    step_scores(in, stride, [&](int64_t offset, const float* const(&keys)[4], Floats(&lanes)[4]) ARITHMETIC_LAMBDA {
      dot_four(in.query + offset, keys, offset, in.d_k, lanes);
    });
  } else {
    step_scores(in, stride, [&](int64_t offset, const float* const(&keys)[4], Floats(&lanes)[4]) ARITHMETIC_LAMBDA {
      for (int j = 0; j < 4; ++j) {
        lanes[j] = additive_lanes(in.query + offset, keys[j] + offset, in.vector + offset, in.d_k);
      }
    });
  }
  for (int64_t h = 0; h < in.heads; ++h) softmax_of_whole(in.weights + h * stride, in.count);
  for (int64_t h = 0; h < in.heads; ++h) {
    mix(in, in.weights + h * stride, in.heads * in.d_k + h * in.d_v, in.out + h * in.d_v);
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
  each_tile<2, 1>(in.rows, panels_of(in.n), {reinterpret_cast<const char*>(in.b), in.k * kPanel * 4},
                  [&](auto rows, auto panels, int64_t row, int64_t panel) ARITHMETIC_LAMBDA {
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
