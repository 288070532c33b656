#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/model_proto.h"

/// Writes SentencePiece models by hand, also such as no program would write.
namespace ventris::test {

inline std::string little_endian(uint32_t number) {
  std::string bytes;
  for (int i = 0; i < 4; ++i) bytes += static_cast<char>(number >> (8 * i));
  return bytes;
}

inline std::string varint(uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
  return bytes + static_cast<char>(value);
}

inline std::string number_field(uint32_t number, uint64_t value) {
  return varint(uint64_t{8} * number) + varint(value);
}

inline std::string bytes_field(uint32_t number, std::string_view bytes) {
  return varint(uint64_t{8} * number + 2) + varint(bytes.size()) + std::string(bytes);
}

inline std::string piece_field(std::string_view text, text::PieceType type = text::PieceType::kNormal,
                               float score = -1) {
  std::string bits(4, '\0');
  const char* from = reinterpret_cast<const char*>(&score);
  bits.assign(from, from + 4);
  return bytes_field(1, bytes_field(1, text) + varint(8 * 2 + 5) + bits + number_field(3, static_cast<uint64_t>(type)));
}

/// The special pieces with our ids.
inline std::string special_pieces() {
  using text::PieceType;
  return piece_field("<pad>", PieceType::kControl) + piece_field("<unk>", PieceType::kUnknown) +
         piece_field("<s>", PieceType::kControl) + piece_field("</s>", PieceType::kControl);
}

inline std::string trainer_field(const std::string& fields) { return bytes_field(2, fields); }

inline std::string charsmap_field(const std::string& map) { return bytes_field(3, bytes_field(2, map)); }

/// The smallest model that can be used: our special pieces, and the letters from "a" on.
inline std::string written_model(int letters = 1) {
  std::string bytes = special_pieces();
  for (int i = 0; i < letters; ++i) bytes += piece_field(std::string(1, static_cast<char>('a' + i)));
  return bytes;
}

/// A table of rules (text/charsmap.h) with room for one block of 256 units, and texts.
class CharsmapWriter {
 public:
  explicit CharsmapWriter(size_t units = 256) : units_(units, 0) {}

  static uint32_t node(uint8_t label, uint32_t offset, bool has_value = false) {
    return uint32_t{label} | (has_value ? 1U << 8 : 0) | offset << 10;
  }
  static uint32_t value(uint32_t text_at) { return text_at | 1U << 31; }

  CharsmapWriter& put(size_t at, uint32_t unit) {
    units_.at(at) = unit;
    return *this;
  }
  CharsmapWriter& texts(std::string_view texts) {
    texts_ = texts;
    return *this;
  }
  std::string write() const {
    std::string table;
    for (const uint32_t unit : units_) table += little_endian(unit);
    return little_endian(static_cast<uint32_t>(table.size())) + table + texts_;
  }

 private:
  std::vector<uint32_t> units_;
  std::string texts_ = std::string(1, '\0');
};

}  // namespace ventris::test
