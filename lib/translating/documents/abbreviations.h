#pragma once
#include <set>
#include <string>
#include <string_view>

namespace ventris::documents {

/// Throws ConfigError unless `language` is "" (unknown) or a code that ICU knows, such as "en" or "pt-BR".
/// `setting`: from which it comes.
void check_language(const std::string& language, const char* setting = "language");

/// The language without region and script: "pt" for "pt-BR".
std::string code_of(const std::string& language);

/// Full stops that do not end a sentence: of abbreviations (ICU's lists and our own), in every language of initials
/// ("J. Smith"), of a few consonants ("Mr.") and of abbreviations before a number ("No. 5"), and, in languages that
/// write them so, of ordinal numbers ("3. Oktober"). Some can end a sentence, too ("U.S.", "p.m."). They do if the next
/// word is one that begins sentences ("He", "The").
class Abbreviations {
 public:
  /// `language`: as in check_language. There are lists for ar, cs, de, el, en, es, fr, hi, it, pt and ru. With "", only
  /// the entries are known that are no words in another language ("am."), and a number with one or two digits ends a
  /// sentence only before a word that begins sentences.
  explicit Abbreviations(const std::string& language);

  /// Whether `text`, without white space at its end, ends with a full stop that does not end a sentence if `next`
  /// follows, which begins with a letter or a digit. Looks only at the last bytes of a long text.
  bool ends(std::string_view text, std::string_view next = {}) const;

 private:
  using Set = std::set<std::string, std::less<>>;

  /// Whether numbers such as "3." are ordinal numbers. Unclear: only if a word follows that may belong to the number.
  enum class Ordinals { kNone, kUnclear, kWritten };

  void add_lists(std::string_view language);
  void add_shared_entries();
  bool ends_with_either(std::string_view text, std::string_view token) const;

  Set inside_, either_, openers_;  // as in LanguageLists
  Set before_numbers_, after_letters_;
  Ordinals ordinals_ = Ordinals::kNone;
};

}  // namespace ventris::documents
