#include "kernels/attention_kernels.h"

#include <hwy/aligned_allocator.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/attention_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "hwy/contrib/math/math-inl.h"
#include "kernels/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ventris::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace {

using Tag = hn::ScalableTag<float>;
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr int64_t kBlock = 64;  // queries at a time, so that their scores stay in the first two caches
constexpr int64_t kTileRows = 4;  // matrices have memory for a multiple of this number of rows; products may fill it

HWY_INLINE int64_t round_up(int64_t count, int64_t step) { return (count + step - 1) / step * step; }

HWY_INLINE int64_t padded(int64_t count) { return round_up(count, static_cast<int64_t>(hn::Lanes(Tag()))); }

/// A matrix whose element (i, k) is data[i * row + k * column], so that transposing it costs nothing.
struct Strided {
  const float* data;
  int64_t row, column;
};

/// Rows of floats to read; each row has whole vectors.
struct Rows {
  const float* data;
  int64_t stride;
  const float* row(int64_t i) const { return data + i * stride; }
};

/// A matrix of floats with padded rows.
struct Matrix {
  float* data;
  int64_t stride;
  float* row(int64_t i) const { return data + i * stride; }
  Rows rows() const { return {data, stride}; }
};

/// Computes kRows x kVectors vectors of c (+)= a * b from row i and column j on. The sums stay in registers, which
/// needs loops that the compiler unrolls (otherwise this took five times as long).
template <int kRows, int kVectors>
HWY_INLINE void tile(const Strided& a, const Rows& b, const Matrix& c, int64_t i, int64_t j, int64_t inner, bool add) {
  const Tag d;
  using V = hn::Vec<Tag>;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  V sums[kRows][kVectors];
  HWY_UNROLL(8) for (int r = 0; r < kRows; ++r) {
    HWY_UNROLL(8) for (int v = 0; v < kVectors; ++v) {
      sums[r][v] = add ? hn::LoadU(d, c.row(i + r) + j + v * lanes) : hn::Zero(d);
    }
  }
  for (int64_t k = 0; k < inner; ++k) {
    V line[kVectors];
    HWY_UNROLL(8) for (int v = 0; v < kVectors; ++v) line[v] = hn::LoadU(d, b.row(k) + j + v * lanes);
    HWY_UNROLL(8) for (int r = 0; r < kRows; ++r) {
      const V factor = hn::Set(d, a.data[(i + r) * a.row + k * a.column]);
      HWY_UNROLL(8) for (int v = 0; v < kVectors; ++v) sums[r][v] = hn::MulAdd(factor, line[v], sums[r][v]);
    }
  }
  HWY_UNROLL(8) for (int r = 0; r < kRows; ++r) {
    HWY_UNROLL(8) for (int v = 0; v < kVectors; ++v) hn::StoreU(sums[r][v], d, c.row(i + r) + j + v * lanes);
  }
}

template <int kVectors>
HWY_INLINE void tile_column(const Strided& a, const Rows& b, const Matrix& c, int64_t rows, int64_t j, int64_t inner,
                            bool add) {
  constexpr int kMost =
      8 / kVectors;  // enough sums to hide the latency of a multiplication, few enough for the registers
  int64_t i = 0;
  for (; i + kMost <= rows; i += kMost) tile<kMost, kVectors>(a, b, c, i, j, inner, add);
  // A few superfluous rows cost less than smaller tiles.
  for (; i < rows; i += kTileRows) tile<kTileRows, kVectors>(a, b, c, i, j, inner, add);
}

/// c [rows, columns] (+)= a [rows, inner] * b [inner, columns]. Reads and writes rows up to a multiple of kTileRows,
/// and columns including the padding.
void multiply(const Strided& a, const Rows& b, const Matrix& c, int64_t rows, int64_t columns, int64_t inner,
              bool add) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(Tag()));
  const int64_t width = padded(columns);
  int64_t j = 0;
  for (; j + 2 * lanes <= width; j += 2 * lanes) tile_column<2>(a, b, c, rows, j, inner, add);
  if (j < width) tile_column<1>(a, b, c, rows, j, inner, add);
}

