#include "imports/ctranslate2_variables.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/error.h"
#include "imports/byte_reader.h"
#include "model/floats.h"
#include "model/safetensors.h"

namespace ventris::imports {
namespace {

constexpr uint32_t kNewestVersion = 6, kNewestRevision = 7;
constexpr size_t kMostVariables = 100000;
constexpr std::string_view kScale = "_scale";
/// What the number of heads is in models that do not say it, by their kind. Constants, because variables have bytes.
constexpr char kHeadsOfBase = 8, kHeadsOfBig = 16;

/// Replaces the first occurrence.
void replace_first(std::string& text, std::string_view from, std::string_view to) {
  const size_t at = text.find(from);
  if (at != std::string::npos) text.replace(at, from.size(), to);
}

/// The newest name of a variable of the first revision, which has the names of OpenNMT-tf.
std::string renamed(std::string name) {
  replace_first(name, "transformer/", "");
  replace_first(name, ":0", "");
  replace_first(name, "w_embs", "embeddings/weight");
  replace_first(name, "kernel", "weight");
  replace_first(name, "LayerNorm", "layer_norm");
  replace_first(name, "dense", "projection");
  replace_first(name, "conv1d_", "linear_");
  replace_first(name, "conv1d", "linear_0");
  replace_first(name, "masked_multi_head", "self_attention");
  replace_first(name, "multi_head", name.starts_with("encoder") ? "self_attention" : "attention");
  return name;
}

template <typename Number>
std::vector<float> floats_of_integers(std::string_view bytes) {
  std::vector<float> values(bytes.size() / sizeof(Number));
  for (float& value : values) {
    value = static_cast<float>(number_in<Number>(bytes));
    bytes.remove_prefix(sizeof(Number));
  }
  return values;
}

/// A name with its length, which counts the 0 at its end.
std::string name_in(ByteReader& reader) { return reader.name(reader.number<uint16_t>()); }

}  // namespace

CTranslate2Variables::CTranslate2Variables(core::SharedBytes bytes, std::string where)
    : bytes_(std::move(bytes)), where_(std::move(where)) {
  ByteReader reader(bytes_.view(), where_, "model.bin of CTranslate2");
  read_head(reader);
  const auto count = reader.number<uint32_t>();
  if (count > kMostVariables) reader.damaged("it says that it has " + std::to_string(count) + " variables");
  for (uint32_t i = 0; i < count; ++i) read_variable(reader);
  if (version_ >= 3) {
    const auto aliases = reader.number<uint32_t>();
    if (aliases > kMostVariables) reader.damaged("it says that it has " + std::to_string(aliases) + " aliases");
    for (uint32_t i = 0; i < aliases; ++i) read_alias(reader);
  }
  if (reader.left() > 0) reader.damaged("it has " + std::to_string(reader.left()) + " bytes after its end");
  name_settings_by_side();
}

void CTranslate2Variables::read_head(ByteReader& reader) {
  version_ = reader.number<uint32_t>();
  if (version_ < 1 || version_ > kNewestVersion) {
    fail<ModelError>(where_, ": expected a model.bin of CTranslate2 with a file version from 1 to ", kNewestVersion,
                     ", found ", version_, "; it is of another program, or of a newer CTranslate2");
  }
  if (version_ >= 2) {
    kind_ = name_in(reader);
    revision_ = reader.number<uint32_t>();
  }
  if (!kind_.empty() && kind_ != "TransformerBase" && kind_ != "TransformerBig" && kind_ != "TransformerSpec") {
    fail<ModelError>(where_, ": expected a Transformer that translates (TransformerSpec), found a ", kind_);
  }
  if (revision_ < 1 || revision_ > kNewestRevision) {
    fail<ModelError>(where_, ": expected ", kind_, " of a revision from 1 to ", kNewestRevision, ", found ", revision_);
  }
}

void CTranslate2Variables::read_variable(ByteReader& reader) {
  std::string name = name_in(reader);
  if (revision_ == 1) name = renamed(name);
  Variable variable;
  variable.shape.resize(reader.number<uint8_t>());
  if (variable.shape.size() > model::kHighestRank) reader.damaged(name + " has too many dimensions");
  for (int64_t& length : variable.shape) length = reader.number<uint32_t>();
  const auto type = reader.number<uint8_t>();
  uint64_t size = reader.number<uint32_t>();
  if (version_ >= 4) {
    if (type > static_cast<uint8_t>(Type::kBfloat16)) reader.damaged(name + " has an unknown type");
    variable.type = static_cast<Type>(type);
  } else {  // the bytes of an element, and the number of elements
    if (type != 1 && type != 2 && type != 4) reader.damaged(name + " has an unknown type");
    variable.type = type == 1 ? Type::kInt8 : type == 2 ? Type::kInt16 : Type::kFloat32;
    size *= type;
  }
  const int64_t elements = model::elements_of(variable.shape);
  if (elements < 0 || size % size_of(variable.type) != 0 ||
      static_cast<uint64_t>(elements) != size / size_of(variable.type)) {
    reader.damaged(name + " has another size than its shape says");
  }
  variable.bytes = reader.take(size);
  add(name, std::move(variable));
}

void CTranslate2Variables::read_alias(ByteReader& reader) {
  const std::string name = name_in(reader), other = name_in(reader);
  const auto found = names_.find(other);
  if (found == names_.end()) reader.damaged(name + " stands for " + other + ", which is not there");
  if (!names_.emplace(name, found->second).second) reader.damaged(name + " is there twice");
}

void CTranslate2Variables::add(const std::string& name, Variable variable) {
  if (!names_.emplace(name, name).second) {
    fail<ModelError>(where_, ": damaged: the variable '", name, "' is there twice");
  }
  variables_.emplace(name, std::move(variable));
}

/// Before revision 5, both sides had the same settings; before revision 3, the kind of the model said how many heads it
/// has.
void CTranslate2Variables::name_settings_by_side() {
  if (revision_ < 3 && kind_ != "TransformerSpec" && !contains("num_heads")) {
    const char& heads = kind_ == "TransformerBig" ? kHeadsOfBig : kHeadsOfBase;
    add("num_heads", {{}, Type::kInt8, std::string_view(&heads, 1)});
  }
  if (revision_ >= 5) return;
  for (const char* name :
       {"num_heads", "pre_norm", "activation", "embeddings_merge", "alignment_layer", "alignment_heads"}) {
    const auto found = names_.find(name);
    if (found == names_.end()) continue;
    for (const char* side : {"encoder/", "decoder/"}) names_.emplace(std::string(side) + name, found->second);
    names_.erase(found);
  }
}

uint64_t CTranslate2Variables::size_of(Type type) {
  switch (type) {
    case Type::kInt8: return 1;
    case Type::kInt16:
    case Type::kFloat16:
    case Type::kBfloat16: return 2;
    case Type::kFloat32:
    case Type::kInt32: return 4;
  }
  return 1;
}

std::string CTranslate2Variables::name_of(Type type) {
  static constexpr std::array<const char*, 6> kNames{"f32", "int8", "int16", "int32", "f16", "bf16"};
  return kNames.at(static_cast<size_t>(type));
}

bool CTranslate2Variables::is_quantised(const Variable& variable) {
  return variable.type == Type::kInt8 || variable.type == Type::kInt16;
}

/// Whether it has the scales of another variable. An alias has those of its variable.
bool CTranslate2Variables::is_scale(const std::string& name) const {
  if (!name.ends_with(kScale)) return false;
  const auto scaled = names_.find(name.substr(0, name.size() - kScale.size()));
  return scaled != names_.end() && is_quantised(variables_.at(scaled->second));
}

std::vector<std::string> CTranslate2Variables::names() const {
  std::vector<std::string> names;
  for (const auto& [name, variable] : names_) {
    if (!is_scale(name)) names.push_back(name);
  }
  return names;
}

const CTranslate2Variables::Variable& CTranslate2Variables::at(const std::string& name) const {
  const auto found = names_.find(name);
  if (found == names_.end()) fail<ModelError>(where_, ": has no variable '", name, "'");
  return variables_.at(found->second);
}

std::vector<float> CTranslate2Variables::unscaled(const Variable& variable) {
  switch (variable.type) {
    case Type::kInt8: return floats_of_integers<int8_t>(variable.bytes);
    case Type::kInt16: return floats_of_integers<int16_t>(variable.bytes);
    case Type::kInt32: return floats_of_integers<int32_t>(variable.bytes);
    case Type::kFloat32: return model::floats_from(variable.bytes, model::DType::kF32);
    case Type::kFloat16: return model::floats_from(variable.bytes, model::DType::kF16);
    case Type::kBfloat16: return model::floats_from(variable.bytes, model::DType::kBf16);
  }
  return {};
}

/// The numbers by which the rows of a variable were multiplied: one, or one a row.
std::vector<float> CTranslate2Variables::scales_of(const std::string& name, const Variable& variable) const {
  constexpr float kOfOldFiles = 1000;  // of variables in int16
  const auto found = variables_.find(names_.at(name) + std::string(kScale));
  if (found == variables_.end()) {
    if (variable.type == Type::kInt16) return {kOfOldFiles};
    fail<ModelError>(where_, ": the variable '", name, "' is in int8, but has no scales");
  }
  if (is_quantised(found->second) || found->second.type == Type::kInt32) {
    fail<ModelError>(where_, ": variable '", found->first, "': expected floating-point numbers, found ",
                     name_of(found->second.type));
  }
  std::vector<float> scales = unscaled(found->second);
  const size_t rows = variable.shape.empty() ? 1 : static_cast<size_t>(variable.shape.front());
  if (scales.size() != 1 && scales.size() != rows) {
    fail<ModelError>(where_, ": variable '", found->first, "': expected a scale, or one for each of ", rows,
                     " rows, found ", scales.size());
  }
  for (const float scale : scales) {
    if (std::isfinite(scale) && scale > 0) continue;
    fail<ModelError>(where_, ": variable '", found->first, "': expected scales over 0, found ", scale);
  }
  return scales;
}

std::vector<float> CTranslate2Variables::floats(const std::string& name) const {
  const Variable& variable = at(name);
  if (variable.type == Type::kInt32) {
    fail<ModelError>(where_, ": variable '", name, "': expected floating-point numbers, int8 or int16, found int32");
  }
  std::vector<float> values = unscaled(variable);
  if (!is_quantised(variable) || values.empty()) return values;
  const std::vector<float> scales = scales_of(name, variable);
  const size_t columns = values.size() / scales.size();
  for (size_t i = 0; i < values.size(); ++i) values[i] /= scales[i / columns];
  return values;
}

std::optional<double> CTranslate2Variables::number(const std::string& name) const {
  if (!contains(name)) return std::nullopt;
  const Variable& variable = at(name);
  if (model::elements_of(variable.shape) != 1) {
    fail<ModelError>(where_, ": variable '", name, "': expected one number, found shape ",
                     model::shape_text(variable.shape));
  }
  if (variable.type == Type::kInt32) return number_in<int32_t>(variable.bytes);
  return unscaled(variable).front();
}

bool CTranslate2Variables::is_flag(const std::string& name) const { return at(name).type == Type::kInt8; }

std::string CTranslate2Variables::text(const std::string& name, const std::string& missing) const {
  if (!contains(name)) return missing;
  const Variable& variable = at(name);
  if (variable.type != Type::kInt8) {
    fail<ModelError>(where_, ": variable '", name, "': expected a text, found ", name_of(variable.type));
  }
  return std::string(variable.bytes);
}

std::string CTranslate2Variables::types() const {
  std::set<std::string> types;
  for (const auto& [name, variable] : variables_) {
    if (variable.shape.size() > 1) types.insert(name_of(variable.type));
  }
  std::string text;
  for (const std::string& type : types) text += (text.empty() ? "" : " and ") + type;
  return text;
}

}  // namespace ventris::imports
