#pragma once
#include <string>
#include <string_view>

namespace ventris::metrics {

/// A word without capitals and accents, to compare it with many others.
struct PlainWord {
  explicit PlainWord(std::string_view word);
  std::u16string letters;
};

/// Whether two words are probably forms of one, such as Mann and Männer: without capitals and accents, they have the
/// same first letters, at least three and at least half of those of the longer word.
bool begin_alike(const PlainWord& a, const PlainWord& b);
bool begin_alike(std::string_view a, std::string_view b);

}  // namespace ventris::metrics