/// Unpacks rows of `width` elements, `stride` apart, into floats times `scale`; the padding becomes 0.
template <typename T>
void unpack(const T* from, int64_t stride, int64_t rows, int64_t width, float scale, const Matrix& to) {
  const Tag d;
  const hn::CappedTag<float, 1> single;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  for (int64_t i = 0; i < rows; ++i) {
    const T* line = from + i * stride;
    int64_t j = 0;
    for (; j + lanes <= width; j += lanes) hn::StoreU(hn::Mul(load(d, line + j), hn::Set(d, scale)), d, to.row(i) + j);
    for (; j < width; ++j) hn::StoreU(hn::Mul(load(single, line + j), hn::Set(single, scale)), single, to.row(i) + j);
    std::fill(to.row(i) + width, to.row(i) + to.stride, 0.0F);
  }
}

/// The rows as floats: in place if they can be read there, otherwise unpacked into `room`.
template <typename T>
Rows as_floats(const T* from, int64_t stride, int64_t rows, int64_t width, const Matrix& room) {
  if constexpr (std::is_same_v<T, float>) {
    if (width == room.stride) return {from, stride};
  }
  unpack(from, stride, rows, width, 1, room);
  return room.rows();
}

template <typename T>
void pack(const Matrix& from, int64_t rows, int64_t width, float scale, T* to, int64_t stride) {
  const Tag d;
  const hn::CappedTag<float, 1> single;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  for (int64_t i = 0; i < rows; ++i) {
    T* line = to + i * stride;
    int64_t j = 0;
    for (; j + lanes <= width; j += lanes) {
      store(d, hn::Mul(hn::LoadU(d, from.row(i) + j), hn::Set(d, scale)), line + j);
    }
    for (; j < width; ++j) {
      store(single, hn::Mul(hn::LoadU(single, from.row(i) + j), hn::Set(single, scale)), line + j);
    }
  }
}

/// to [width, rows] = from [rows, width] transposed; the padding becomes 0.
void transpose(const Rows& from, int64_t rows, int64_t width, const Matrix& to) {
#if HWY_TARGET == HWY_SCALAR
  for (int64_t i = 0; i < to.stride; ++i) {
    for (int64_t j = 0; j < width; ++j) to.row(j)[i] = i < rows ? from.row(i)[j] : 0;
  }
#else
  const hn::FixedTag<float, kTileRows> d;
  for (int64_t i = 0; i < to.stride; i += kTileRows) {
    const auto line = [&](int64_t r, int64_t j)
                          HWY_ATTR { return i + r < rows ? hn::LoadU(d, from.row(i + r) + j) : hn::Zero(d); };
    for (int64_t j = 0; j < width; j += kTileRows) {
      const auto first = line(0, j), second = line(1, j), third = line(2, j), fourth = line(3, j);
      const auto upper_left = hn::InterleaveLower(d, first, second), lower_left = hn::InterleaveLower(d, third, fourth);
      const auto upper_right = hn::InterleaveUpper(d, first, second);
      const auto lower_right = hn::InterleaveUpper(d, third, fourth);
      hn::StoreU(hn::ConcatLowerLower(d, lower_left, upper_left), d, to.row(j) + i);
      hn::StoreU(hn::ConcatUpperUpper(d, lower_left, upper_left), d, to.row(j + 1) + i);
      hn::StoreU(hn::ConcatLowerLower(d, lower_right, upper_right), d, to.row(j + 2) + i);
      hn::StoreU(hn::ConcatUpperUpper(d, lower_right, upper_right), d, to.row(j + 3) + i);
    }
  }
#endif
}

