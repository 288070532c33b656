#include "markup/angular_names.h"

#include <algorithm>
#include <array>

namespace ventris::markup {

std::string_view angular_name(std::string_view tag) {
  for (const std::string_view begin : {kAngularStart, kAngularEnd}) {
    if (!tag.starts_with(begin)) continue;
    tag.remove_prefix(begin.size());
    break;
  }
  const size_t sign = tag.find_last_not_of("0123456789");
  const bool numbered = sign != std::string_view::npos && sign > 0 && sign + 1 < tag.size() && tag[sign] == '_';
  return numbered ? tag.substr(0, sign) : tag;
}

bool is_angular_block(std::string_view tag) {
  constexpr std::array<std::string_view, 21> kBlocks{
      "PARAGRAPH",      "LIST_ITEM",   "ORDERED_LIST",   "UNORDERED_LIST", "LINE_BREAK", "HORIZONTAL_RULE", "TAG_DIV",
      "TAG_SECTION",    "TAG_ARTICLE", "TAG_ASIDE",      "TAG_HEADER",     "TAG_FOOTER", "TAG_NAV",         "TAG_MAIN",
      "TAG_BLOCKQUOTE", "TAG_FIGURE",  "TAG_FIGCAPTION", "TAG_TABLE",      "TAG_DL",     "TAG_DT",          "TAG_DD"};
  const std::string_view name = angular_name(tag);
  return name.starts_with("HEADING_LEVEL") || name.starts_with("TABLE_") ||
         std::ranges::find(kBlocks, name) != kBlocks.end();
}

bool is_angular_code(std::string_view name) {
  constexpr std::array<std::string_view, 8> kCode{"TAG_CODE", "TAG_KBD", "TAG_SAMP",     "TAG_VAR",
                                                  "TAG_PRE",  "TAG_TT",  "TAG_MAT_ICON", "TAG_V_ICON"};
  return std::ranges::find(kCode, name) != kCode.end();
}

}  // namespace ventris::markup
