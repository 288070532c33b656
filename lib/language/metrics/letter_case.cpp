#include "metrics/letter_case.h"

#include <unicode/bytestream.h>
#include <unicode/casemap.h>
#include <unicode/stringoptions.h>
#include <unicode/stringpiece.h>

#include <stdexcept>

namespace ventris::metrics {
namespace {

constexpr const char* kNoLanguage = "";  // the root locale of ICU

icu::StringPiece piece_of(std::string_view text) { return {text.data(), static_cast<int32_t>(text.size())}; }

void check(UErrorCode error) {
  if (U_FAILURE(error)) throw std::runtime_error(std::string("ICU: letter case: ") + u_errorName(error));
}

}  // namespace

std::string upper_case(std::string_view text) {
  std::string result;
  icu::StringByteSink<std::string> sink(&result, static_cast<int32_t>(text.size()));
  UErrorCode error = U_ZERO_ERROR;
  icu::CaseMap::utf8ToUpper(kNoLanguage, 0, piece_of(text), sink, nullptr, error);
  check(error);
  return result;
}

std::string title_case(std::string_view text) {
  std::string result;
  icu::StringByteSink<std::string> sink(&result, static_cast<int32_t>(text.size()));
  UErrorCode error = U_ZERO_ERROR;
  icu::CaseMap::utf8ToTitle(kNoLanguage, U_TITLECASE_NO_LOWERCASE, nullptr, piece_of(text), sink, nullptr, error);
  check(error);
  return result;
}

}  // namespace ventris::metrics