/// Working memory of one thread, which grows as needed. Each matrix begins at a cache line.
class Workspace {
 public:
  void reserve(int64_t floats) {
    used_ = 0;
    if (floats <= size_) return;
    size_ = 0;
    memory_ = hwy::AllocateAligned<float>(static_cast<size_t>(floats));
    if (memory_ == nullptr) throw std::bad_alloc();
    std::fill_n(memory_.get(), floats, 0.0F);
    size_ = floats;
  }
  Matrix take(int64_t rows, int64_t stride) {
    const Matrix matrix{memory_.get() + used_, stride};
    used_ += round_up(rows, kTileRows) * stride;
    return matrix;
  }

 private:
  hwy::AlignedFreeUniquePtr<float[]> memory_;
  int64_t size_ = 0, used_ = 0;
};

Workspace& workspace() {
  thread_local Workspace memory;
  return memory;
}

/// One head of one sentence.
struct Problem {
  Problem(const AttentionShape& shape, const AttentionMask& all, int64_t index)
      : sentence(index / shape.heads),
        head(index % shape.heads),
        columns(head * shape.d_head),
        mask(all.allowed == nullptr ? nullptr : all.allowed + sentence * all.batch_stride),
        mask_stride(all.row_stride) {}
  /// The offset of this head's part of row i in an array [batch, len, ...] whose rows are `stride` apart.
  int64_t place(int64_t len, int64_t stride, int64_t i = 0) const { return (sentence * len + i) * stride + columns; }
  int64_t sentence, head, columns;
  const bool* mask;
  int64_t mask_stride;
};

/// Sets the scores of row i [k_len, padded] to -infinity where it may not look, and in the padding.
HWY_INLINE void hide(const Problem& problem, int64_t i, int64_t k_len, int64_t stride, float* scores) {
  if (problem.mask != nullptr) {
    const bool* allowed = problem.mask + i * problem.mask_stride;
    for (int64_t j = 0; j < k_len; ++j) scores[j] = allowed[j] ? scores[j] : -kInfinity;
  }
  std::fill(scores + k_len, scores + stride, -kInfinity);
}

/// Turns scores into weights that are not yet divided by their sum. Returns the log of the sum of exponentials
/// (+infinity if there is nowhere to look), and the factor that remains to be applied, the inverse of the sum.
HWY_INLINE float exponentiate(float* scores, int64_t stride, float& inverse) {
  const Tag d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  auto top = hn::Set(d, -kInfinity);
  for (int64_t j = 0; j < stride; j += lanes) top = hn::Max(top, hn::LoadU(d, scores + j));
  const float largest = hn::GetLane(hn::MaxOfLanes(d, top));
  if (largest == -kInfinity) {
    std::fill(scores, scores + stride, 0.0F);
    inverse = 0;
    return kInfinity;
  }
  auto sums = hn::Zero(d);
  for (int64_t j = 0; j < stride; j += lanes) {
    const auto weights = hn::Exp(d, hn::Sub(hn::LoadU(d, scores + j), hn::Set(d, largest)));
    sums = hn::Add(sums, weights);
    hn::StoreU(weights, d, scores + j);
  }
  const float sum = hn::GetLane(hn::SumOfLanes(d, sums));
  inverse = 1 / sum;
  return largest + std::log(sum);
}

HWY_INLINE uint32_t first_weight(const AttentionShape& shape, int64_t index, int64_t i) {
  return static_cast<uint32_t>((index * shape.q_len + i) * shape.k_len);
}

