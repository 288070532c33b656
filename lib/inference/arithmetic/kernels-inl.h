// The kernels, written once for all instruction sets. A file for one set defines its namespace and these primitives,
// and then includes this file: Floats (a GCC vector of kLanes floats), all, fma, maximum, sum_of, largest_of,
// lanes_above, load_part, store_part, store_four_sums, store_bytes, dot_int8, kSumsAreOfSigned (whether dot_int8 takes
// 128 off each input), dot_bf16, the shapes of the tiles and, where kLanes is 16, quick_exponential and quick_gelu.
// Nothing here may be merged by the linker with a copy for another instruction set. Therefore everything is in an
// anonymous namespace, and no template of the standard library is used.

// NOLINTBEGIN(misc-definitions-in-headers): each file that includes this one gets its own copy, by intention
using Ints = int32_t __attribute__((vector_size(sizeof(Floats))));
using UnalignedFloats __attribute__((aligned(4), may_alias)) = Floats;  // clang ignores these beside vector_size
constexpr int64_t kVectorsOfPanel = kPanel / kLanes;

ARITHMETIC_INLINE Floats load(const float* from) { return *reinterpret_cast<const UnalignedFloats*>(from); }
ARITHMETIC_INLINE void store(Floats value, float* to) { *reinterpret_cast<UnalignedFloats*>(to) = value; }
ARITHMETIC_INLINE int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

/// exp(x) for x up to 88, with a relative error of at most 2e-7 + 1e-7 |x|; exp(-87) below -87; undefined above 88. It
/// is 2^whole times 2^rest, with rest from -1/2 to 1/2. Of all polynomials of degree 5 that are 1 at 0, the one for
/// 2^rest has the least maximum of the relative error: tests/arithmetic/exponential.py.
ARITHMETIC_INLINE Floats exponential(Floats x) {
  x = maximum(all(-87.0F), x);  // in this order, NaN stays NaN
  const Floats magic =
      all(12582912.0F + 127.0F);  // the lowest bits of a sum with it: the nearest whole number, plus 127
  const Floats shifted = fma(x, all(1.44269504F), magic);
  const Floats rest = fma(x, all(1.44269504F), magic - shifted);
  const Floats square = rest * rest;  // the terms two by two: fewer operations wait for each other
  const Floats high = fma(rest, all(1.32647273e-3F), all(9.67151299e-3F));
  const Floats middle = fma(rest, all(5.55073358e-2F), all(2.40222424e-1F));
  const Floats low = fma(rest, all(6.93147004e-1F), all(1.0F));
  const Floats value = fma(fma(high, square, middle), square, low);
  const Ints power = __builtin_bit_cast(Ints, shifted) << 23;  // the bits of 2^whole, whose exponent is 127 + whole
  return value * __builtin_bit_cast(Floats, power);
}

#include "arithmetic/activation_functions-inl.h"

/// Calls tile(number of rows, `panels`, first row, panel) with kRows rows or fewer.
template <int kRows, typename Panels, typename Tile>
ARITHMETIC_INLINE void call_tile(int64_t rows, Panels panels, int64_t row, int64_t panel, const Tile& tile) {
  if (rows == kRows) {
    tile(Number<kRows>(), panels, row, panel);
  } else if constexpr (kRows > 1) {
    call_tile<kRows - 1>(rows, panels, row, panel, tile);
  }
}

/// Where the panels of weights are. They are fetched into the cache before they are used; what follows the last one is
/// probably needed next.
struct PanelMemory {
  const char* data;
  int64_t bytes;  // of a panel
};
constexpr int64_t kMostFetched = 32 << 10;  // bytes of weights: more would displace what is in use from the cache

