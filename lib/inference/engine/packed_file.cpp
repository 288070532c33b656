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
#include "engine/parts.h"

namespace ventris::engine {
namespace {

using arithmetic::Elements;
using arithmetic::kPanel;
using arithmetic::Matrix;
using arithmetic::panels_of;
using layers::add_positions;
using layers::kMostInt8Inputs;
using layers::most_inputs;

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
  void matrix(const std::string& name, const Matrix& matrix, int64_t n, int64_t /*k*/, bool has_bias) {
    Matrix::visit(matrix, [&](const char* array, const auto& elements, const std::vector<int64_t>& shape) {
      add(name + "." + array, elements, shape);
    });
    if (has_bias) add(name + ".bias", matrix.bias(), padded_shape(n));
  }
  void exact(const std::string& name, const Matrix& exact, int64_t n, int64_t k, bool has_bias) {
    matrix(name, exact, n, k, has_bias);
  }
  void shared(const std::string& name, const Matrix& matrix, const Matrix& /*other*/, int64_t n, bool has_bias) {
    if (has_bias) add(name + ".bias", matrix.bias(), padded_shape(n));
  }
  void vector(const std::string& name, const Elements<float>& elements, int64_t size) {
    std::vector<float>& padded = padded_.emplace_back(elements.begin(), elements.end());
    padded.resize(static_cast<size_t>(padded_shape(size).front()));
    tensors_.push_back({name, model::DType::kF32, padded_shape(size), bytes_of(padded.data(), padded.size())});
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

  void matrix(const std::string& name, Matrix& matrix, int64_t n, int64_t k, bool has_bias) {
    matrix = matrix_of(name, n, k, has_bias, precision_);
  }
  void exact(const std::string& name, Matrix& matrix, int64_t n, int64_t k, bool has_bias) {
    matrix = matrix_of(name, n, k, has_bias, Precision::kF32);
  }
  void shared(const std::string& name, Matrix& matrix, const Matrix& other, int64_t n, bool has_bias) {
    if (other.n() != n) {
      fail<ModelError>(file_.where(), ": ", name, ": is tied to a matrix of ", other.n(), " tokens, but the model in ",
                       "config.json has ", n);
    }
    matrix = has_bias ? Matrix(other, bias(name, n)) : other;
  }
  void vector(const std::string& name, Elements<float>& elements, int64_t size) {
    Elements<float> padded;
    take(name, padded, padded_shape(size));
    elements = {file_.bytes().owner(), padded.data(), size};
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
  Matrix matrix_of(const std::string& name, int64_t n, int64_t k, bool has_bias, Precision precision) {
    Matrix matrix(n, k, precision);
    Matrix::visit(matrix, [&](const char* array, auto& elements, const std::vector<int64_t>& shape) {
      take(name + "." + array, elements, shape);
      check_sums(name, elements, k);
    });
    return has_bias ? Matrix(matrix, bias(name, n)) : matrix;
  }

  Elements<float> bias(const std::string& name, int64_t n) {
    Elements<float> found;
    take(name + ".bias", found, padded_shape(n));
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
  PartVisitor(weights, writer, positions, weights.length.n()).all();
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
  TransformerWeights weights;
  weights.options = options;
  weights.file = file.bytes();
  Reader reader(file, precision);
  PartVisitor(weights, reader, shape.target_positions, shape.length_classes).all();
  reader.finish();
  add_positions(weights);
  return weights;
}

}  // namespace ventris::engine
