#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ventris::text {

/// A model with more pieces is refused, and no more than one over this are read.
inline constexpr size_t kMostPieces = size_t{1} << 22;

/// What a piece is; the numbers are those of sentencepiece_model.proto.
enum class PieceType : uint64_t { kNormal = 1, kUnknown, kControl, kUserDefined, kUnused, kByte };

/// How a model cuts a text; the numbers are those of sentencepiece_model.proto.
enum class ModelType : uint64_t { kUnigram = 1, kBpe, kWord, kCharacter };

struct ModelPiece {
  std::string_view text;
  float score = 0;
  PieceType type = PieceType::kNormal;  ///< or any other number that the file holds
};

/// What a serialised SentencePiece model says, as far as its library relies on it: views into the bytes. Nothing is
/// checked yet (model_check.h does). The library does not install the message definitions; the numbers of fields are
/// those of sentencepiece_model.proto, which never change.
struct ModelProto {
  std::vector<ModelPiece> pieces;  ///< by id
  ModelType type = ModelType::kUnigram;  ///< or any other number that the file holds
  bool byte_fallback = false;
  std::string_view unknown_surface;         ///< what an unknown piece is decoded to; empty = the library's own
  std::vector<std::string_view> charsmaps;  ///< compiled rules of normalisation and of denormalisation
  bool self_tests = false;                  ///< texts that the library would encode as it loads the model
};

/// Nothing if the bytes are no such protobuf message to the last byte, with every field of the type it must have.
std::optional<ModelProto> parse_model_proto(std::string_view bytes);

/// The message without the texts that the library would encode as it loads the model.
std::string without_self_tests(std::string_view bytes);

/// Ids of the pieces that are never split nor merged (type USER_DEFINED), ascending; of a well-formed model.
std::vector<int32_t> user_defined_pieces(std::string_view bytes);

}  // namespace ventris::text
