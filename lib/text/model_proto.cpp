#include "text/model_proto.h"

#include <optional>

namespace ventris::text {
namespace {

constexpr uint32_t kPiecesField = 1, kTrainerField = 2, kModelTypeField = 3, kPieceTypeField = 3;
constexpr uint64_t kUserDefined = 4;

struct Field {
  uint32_t number = 0;
  uint64_t value = 0;      ///< of a varint
  std::string_view bytes;  ///< of anything with a length
};

std::optional<uint64_t> take_varint(std::string_view& bytes) {
  uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    if (bytes.empty()) return std::nullopt;
    const auto byte = static_cast<uint8_t>(bytes.front());
    bytes.remove_prefix(1);
    value |= static_cast<uint64_t>(byte & 0x7F) << shift;
    if ((byte & 0x80) == 0) return value;
  }
  return std::nullopt;
}

std::optional<Field> take_bytes(std::string_view& bytes, Field field, uint64_t length) {
  if (length > bytes.size()) return std::nullopt;
  field.bytes = bytes.substr(0, length);
  bytes.remove_prefix(length);
  return field;
}

/// The next field of a protobuf message; nothing if the bytes are not one.
std::optional<Field> take_field(std::string_view& bytes) {
  const auto key = take_varint(bytes);
  if (!key || *key >> 3 == 0 || *key >> 3 > 0x1FFFFFFF) return std::nullopt;
  Field field{static_cast<uint32_t>(*key >> 3), 0, {}};
  switch (*key & 7) {
    case 0: {
      const auto value = take_varint(bytes);
      if (!value) return std::nullopt;
      field.value = *value;
      return field;
    }
    case 1: return take_bytes(bytes, field, 8);
    case 2: {
      const auto length = take_varint(bytes);
      return length ? take_bytes(bytes, field, *length) : std::nullopt;
    }
    case 5: return take_bytes(bytes, field, 4);
    default: return std::nullopt;
  }
}

/// Calls use(field) for each field. False if the bytes are no message.
template <typename Use>
bool each_field(std::string_view bytes, const Use& use) {
  while (!bytes.empty()) {
    const auto field = take_field(bytes);
    if (!field || !use(*field)) return false;
  }
  return true;
}

}  // namespace

ModelProtoSummary summarise_model_proto(std::string_view bytes) {
  ModelProtoSummary summary;
  const auto in_trainer = [&](const Field& field) {
    if (field.number == kModelTypeField) summary.model_type = static_cast<int64_t>(field.value);
    return true;
  };
  const bool parsed = each_field(bytes, [&](const Field& field) {
    if (field.number == kPiecesField) ++summary.pieces;
    return field.number != kTrainerField || each_field(field.bytes, in_trainer);
  });
  summary.well_formed = parsed && summary.pieces > 0;
  return summary;
}

std::vector<int32_t> user_defined_pieces(std::string_view bytes) {
  std::vector<int32_t> found;
  int32_t id = 0;
  each_field(bytes, [&](const Field& field) {
    if (field.number != kPiecesField) return true;
    each_field(field.bytes, [&](const Field& inner) {
      if (inner.number == kPieceTypeField && inner.value == kUserDefined) found.push_back(id);
      return true;
    });
    ++id;
    return true;
  });
  return found;
}

}  // namespace ventris::text
