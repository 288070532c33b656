#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "arithmetic/elements.h"
#include "arithmetic/kernels.h"

namespace ventris::arithmetic {

/// The arithmetic of matrix products. Everything else is computed in f32.
enum class Precision { kF32, kBf16, kInt8 };

/// The precision with the fastest products of these kernels: kInt8, or kF32 for the portable ones.
Precision fastest_precision(const Kernels& kernels);

/// Memory for the inputs of products, which a thread keeps.
struct Inputs {
  Aligned<uint8_t> bytes;
  Aligned<uint16_t> halves;
  Aligned<float> scales;
};

/// The inputs of a product, x [rows, k].
struct InputRows {
  const float* x;
  int64_t stride;  ///< elements from one row to the next
  int64_t rows;
};

/// Some of the panels of a matrix, side by side.
struct Panels {
  int64_t first, count;
};

/// Where the rows of a result are written.
struct OutputRows {
  float* out;
  int64_t stride;  ///< elements from one row to the next
};

/// The weights of a linear layer, packed for products.
class Matrix {
 public:
  Matrix() = default;

  /// weight [n, k], bias [n] or null. In kInt8, each of the n rows has a scale of its own; a row with a weight that is
  /// not finite gives NaN.
  Matrix(const float* weight, const float* bias, int64_t n, int64_t k, Precision precision);

  /// A matrix without weights, for visit().
  Matrix(int64_t n, int64_t k, Precision precision) : precision_(precision), n_(n), k_(k) {}

  /// A matrix that shares the weights of `other` and has a bias of its own, which is [panels_of(n) * kPanel] or empty.
  Matrix(const Matrix& other, Elements<float> bias) : Matrix(other) { bias_ = std::move(bias); }

  int64_t n() const { return n_; }
  int64_t k() const { return k_; }
  Precision precision() const { return precision_; }
  const Elements<float>& bias() const { return bias_; }

  /// to [k] = factor * row i of the weights, as they are stored.
  void row(int64_t i, float factor, float* to) const;

  /// Calls visit(name, elements, shape) for each array of `matrix` except the bias: "weight", and in kInt8 also "scale"
  /// and "sum". `elements` is a member of the matrix, which may be const.
  template <typename Self, typename Visit>
  static void visit(Self& matrix, const Visit& visit);

  /// Writes [rows, n]. `epilogue` without a bias.
  void multiply(const Kernels& kernels, const InputRows& from, const OutputRows& to, Inputs& inputs,
                Epilogue epilogue = {}) const;

  /// Prepares the rows for multiply_panels(), in `inputs`.
  void prepare(const Kernels& kernels, const InputRows& from, Inputs& inputs) const;
  /// As multiply(), but only for some panels, whose columns are written; after prepare(), of this matrix or of another
  /// one with as many inputs and the same precision. In kF32, the rows are read again.
  void multiply_panels(const Kernels& kernels, const InputRows& from, const Panels& panels, const OutputRows& to,
                       const Inputs& inputs, Epilogue epilogue = {}) const;

 private:
  friend class ChosenColumns;

  void pack_f32(const float* weight);
  void pack_bf16(const float* weight);
  void pack_int8(const float* weight);

  Precision precision_ = Precision::kF32;
  int64_t n_ = 0, k_ = 0;
  Elements<float> bias_;  // [panels * kPanel], or empty
  Elements<float> floats_;
  Elements<uint16_t> halves_;
  Elements<int8_t> bytes_;
  Elements<float> scales_;   // of kInt8: [panels * kPanel]
  Elements<int32_t> sums_;   // of kInt8: 128 times the sum of each column
};

/// How many inputs of an output are next to each other in packed weights.
constexpr int64_t group_of(Precision precision) {
  return precision == Precision::kF32 ? 1 : precision == Precision::kBf16 ? 2 : 4;
}

template <typename Self, typename Visit>
void Matrix::visit(Self& matrix, const Visit& visit) {
  const int64_t panels = panels_of(matrix.n_), group = group_of(matrix.precision_);
  const std::vector<int64_t> shape{panels, (matrix.k_ + group - 1) / group, kPanel, group}, columns{panels, kPanel};
  switch (matrix.precision_) {
    case Precision::kF32: return visit("weight", matrix.floats_, shape);
    case Precision::kBf16: return visit("weight", matrix.halves_, shape);
    case Precision::kInt8:
      visit("weight", matrix.bytes_, shape);
      visit("scale", matrix.scales_, columns);
      visit("sum", matrix.sums_, columns);
  }
}

/// A bias [n], padded with zeros to whole panels, as a matrix needs it.
Elements<float> padded_bias(const float* bias, int64_t n);

}  // namespace ventris::arithmetic
