#pragma once
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "imports/feature_order.h"

/// The tokens of another program's model as a SentencePiece model of ours, and the order of its rows that goes with it.
namespace ventris::imports {

/// Stands for a row of zeros.
inline constexpr int64_t kZeroRow = -1;

/// The tokens of a model, by row.
struct Vocabulary {
  std::vector<std::string> texts;  ///< of each row; distinct, except for those that stand for special tokens
  int64_t pad = 0;                 ///< the row of padding, or kZeroRow
  int64_t unk = 0, eos = 0;        ///< rows
  int64_t start = 0;  ///< the row with which the decoder starts, or kZeroRow; it becomes that of bos
  std::string bos = "<s>";  ///< a start with this text, or with "<s>", is no other token
};

/// The pieces of the new model, and where their rows come from.
struct NewVocabulary {
  std::vector<std::string> texts;  ///< by new id; the first four are special
  Order rows;           ///< of each new id, the row of the old model
  int64_t own_rows = 0;  ///< ids from here on are not in the vocabulary of the other program, which reads them as unk
  /// Texts that are never found in a text nor written into one, such as tokens of languages (piece type CONTROL).
  std::set<std::string> control = {};
  std::set<std::string> unused = {};  ///< texts that are never found in a text, but divide as their scores say (UNUSED)
};

/// Special tokens first, then the other rows in their order, then the pieces of the SentencePiece models `spms` that
/// have no row. Such a piece is found in texts, and is then unk (text::ForeignRules); it has the row of unk.
/// `where` names the vocabulary in messages. Throws ModelError for a row outside it.
NewVocabulary new_vocabulary(const Vocabulary& old, const std::vector<std::string_view>& spms,
                             const std::string& where);

/// Adds a sentence if the vocabulary has pieces of the SentencePiece models without a row.
void note_pieces_without_row(const NewVocabulary& vocabulary, std::vector<std::string>& notes);

/// The SentencePiece model with these pieces: those that it has keep their scores; the others are never found in a
/// text, but have an id and can be written (piece type UNUSED). It has text::ForeignRules.
std::string new_spm(std::string_view spm, const NewVocabulary& vocabulary);

/// The bias of the output layer, from that of the other program with one value a row. Ids that have no row of their own
/// are never generated.
std::vector<float> output_bias(const NewVocabulary& vocabulary, const std::vector<float>& theirs);

/// The vocabularies of both sides; of a shared one, both are the same.
struct Sides {
  int64_t source_rows = 0, target_rows = 0;  ///< of the other model
  NewVocabulary source, target;

  /// Whether both sides have the same tokens, so that they can share a table.
  bool have_common_ids() const { return source.texts == target.texts; }
};

}  // namespace ventris::imports