template <typename T>
void attend(const AttentionInputs<T>& inputs, int64_t first, int64_t last, T* out, float* log_sums) {
  const auto [shape, q, k, v, all, draw] = inputs;
  const Tag d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const int64_t width = padded(shape.d_head), keys = padded(shape.k_len), d_model = shape.heads * shape.d_head;
  const float scale = 1 / std::sqrt(static_cast<float>(shape.d_head));
  Workspace& memory = workspace();
  const int64_t key_rows = round_up(shape.k_len, kTileRows), head_rows = round_up(shape.d_head, kTileRows);
  memory.reserve(2 * key_rows * width + head_rows * keys + kBlock * (2 * width + keys));
  const Matrix key_room = memory.take(shape.k_len, width), key_t = memory.take(shape.d_head, keys);
  const Matrix value_room = memory.take(shape.k_len, width), query = memory.take(kBlock, width);
  const Matrix scores = memory.take(kBlock, keys), mixed = memory.take(kBlock, width);
  for (int64_t index = first; index < last; ++index) {
    const Problem problem(shape, all, index);
    const int64_t k_place = problem.place(shape.k_len, shape.k_stride);
    const int64_t v_place = problem.place(shape.k_len, shape.v_stride);
    transpose(as_floats(k + k_place, shape.k_stride, shape.k_len, shape.d_head, key_room), shape.k_len, shape.d_head,
              key_t);
    const Rows value = as_floats(v + v_place, shape.v_stride, shape.k_len, shape.d_head, value_room);
    for (int64_t begin = 0; begin < shape.q_len; begin += kBlock) {
      const int64_t rows = std::min(kBlock, shape.q_len - begin);
      unpack(q + problem.place(shape.q_len, shape.q_stride, begin), shape.q_stride, rows, shape.d_head, scale, query);
      multiply({query.data, width, 1}, key_t.rows(), scores, rows, shape.k_len, shape.d_head, false);
      for (int64_t r = 0; r < rows; ++r) {
        float* weights = scores.row(r);
        hide(problem, begin + r, shape.k_len, keys, weights);
        float inverse = 0;
        const float log_sum = exponentiate(weights, keys, inverse);
        if (log_sums != nullptr) log_sums[index * shape.q_len + begin + r] = log_sum;
        const uint32_t place = first_weight(shape, index, begin + r);
        for (int64_t j = 0; j < keys; j += lanes) {
          const auto factors = hn::Mul(drop_factors(d, place + static_cast<uint32_t>(j), draw), hn::Set(d, inverse));
          hn::StoreU(hn::Mul(hn::LoadU(d, weights + j), factors), d, weights + j);
        }
      }
      multiply({scores.data, keys, 1}, value, mixed, rows, shape.d_head, shape.k_len, false);
      pack(mixed, rows, shape.d_head, 1, out + problem.place(shape.q_len, d_model, begin), d_model);
    }
  }
}

/// From the scores of a row and the gradient of its dropped weights, computes the dropped weights and the gradient of
/// the scores. `weights` [stride] is working memory.
HWY_INLINE void row_gradient(float log_sum, uint32_t place, const DropDraw& draw, int64_t stride, float* scores,
                             float* gradient, float* weights) {
  const Tag d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  auto sums = hn::Zero(d);
  for (int64_t j = 0; j < stride; j += lanes) {
    const auto weight = hn::Exp(d, hn::Sub(hn::LoadU(d, scores + j), hn::Set(d, log_sum)));
    const auto dropped = hn::Mul(weight, drop_factors(d, place + static_cast<uint32_t>(j), draw));
    const auto product = hn::Mul(hn::LoadU(d, gradient + j), dropped);
    sums = hn::Add(sums, product);
    hn::StoreU(weight, d, weights + j);
    hn::StoreU(dropped, d, scores + j);
    hn::StoreU(product, d, gradient + j);
  }
  const auto sum = hn::SumOfLanes(d, sums);
  for (int64_t j = 0; j < stride; j += lanes) {
    hn::StoreU(hn::NegMulAdd(hn::LoadU(d, weights + j), sum, hn::LoadU(d, gradient + j)), d, gradient + j);
  }
}