/// Calls `tile` for all rows and panels. Panels are the outer loop: their weights stay in the cache for all rows. The
/// rows are divided into tiles of nearly the same size, because small ones are slow.
template <int kRows, int kPanels, typename Tile>
ARITHMETIC_INLINE void each_tile(int64_t rows, int64_t panels, const PanelMemory& memory, const Tile& tile) {
  if (rows == 0) return;
  const int64_t tiles = (rows + kRows - 1) / kRows, size = rows / tiles;
  const int64_t larger_tiles = rows - size * tiles;
  const auto all_rows = [&](auto count, int64_t panel) ARITHMETIC_LAMBDA {
    constexpr int64_t kCount = decltype(count)::kValue;
    const char* next = memory.data + (panel + kCount) * memory.bytes;
    const int64_t share = (kCount * memory.bytes + tiles - 1) / tiles;
    int64_t row = 0;
    for (int64_t i = 0; i < tiles; ++i) {
      if (tiles > 1 && kCount * memory.bytes <= kMostFetched) {
        for (int64_t at = 0; at < share; at += 64) __builtin_prefetch(next + at);
        next += share;
      }
      const int64_t here = size + (i < larger_tiles ? 1 : 0);
      call_tile<kRows>(here, count, row, panel, tile);
      row += here;
    }
  };
  int64_t panel = 0;
  for (; panel + kPanels <= panels; panel += kPanels) all_rows(Number<kPanels>(), panel);
  for (; panel < panels; ++panel) all_rows(Number<1>(), panel);
}

/// The same with tiles of a shape that fits the number of rows.
template <typename Shape, typename Tile>
ARITHMETIC_INLINE void each_fitting_tile(int64_t rows, int64_t panels, const void* data, int64_t bytes,
                                         const Tile& tile) {
  const PanelMemory memory{static_cast<const char*>(data), bytes};
  if (rows <= Shape::kFewRows) {
    each_tile<Shape::kFewRows, Shape::kPanelsOfFew>(rows, panels, memory, tile);
  } else {
    each_tile<Shape::kRows, Shape::kPanels>(rows, panels, memory, tile);
  }
}

/// Calls change(value) for all values. It is not unrolled, for functions whose code is long.
template <int kRows, int kColumns, typename Change>
ARITHMETIC_INLINE void change_in_loop(Floats (&values)[kRows][kColumns], const Change& change) {
  Floats kept[kRows * kColumns];  // the values themselves must stay in registers
#pragma GCC unroll 32
  for (int i = 0; i < kRows * kColumns; ++i) kept[i] = values[i / kColumns][i % kColumns];
#pragma GCC unroll 1
  for (int i = 0; i < kRows * kColumns; ++i) change(kept[i]);
#pragma GCC unroll 32
  for (int i = 0; i < kRows * kColumns; ++i) values[i / kColumns][i % kColumns] = kept[i];
}

/// Applies an epilogue's activation to all values.
template <int kRows, int kColumns>
ARITHMETIC_INLINE void activate(Activation activation, Floats (&values)[kRows][kColumns]) {
  switch (activation) {
    case Activation::kNone: return;
    case Activation::kRelu:
#pragma GCC unroll 32
      for (int i = 0; i < kRows * kColumns; ++i) {
        Floats& value = values[i / kColumns][i % kColumns];
        value = maximum(Floats{}, value);  // keeps NaN
      }
      return;
    case Activation::kGelu:
      return change_in_loop(values, [](Floats& value) ARITHMETIC_LAMBDA { value = best_gelu(value); });
    case Activation::kSilu: return change_in_loop(values, [](Floats& value) ARITHMETIC_LAMBDA { value = silu(value); });
    case Activation::kGeluTanh:
      return change_in_loop(values, [](Floats& value) ARITHMETIC_LAMBDA { value = gelu_tanh(value); });
    case Activation::kGeluSigmoid:
      return change_in_loop(values, [](Floats& value) ARITHMETIC_LAMBDA { value = gelu_sigmoid(value); });
  }
}

/// Multiplies `value` with c [kLanes], of which only the first `valid` elements exist; none if it is 0 or less.
ARITHMETIC_INLINE Floats multiplied(Floats value, int64_t valid, const float* c) {
  if (valid >= kLanes) return value * load(c);
  return valid > 0 ? value * load_part(c, valid, 0) : value;
}

/// Writes `value` to c [kLanes], or adds it to c. Only the first `valid` elements exist; none if it is 0 or less.
ARITHMETIC_INLINE void write(Floats value, bool add, int64_t valid, float* c) {
  if (valid >= kLanes) {
    store(add ? load(c) + value : value, c);
  } else if (valid > 0) {
    store_part(add ? load_part(c, valid, 0) + value : value, valid, c);
  }
}

