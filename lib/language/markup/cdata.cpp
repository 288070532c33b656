#include "markup/cdata.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "markup/addresses.h"
#include "markup/characters.h"
#include "markup/html.h"
#include "markup/html_parts.h"
#include "markup/html_token.h"
#include "markup/shortcodes.h"
#include "markup/technical_values.h"

namespace ventris::markup {
namespace {

using text::ByteRange;

constexpr std::string_view kBegin = "<![CDATA[", kEnd = "]]>";

/// Whether the start tag of an element without content has no attributes, or values of them: "<br>", "<img src=a>", but
/// not "a <hr and c> d".
bool is_empty_element(std::string_view tag, std::string_view name) {
  if (name != "br" && name != "hr" && name != "img" && name != "wbr") return false;
  const std::string_view inside = tag.substr(1 + name.size());
  return inside.find_first_not_of(" \t\r\n/>") == std::string_view::npos || inside.find('=') != std::string_view::npos;
}

/// Whether the text has a whole element of HTML that readers see, or an entity.
bool is_html(std::string_view text) {
  static const std::set<std::string_view> kElements{
      "p",          "a",      "b",       "i",       "u",      "em",     "strong", "span", "div",  "ul",
      "ol",         "li",     "dl",      "h1",      "h2",     "h3",     "h4",     "h5",   "h6",   "table",
      "tr",         "td",     "th",      "pre",     "code",   "small",  "sub",    "sup",  "font", "center",
      "blockquote", "figure", "section", "article", "iframe", "script", "style"};
  constexpr std::array<std::string_view, 12> kEntities{"&amp;",  "&nbsp;", "&quot;",  "&lt;",    "&gt;",     "&#",
                                                       "&apos;", "&copy;", "&ndash;", "&mdash;", "&hellip;", "&rsquo;"};
  const auto has = [&](std::string_view sign) { return text.find(sign) != std::string_view::npos; };
  if (std::ranges::any_of(kEntities, has)) return true;
  std::set<std::string> open;
  for (size_t at = text.find('<'); at < text.size();) {
    const HtmlToken token = html_token(text, at);
    at = token.range.end;
    if (token.kind == HtmlToken::Kind::kCutTag) return false;
    const std::string_view tag = text.substr(token.range.begin, token.range.end - token.range.begin);
    if (token.kind == HtmlToken::Kind::kEndTag && open.contains(token.name)) return true;
    if (token.kind != HtmlToken::Kind::kStartTag) continue;
    if (is_empty_element(tag, token.name)) return true;
    if (kElements.contains(token.name)) open.insert(token.name);
  }
  return false;
}

/// Whether HTML has elements that begin lines or paragraphs. Otherwise, WordPress shows each line end.
bool has_line_breaks(std::string_view html) {
  constexpr std::array<std::string_view, 8> kTags{"<br", "<p>", "<p ", "<div", "<BR", "<P>", "<P ", "<DIV"};
  return std::ranges::any_of(kTags, [&](std::string_view tag) { return html.find(tag) != std::string_view::npos; });
}

/// Whether the text begins like a query, or has lines that end like those of a program.
bool is_program(std::string_view text) {
  using Words = std::pair<std::string_view, std::string_view>;
  constexpr std::array<Words, 8> kQueries{Words{"SELECT ", " FROM "}, {"INSERT INTO ", ""}, {"UPDATE ", " SET "},
                                          {"DELETE FROM ", ""},       {"WHERE ", ""},       {"CREATE TABLE ", ""},
                                          {"DROP TABLE ", ""},        {"ALTER TABLE ", ""}};
  const auto begins = [&](const Words& words) {
    return text.starts_with(words.first) && text.find(words.second) != std::string_view::npos;
  };
  return text.ends_with(';') || text.find(";\n") != std::string_view::npos || std::ranges::any_of(kQueries, begins);
}

/// Whether a message, in which placeholders have signs of programs, too, is a program or a query.
bool is_code_in_messages(std::string_view text) {
  return is_program(text) && text.find_first_of("{}=*()<>") != std::string_view::npos;
}

/// Whether the text may be a program, a query or a style. An apostrophe and a line end of Android have a backslash.
bool is_code(std::string_view text) {
  if (is_program(text) || text.find_first_of("{}=$*|<>`") != std::string_view::npos ||
      text.find("::") != std::string_view::npos)
    return true;
  for (size_t at = text.find("//"); at != std::string_view::npos; at = text.find("//", at + 2)) {
    if (at == 0 || text[at - 1] != ':') return true;
  }
  for (size_t at = text.find('\\'); at != std::string_view::npos; at = text.find('\\', at + 2)) {
    if (std::string_view("'\"n@?").find(text.substr(at).size() > 1 ? text[at + 1] : ' ') == std::string_view::npos)
      return true;
  }
  return false;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kWhiteSpace = " \t\r\n";
  const size_t begin = std::min(text.find_first_not_of(kWhiteSpace), text.size());
  return text.substr(begin, text.find_last_not_of(kWhiteSpace) + 1 - begin);
}

/// The text without what has signs of programs in ordinary texts: addresses, comments of HTML, shortcodes of WordPress.
std::string without_known_signs(std::string_view text) {
  std::string rest;
  size_t done = 0;
  const auto skip = [&](ByteRange range) {
    if (range.begin < done) return;
    rest += text.substr(done, range.begin - done);
    done = range.end;
  };
  std::vector<ByteRange> known = find_addresses(text);
  for (size_t at = text.find("<!--"); at < text.size(); at = text.find("<!--", at)) {
    const size_t end = text.find("-->", at);
    if (end == std::string_view::npos) break;
    known.push_back({at, end + 3});
    at = end;
  }
  for (size_t at = text.find('['); at != std::string_view::npos; at = text.find('[', at + 1)) {
    const bool begins = at == 0 || (!is_alnum_byte(text[at - 1]) && text[at - 1] != '\'' && text[at - 1] != '"');
    if (const size_t end = begins ? end_of_shortcode(text, at) : 0; end != 0) known.push_back({at, end});
  }
  std::ranges::sort(known, {}, &ByteRange::begin);
  for (const ByteRange& range : known) skip(range);
  return rest + std::string(text.substr(std::min(done, text.size())));
}

/// The signs of programs in a line, without "$" in front of an amount.
size_t signs_in(std::string_view line) {
  size_t signs = 0;
  for (size_t at = 0; at < line.size(); ++at) {
    const bool amount = line[at] == '$' && at + 1 < line.size() && is_digit_byte(line[at + 1]);
    if (!amount && std::string_view("{}=$*|<>`\\").find(line[at]) != std::string_view::npos) ++signs;
  }
  return signs;
}

/// The words of a line that begin behind a space.
size_t words_of(std::string_view line) {
  size_t words = 0;
  for (size_t at = 0; at + 1 < line.size(); ++at) {
    if ((at == 0 || line[at - 1] == ' ') && is_letter(line[at]) && is_alnum_byte(line[at + 1])) ++words;
  }
  return words;
}

/// Whether the text has sentences, and few enough signs of programs to be ordinary text: each line with a sign ends
/// like a sentence, and the text has many words for each sign.
bool is_prose(std::string_view text) {
  constexpr size_t kLeastWords = 5, kWordsOfASign = 6;
  size_t words = 0, signs = 0;
  bool ends = false;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = without_blanks_behind(text.substr(begin, end - begin));
    const bool stops = !line.empty() && std::string_view(".!?:").find(line.back()) != std::string_view::npos;
    const size_t of_line = signs_in(line);
    if (!stops && of_line > 0) return false;
    words += words_of(line);
    signs += of_line;
    ends = ends || stops || line.find(". ") != std::string_view::npos;
    begin = end + 1;
  }
  return ends && words >= kLeastWords && words >= kWordsOfASign * signs;
}

/// Whether a text of a document of any kind may be a program, a query or a style, and no sentences.
bool is_code_in_document(std::string_view text) {
  const std::string rest = without_known_signs(text);
  const std::string_view shown = trimmed(rest);
  return is_code(shown) && (is_program(shown) || shown.empty() || !is_prose(shown));
}

bool is_code_among(CdataTexts texts, std::string_view text) {
  switch (texts) {
    case CdataTexts::kProse: return false;
    case CdataTexts::kMessages: return is_code_in_messages(text);
    case CdataTexts::kAny: break;
  }
  return is_code_in_document(text);
}

bool is_address(std::string_view text) {
  const std::vector<text::ByteRange> found = find_addresses(text);
  return found.size() == 1 && found.front().begin == 0 && found.front().end == text.size();
}

/// Adds a text whose lines are texts of their own, unless a sentence goes on.
void add_lines(std::string_view document, text::ByteRange range, std::vector<Part>& parts) {
  const std::string_view text = document.substr(0, range.end);
  const auto end_of_line = [&](size_t at) { return std::min(text.find('\n', at), range.end); };
  const auto add = [&](text::ByteRange lines) {
    if (lines.begin == lines.end) return;
    const std::string_view written = text.substr(lines.begin, lines.end - lines.begin);
    if (is_code_in_messages(trimmed(written))) return parts.push_back({lines, Part::Kind::kKept});
    parts.push_back(
        {lines, Part::Kind::kText, Mark::Kind::kAlone, std::string(text.substr(lines.begin, lines.end - lines.begin))});
    parts.back().escaping = Escaping::kCdata;
  };
  size_t begin = range.begin, line = begin;
  for (size_t end = end_of_line(line); end < range.end; end = end_of_line(line)) {
    const std::string_view next = text.substr(end + 1, end_of_line(end + 1) - end - 1);
    if (!line_goes_on(text.substr(line, end - line), next)) {
      add({begin, end});
      parts.push_back({{end, end + 1}, Part::Kind::kKept});
      begin = end + 1;
    }
    line = end + 1;
  }
  add({begin, range.end});
}

}  // namespace

std::vector<Part> cdata_parts(std::string_view document, text::ByteRange section, CdataTexts texts) {
  const text::ByteRange inside{section.begin + kBegin.size(), section.end - kEnd.size()};
  const std::string_view content = document.substr(inside.begin, inside.end - inside.begin);
  const std::string_view text = trimmed(content);
  const bool html = is_html(text);
  const bool code = !html && is_code_among(texts, text);
  if (text.empty() || code || is_technical_value(text) || is_address(text)) return {{section, Part::Kind::kKept}};
  std::vector<Part> parts{{{section.begin, inside.begin}, Part::Kind::kKept}};
  if (html) {
    const bool all = texts == CdataTexts::kProse && !has_line_breaks(text);
    const LineEnds ends = all ? LineEnds::kAll : LineEnds::kBlank;
    for (Part& part : divided_at_lines(document, html_parts_inside(document, inside), ends)) {
      parts.push_back(std::move(part));
    }
  } else {
    add_lines(document, inside, parts);
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
