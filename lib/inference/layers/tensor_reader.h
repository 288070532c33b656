#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "arithmetic/matrix.h"
#include "model/safetensors.h"

namespace ventris::layers {

/// The elements of a tensor as floats. Its pages are released afterwards.
class TensorValues {
 public:
  TensorValues(const model::Safetensors& file, const model::TensorView& tensor);
  ~TensorValues() { file_.bytes().release(bytes_); }
  TensorValues(const TensorValues&) = delete;
  TensorValues& operator=(const TensorValues&) = delete;

  const float* data() const { return values_.data(); }
  const float* begin() const { return values_.data(); }
  const float* end() const { return values_.data() + values_.size(); }

 private:
  const model::Safetensors& file_;
  std::string_view bytes_;
  std::vector<float> copy_;  // if they are not stored as aligned floats
  std::span<const float> values_;
};

/// Reads the tensors of a bundle and packs them. Every function throws ModelError for a tensor that is missing, of
/// another shape, or neither F32 nor BF16.
class TensorReader {
 public:
  /// Keeps a reference to the file.
  TensorReader(const model::Safetensors& file, arithmetic::Precision precision) : file_(file), precision_(precision) {}

  TensorValues values(const std::string& name, const std::vector<int64_t>& shape) const;
  /// A copy of them.
  std::vector<float> read(const std::string& name, const std::vector<int64_t>& shape) const;
  /// NAME.weight [out, in] and NAME.bias [out].
  arithmetic::Matrix linear(const std::string& name, int64_t out, int64_t in) const;
  /// A table of vectors [rows, width].
  arithmetic::Matrix table(const std::string& name, int64_t rows, int64_t width) const;

  arithmetic::Precision precision() const { return precision_; }

 private:
  const model::Safetensors& file_;
  arithmetic::Precision precision_;
};

}  // namespace ventris::layers
