#include "engine/matrix.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace ventris::engine {
namespace {

uint16_t to_bf16(float value) {
  if (std::isnan(value)) return 0x7fc0;
  const auto bits = std::bit_cast<uint32_t>(value);
  return static_cast<uint16_t>((bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16);
}

/// The largest absolute value; NaN if not all values are finite.
float largest_size(const float* x, int64_t count) {
  float most = 0, zero = 0;
  for (int64_t i = 0; i < count; ++i) {
    most = std::max(most, std::abs(x[i]));
    zero += 0.0F * x[i];
  }
  return most + zero;
}

/// Calls place(output, input, index in the packed memory) for every element in packed order. For padding, the output is
/// -1. `group` inputs of an output are next to each other.
template <typename Place>
void for_packed(int64_t n, int64_t k, int64_t group, const Place& place) {
  const int64_t steps = (k + group - 1) / group;
  int64_t index = 0;
  for (int64_t panel = 0; panel < panels_of(n); ++panel) {
    for (int64_t step = 0; step < steps; ++step) {
      for (int64_t column = panel * kPanel; column < (panel + 1) * kPanel; ++column) {
        for (int64_t i = step * group; i < (step + 1) * group; ++i) {
          place(column < n && i < k ? column : -1, i, index++);
        }
      }
    }
  }
}

int64_t packed_size(int64_t n, int64_t k, int64_t group) {
  return panels_of(n) * kPanel * ((k + group - 1) / group) * group;
}

}  // namespace

Matrix::Matrix(const float* weight, const float* bias, int64_t n, int64_t k, Precision precision)
    : precision_(precision), n_(n), k_(k) {
  if (bias != nullptr) {
    bias_.assign(static_cast<size_t>(panels_of(n) * kPanel), 0);
    for (int64_t i = 0; i < n; ++i) bias_[static_cast<size_t>(i)] = bias[i];
  }
  switch (precision) {
    case Precision::kF32: pack_f32(weight); break;
    case Precision::kBf16: pack_bf16(weight); break;
    case Precision::kInt8: pack_int8(weight); break;
  }
}

void Matrix::pack_f32(const float* weight) {
  float* to = floats_.room(packed_size(n_, k_, 1));
  for_packed(n_, k_, 1,
             [&](int64_t column, int64_t i, int64_t index) { to[index] = column < 0 ? 0 : weight[column * k_ + i]; });
}

void Matrix::pack_bf16(const float* weight) {
  uint16_t* to = halves_.room(packed_size(n_, k_, 2));
  for_packed(n_, k_, 2, [&](int64_t column, int64_t i, int64_t index) {
    to[index] = column < 0 ? 0 : to_bf16(weight[column * k_ + i]);
  });
}

void Matrix::pack_int8(const float* weight) {
  int8_t* to = bytes_.room(packed_size(n_, k_, 4));
  scales_.assign(static_cast<size_t>(panels_of(n_) * kPanel), 0);
  sums_.assign(scales_.size(), 0);
  for (int64_t column = 0; column < n_; ++column) {
    scales_[static_cast<size_t>(column)] = largest_size(weight + column * k_, k_) / 127.0F;
  }
  for_packed(n_, k_, 4, [&](int64_t column, int64_t i, int64_t index) {
    to[index] = 0;
    if (column < 0) return;
    const float scale = scales_[static_cast<size_t>(column)];  // NaN if a weight is not finite
    to[index] = static_cast<int8_t>(scale > 0 ? std::lrint(weight[column * k_ + i] / scale) : 0);
    sums_[static_cast<size_t>(column)] += 128 * to[index];
  });
}

void Matrix::prepare(const Kernels& kernels, const float* x, int64_t ldx, int64_t rows, Inputs& inputs) const {
  if (precision_ == Precision::kBf16) {
    kernels.to_bf16(x, ldx, rows, k_, inputs.halves.room(rows * (k_ + 1)));
  } else if (precision_ == Precision::kInt8) {
    kernels.quantise(x, ldx, rows, k_, inputs.bytes.room(rows * (k_ + 3)), inputs.scales.room(rows));
  }
}

void Matrix::multiply_panels(const Kernels& kernels, const float* x, int64_t ldx, int64_t rows, int64_t first,
                             int64_t count, float* out, int64_t ldo, const Inputs& inputs, Epilogue epilogue) const {
  const int64_t start = first * kPanel, n = std::min(n_ - start, count * kPanel);
  epilogue.bias = bias_.empty() ? nullptr : bias_.data() + start;
  if (precision_ == Precision::kF32) {
    kernels.product_f32({x, ldx, rows, floats_.data() + start * k_, k_, n, out, ldo, epilogue});
  } else if (precision_ == Precision::kBf16) {
    const uint16_t* weights = halves_.data() + start * ((k_ + 1) / 2 * 2);
    kernels.product_bf16({inputs.halves.data(), rows, weights, k_, n, out, ldo, epilogue});
  } else {
    const int8_t* weights = bytes_.data() + start * ((k_ + 3) / 4 * 4);
    kernels.product_int8({inputs.bytes.data(), inputs.scales.data(), rows, weights, scales_.data() + start,
                          sums_.data() + start, k_, n, out, ldo, epilogue});
  }
}

void Matrix::multiply(const Kernels& kernels, const float* x, int64_t ldx, int64_t rows, float* out, int64_t ldo,
                      Inputs& inputs, Epilogue epilogue) const {
  prepare(kernels, x, ldx, rows, inputs);
  multiply_panels(kernels, x, ldx, rows, 0, panels_of(n_), out, ldo, inputs, epilogue);
}

}  // namespace ventris::engine
