#pragma once
#include <set>
#include <string>
#include <string_view>

namespace ventris::documents {

/// Throws ConfigError unless `language` is "" (unknown) or a code that ICU knows, such as "en" or "pt-BR".
void check_language(const std::string& language);

/// Full stops that do not end a sentence: of abbreviations (ICU's lists), in every language of initials ("J. Smith")
/// and of a few consonants ("Mr."), and, in languages that write them so, of ordinal numbers ("3. Oktober").
class Abbreviations {
 public:
  /// `language`: as in check_language. ICU has lists for de, el, en, es, fr, it, pt and ru. With "", only the
  /// entries of these lists with several full stops ("Ph.D.") are known, because others are words in another language
  /// ("am.").
  explicit Abbreviations(const std::string& language);

  /// Whether `text`, without white space at its end, ends with a full stop that does not end a sentence.
  bool ends(std::string_view text) const;

 private:
  std::set<std::string, std::less<>> known_;
  bool ordinals_ = false;
};

}  // namespace ventris::documents