/// The epilogue of a product for a tile.
template <int kRows, int kColumns, typename Product>
ARITHMETIC_INLINE void finish_tile(Floats (&values)[kRows][kColumns], const Product& in, int64_t row, int64_t panel) {
  const int64_t first = panel * kPanel, valid = in.n - first;
  float* c = in.c + row * in.ldc + first;
  if (in.epilogue.bias != nullptr) {
#pragma GCC unroll 16
    for (int j = 0; j < kColumns; ++j) {
      const Floats bias = load(in.epilogue.bias + first + j * kLanes);
#pragma GCC unroll 16
      for (int r = 0; r < kRows; ++r) values[r][j] += bias;
    }
  }
  activate(in.epilogue.activation, values);
  const bool whole = valid >= kColumns * kLanes;
  if (in.epilogue.update == Update::kMultiply) {
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 16
      for (int j = 0; j < kColumns; ++j) {
        values[r][j] = multiplied(values[r][j], whole ? kLanes : valid - j * kLanes, c + r * in.ldc + j * kLanes);
      }
    }
  }
  const bool add = in.epilogue.update == Update::kAdd;
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r, c += in.ldc) {
#pragma GCC unroll 16
    for (int j = 0; j < kColumns; ++j) {
      write(values[r][j], add, whole ? kLanes : valid - j * kLanes, c + j * kLanes);
    }
  }
}

/// Elements from one panel of b to the next.
ARITHMETIC_INLINE int64_t panel_stride_of(const ProductF32& in) {
  return in.panel_stride > 0 ? in.panel_stride : in.k * kPanel;
}

/// Adds the products of the inputs [first, end) to the sums of a tile.
template <int kRows, int kColumns>
ARITHMETIC_INLINE void add_inputs(const ProductF32& in, int64_t row, int64_t panel, int64_t first, int64_t end,
                                  Floats (&sums)[kRows][kColumns]) {
  const float* a = in.a + row * in.lda;
  const int64_t stride = panel_stride_of(in);
  const float* b = in.b + panel * stride;
  for (int64_t i = first; i < end; ++i) {
    Floats weights[kColumns];
#pragma GCC unroll 16
    for (int j = 0; j < kColumns; ++j) {
      weights[j] = load(b + (j / kVectorsOfPanel) * stride + i * kPanel + (j % kVectorsOfPanel) * kLanes);
    }
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
      const Floats x = all(a[r * in.lda + i]);
#pragma GCC unroll 16
      for (int j = 0; j < kColumns; ++j) sums[r][j] = fma(x, weights[j], sums[r][j]);
    }
  }
}

template <int kRows, int kPanels>
ARITHMETIC_INLINE void tile_f32(const ProductF32& in, int64_t row, int64_t panel) {
  Floats sums[kRows][kPanels * kVectorsOfPanel] = {};
  add_inputs(in, row, panel, 0, in.k, sums);
  finish_tile(sums, in, row, panel);
}

constexpr int64_t kDepth = 1024;    // inputs of a part of a deep product
constexpr int64_t kDeepRows = 192;  // rows that are multiplied with the same part

/// The inputs [first, end) of a tile of a deep product. Its sums wait at `waiting` for the next part.
template <int kRows, int kPanels>
ARITHMETIC_INLINE void deep_tile(const ProductF32& in, int64_t row, int64_t panel, int64_t first, int64_t end,
                                 float* waiting) {
  constexpr int kColumns = kPanels * kVectorsOfPanel;
  Floats sums[kRows][kColumns] = {};
  if (first > 0) {
#pragma GCC unroll 32
    for (int i = 0; i < kRows * kColumns; ++i) sums[i / kColumns][i % kColumns] = load(waiting + i * kLanes);
  }
  add_inputs(in, row, panel, first, end, sums);
  if (end == in.k) return finish_tile(sums, in, row, panel);
#pragma GCC unroll 32
  for (int i = 0; i < kRows * kColumns; ++i) store(sums[i / kColumns][i % kColumns], waiting + i * kLanes);
}