template <typename T>
void attend_backward(const AttentionInputs<T>& inputs, int64_t first, int64_t last, const float* log_sums,
                     const T* d_out, const AttentionGradients<T>& gradients) {
  const auto [shape, q, k, v, all, draw] = inputs;
  const int64_t width = padded(shape.d_head), keys = padded(shape.k_len), d_model = shape.heads * shape.d_head;
  const float scale = 1 / std::sqrt(static_cast<float>(shape.d_head));
  Workspace& memory = workspace();
  const int64_t key_rows = round_up(shape.k_len, kTileRows), head_rows = round_up(shape.d_head, kTileRows);
  memory.reserve(4 * key_rows * width + 2 * head_rows * keys + kBlock * (3 * width + 2 * keys) + kTileRows * keys);
  const Matrix key_room = memory.take(shape.k_len, width), key_t = memory.take(shape.d_head, keys);
  const Matrix value_room = memory.take(shape.k_len, width), value_t = memory.take(shape.d_head, keys);
  const Matrix of_key = memory.take(shape.k_len, width), of_value = memory.take(shape.k_len, width);
  const Matrix query = memory.take(kBlock, width), of_query = memory.take(kBlock, width);
  const Matrix of_mixed = memory.take(kBlock, width);
  const Matrix scores = memory.take(kBlock, keys), of_scores = memory.take(kBlock, keys);
  // Last, because products that read scores transposed may read a few numbers beyond them.
  float* const weights = memory.take(1, keys).data;
  for (int64_t index = first; index < last; ++index) {
    const Problem problem(shape, all, index);
    const int64_t k_place = problem.place(shape.k_len, shape.k_stride);
    const int64_t v_place = problem.place(shape.k_len, shape.v_stride);
    const Rows key = as_floats(k + k_place, shape.k_stride, shape.k_len, shape.d_head, key_room);
    transpose(key, shape.k_len, shape.d_head, key_t);
    transpose(as_floats(v + v_place, shape.v_stride, shape.k_len, shape.d_head, value_room), shape.k_len, shape.d_head,
              value_t);
    for (int64_t begin = 0; begin < shape.q_len; begin += kBlock) {
      const int64_t rows = std::min(kBlock, shape.q_len - begin);
      const int64_t q_place = problem.place(shape.q_len, shape.q_stride, begin);
      unpack(q + q_place, shape.q_stride, rows, shape.d_head, scale, query);
      unpack(d_out + problem.place(shape.q_len, d_model, begin), d_model, rows, shape.d_head, 1, of_mixed);
      multiply({query.data, width, 1}, key_t.rows(), scores, rows, shape.k_len, shape.d_head, false);
      multiply({of_mixed.data, width, 1}, value_t.rows(), of_scores, rows, shape.k_len, shape.d_head, false);
      for (int64_t r = 0; r < rows; ++r) {
        hide(problem, begin + r, shape.k_len, keys, scores.row(r));
        row_gradient(log_sums[index * shape.q_len + begin + r], first_weight(shape, index, begin + r), draw, keys,
                     scores.row(r), of_scores.row(r), weights);
      }
      multiply({scores.data, 1, keys}, of_mixed.rows(), of_value, shape.k_len, shape.d_head, rows, begin > 0);
      multiply({of_scores.data, 1, keys}, query.rows(), of_key, shape.k_len, shape.d_head, rows, begin > 0);
      multiply({of_scores.data, keys, 1}, key, of_query, rows, shape.d_head, shape.k_len, false);
      pack(of_query, rows, shape.d_head, scale, gradients.q + q_place, shape.q_stride);
    }
    pack(of_key, shape.k_len, shape.d_head, 1, gradients.k + k_place, shape.k_stride);
    pack(of_value, shape.k_len, shape.d_head, 1, gradients.v + v_place, shape.v_stride);
  }
}

AttentionKernels<float> attention_kernels_float() { return {attend<float>, attend_backward<float>}; }
AttentionKernels<BFloat16> attention_kernels_bfloat16() { return {attend<BFloat16>, attend_backward<BFloat16>}; }

}  // namespace
}  // namespace ventris::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ventris::kernels {
HWY_EXPORT(attention_kernels_float);
HWY_EXPORT(attention_kernels_bfloat16);

template <>
const AttentionKernels<float>& attention_kernels() {
  static const AttentionKernels<float> kernels = HWY_DYNAMIC_DISPATCH(attention_kernels_float)();
  return kernels;
}

template <>
const AttentionKernels<BFloat16>& attention_kernels() {
  static const AttentionKernels<BFloat16> kernels = HWY_DYNAMIC_DISPATCH(attention_kernels_bfloat16)();
  return kernels;
}

}  // namespace ventris::kernels
#endif
