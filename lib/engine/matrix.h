#pragma once
#include <cstdint>
#include <vector>

#include "engine/kernels.h"

namespace ventris::engine {

/// The arithmetic of matrix products. Everything else is computed in f32.
enum class Precision { kF32, kBf16, kInt8 };

/// Memory that starts at a cache line and is never filled with zeros first.
template <typename T>
class Aligned {
 public:
  Aligned() = default;
  /// Makes room for `size` elements. The content is lost if it grows.
  T* room(int64_t size) {
    if (size > size_) {
      size_ = size_ == 0 ? size : size + size / 2;  // it grows step by step: not at every step
      memory_ = std::vector<Line>(static_cast<size_t>((size_ * static_cast<int64_t>(sizeof(T)) + 63) / 64));
    }
    return data();
  }
  T* data() { return reinterpret_cast<T*>(memory_.data()); }
  const T* data() const { return reinterpret_cast<const T*>(memory_.data()); }

 private:
  struct alignas(64) Line {
    Line() {}  // NOLINT(modernize-use-equals-default): = default would fill it with zeros
    unsigned char bytes[64];
  };
  std::vector<Line> memory_;
  int64_t size_ = 0;
};

/// Memory for the inputs of products, which a thread keeps.
struct Inputs {
  Aligned<uint8_t> bytes;
  Aligned<uint16_t> halves;
  Aligned<float> scales;
};

/// The weights of a linear layer, packed for products.
class Matrix {
 public:
  Matrix() = default;

  /// weight [n, k], bias [n] or null. In kInt8, each of the n rows has a scale of its own; a row with a weight that is
  /// not finite gives NaN.
  Matrix(const float* weight, const float* bias, int64_t n, int64_t k, Precision precision);

  int64_t n() const { return n_; }
  int64_t k() const { return k_; }

  /// out [rows, n], from x [rows, k]. Elements of x and `out` are ldx and ldo apart from row to row. `epilogue` without
  /// a bias.
  void multiply(const Kernels& kernels, const float* x, int64_t ldx, int64_t rows, float* out, int64_t ldo,
                Inputs& inputs, Epilogue epilogue = {}) const;

  /// Prepares x for multiply_panels(), in `inputs`.
  void prepare(const Kernels& kernels, const float* x, int64_t ldx, int64_t rows, Inputs& inputs) const;
  /// As multiply(), but only for the panels [first, first + count) -> out [rows, their columns]; after prepare(). In
  /// kF32, x is read again.
  void multiply_panels(const Kernels& kernels, const float* x, int64_t ldx, int64_t rows, int64_t first, int64_t count,
                       float* out, int64_t ldo, const Inputs& inputs, Epilogue epilogue = {}) const;

 private:
  void pack_f32(const float* weight);
  void pack_bf16(const float* weight);
  void pack_int8(const float* weight);

  Precision precision_ = Precision::kF32;
  int64_t n_ = 0, k_ = 0;
  std::vector<float> bias_;  // [panels * kPanel], or empty
  Aligned<float> floats_;
  Aligned<uint16_t> halves_;
  Aligned<int8_t> bytes_;
  std::vector<float> scales_;   // of kInt8: [panels * kPanel]
  std::vector<int32_t> sums_;   // of kInt8: 128 times the sum of each column
};

}  // namespace ventris::engine
