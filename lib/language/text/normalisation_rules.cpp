#include "text/normalisation_rules.h"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "core/utf8.h"
#include "text/double_array.h"
#include "text/invisible.h"

namespace ventris::text {
namespace {

constexpr size_t kSizeBytes = 4;  // of the table, before it

constexpr CodeRange kJoiners{0x200C, 0x200D};

/// Tags spell the code of a region after a black flag. Only these three flags exist.
constexpr std::array<std::string_view, 3> kFlagsOfTags{"gbeng", "gbsct", "gbwls"};
constexpr char32_t kBlackFlag = 0x1F3F4;
constexpr CodeRange kTags{0xE0001, 0xE007F};

using core::utf8_of;

std::string flag_of(std::string_view region) {
  std::string flag = utf8_of(kBlackFlag);
  for (const char letter : region) flag += utf8_of(0xE0000 + static_cast<unsigned char>(letter));
  return flag + utf8_of(kTags.last);
}

template <typename Use>
void each_code(const CodeRange& range, const Use& use) {
  for (char32_t code = range.first; code <= range.last; ++code) use(code);
}

std::string code_points(std::string_view text) {
  std::string list;
  for (size_t at = 0; at < text.size();) {
    const size_t length = core::utf8_unit_at(text, at).length;
    list += fmt::format("{}{:X}", at == 0 ? "" : " ", static_cast<uint32_t>(core::code_point(text.substr(at, length))));
    at += length;
  }
  return list;
}

}  // namespace

NormalisationRules rules_of(std::string_view charsmap) {
  struct Place {
    uint32_t unit;
    std::string key;
  };
  const size_t table = read_u32(charsmap, 0);
  const DoubleArray units(charsmap.substr(kSizeBytes, table));
  const std::string_view texts = charsmap.substr(kSizeBytes + table);
  NormalisationRules rules;
  std::vector<Place> open{{0, ""}};
  while (!open.empty()) {
    const Place place = std::move(open.back());
    open.pop_back();
    if (!place.key.empty() && units[place.unit].has_value()) {
      const std::string_view rest = texts.substr(units[units.base(place.unit)].value());
      rules.emplace(place.key, rest.substr(0, rest.find('\0')));
    }
    const auto [first, last] = units.children(place.unit);
    for (uint32_t i = first; i < last; ++i) {
      const uint32_t child = units.child(i);
      open.push_back({child, place.key + static_cast<char>(units[child].label())});
    }
  }
  return rules;
}

NormalisationRules without_invisible(NormalisationRules rules) {
  const auto drop = [&](char32_t code) { rules[utf8_of(code)] = ""; };
  for (const CodeRange& range : meaningless_invisible()) each_code(range, drop);
  each_code(kTags, drop);
  for (const std::string_view region : kFlagsOfTags) rules[flag_of(region)] = flag_of(region);
  for (const CodeRange& range : unjoined_characters()) {
    each_code(range, [&](char32_t code) {
      const std::string letter = utf8_of(code);
      const auto known = rules.find(letter);
      const std::string replacement = known == rules.end() ? letter : known->second;
      each_code(kJoiners, [&](char32_t joiner) { rules[letter + utf8_of(joiner)] = replacement; });
    });
  }
  return rules;
}

std::string as_rule_table(const NormalisationRules& rules) {
  std::string table;
  for (const auto& [from, to] : rules) table += code_points(from) + "\t" + code_points(to) + "\n";
  return table;
}

}  // namespace ventris::text
