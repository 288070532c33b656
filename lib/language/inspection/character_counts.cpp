#include "inspection/character_counts.h"

#include <fmt/format.h>
#include <unicode/uchar.h>
#include <unicode/uscript.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <map>

namespace ventris::inspection {
namespace {

constexpr size_t kCodePoints = 0x110000;

UScriptCode script_of(UChar32 character) {
  UErrorCode error = U_ZERO_ERROR;
  const UScriptCode script = uscript_getScript(character, &error);
  return U_SUCCESS(error) ? script : USCRIPT_UNKNOWN;
}

}  // namespace

CharacterCounts::CharacterCounts() : counts_(kCodePoints) {}

TextLength CharacterCounts::add(std::string_view text) {
  TextLength length;
  bool in_word = false;
  const auto size = static_cast<int32_t>(text.size());
  for (int32_t at = 0; at < size;) {
    UChar32 character = 0;
    U8_NEXT(text.data(), at, size, character);
    ++length.characters;
    const bool space = character < 0 || u_isUWhiteSpace(character) != 0;
    if (!space) ++counts_[static_cast<size_t>(character)];
    if (!space && !in_word) ++length.words;
    in_word = !space;
  }
  return length;
}

std::vector<ScriptCount> CharacterCounts::scripts(size_t most) const {
  std::map<UScriptCode, ScriptCount> found;
  for (size_t i = 0; i < counts_.size(); ++i) {
    if (counts_[i] == 0) continue;
    ScriptCount& script = found[script_of(static_cast<UChar32>(i))];
    script.count += counts_[i];
    script.top.push_back({static_cast<char32_t>(i), counts_[i]});
  }
  std::vector<ScriptCount> scripts;
  for (auto& [code, script] : found) {
    script.script = uscript_getName(code);
    std::stable_sort(script.top.begin(), script.top.end(),
                     [](const auto& one, const auto& other) { return one.count > other.count; });
    if (script.top.size() > most) script.top.resize(most);
    scripts.push_back(std::move(script));
  }
  std::stable_sort(scripts.begin(), scripts.end(),
                   [](const auto& one, const auto& other) { return one.count > other.count; });
  return scripts;
}

std::string code_of(char32_t character) { return fmt::format("U+{:04X}", static_cast<uint32_t>(character)); }

}  // namespace ventris::inspection
