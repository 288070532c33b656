#include "imports/vocabulary.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "core/error.h"
#include "core/human.h"
#include "core/special_ids.h"
#include "text/model_check.h"
#include "text/model_proto.h"
#include "text/model_rewriting.h"
#include "text/valid_utf8.h"

namespace ventris::imports {
namespace {

using text::ModelPiece;
using text::PieceType;

constexpr float kNeverGenerated = -1e9F;

const std::vector<std::string>& special_texts() {
  static const std::vector<std::string> kTexts{"<pad>", "<unk>", "<s>", "</s>"};
  return kTexts;
}

/// Whether a text can be that of a piece.
bool can_be_piece(const std::string& text) {
  return !text.empty() && text.size() <= text::kLongestPiece && text.find('\0') == std::string::npos &&
         text::is_valid_utf8(text) && std::ranges::find(special_texts(), text) == special_texts().end();
}

/// Whether a piece can be found in a text.
bool is_found(const ModelPiece& piece) {
  return piece.type == PieceType::kNormal || piece.type == PieceType::kUserDefined || piece.type == PieceType::kByte;
}

void check_row(int64_t row, size_t rows, const char* name, const std::string& where) {
  if (row >= 0 && row < static_cast<int64_t>(rows)) return;
  fail<ModelError>(where, ": the ", name, " is token ", row, ", but there are only ", rows, " tokens");
}

}  // namespace

NewVocabulary new_vocabulary(const Vocabulary& old, const std::vector<std::string_view>& spms,
                             const std::string& where) {
  if (old.pad != kZeroRow) check_row(old.pad, old.texts.size(), "padding", where);
  check_row(old.unk, old.texts.size(), "unknown token", where);
  check_row(old.eos, old.texts.size(), "end of a sentence", where);
  if (old.start != kZeroRow) check_row(old.start, old.texts.size(), "start of the decoder", where);
  NewVocabulary made;
  made.texts = special_texts();
  made.rows = {old.pad, old.unk, old.start, old.eos};
  std::unordered_set<std::string_view> known;
  for (size_t row = 0; row < old.texts.size(); ++row) {
    const auto number = static_cast<int64_t>(row);
    if (number == old.pad || number == old.unk || number == old.eos) continue;
    const bool usable = can_be_piece(old.texts[row]) && known.insert(old.texts[row]).second;
    const bool only_starts = number == old.start && (old.texts[row] == "<s>" || old.texts[row] == old.bos);
    if (only_starts) continue;  // it is bos
    made.texts.push_back(usable ? old.texts[row] : "<row " + std::to_string(row) + ">");
    made.rows.push_back(number);
  }
  made.own_rows = static_cast<int64_t>(made.rows.size());
  for (const std::string_view spm : spms) {
    const auto model = text::parse_model_proto(spm);
    for (const ModelPiece& piece : model->pieces) {
      const bool special = std::ranges::find(special_texts(), piece.text) != special_texts().end();
      if (special || !is_found(piece) || !known.insert(piece.text).second) continue;
      made.texts.emplace_back(piece.text);
      made.rows.push_back(old.unk);
    }
  }
  return made;
}

void note_pieces_without_row(const NewVocabulary& vocabulary, std::vector<std::string>& notes) {
  const auto extra = static_cast<int64_t>(vocabulary.rows.size()) - vocabulary.own_rows;
  if (extra == 0) return;
  notes.push_back(fmt::format("{} of the SentencePiece models {} no row in the model, and {} treated as unknown",
                              core::count_of(extra, "piece"), extra == 1 ? "has" : "have", extra == 1 ? "is" : "are"));
}

std::string new_spm(std::string_view spm, const NewVocabulary& vocabulary) {
  constexpr float kUnder = 10;  // the scores of pieces that are never found, under all others
  const auto model = text::parse_model_proto(spm);
  std::unordered_map<std::string_view, const ModelPiece*> own;
  float lowest = 0;
  for (const ModelPiece& piece : model->pieces) {
    if (!is_found(piece)) continue;
    own.emplace(piece.text, &piece);
    lowest = std::min(lowest, piece.score);
  }
  std::vector<text::NewPiece> pieces;
  for (const std::string& text : vocabulary.texts) {
    const auto found = own.find(text);
    if (pieces.size() < special_texts().size()) {
      pieces.push_back({text, 0, pieces.size() == 1 ? PieceType::kUnknown : PieceType::kControl});
    } else if (vocabulary.control.contains(text)) {
      pieces.push_back({text, 0, PieceType::kControl});
    } else if (found != own.end()) {
      pieces.push_back(
          {text, found->second->score, vocabulary.unused.contains(text) ? PieceType::kUnused : found->second->type});
    } else {
      pieces.push_back({text, lowest - kUnder, PieceType::kUnused});
    }
  }
  text::ForeignRules rules{.looks_up_unknown = true};
  if (vocabulary.own_rows < static_cast<int64_t>(pieces.size())) {
    rules.unknown_from = static_cast<uint64_t>(vocabulary.own_rows);
  }
  return text::with_pieces(spm, pieces, rules);
}

std::vector<float> output_bias(const NewVocabulary& vocabulary, const std::vector<float>& theirs) {
  std::vector<float> bias = rows_in(vocabulary.rows, theirs, 1);
  std::fill(bias.begin() + vocabulary.own_rows, bias.end(), kNeverGenerated);
  const core::SpecialIds ids;
  const auto own = vocabulary.rows.begin() + vocabulary.own_rows;
  for (const int32_t id : {ids.pad, ids.bos}) {
    const int64_t row = vocabulary.rows[static_cast<size_t>(id)];
    const bool shared = id == ids.bos && std::count(vocabulary.rows.begin(), own, row) > 1;
    if (row == kZeroRow || shared) bias[static_cast<size_t>(id)] = kNeverGenerated;
  }
  return bias;
}

}  // namespace ventris::imports
