#include "serving/language_pairs.h"

#include <unicode/locid.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include "core/ascii.h"
#include "core/error.h"

namespace ventris::serving {
namespace {

bool is_code(const std::string& text) {
  const auto is_sign = [](unsigned char c) { return std::isalnum(c) != 0 || c == '-' || c == '_'; };
  return !text.empty() && std::ranges::all_of(text, is_sign);
}

}  // namespace

PairSpec parse_pair(const std::string& text) {
  const size_t equals = text.find('=');
  const std::string pair = text.substr(0, equals);
  size_t middle = pair.find(':');
  if (middle == std::string::npos) middle = pair.find('-');
  const bool one_hyphen = pair.find(':') != std::string::npos || pair.find('-') == pair.rfind('-');
  if (equals == std::string::npos || middle == std::string::npos || !one_hyphen || equals + 1 == text.size()) {
    fail<ConfigError>("model: expected SOURCE-TARGET=MODEL, such as en-de=run/best (or en:pt-BR=run/best for codes ",
                      "with hyphens), got '", text, "'");
  }
  PairSpec spec{pair.substr(0, middle), pair.substr(middle + 1), text.substr(equals + 1)};
  for (const std::string& code : {spec.source, spec.target}) {
    if (is_code(code) && code != "auto") continue;
    fail<ConfigError>("model: expected a code of a language, such as en or pt-BR, found '", code, "' in '", text, "'");
  }
  return spec;
}

std::pair<std::string, std::string> parse_language_name(const std::string& text) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos || !is_code(text.substr(0, equals)) || equals + 1 == text.size()) {
    fail<ConfigError>("language_name: expected CODE=NAME, such as en=eng_Latn, got '", text, "'");
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

std::string name_of_language(const std::string& code, const std::string& language) {
  const icu::Locale locale(code.c_str());
  icu::UnicodeString shown;
  locale.getDisplayName(is_code(language) ? icu::Locale(language.c_str()) : icu::Locale::getEnglish(), shown);
  std::string name;
  shown.toUTF8String(name);
  return name.empty() ? code : name;
}

std::string english_name(const std::string& code) { return name_of_language(code, "en"); }

LanguagePairs::LanguagePairs(const std::vector<PairSpec>& pairs, bool pivots) : pivots_(pivots) {
  std::set<std::string> all;
  for (const PairSpec& spec : pairs) {
    const std::pair pair{spec.source, spec.target};
    if (std::ranges::find(pairs_, pair) != pairs_.end()) {
      fail<ConfigError>("model: the pair ", spec.source, "-", spec.target, " is given twice; leave one out");
    }
    pairs_.push_back(pair);
    all.insert({spec.source, spec.target});
  }
  languages_.assign(all.begin(), all.end());
}

std::optional<std::string> LanguagePairs::find(const std::string& code) const {
  constexpr std::array<std::pair<const char*, const char*>, 8> kAliases{{{"pb", "pt-BR"},
                                                                         {"zh", "zh-Hans"},
                                                                         {"zt", "zh-Hant"},
                                                                         {"zh-cn", "zh-Hans"},
                                                                         {"zh-sg", "zh-Hans"},
                                                                         {"zh-tw", "zh-Hant"},
                                                                         {"zh-hk", "zh-Hant"},
                                                                         {"zh-mo", "zh-Hant"}}};
  const auto served = [&](const std::string& asked) -> const std::string* {
    const auto found = std::ranges::find(languages_, core::in_lower_case(asked), core::in_lower_case);
    return found == languages_.end() ? nullptr : &*found;
  };
  if (const std::string* language = served(code)) return *language;
  for (const auto& [alias, meaning] : kAliases) {
    const bool is_alias = core::in_lower_case(code) == alias;
    if (const std::string* language = is_alias ? served(meaning) : nullptr) return *language;
  }
  const bool has_country = code.size() > 3 && code[code.size() - 3] == '-';
  if (const std::string* language = has_country ? served(code.substr(0, code.size() - 3)) : nullptr) return *language;
  return {};
}

std::vector<std::string> LanguagePairs::sources() const {
  std::vector<std::string> all;
  std::ranges::copy_if(languages_, std::back_inserter(all),
                       [&](const std::string& language) { return !targets_of(language).empty(); });
  return all;
}

std::vector<std::string> LanguagePairs::targets_of(const std::string& source) const {
  std::vector<std::string> all;
  std::ranges::copy_if(languages_, std::back_inserter(all),
                       [&](const std::string& language) { return !route(source, language).empty(); });
  return all;
}

std::vector<std::string> LanguagePairs::sources_of(const std::string& target) const {
  std::vector<std::string> all;
  std::ranges::copy_if(languages_, std::back_inserter(all),
                       [&](const std::string& language) { return !route(language, target).empty(); });
  return all;
}

std::vector<size_t> LanguagePairs::route(const std::string& source, const std::string& target) const {
  for (size_t i = 0; i < pairs_.size(); ++i) {
    if (pairs_[i] == std::pair{source, target}) return {i};
  }
  if (!pivots_ || source == target) return {};
  for (size_t first = 0; first < pairs_.size(); ++first) {
    if (pairs_[first].first != source) continue;
    for (size_t second = 0; second < pairs_.size(); ++second) {
      if (pairs_[second] == std::pair{pairs_[first].second, target}) return {first, second};
    }
  }
  return {};
}

}  // namespace ventris::serving
