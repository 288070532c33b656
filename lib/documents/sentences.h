#pragma once
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "documents/abbreviations.h"
#include "text/tokenizer.h"

namespace ventris::documents {

using text::ByteRange;

/// Finds sentences with the rules of Unicode (UAX #29, as in ICU), and knows abbreviations. Several threads may use it.
class SentenceSplitter {
 public:
  /// `language`: as in Abbreviations. Throws ConfigError for one that is not known.
  explicit SentenceSplitter(const std::string& language);
  ~SentenceSplitter();
  SentenceSplitter(SentenceSplitter&&) noexcept;
  SentenceSplitter& operator=(SentenceSplitter&&) noexcept;

  /// The sentences of a text, without the white space around them; none in a blank text. Line ends count as
  /// spaces. `document` must be valid UTF-8.
  std::vector<ByteRange> split(std::string_view document) const;

 private:
  struct Rules;
  Abbreviations abbreviations_;
  std::unique_ptr<const Rules> rules_;
};

/// The range without white space at its ends.
ByteRange trimmed(std::string_view text, ByteRange range);

/// Divides a sentence until `fits` says that each part is short enough: after punctuation inside the sentence if there
/// is any, otherwise at white space, otherwise between two characters. Of the places of one kind, the one next to the
/// middle is taken. The parts have no white space around them. A single character is never divided.
std::vector<ByteRange> cut_at_clauses(std::string_view text, ByteRange sentence,
                                      const std::function<bool(std::string_view part)>& fits);

}  // namespace ventris::documents
