#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ventris::serving {

/// A model and the languages from which and into which it translates, as the setting `model` has them.
struct PairSpec {
  std::string source, target;  ///< codes, such as "en" and "pt-BR"
  std::string path;
};

/// Reads "en-de=run/best", or "en:pt-BR=run/best" for codes with hyphens. Throws ConfigError.
PairSpec parse_pair(const std::string& text);

/// Reads "en=eng_Latn": a code, and what a multilingual model calls this language. Throws ConfigError.
std::pair<std::string, std::string> parse_language_name(const std::string& text);

/// The English name of a language: "German"; the code if it is not known.
std::string english_name(const std::string& code);
/// Its name in another language: "Deutsch" in de; in English for something that is no code.
std::string name_of_language(const std::string& code, const std::string& language);

/// Which languages can be translated into which.
class LanguagePairs {
 public:
  LanguagePairs() = default;
  /// `pivots`: also through one other language, where no model has the pair. Throws ConfigError for a pair that occurs
  /// twice.
  LanguagePairs(const std::vector<PairSpec>& pairs, bool pivots);

  /// The code of a language as it is served, for a code in any case, and for the short codes of Chinese and Brazilian
  /// Portuguese that clients of LibreTranslate send (zh, zt, pb). A country that is not served is left out (en for
  /// en-US). None if the language is not served.
  std::optional<std::string> find(const std::string& code) const;

  /// All languages, sorted.
  const std::vector<std::string>& languages() const { return languages_; }
  /// Those from which something can be translated, sorted.
  std::vector<std::string> sources() const;
  /// The languages into which this one can be translated, sorted.
  std::vector<std::string> targets_of(const std::string& source) const;
  /// The languages from which this one can be translated, sorted.
  std::vector<std::string> sources_of(const std::string& target) const;

  /// The pairs that lead from one language to the other, as numbers in the list of the constructor: one, two with a
  /// pivot, or none.
  std::vector<size_t> route(const std::string& source, const std::string& target) const;
  /// The language into which a pair translates, by its number.
  const std::string& target(size_t pair) const { return pairs_[pair].second; }

 private:
  std::vector<std::pair<std::string, std::string>> pairs_;
  std::vector<std::string> languages_;
  bool pivots_ = false;
};

}  // namespace ventris::serving