/// A product with many inputs and rows. They are taken in parts, so that what is in use stays in the cache. The sums
/// are the same as without parts.
template <typename Shape>
ARITHMETIC_INLINE void deep_product(const ProductF32& in) {
  alignas(64) float waiting[kDeepRows * Shape::kPanels * kPanel];
  const int64_t panels = panels_of(in.n);
  const auto some_panels = [&](auto count, int64_t first_row, int64_t panel) ARITHMETIC_LAMBDA {
    constexpr int kCount = decltype(count)::kValue;
    for (int64_t first = 0; first < in.k; first += kDepth) {
      each_tile<Shape::kRows, 1>(
          least(kDeepRows, in.rows - first_row), 1, {}, [&](auto rows, auto, int64_t row, int64_t) ARITHMETIC_LAMBDA {
            deep_tile<decltype(rows)::kValue, kCount>(in, first_row + row, panel, first, least(first + kDepth, in.k),
                                                      waiting + row * kCount * kPanel);
          });
    }
  };
  for (int64_t row = 0; row < in.rows; row += kDeepRows) {
    int64_t panel = 0;
    for (; panel + Shape::kPanels <= panels; panel += Shape::kPanels) some_panels(Number<Shape::kPanels>(), row, panel);
    for (; panel < panels; ++panel) some_panels(Number<1>(), row, panel);
  }
}

void product_f32(const ProductF32& given) {
  const ProductF32 in = given;  // a copy, which no write to c can change
  if (in.k > kDepth && in.rows >= int64_t{8} * ShapeF32::kRows) return deep_product<ShapeF32>(in);
  each_fitting_tile<ShapeF32>(in.rows, panels_of(in.n), in.b, 4 * panel_stride_of(in),
                              [&](auto rows, auto panels, int64_t row, int64_t panel) ARITHMETIC_LAMBDA {
                                tile_f32<decltype(rows)::kValue, decltype(panels)::kValue>(in, row, panel);
                              });
}

/// The result of a tile whose sums are without the offset of their inputs.
template <int kRows, int kColumns>
ARITHMETIC_INLINE void finish_int8(const Ints (&sums)[kRows][kColumns], const ProductInt8& in, int64_t row,
                                   int64_t panel) {
  Floats values[kRows][kColumns];
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
    const Floats scale = all(in.row_scale[row + r]);
#pragma GCC unroll 16
    for (int j = 0; j < kColumns; ++j) {
      const int64_t column = panel * kPanel + j * kLanes;
      values[r][j] = __builtin_convertvector(sums[r][j], Floats) * (load(in.column_scale + column) * scale);
    }
  }
  finish_tile(values, in, row, panel);
}

template <int kRows, int kPanels>
ARITHMETIC_INLINE void tile_int8(const ProductInt8& in, int64_t row, int64_t panel) {
  constexpr int kColumns = kPanels * kVectorsOfPanel;
  const int64_t steps = (in.k + 3) / 4;
  Ints sums[kRows][kColumns];
#pragma GCC unroll 16
  for (int j = 0; j < kColumns; ++j) {
    Ints offset;
    __builtin_memcpy(&offset, in.column_sum + panel * kPanel + j * kLanes, sizeof offset);
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) sums[r][j] = kSumsAreOfSigned ? Ints{} : -offset;
  }
  dot_int8<kRows, kColumns>(in.a + row * steps * 4, in.b + panel * steps * kPanel * 4, steps, sums);
  finish_int8(sums, in, row, panel);
}

void product_int8(const ProductInt8& given) {
  const ProductInt8 in = given;  // a copy, which no write to c can change
  each_fitting_tile<ShapeInt8>(in.rows, panels_of(in.n), in.b, (in.k + 3) / 4 * 4 * kPanel,
                               [&](auto rows, auto panels, int64_t row, int64_t panel) ARITHMETIC_LAMBDA {
                                 tile_int8<decltype(rows)::kValue, decltype(panels)::kValue>(in, row, panel);
                               });
}

