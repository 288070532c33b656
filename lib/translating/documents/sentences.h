#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "documents/abbreviations.h"
#include "text/tokenizer.h"

namespace ventris::documents {

using text::ByteRange;

/// Finds sentences with the classes of characters of Unicode (UAX #29, as in ICU) and rules of our own, and knows
/// abbreviations. Where it is not clear whether a sentence ends, it does not. Several threads may use it.
class SentenceSplitter {
 public:
  /// `language`: as in Abbreviations. Throws ConfigError for one that is not known.
  explicit SentenceSplitter(const std::string& language);

  /// The sentences of a text, without the white space around them; none in a blank text. Line ends count as
  /// spaces. `document` must be valid UTF-8. The time grows with its size. Throws Interrupted after a stop signal.
  std::vector<ByteRange> split(std::string_view document) const;

 private:
  Abbreviations abbreviations_;
  bool subject_first_;  // whether the subject may follow a quotation: "Why?" John asked.
};

/// The range without white space at its ends.
ByteRange trimmed(std::string_view text, ByteRange range);

}  // namespace ventris::documents
