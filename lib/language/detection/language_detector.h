#pragma once
#include <string>
#include <string_view>
#include <vector>

/// The language of a text, by the library CLD2.
namespace ventris::detection {

struct Detected {
  std::string language;  ///< one of the languages of the detector
  int confidence = 0;    ///< percent of the text that CLD2 takes for it; 0 = a guess, because the text says nothing
};

/// Detects which of some languages a text is in. Thread-safe.
class LanguageDetector {
 public:
  /// Codes such as "de", "zh-Hant" or "pt-BR"; at least one. Codes that CLD2 does not know are never detected.
  explicit LanguageDetector(std::vector<std::string> languages);

  /// The language of a text in UTF-8, or in HTML. If it is in none of the languages, or too short to tell, it is the
  /// first one, with a confidence of 0.
  Detected detect(std::string_view text, bool html = false) const;

 private:
  std::vector<std::string> languages_;
  std::string hint_;  // for CLD2: the languages without their regions, separated by commas
};

}  // namespace ventris::detection