template <int kRows, int kPanels>
ARITHMETIC_INLINE void tile_bf16(const ProductBf16& in, int64_t row, int64_t panel) {
  constexpr int kColumns = kPanels * kVectorsOfPanel;
  const int64_t steps = (in.k + 1) / 2;
  Floats sums[kRows][kColumns] = {};
  dot_bf16<kRows, kColumns>(in.a + row * steps * 2, in.b + panel * steps * kPanel * 2, steps, sums);
  finish_tile(sums, in, row, panel);
}

void product_bf16(const ProductBf16& given) {
  const ProductBf16 in = given;  // a copy, which no write to c can change
  each_fitting_tile<ShapeBf16>(in.rows, panels_of(in.n), in.b, (in.k + 1) / 2 * 4 * kPanel,
                               [&](auto rows, auto panels, int64_t row, int64_t panel) ARITHMETIC_LAMBDA {
                                 tile_bf16<decltype(rows)::kValue, decltype(panels)::kValue>(in, row, panel);
                               });
}

/// The largest absolute value; NaN if not all values are finite. The bits of absolute values have their order, and NaN
/// is above infinity.
ARITHMETIC_INLINE float largest_size(const float* x, int64_t count) {
  Ints most[4] = {};  // of every fourth vector: a comparison need not wait for the one before
  const auto take = [](Floats value, Ints& of) ARITHMETIC_LAMBDA {
    const Ints size = __builtin_bit_cast(Ints, value) & 0x7fffffff;
    of = size > of ? size : of;
  };
  int64_t i = 0;
  for (; i + 4 * kLanes <= count; i += 4 * kLanes) {
#pragma GCC unroll 4
    for (int j = 0; j < 4; ++j) take(load(x + i + j * kLanes), most[j]);
  }
  for (; i + kLanes <= count; i += kLanes) take(load(x + i), most[0]);
  if (i < count) take(load_part(x + i, count - i, 0), most[1]);
  for (int j = 1; j < 4; ++j) most[0] = most[j] > most[0] ? most[j] : most[0];
  const Floats sizes = __builtin_bit_cast(Floats, most[0]);
  const float wrong = sum_of(sizes * 0.0F);
  return wrong == wrong ? largest_of(sizes) : wrong;
}

void quantise(const float* x, int64_t ldx, int64_t rows, int64_t k, uint8_t* a, float* row_scale) {
  const int64_t stride = (k + 3) / 4 * 4;
  const float magic = 12582912.0F + 128.0F;  // the lowest byte of a sum with it: the nearest whole number, plus 128
  for (int64_t r = 0; r < rows; ++r) {
    const float* from = x + r * ldx;
    uint8_t* to = a + r * stride;
    const float most = largest_size(from, k);
    row_scale[r] = most < __builtin_inff() ? most / 127.0F : __builtin_nanf("");
    int64_t i = 0;
    if (!(most > 1e-30F && most < __builtin_inff())) {  // nothing to scale, or nothing that can be scaled
      while (i < stride) to[i++] = 128;
      continue;
    }
    const float factor = 127.0F / most;
    for (; i + kLanes <= k; i += kLanes) {
      store_bytes(__builtin_bit_cast(Ints, fma(load(from + i), all(factor), all(magic))), to + i);
    }
    for (; i < k; ++i) {
      to[i] = static_cast<uint8_t>(__builtin_bit_cast(uint32_t, __builtin_fmaf(from[i], factor, magic)));
    }
    for (; i < stride; ++i) to[i] = 128;
  }
}

using Bits = uint32_t __attribute__((vector_size(sizeof(Floats))));
using Halves = uint16_t __attribute__((vector_size(sizeof(Floats) / 2)));

