#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/shared_bytes.h"
#include "imports/tensor_source.h"

namespace ventris::imports {

class ByteReader;

/// The variables in model.bin of CTranslate2, file versions 1 to 6, of a Transformer that translates. They have the
/// names of the newest revision: those of OpenNMT-tf, which the first revision has, are renamed, and settings of both
/// sides are given to each side. Weights in int8 or int16 are multiplied out. All numbers are little-endian.
class CTranslate2Variables : public TensorSource {
 public:
  /// `where` names the file in messages. Throws ModelError for a file that is damaged, of a newer version, or of
  /// another kind of model. Keeps the bytes; nothing is copied.
  CTranslate2Variables(core::SharedBytes bytes, std::string where);

  uint32_t version() const { return version_; }  ///< of the file format

  const std::string& where() const override { return where_; }
  /// Without the scales of quantised variables, which floats() takes.
  std::vector<std::string> names() const override;
  bool contains(const std::string& name) const override { return names_.contains(name); }
  std::vector<int64_t> shape(const std::string& name) const override { return at(name).shape; }
  std::vector<float> floats(const std::string& name) const override;

  /// The value of a setting (a variable without dimensions); empty if there is none.
  std::optional<double> number(const std::string& name) const;
  /// A setting that is a number of 8 bits: true or false.
  bool is_flag(const std::string& name) const;
  /// A setting that is a text.
  std::string text(const std::string& name, const std::string& missing) const;
  /// The types of the weights, for the log: "f32", "f16 and int8".
  std::string types() const;

 private:
  enum class Type : uint8_t { kFloat32, kInt8, kInt16, kInt32, kFloat16, kBfloat16 };
  struct Variable {
    std::vector<int64_t> shape;
    Type type = Type::kFloat32;
    std::string_view bytes;
  };

  static uint64_t size_of(Type type);
  static std::string name_of(Type type);
  static bool is_quantised(const Variable& variable);
  static std::vector<float> unscaled(const Variable& variable);
  void read_head(ByteReader& reader);
  void read_variable(ByteReader& reader);
  void read_alias(ByteReader& reader);
  void name_settings_by_side();
  void add(const std::string& name, Variable variable);
  bool is_scale(const std::string& name) const;
  const Variable& at(const std::string& name) const;
  std::vector<float> scales_of(const std::string& name, const Variable& variable) const;

  core::SharedBytes bytes_;
  std::string where_;
  uint32_t version_ = 0, revision_ = 1;
  std::string kind_;
  std::map<std::string, Variable> variables_;
  std::map<std::string, std::string> names_;  // every name, and that of its variable
};

}  // namespace ventris::imports
