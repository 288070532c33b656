#include "detection/language_detector.h"

// The header of CLD2 needs what comes before it.
#include <cstdio>

#include <cld2/public/encodings.h>
// clang-format off
#include <cld2/public/compact_lang_det.h>
// clang-format on

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "core/utf8.h"

namespace ventris::detection {
namespace {

/// The code without script and region: "pt" of "pt-BR".
std::string base_of(const std::string& code) { return code.substr(0, code.find_first_of("-_")); }

/// The codes of CLD2 that are not those of BCP 47, and what they are there.
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kOldCodes{
    {{"iw", "he"}, {"jw", "jv"}, {"no", "nb"}, {"mo", "ro"}, {"tl", "fil"}}};

/// Whether CLD2's code means this language. Of Chinese, the script decides.
bool is(const std::string& found, const std::string& language) {
  if (found.starts_with("zh")) {
    const bool traditional = language.find("Hant") != std::string::npos || language == "zt" ||
                             language.ends_with("TW") || language.ends_with("HK");
    return (base_of(language) == "zh" || language == "zt") && traditional == (found == "zh-Hant");
  }
  if (base_of(found) == base_of(language)) return true;
  return std::ranges::any_of(
      kOldCodes, [&](const auto& code) { return code.first == base_of(found) && code.second == base_of(language); });
}

std::string joined(const std::vector<std::string>& languages) {
  std::string list;
  for (const std::string& language : languages) list += (list.empty() ? "" : ",") + base_of(language);
  return list;
}

}  // namespace

LanguageDetector::LanguageDetector(std::vector<std::string> languages)
    : languages_(std::move(languages)), hint_(joined(languages_)) {
  if (languages_.empty()) throw std::invalid_argument("LanguageDetector: expected at least one language");
}

Detected LanguageDetector::detect(std::string_view text, bool html) const {
  constexpr int kBestEffort = 0x4000;  // CLD2::kCLDFlagBestEffort: short texts, too
  constexpr int kMostBlanks = 100;     // characters that become spaces
  constexpr size_t kEnough = 1 << 16;  // bytes; more tell nothing new
  std::string bytes(core::cut_utf8(text, kEnough));
  const auto size = static_cast<int>(bytes.size());
  const CLD2::CLDHints hints{hint_.c_str(), nullptr, CLD2::UNKNOWN_ENCODING, CLD2::UNKNOWN_LANGUAGE};
  std::array<CLD2::Language, 3> best{};
  std::array<int, 3> percents{};
  std::array<double, 3> scores{};
  int text_bytes = 0, valid = 0;
  bool reliable = false;
  // CLD2 reads nothing of a text with control characters or ill-formed bytes.
  for (int tries = 0; tries < kMostBlanks; ++tries) {
    CLD2::ExtDetectLanguageSummaryCheckUTF8(bytes.data(), size, !html, &hints, kBestEffort, best.data(),
                                            percents.data(), scores.data(), nullptr, &text_bytes, &reliable, &valid);
    if (valid >= size) break;
    const auto at = static_cast<size_t>(valid);
    const size_t length = core::utf8_unit_at(bytes, at).length;
    bytes.replace(at, length, length, ' ');
  }
  for (size_t i = 0; i < best.size(); ++i) {
    if (best.at(i) == CLD2::UNKNOWN_LANGUAGE || percents.at(i) == 0) continue;
    const std::string found = CLD2::LanguageCode(best.at(i));
    const auto language = std::ranges::find_if(languages_, [&](const std::string& one) { return is(found, one); });
    if (language != languages_.end()) return {*language, percents.at(i)};
  }
  return {languages_.front(), 0};
}

}  // namespace ventris::detection
