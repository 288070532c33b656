#include "arithmetic/matrix.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <string_view>
#include <utility>

namespace ventris::arithmetic {
namespace {

constexpr float kLargestByte = 127.0F;
static_assert(kLargestPair == 128);

uint16_t to_bf16(float value) {
  if (std::isnan(value)) return 0x7fc0;
  const auto bits = std::bit_cast<uint32_t>(value);
  return static_cast<uint16_t>((bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16);
}

/// What 1 stands for when x [count] becomes bytes: the smallest scale with which neither an element nor the sum of two
/// neighbours exceeds 127 in size. Rounding adds at most 1/2 to each element, so afterwards they keep to kLargestPair.
/// NaN if not all values are finite.
float byte_scale(const float* x, int64_t count) {
  float scale = 0, zero = 0, before = 0;
  for (int64_t i = 0; i < count; ++i) {
    const float value = x[i] / kLargestByte;
    scale = std::max({scale, std::abs(value), std::abs(i % 2 == 0 ? value : before + value)});
    zero += 0.0F * value;
    before = value;
  }
  return scale + zero;
}

/// Rounds from [k] / scale to whole numbers, and returns their sum. They are 0 if the scale is so small that it is not
/// exact, or NaN because a weight is not finite.
int32_t quantise(const float* from, int64_t k, float scale, int8_t* to) {
  constexpr float kMagic = 12582912.0F;  // adding it rounds to a whole number
  int32_t sum = 0;
  if (!(scale > 1e-36F)) return sum;
  for (int64_t i = 0; i < k; ++i) {
    const auto rounded = static_cast<int32_t>((from[i] / scale + kMagic) - kMagic);
    to[i] = static_cast<int8_t>(rounded);
    sum += rounded;
  }
  return sum;
}

/// Fills panels [panels_of(n)][steps][kPanel][group] from weight [n, k], with zeros as padding. `convert` fills a row
/// of the packed type, which is zero before: convert(output, from, to).
template <typename T, typename Convert>
void fill_panels(const float* weight, int64_t n, int64_t k, int64_t group, T* to, const Convert& convert) {
  const int64_t steps = (k + group - 1) / group;
  std::vector<T> row(static_cast<size_t>(steps * group));
  for (int64_t column = 0; column < panels_of(n) * kPanel; ++column) {
    std::fill(row.begin(), row.end(), T{});
    if (column < n) convert(column, weight + column * k, row.data());
    T* place = to + (column / kPanel * steps * kPanel + column % kPanel) * group;
    for (int64_t step = 0; step < steps; ++step) {
      std::memcpy(place + step * kPanel * group, row.data() + step * group, sizeof(T) * static_cast<size_t>(group));
    }
  }
}

int64_t packed_size(int64_t n, int64_t k, int64_t group) {
  return panels_of(n) * kPanel * ((k + group - 1) / group) * group;
}

}  // namespace

Precision fastest_precision(const Kernels& kernels) {
  return std::string_view(kernels.name) == "portable" ? Precision::kF32 : Precision::kInt8;
}

Elements<float> padded_bias(const float* bias, int64_t n) {
  std::vector<float> padded(static_cast<size_t>(panels_of(n) * kPanel));
  std::copy_n(bias, n, padded.begin());
  return padded;
}

Matrix::Matrix(const float* weight, const float* bias, int64_t n, int64_t k, Precision precision)
    : precision_(precision), n_(n), k_(k) {
  if (bias != nullptr) bias_ = padded_bias(bias, n);
  switch (precision) {
    case Precision::kF32: pack_f32(weight); break;
    case Precision::kBf16: pack_bf16(weight); break;
    case Precision::kInt8: pack_int8(weight); break;
  }
}

void Matrix::pack_f32(const float* weight) {
  floats_ = filled<float>(packed_size(n_, k_, 1), [&](float* to) {
    fill_panels(weight, n_, k_, 1, to, [&](int64_t, const float* from, float* row) { std::copy_n(from, k_, row); });
  });
}

void Matrix::pack_bf16(const float* weight) {
  halves_ = filled<uint16_t>(packed_size(n_, k_, 2), [&](uint16_t* to) {
    fill_panels(weight, n_, k_, 2, to,
                [&](int64_t, const float* from, uint16_t* row) { std::transform(from, from + k_, row, to_bf16); });
  });
}

void Matrix::pack_int8(const float* weight) {
  std::vector<float> scales(static_cast<size_t>(panels_of(n_) * kPanel));
  std::vector<int32_t> sums(scales.size());
  bytes_ = filled<int8_t>(packed_size(n_, k_, 4), [&](int8_t* to) {
    fill_panels(weight, n_, k_, 4, to, [&](int64_t column, const float* from, int8_t* row) {
      const float scale = scales[static_cast<size_t>(column)] = byte_scale(from, k_);
      sums[static_cast<size_t>(column)] = 128 * quantise(from, k_, scale, row);
    });
  });
  scales_ = std::move(scales);
  sums_ = std::move(sums);
}

void Matrix::row(int64_t i, float factor, float* to) const {
  const int64_t group = group_of(precision_), steps = (k_ + group - 1) / group;
  const int64_t start = (i / kPanel * steps * kPanel + i % kPanel) * group;
  const auto place = [&](int64_t j) { return start + j / group * kPanel * group + j % group; };
  switch (precision_) {
    case Precision::kF32:
      for (int64_t j = 0; j < k_; ++j) to[j] = factor * floats_.data()[place(j)];
      break;
    case Precision::kBf16:
      for (int64_t j = 0; j < k_; ++j) {
        to[j] = factor * std::bit_cast<float>(static_cast<uint32_t>(halves_.data()[place(j)]) << 16);
      }
      break;
    case Precision::kInt8: {
      const float scale = factor * scales_.data()[i];
      for (int64_t j = 0; j < k_; ++j) to[j] = scale * static_cast<float>(bytes_.data()[place(j)]);
    }
  }
}

void Matrix::prepare(const Kernels& kernels, const InputRows& from, Inputs& inputs) const {
  const auto& [x, stride, rows] = from;
  if (precision_ == Precision::kBf16) {
    kernels.to_bf16(x, stride, rows, k_, inputs.halves.room(rows * (k_ + 1)));
  } else if (precision_ == Precision::kInt8) {
    uint8_t* bytes = inputs.bytes.room(rows * ((k_ + 3) / 4 * 4));
    kernels.quantise(x, stride, rows, k_, bytes, inputs.scales.room(rows));
  }
}

void Matrix::multiply_panels(const Kernels& kernels, const InputRows& from, const Panels& panels, const OutputRows& to,
                             const Inputs& inputs, Epilogue epilogue) const {
  const int64_t start = panels.first * kPanel, n = std::min(n_ - start, panels.count * kPanel), rows = from.rows;
  epilogue.bias = bias_.empty() ? nullptr : bias_.data() + start;
  if (precision_ == Precision::kF32) {
    const float* weights = floats_.data() + start * k_;
    kernels.product_f32({from.x, from.stride, rows, weights, k_, n, to.out, to.stride, epilogue});
  } else if (precision_ == Precision::kBf16) {
    const uint16_t* weights = halves_.data() + start * ((k_ + 1) / 2 * 2);
    kernels.product_bf16({inputs.halves.data(), rows, weights, k_, n, to.out, to.stride, epilogue});
  } else {
    const int8_t* weights = bytes_.data() + start * ((k_ + 3) / 4 * 4);
    kernels.product_int8({inputs.bytes.data(), inputs.scales.data(), rows, weights, scales_.data() + start,
                          sums_.data() + start, k_, n, to.out, to.stride, epilogue});
  }
}

void Matrix::multiply(const Kernels& kernels, const InputRows& from, const OutputRows& to, Inputs& inputs,
                      Epilogue epilogue) const {
  prepare(kernels, from, inputs);
  multiply_panels(kernels, from, {0, panels_of(n_)}, to, inputs, epilogue);
}

}  // namespace ventris::arithmetic
