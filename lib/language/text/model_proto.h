#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ventris::text {

/// A model with more pieces is refused; reading stops at one more than this.
inline constexpr size_t kMostPieces = size_t{1} << 22;

/// The type of a piece, with the numbers of sentencepiece_model.proto.
enum class PieceType : uint64_t { kNormal = 1, kUnknown, kControl, kUserDefined, kUnused, kByte };

/// How a model segments a text, with the numbers of sentencepiece_model.proto.
enum class ModelType : uint64_t { kUnigram = 1, kBpe, kWord, kCharacter };

/// Rules of our own, which SentencePiece ignores. With them, a tokenizer with our special ids gives the ids of another
/// program that looks up the texts of pieces in a vocabulary (Marian, Hugging Face's MarianTokenizer).
struct ForeignRules {
  /// A run of characters that has no pieces, but whose normalised text is that of a piece of any type, gets the id of
  /// this piece: source and target have the same vocabulary, but know different pieces.
  bool looks_up_unknown = false;
  /// Pieces from this id on are found in texts, but are not in the vocabulary of the model: they become unk. 0 = none.
  uint64_t unknown_from = 0;
  /// A text is words separated by spaces. A word is the piece with this text after U+2581, or unk; it is never divided.
  bool whole_words = false;

  bool any() const { return looks_up_unknown || unknown_from > 0 || whole_words; }
};

/// The fields of ForeignRules in the message, numbers for extensions.
inline constexpr uint32_t kLooksUpUnknown = 1000, kUnknownFrom = 1001, kWholeWords = 1002;

struct ModelPiece {
  std::string_view text;
  float score = 0;
  PieceType type = PieceType::kNormal;  ///< or any other number from the file
};

/// The parts of a serialised SentencePiece model that the library relies on, as views into the bytes. They are not
/// checked yet (model_check.h does that). The library does not install the message definitions; the field numbers are
/// those of sentencepiece_model.proto, which never change.
struct ModelProto {
  std::vector<ModelPiece> pieces;  ///< by id
  ModelType type = ModelType::kUnigram;  ///< or any other number from the file
  bool byte_fallback = false;
  std::string_view unknown_surface;         ///< what an unknown piece is decoded to; empty = the library's default
  std::vector<std::string_view> charsmaps;  ///< compiled rules for normalisation and denormalisation
  bool self_tests = false;                  ///< whether it has texts that the library would encode while loading
  ForeignRules foreign;                     ///< of a tokenizer that was made of another program's
};

/// Parses the message; empty unless all bytes are a valid message and every field has the right type.
std::optional<ModelProto> parse_model_proto(std::string_view bytes);

/// The message without the texts that the library would encode while it loads the model.
std::string without_self_tests(std::string_view bytes);

/// The ids of the pieces that are never split or merged (type USER_DEFINED), ascending. The model must be well-formed.
std::vector<int32_t> user_defined_pieces(std::string_view bytes);

}  // namespace ventris::text
