#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "constraints/constraints.h"
#include "decoding/search.h"
#include "phrases/phrase_maker.h"
#include "phrases/word_sequences.h"

/// Words and phrases that a translation must or must not have: from text to tokens, and the check of the result.
namespace ventris::phrases {

/// Why a translation is not as it should be.
enum class Obstacle {
  kUnknown,    ///< the phrase has characters that the tokenizer does not know
  kTooLong,    ///< the phrase, with those before it, is longer than a translation of this line may be
  kTooMany,    ///< the line has more than constraints::kMostRequired phrases
  kForbidden,  ///< the tokens of the phrase are forbidden
  kMissing,    ///< the translation does not have the phrase for another reason
  kUnused,     ///< the model did not follow a suggestion
  kNotGiven,  ///< the translation was not suggested, because the line is too long for it or has marks of terms itself
  kPresent  ///< the translation has a forbidden phrase
};

/// "unknown_characters": as in JSON lines.
const char* name_of(Obstacle obstacle);

/// A wish that a translation does not fulfil.
struct Unmet {
  std::string phrase;  ///< as it was given
  Obstacle why = Obstacle::kMissing;
  int64_t line = 1;  ///< in a text of several lines, from 1
};

/// "'Hund' is not in the translation, because ...".
std::string sentence_about(const Unmet& unmet);

/// What was asked for, as texts. A blank text counts for nothing, and one that is given twice counts once.
struct WishedPhrases {
  std::vector<std::string> required, forbidden;
  std::vector<std::vector<std::string>> one_of = {};  ///< of each list, one must be there; messages name the first
  bool requires_any() const { return !required.empty() || !one_of.empty(); }
  bool empty() const { return !requires_any() && forbidden.empty(); }
};

/// Those of the phrases of which not each word is in the translation, in some form (metrics::begin_alike).
std::vector<std::string> without_form_in(std::string_view translation, const std::vector<std::string>& phrases);

/// Throws ConfigError for a search that cannot have required phrases; greedy search and sampling cannot.
void check_requiring(const decoding::SearchOptions& search);

/// The wishes for one translation.
class Wishes {
 public:
  Wishes() = default;
  /// `room`: the maximum number of tokens for required phrases. Those that cannot be met are left out, the last ones
  /// first. Throws Interrupted after a stop signal.
  Wishes(const WishedPhrases& phrases, const PhraseMaker& maker, int64_t room);

  /// For the search; null if it has nothing to do.
  std::shared_ptr<const constraints::Constraints> constraints() const { return constraints_; }

  /// What a translation does not fulfil.
  std::vector<Unmet> unmet(std::string_view translation) const;

 private:
  struct Wish {
    std::string phrase;  // as it was given
    std::vector<WordSequences::Id> words;  // of the phrase, or of each alternative, as the tokenizer writes it
    Obstacle why;  // if it is not fulfilled
  };

  std::vector<constraints::Phrase> make_forbidden(const std::vector<std::string>& phrases, const PhraseMaker& maker,
                                                  WordSequences& words);

  std::vector<Wish> required_, forbidden_;
  std::shared_ptr<const WordSequences> words_;  // of all wishes; null if there are none
  std::shared_ptr<const constraints::Constraints> constraints_;
};

}  // namespace ventris::phrases
