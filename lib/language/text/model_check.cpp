#include "text/model_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

#include "core/error.h"
#include "text/charsmap.h"
#include "text/valid_utf8.h"

namespace ventris::text {
namespace {

constexpr size_t kByteValues = 256;
constexpr const char* kAdvice = "; learn a tokenizer with ventris-vocab";

bool is_known(PieceType type) { return type >= PieceType::kNormal && type <= PieceType::kByte; }

/// Whether the piece stands for its own characters.
bool is_text(const ModelPiece& piece) {
  return piece.type == PieceType::kNormal || piece.type == PieceType::kUserDefined || piece.type == PieceType::kUnused;
}

bool is_plain_text(std::string_view text) { return text.find('\0') == std::string_view::npos && is_valid_utf8(text); }

/// "<0x00>" to "<0xFF>"
bool is_written_as_byte(std::string_view text) {
  const auto is_digit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'F'); };
  return text.size() == 6 && text.starts_with("<0x") && is_digit(text[3]) && is_digit(text[4]) && text[5] == '>';
}

/// What is wrong with a single piece; empty = nothing.
std::string problem_of(const ModelPiece& piece, const ModelProto& model) {
  if (piece.text.empty() || piece.text.size() > kLongestPiece) {
    return fmt::format("expected 1 to {} bytes, found {}", kLongestPiece, piece.text.size());
  }
  if (!is_plain_text(piece.text)) return "expected UTF-8 without NUL";
  if (!std::isfinite(piece.score)) return fmt::format("expected a finite score, found {}", piece.score);
  if (!is_known(piece.type)) {
    return fmt::format("expected a type from 1 to 6, found {}", static_cast<uint64_t>(piece.type));
  }
  if (piece.type == PieceType::kByte && !(model.byte_fallback && is_written_as_byte(piece.text))) {
    return model.byte_fallback ? "is a byte, expected a text like <0x0A>"
                               : "is a byte, in a model without byte fallback";
  }
  const bool in_characters = model.type == ModelType::kBpe || model.type == ModelType::kCharacter;
  if (piece.type == PieceType::kControl && in_characters && first_character(piece.text) == piece.text) {
    return "is a control piece of one character, which could occur in a text";
  }
  return "";
}

/// A hash table of the texts of pieces, at most half full: the fastest way to find duplicates.
class PieceTexts {
 public:
  explicit PieceTexts(size_t count) : places_(std::bit_ceil(2 * count)) {}

  /// Returns whether the text is new.
  bool add(std::string_view text) {
    size_t at = std::hash<std::string_view>{}(text) % places_.size();
    for (; !places_[at].empty(); at = (at + 1) % places_.size()) {
      if (places_[at] == text) return false;
    }
    places_[at] = text;
    return true;
  }

 private:
  std::vector<std::string_view> places_;
};

void check_each_piece(const ModelProto& model, const std::string& where) {
  PieceTexts known(model.pieces.size());
  for (size_t id = 0; id < model.pieces.size(); ++id) {
    const ModelPiece& piece = model.pieces[id];
    std::string problem = problem_of(piece, model);
    if (problem.empty() && !known.add(piece.text)) problem = "occurs twice";
    if (!problem.empty()) fail<ModelError>(where, ": piece ", id, ": ", problem, kAdvice);
  }
}

size_t count(const ModelProto& model, PieceType type) {
  return static_cast<size_t>(std::count_if(model.pieces.begin(), model.pieces.end(),
                                           [type](const ModelPiece& piece) { return piece.type == type; }));
}

/// Checks the conditions on all pieces together.
void check_pieces(const ModelProto& model, const std::string& where) {
  if (model.pieces.size() > kMostPieces) {
    fail<ModelError>(where, ": expected at most ", kMostPieces, " pieces, found ", model.pieces.size());
  }
  check_each_piece(model, where);
  if (const size_t unknown = count(model, PieceType::kUnknown); unknown != 1) {
    fail<ModelError>(where, ": expected one piece of type unknown, found ", unknown, kAdvice);
  }
  if (const size_t bytes = count(model, PieceType::kByte); model.byte_fallback && bytes != kByteValues) {
    fail<ModelError>(where, ": expected a piece for each of the 256 bytes, found ", bytes, kAdvice);
  }
  if (std::none_of(model.pieces.begin(), model.pieces.end(), is_text)) {
    fail<ModelError>(where, ": expected at least one piece with text, found none", kAdvice);
  }
  std::vector<std::string_view> user_defined;
  for (const ModelPiece& piece : model.pieces) {
    if (piece.type == PieceType::kUserDefined) user_defined.push_back(piece.text);
  }
  if (const size_t nested = deepest_nesting(std::move(user_defined)); nested > kMostNestedPieces) {
    fail<ModelError>(where, ": expected at most ", kMostNestedPieces,
                     " user-defined pieces each of which begins with the previous one, found ", nested, kAdvice);
  }
}

}  // namespace

ModelProto check_model(std::string_view bytes, const std::string& where) {
  if (bytes.size() > kLargestModel) {
    fail<ModelError>(where, ": expected a SentencePiece model of at most ", kLargestModel, " bytes, found ",
                     bytes.size());
  }
  auto model = parse_model_proto(bytes);
  if (!model || model->pieces.empty()) {
    fail<ModelError>(where, ": not a SentencePiece model; expected one made by ventris-vocab");
  }
  if (model->type < ModelType::kUnigram || model->type > ModelType::kCharacter) {
    fail<ModelError>(where, ": expected a model type from 1 to 4, found ", static_cast<uint64_t>(model->type), kAdvice);
  }
  check_pieces(*model, where);
  if (model->unknown_surface.size() > kLongestPiece || !is_valid_utf8(model->unknown_surface)) {
    fail<ModelError>(where, ": the text for an unknown piece: expected UTF-8 of at most ", kLongestPiece, " bytes",
                     kAdvice);
  }
  if (model->foreign.unknown_from > model->pieces.size()) {
    fail<ModelError>(where, ": unknown_from: expected at most the number of pieces, ", model->pieces.size(), ", found ",
                     model->foreign.unknown_from);
  }
  for (const std::string_view map : model->charsmaps) check_charsmap(map, where + ": normalisation rules");
  return std::move(*model);
}

size_t deepest_nesting(std::vector<std::string_view> texts) {
  std::sort(texts.begin(), texts.end());
  texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
  std::vector<std::string_view> open;  // texts that the next ones may begin with
  size_t deepest = 0;
  for (const std::string_view text : texts) {
    while (!open.empty() && !text.starts_with(open.back())) open.pop_back();
    open.push_back(text);
    deepest = std::max(deepest, open.size());
  }
  return deepest;
}

void check_common_ids(const ModelProto& source, const ModelProto& target, const std::string& where) {
  if (source.pieces.size() != target.pieces.size()) {
    fail<ModelError>(where, ": expected ", source.pieces.size(), " pieces as in the tokenizer of the source, found ",
                     target.pieces.size(), "; tokenizers with common ids have the same pieces");
  }
  for (size_t id = 0; id < source.pieces.size(); ++id) {
    if (source.pieces[id].text == target.pieces[id].text) continue;
    fail<ModelError>(where, ": expected the piece '", source.pieces[id].text, "' with the id ", id,
                     " as in the tokenizer of the source, found '", target.pieces[id].text,
                     "'; tokenizers with common ids have the same pieces");
  }
}

}  // namespace ventris::text
