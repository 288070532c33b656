#pragma once
#include <algorithm>
#include <cstddef>
#include <string_view>

#include "markup/characters.h"

namespace ventris::documents {

inline constexpr size_t kNoEnd = 0;  ///< instead of the end of a placeholder
inline constexpr size_t kLongestName = 100, kLongestTag = 1000;  ///< of placeholders, in bytes

inline bool is_sign_of(char character, std::string_view signs) {
  return signs.find(character) != std::string_view::npos;
}

/// Looks at signs in a text, for classes that find the ends of placeholders. The text must outlive it.
class SignMatcher {
 public:
  explicit SignMatcher(std::string_view text) : text_(text) {}

  bool is_at(size_t at, std::string_view sign) const {
    return text_.substr(std::min(at, text_.size())).starts_with(sign);
  }
  bool is_digit(size_t at) const { return at < text_.size() && text_[at] >= '0' && text_[at] <= '9'; }
  bool is_letter(size_t at) const { return at < text_.size() && markup::is_letter(text_[at]); }  ///< of ASCII
  bool is_alnum(size_t at) const { return is_digit(at) || is_letter(at); }

  /// The letters of a word that begins there, at most three; letters of CJK are no word.
  size_t letters_behind(size_t at) const;

  /// Behind the next of these signs, with something in front of it, in the next kLongestTag bytes; kNoEnd: none.
  size_t end_between(size_t at, std::string_view sign) const;

  /// Behind a sign that comes next, after at least one other character and without white space between; kNoEnd: none.
  size_t end_in_word(size_t at, char sign) const;

 protected:
  std::string_view text() const { return text_; }

 private:
  std::string_view text_;
};

}  // namespace ventris::documents
