#include "text/model_proto.h"

#include <cstring>

#include "text/sentencepiece_fields.h"
#include "text/wire_format.h"

namespace ventris::text {
namespace {

/// Takes the field's value if it has this type, and returns whether it has.
bool read(const WireField& field, std::string_view& bytes) {
  bytes = field.bytes;
  return field.type == WireType::kBytes;
}

bool read(const WireField& field, uint64_t& value) {
  value = field.value;
  return field.type == WireType::kVarint;
}

bool read(const WireField& field, float& value) {
  if (field.type != WireType::kFixed32) return false;
  std::memcpy(&value, field.bytes.data(), sizeof value);
  return true;
}

template <typename Enum>
bool read_enum(const WireField& field, Enum& value) {
  uint64_t number = 0;
  if (!read(field, number)) return false;
  value = static_cast<Enum>(number);
  return true;
}

bool read_piece(const WireField& field, ModelPiece& piece) {
  switch (field.number) {
    case fields::kPieceText: return read(field, piece.text);
    case fields::kPieceScore: return read(field, piece.score);
    case fields::kPieceType: return read_enum(field, piece.type);
    default: return true;
  }
}

bool read_trainer(const WireField& field, ModelProto& model) {
  uint64_t flag = 0;
  switch (field.number) {
    case fields::kModelType: return read_enum(field, model.type);
    case fields::kUnknownSurface: return read(field, model.unknown_surface);
    case fields::kByteFallback:
      if (!read(field, flag)) return false;
      model.byte_fallback = flag != 0;
      return true;
    default: return true;
  }
}

bool read_normalizer(const WireField& field, ModelProto& model) {
  std::string_view charsmap;
  if (field.number != fields::kCharsmap) return true;
  if (!read(field, charsmap)) return false;
  if (!charsmap.empty()) model.charsmaps.push_back(charsmap);
  return true;
}

bool read_model(const WireField& field, ModelProto& model) {
  if (field.number == kLooksUpUnknown || field.number == kWholeWords) {
    uint64_t flag = 0;
    if (!read(field, flag)) return false;
    (field.number == kWholeWords ? model.foreign.whole_words : model.foreign.looks_up_unknown) = flag != 0;
    return true;
  }
  if (field.number == kUnknownFrom) return read(field, model.foreign.unknown_from);
  if (field.number > fields::kDenormalizer) return true;
  if (field.type != WireType::kBytes) return false;
  switch (field.number) {
    case fields::kPieces: {
      if (model.pieces.size() > kMostPieces) return true;
      ModelPiece& piece = model.pieces.emplace_back();
      return each_field(field.bytes, [&piece](const WireField& inner) { return read_piece(inner, piece); });
    }
    case fields::kTrainer:
      return each_field(field.bytes, [&model](const WireField& inner) { return read_trainer(inner, model); });
    case fields::kSelfTests: return model.self_tests = true;
    default: return each_field(field.bytes, [&model](const WireField& inner) { return read_normalizer(inner, model); });
  }
}

}  // namespace

std::optional<ModelProto> parse_model_proto(std::string_view bytes) {
  ModelProto model;
  if (!each_field(bytes, [&model](const WireField& field) { return read_model(field, model); })) return std::nullopt;
  return model;
}

std::string without_self_tests(std::string_view bytes) {
  std::string kept;
  while (!bytes.empty()) {
    std::string_view rest = bytes;
    const auto field = take_field(rest);
    if (!field) return kept;
    if (field->number != fields::kSelfTests) kept += bytes.substr(0, bytes.size() - rest.size());
    bytes = rest;
  }
  return kept;
}

std::vector<int32_t> user_defined_pieces(std::string_view bytes) {
  std::vector<int32_t> found;
  const auto model = parse_model_proto(bytes);
  for (size_t id = 0; model && id < model->pieces.size(); ++id) {
    if (model->pieces[id].type == PieceType::kUserDefined) found.push_back(static_cast<int32_t>(id));
  }
  return found;
}

}  // namespace ventris::text
