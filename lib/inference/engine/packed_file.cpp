#include "engine/packed_file.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <list>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/error.h"
#include "core/utf8.h"
#include "layers/packed_parts.h"

namespace ventris::engine {
namespace {

using arithmetic::Elements;
using arithmetic::kPanel;
using arithmetic::Matrix;
using arithmetic::panels_of;
using layers::add_positions;
using layers::kMostInt8Inputs;
using layers::MatrixPart;
using layers::most_inputs;
using layers::PackedParts;
using layers::VectorPart;

constexpr const char* kFormat = "ventris-packed";
constexpr const char* kVersion = "2";
constexpr uint64_t kAlignment = 64;
constexpr std::array<Precision, 3> kPrecisions{Precision::kF32, Precision::kBf16, Precision::kInt8};

template <typename T>
constexpr model::DType dtype() {
  if constexpr (std::is_same_v<T, float>) return model::DType::kF32;
  if constexpr (std::is_same_v<T, uint16_t>) return model::DType::kBf16;
  if constexpr (std::is_same_v<T, int8_t>) return model::DType::kI8;
  if constexpr (std::is_same_v<T, int32_t>) return model::DType::kI32;
}

std::vector<int64_t> padded_shape(int64_t size) { return {panels_of(size) * kPanel}; }

/// Collects the parts as tensors.
class Writer {
 public:
  void matrix(const MatrixPart& part, const Matrix& matrix) {
    Matrix::visit(matrix, [&](const char* array, const auto& elements, const std::vector<int64_t>& shape) {
      add(part.name + "." + array, elements, shape);
    });
    bias(part, matrix);
  }
  void shared(const MatrixPart& part, const Matrix& matrix, const Matrix& /*other*/) { bias(part, matrix); }
  void vector(const VectorPart& part, const Elements<float>& elements) {
    const std::vector<int64_t> shape = padded_shape(part.size());
    std::vector<float>& padded = padded_.emplace_back(elements.begin(), elements.end());
    padded.resize(static_cast<size_t>(shape.front()));
    tensors_.push_back({part.name, model::DType::kF32, shape, bytes_of(padded.data(), padded.size())});
  }
  template <typename Layer>
  const Layer& layer(const std::vector<Layer>& layers, int64_t i) const {
    return layers[static_cast<size_t>(i)];
  }

  std::string file(Precision precision) const {
    return model::write_safetensors(tensors_, {{"format", kFormat},
                                               {"version", kVersion},
                                               {"panel", std::to_string(kPanel)},
                                               {"precision", name_of(precision)}});
  }

 private:
  template <typename T>
  static std::string_view bytes_of(const T* data, size_t count) {
    return {reinterpret_cast<const char*>(data), count * sizeof(T)};
  }
  void bias(const MatrixPart& part, const Matrix& matrix) {
    if (part.bias()) add(part.name + ".bias", matrix.bias(), padded_shape(part.outputs()));
  }
  template <typename T>
  void add(const std::string& name, const Elements<T>& elements, const std::vector<int64_t>& shape) {
    const auto count = static_cast<size_t>(model::elements_of(shape));
    tensors_.push_back({name, dtype<T>(), shape, bytes_of(elements.data(), count)});
  }

  std::vector<model::TensorView> tensors_;
  std::list<std::vector<float>> padded_;  // the tensors point to them
};

/// Takes the parts from the tensors of a file.
class Reader {
 public:
  Reader(const model::Safetensors& file, Precision precision) : file_(file), precision_(precision) {}

  void matrix(const MatrixPart& part, Matrix& matrix) {
    matrix = Matrix(part.outputs(), part.inputs, part.exact ? Precision::kF32 : precision_);
    Matrix::visit(matrix, [&](const char* array, auto& elements, const std::vector<int64_t>& shape) {
      take(part.name + "." + array, elements, shape);
      check_sums(part.name, elements, part.inputs);
    });
    if (part.bias()) matrix = Matrix(matrix, bias(part));
  }
  void shared(const MatrixPart& part, Matrix& matrix, const Matrix& other) {
    if (other.n() != part.outputs()) {
      fail<ModelError>(file_.where(), ": ", part.name, ": is tied to a matrix of ", other.n(),
                       " tokens, but the model in config.json has ", part.outputs());
    }
    matrix = part.bias() ? Matrix(other, bias(part)) : other;
  }
  void vector(const VectorPart& part, Elements<float>& elements) {
    Elements<float> padded;
    take(part.name, padded, padded_shape(part.size()));
    elements = {file_.bytes().owner(), padded.data(), part.size()};
  }
  /// Layers are made one by one, so that a number of layers that the file does not bear out needs no memory.
  template <typename Layer>
  Layer& layer(std::vector<Layer>& layers, int64_t /*i*/) const {
    return layers.emplace_back();
  }

