#include "text/model_rewriting.h"

#include <array>
#include <utility>

#include "text/sentencepiece_fields.h"
#include "text/wire_format.h"
#include "text/wire_writer.h"

namespace ventris::text {
namespace {

/// The ids of unk, bos, eos and pad, and the texts of these pieces.
constexpr std::array<uint32_t, 4> kIds{40, 41, 42, 43}, kTexts{45, 46, 47, 48};

/// The bytes of a field as they are in the message.
template <typename Use>
void each_with_bytes(std::string_view message, const Use& use) {
  while (!message.empty()) {
    std::string_view rest = message;
    const auto field = take_field(rest);
    if (!field) return;
    use(*field, message.substr(0, message.size() - rest.size()));
    message = rest;
  }
}

bool names_special_pieces(uint32_t field) {
  return field >= kIds.front() && field <= kTexts.back() && field != fields::kUnknownSurface;
}

std::string trainer_of(std::string_view old, const std::vector<NewPiece>& pieces, const core::SpecialIds& ids) {
  std::string kept;
  each_with_bytes(old, [&](const WireField& field, std::string_view bytes) {
    if (field.number != fields::kVocabSize && !names_special_pieces(field.number)) kept += bytes;
  });
  kept += varint_field(fields::kVocabSize, pieces.size());
  const std::array<int32_t, 4> special{ids.unk, ids.bos, ids.eos, ids.pad};
  for (size_t i = 0; i < special.size(); ++i) kept += varint_field(kIds[i], static_cast<uint64_t>(special[i]));
  for (size_t i = 0; i < special.size(); ++i) {
    if (special[i] >= 0) kept += bytes_field(kTexts[i], pieces[static_cast<size_t>(special[i])].text);
  }
  return kept;
}

}  // namespace

std::string with_pieces(std::string_view bytes, const std::vector<NewPiece>& pieces, const ForeignRules& rules,
                        const core::SpecialIds& ids) {
  std::string model, trainer;
  for (const NewPiece& piece : pieces) {
    model += bytes_field(fields::kPieces, bytes_field(fields::kPieceText, piece.text) +
                                              float_field(fields::kPieceScore, piece.score) +
                                              varint_field(fields::kPieceType, static_cast<uint64_t>(piece.type)));
  }
  std::string rest;
  each_with_bytes(bytes, [&](const WireField& field, std::string_view all) {
    const bool dropped = field.number == fields::kPieces || field.number == fields::kSelfTests ||
                         (field.number >= kLooksUpUnknown && field.number <= kWholeWords);
    if (field.number == fields::kTrainer) {
      trainer += field.bytes;  // parts of a message that is there twice are merged
    } else if (!dropped) {
      rest += all;
    }
  });
  model += bytes_field(fields::kTrainer, trainer_of(trainer, pieces, ids)) + rest;
  if (rules.looks_up_unknown) model += varint_field(kLooksUpUnknown, 1);
  if (rules.unknown_from > 0) model += varint_field(kUnknownFrom, rules.unknown_from);
  if (rules.whole_words) model += varint_field(kWholeWords, 1);
  return model;
}

std::string words_model(const std::vector<std::string>& texts) {
  constexpr size_t kSpecial = 4;
  std::vector<NewPiece> pieces;
  for (const std::string& text : texts) {
    const bool special = pieces.size() < kSpecial, unknown = pieces.size() == 1;
    const bool found = text.starts_with("\u2581") && text.find(' ') == std::string::npos;
    const PieceType type = unknown   ? PieceType::kUnknown
                           : special ? PieceType::kControl
                           : found   ? PieceType::kNormal
                                     : PieceType::kUnused;
    pieces.push_back({text, 0, type});
  }
  return with_pieces("", pieces, {.whole_words = true});
}

}  // namespace ventris::text
