#pragma once
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/human.h"
#include "text/tokenizer.h"

namespace ventris::documents {

/// What may be wrong with a translation.
enum class Warning {
  kSeveralSentences,   ///< the source has several sentences, and the model was given them as one
  kWritingSystem,      ///< the source has letters of a writing system that the tokenizer does not know
  kUnknownCharacters,  ///< the tokenizer does not know more than a few characters of the source, or an emoji
  kInvisible,  ///< the source has invisible characters that the model sees, and that may change the translation
  kLengthRatio,  ///< the translation is far longer or shorter than the source
  kRepetition,  ///< the translation repeats itself
  kCopy,  ///< the translation is the source
  kLongSentence,  ///< the sentence was too long for the model, and was cut into parts
  kPlaceholders,  ///< the model did not write each placeholder as often as the source has it
  kOrder,  ///< placeholders that take the next value are in another order than in the source
  kLeft,   ///< a message of a PO file has no translation, because its placeholders cannot have its order
  kMarkup,  ///< a block of Markdown was not translated, because its translation would have other markup
  kLink,  ///< a link of Markdown was left out, because none of its words is in the translation
  kForms  ///< a message of ICU has forms whose texts stay in the language of the source
};

using Warnings = std::set<Warning>;

/// "several_sentences": as in JSON lines.
const char* name_of(Warning warning);

/// "3 lines have several sentences, ... (lines 4, 9, 12)"; `lines` has at least one.
std::string sentence_about(Warning warning, const core::FirstLines& lines);

/// What is known of a source before it is translated.
struct CheckedSource {
  Warnings warnings;
  int64_t tokens = 0;  ///< without eos
};

/// A source and its translation, with their lengths in tokens.
struct GuardedPair {
  std::string_view source;
  std::string_view target;
  int64_t source_tokens = 0;
  int64_t target_tokens = 0;
  bool repetitive = false;
};

/// Looks for signs that a model was given what it did not learn, or went wrong. Several threads may use it.
class Guards {
 public:
  /// `source`: of the model.
  explicit Guards(text::Tokenizer source);
  ~Guards();
  Guards(Guards&&) noexcept;

  /// kWritingSystem, kUnknownCharacters and kInvisible.
  CheckedSource of_source(std::string_view text) const;

  /// kLengthRatio, kRepetition and kCopy.
  static Warnings of_pair(const GuardedPair& pair);

 private:
  struct Known;
  bool has_invisible(std::string_view text) const;
  bool has_many_unknown(std::string_view text, const std::vector<int32_t>& ids) const;

  text::Tokenizer tokenizer_;
  std::unique_ptr<const Known> known_;
};

}  // namespace ventris::documents
