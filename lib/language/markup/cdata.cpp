#include "markup/cdata.h"

#include <algorithm>
#include <array>

#include "markup/characters.h"
#include "markup/html_parts.h"
#include "markup/technical_values.h"

namespace ventris::markup {
namespace {

constexpr std::string_view kBegin = "<![CDATA[", kEnd = "]]>";

bool is_html(std::string_view text) {
  for (size_t at = text.find_first_of("<&"); at != std::string_view::npos; at = text.find_first_of("<&", at + 1)) {
    const std::string_view rest = text.substr(at + 1);
    const bool tag = text[at] == '<' && !rest.empty() && (is_letter(rest[0]) || rest[0] == '/' || rest[0] == '!');
    if (tag && rest.find('>') != std::string_view::npos) return true;
    if (text[at] == '&' && is_entity(text.substr(at))) return true;
  }
  return false;
}

/// Whether the text may be a program, a query or a style.
bool is_code(std::string_view text) {
  constexpr std::array<std::string_view, 12> kQueries{"SELECT ", "INSERT ", "UPDATE ", "DELETE ", "WHERE ", "AND ",
                                                      "OR ",     "FROM ",   "ORDER ",  "CREATE ", "DROP ",  "ALTER "};
  return text.find_first_of("{}=$\\*|<>`") != std::string_view::npos || text.ends_with(';') ||
         text.find("; ") != std::string_view::npos || text.find(";\n") != std::string_view::npos ||
         text.find("::") != std::string_view::npos || text.find("//") != std::string_view::npos ||
         std::ranges::any_of(kQueries, [&](std::string_view word) { return text.starts_with(word); });
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kWhiteSpace = " \t\r\n";
  const size_t begin = std::min(text.find_first_not_of(kWhiteSpace), text.size());
  return text.substr(begin, text.find_last_not_of(kWhiteSpace) + 1 - begin);
}

}  // namespace

std::vector<Part> cdata_parts(std::string_view document, text::ByteRange section) {
  const text::ByteRange inside{section.begin + kBegin.size(), section.end - kEnd.size()};
  const std::string_view content = document.substr(inside.begin, inside.end - inside.begin);
  const std::string_view text = trimmed(content);
  const bool html = is_html(text);
  if (text.empty() || is_technical_value(text) || (!html && is_code(text))) return {{section, Part::Kind::kKept}};
  std::vector<Part> parts{{{section.begin, inside.begin}, Part::Kind::kKept}};
  if (html) {
    const std::vector<HtmlTemplate> templates = find_templates(content);
    for (Part& part : html_parts(content, with_hidden_templates(content, templates), templates)) {
      part.range = {part.range.begin + inside.begin, part.range.end + inside.begin};
      part.escaping = Escaping::kHtml;
      parts.push_back(std::move(part));
    }
  } else {
    parts.push_back({inside, Part::Kind::kText, Mark::Kind::kAlone, std::string(content)});
    parts.back().escaping = Escaping::kCdata;
  }
  parts.push_back({{inside.end, section.end}, Part::Kind::kKept});
  return parts;
}

std::string escape_cdata(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '>' && escaped.ends_with("]]")) escaped += "]]><![CDATA[";
    escaped += c;
  }
  return escaped;
}

}  // namespace ventris::markup