  /// Throws ModelError if the file has more parts than were taken.
  void finish() const {
    if (taken_ == file_.tensors().size() && file_.aliases().empty()) return;
    fail<ModelError>(file_.where(), ": expected the ", taken_, " parts of the model in config.json, found ",
                     file_.tensors().size() + file_.aliases().size());
  }

 private:
  Elements<float> bias(const MatrixPart& part) {
    Elements<float> found;
    take(part.name + ".bias", found, padded_shape(part.outputs()));
    return found;
  }

  /// Sums of columns are at most 128 times 127 k, so that products do not overflow.
  template <typename T>
  void check_sums(const std::string& name, const Elements<T>& sums, int64_t k) const {
    if constexpr (std::is_same_v<T, int32_t>) {
      const int64_t most = int64_t{128} * 127 * k;
      const bool fits = std::all_of(sums.begin(), sums.end(), [most](int64_t sum) { return std::abs(sum) <= most; });
      if (!fits) fail<ModelError>(file_.where(), ": part '", name, ".sum': expected sums of at most ", most);
    }
  }

  template <typename T>
  void take(const std::string& name, Elements<T>& elements, const std::vector<int64_t>& shape) {
    const std::string where = file_.where() + ": part '" + name + "'";
    if (!file_.contains(name)) fail<ModelError>(where, ": missing; expected the weights of the model in config.json");
    const model::TensorView& tensor = file_.at(name);
    if (tensor.dtype != dtype<T>() || tensor.shape != shape) {
      fail<ModelError>(where, ": expected ", model::name_of(dtype<T>()), " ", model::shape_text(shape),
                       " as in config.json, found ", model::name_of(tensor.dtype), " ",
                       model::shape_text(tensor.shape));
    }
    const auto place = static_cast<uint64_t>(tensor.bytes.data() - file_.bytes().view().data());
    if (place % kAlignment != 0) {
      fail<ModelError>(where, ": expected to start at a multiple of ", kAlignment, " bytes, found byte ", place);
    }
    ++taken_;
    elements = {file_.bytes().owner(), reinterpret_cast<const T*>(tensor.bytes.data()), tensor.elements()};
  }

  const model::Safetensors& file_;
  Precision precision_;
  size_t taken_ = 0;
};

/// The text in the metadata; empty = none.
std::string metadata(const model::Safetensors& file, const char* key) {
  const auto found = file.metadata().find(key);
  return found == file.metadata().end() ? "" : found->second;
}

}  // namespace

std::string name_of(Precision precision) {
  if (precision == Precision::kF32) return "f32";
  return precision == Precision::kBf16 ? "bf16" : "int8";
}

std::string to_packed(const TransformerWeights& weights) {
  Writer writer;
  const int64_t positions = weights.target.positions.size() / weights.options.d_model;  // 0 unless they are learned
  PackedParts(weights, writer, positions, weights.length.n()).all();
  return writer.file(weights.generator.precision());
}

Precision packed_precision(const model::Safetensors& file) {
  const auto expect = [&](const char* key, const std::string& expected, const char* advice) {
    const std::string found = metadata(file, key);
    if (found == expected) return;
    fail<ModelError>(file.where(), ": ", key, ": expected '", expected, "', found '", core::cut_utf8(found, 20), "'; ",
                     advice);
  };
  expect("format", kFormat, "make the packed model again with ventris-export");
  expect("version", kVersion, "use the version of Ventris that made it, or make it again with this one");
  expect("panel", std::to_string(kPanel), "use the version of Ventris that made it, or make it again with this one");
  const std::string name = metadata(file, "precision");
  for (const Precision precision : kPrecisions) {
    if (name == name_of(precision)) return precision;
  }
  fail<ModelError>(file.where(), ": precision: expected f32, bf16 or int8, found '", core::cut_utf8(name, 20), "'");
}

TransformerWeights from_packed(const ModelShape& shape, const model::Safetensors& file) {
  const architecture::TransformerOptions& options = shape.options;
  const Precision precision = packed_precision(file);
  if (precision == Precision::kInt8 && most_inputs(options) > kMostInt8Inputs) {
    fail<ModelError>(file.where(), ": expected layers of at most ", kMostInt8Inputs, " inputs in int8, found ",
                     most_inputs(options));
  }
  TransformerWeights weights(options);
  weights.file = file.bytes();
  Reader reader(file, precision);
  PackedParts(weights, reader, shape.target_positions, shape.length_classes).all();
  reader.finish();
  add_positions(weights);
  return weights;
}

}  // namespace ventris::engine