/// Floats as bf16, rounded to nearest even. NaN stays NaN.
ARITHMETIC_INLINE void store_bf16(Floats value, uint16_t* to) {
  const Bits bits = __builtin_bit_cast(Bits, value);
  const Bits rounded = (bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16;
  const Bits known = (bits & 0x7fffffffU) > 0x7F800000U ? Bits{} + 0x7fc0U : rounded;
  const Halves halves = __builtin_convertvector(known, Halves);
  __builtin_memcpy(to, &halves, sizeof halves);
}

void to_bf16(const float* x, int64_t ldx, int64_t rows, int64_t k, uint16_t* a) {
  const int64_t stride = (k + 1) / 2 * 2;
  for (int64_t r = 0; r < rows; ++r, x += ldx) {
    uint16_t* to = a + r * stride;
    int64_t i = 0;
    for (; i + kLanes <= k; i += kLanes) store_bf16(load(x + i), to + i);
    if (i < k) {
      uint16_t rest[kLanes];
      store_bf16(load_part(x + i, k - i, 0), rest);
      __builtin_memcpy(to + i, rest, static_cast<uint64_t>(k - i) * sizeof *rest);
    }
    if (k < stride) to[k] = 0;
  }
}

/// The sum of x [count], or of (x - center)^2 if `squares`.
template <bool kSquares>
ARITHMETIC_INLINE float sum_row(const float* x, int64_t count, float center) {
  Floats sums = {};
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    const Floats value = load(x + i) - center;
    sums = kSquares ? fma(value, value, sums) : sums + value;
  }
  float found = sum_of(sums);
  for (; i < count; ++i) found += kSquares ? (x[i] - center) * (x[i] - center) : x[i] - center;
  return found;
}

void layer_norm(const float* x, int64_t rows, int64_t width, const float* gain, const float* bias, float epsilon,
                float* out) {
  for (int64_t r = 0; r < rows; ++r, x += width, out += width) {
    const float mean = sum_row<false>(x, width, 0) / static_cast<float>(width);
    const float variance = sum_row<true>(x, width, mean) / static_cast<float>(width);
    const float factor = 1.0F / __builtin_sqrtf(variance + epsilon);
    int64_t i = 0;
    for (; i + kLanes <= width; i += kLanes) {
      store(fma((load(x + i) - mean) * factor, load(gain + i), load(bias + i)), out + i);
    }
    for (; i < width; ++i) out[i] = __builtin_fmaf((x[i] - mean) * factor, gain[i], bias[i]);
  }
}

void rms_norm(const float* x, int64_t rows, int64_t width, const float* gain, float epsilon, float* out) {
  for (int64_t r = 0; r < rows; ++r, x += width, out += width) {
    const float mean_square = sum_row<true>(x, width, 0) / static_cast<float>(width);
    const float factor = 1.0F / __builtin_sqrtf(mean_square + epsilon);
    int64_t i = 0;
    for (; i + kLanes <= width; i += kLanes) store(load(x + i) * factor * load(gain + i), out + i);
    for (; i < width; ++i) out[i] = x[i] * factor * gain[i];
  }
}

ARITHMETIC_INLINE float largest_of_row(const float* x, int64_t count) {
  Floats most = all(-__builtin_inff());
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) most = maximum(most, load(x + i));
  if (i < count) most = maximum(most, load_part(x + i, count - i, -__builtin_inff()));
  return largest_of(most);
}

/// Replaces x by exp(x - largest), and returns the sum. The last vector is filled up with terms of exp(-87), which is
/// next to nothing.
ARITHMETIC_INLINE float exponentials(float* x, int64_t count, float largest) {
  Floats sums = {};
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    const Floats value = exponential(load(x + i) - largest);
    store(value, x + i);
    sums += value;
  }
  if (i < count) {
    const Floats value = exponential(load_part(x + i, count - i, -__builtin_inff()) - largest);
    store_part(value, count - i, x + i);
    sums += value;
  }
  return sum_of(sums);
}

void softmax(float* x, int64_t ldx, int64_t rows, int64_t count) {
  for (int64_t r = 0; r < rows; ++r, x += ldx) {
    const float factor = 1.0F / exponentials(x, count, largest_of_row(x, count));
    int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes) store(load(x + i) * factor, x + i);
    if (i < count) store_part(load_part(x + i, count - i, 0) * factor, count - i, x + i);
  }
}

#include "arithmetic/attention-inl.h"
#include "arithmetic/logits-inl.h"

constexpr Kernels make_kernels(const char* name) {
  return {name,        product_f32, product_int8,   product_bf16,     quantise,        to_bf16,      layer_norm,
          rms_norm,    softmax,     step_attention, packed_attention, additive_scores, squares,      linear_features,
          linear_step, ssru_step,   rotate,         add_logits,       largest_logits,  places_above, lower_bound_of};
}
// NOLINTEND(misc-definitions-in-headers)
