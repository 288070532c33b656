#include "markup/markdown.h"

#include <algorithm>
#include <array>
#include <utility>

#include "markup/block_builder.h"
#include "markup/characters.h"
#include "markup/grid_tables.h"
#include "markup/markdown_descriptions.h"
#include "markup/markdown_extensions.h"
#include "markup/markdown_parts.h"
#include "markup/markdown_places.h"
#include "markup/text_cursor.h"
#include "markup/tildes.h"

namespace ventris::markup {
namespace {

bool is_entity(std::string_view text) {
  const size_t end = text.find_first_not_of("#0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", 1);
  return end != std::string_view::npos && end > 1 && text[end] == ';';
}

/// Whether the character at `at` would be markup.
bool is_sign(std::string_view text, size_t at) {
  const auto neighbour = [&](size_t i) { return i < text.size() ? text[i] : ' '; };
  switch (text[at]) {
    case '\\': return neighbour(at + 1) != ' ' || at + 1 >= text.size();  // "\ " is a no-break space of pandoc
    case '`':
    case '*':
    case '[':
    case ']':
    case '|': return true;
    case '~': {
      const bool alone = neighbour(at + 1) != '~' && (at == 0 || text[at - 1] != '~');
      return !alone || may_close_tilde(text, at);
    }
    case '_': return !is_word_part(text, at, true) || !is_word_part(text, at + 1, false);
    case '<':
      return at + 1 == text.size() || is_alnum_byte(text[at + 1]) ||
             std::string_view("/!?").find(text[at + 1]) != std::string_view::npos;
    case '&': return is_entity(text.substr(at));
    case ':': return text.substr(at).starts_with("://") && is_word_part(text, at, true);
    case '@': return is_word_part(text, at, true) && is_word_part(text, at + 1, false);
    case '.': return at >= 3 && text.substr(at - 3, 3) == "www" && !is_word_part(text, at - 3, true);
    case '#':
      return neighbour(at - 1) == ' ' && std::string_view(" #").find(neighbour(at + 1)) != std::string_view::npos;
    default: return false;
  }
}

/// Whether the text has one of these escapes. A backslash that is escaped escapes nothing.
template <size_t size>
bool has_one(std::string_view raw, const std::array<std::string_view, size>& escapes) {
  for (size_t at = raw.find_first_of("\\&"); at != std::string_view::npos; at = raw.find_first_of("\\&", at + 1)) {
    const auto is_here = [&](std::string_view escape) { return raw.substr(at).starts_with(escape); };
    if (std::ranges::any_of(escapes, is_here)) return true;
    if (raw.substr(at).starts_with("\\\\")) ++at;
  }
  return false;
}

/// What the text of a part in Markdown escapes more than CommonMark needs: one of kBraces, kDollars and kLess, or
/// kDocument for nothing.
Escaping escaping_of(std::string_view document, const Part& part) {
  constexpr std::array<std::string_view, 10> kOfBraces{"\\{",      "\\}",    "&#123;", "&#125;", "&lbrace;",
                                                       "&rbrace;", "&lcub;", "&rcub;", "&#x7b;", "&#x7d;"};
  constexpr std::array<std::string_view, 4> kOfDollars{"\\$", "&#36;", "&#x24;", "&dollar;"};
  constexpr std::array<std::string_view, 16> kOfLess{"&lt; ", "&lt;=", "&lt;-", "&lt;0", "&lt;1", "&lt;2",
                                                     "&lt;3", "&lt;4", "&lt;5", "&lt;6", "&lt;7", "&lt;8",
                                                     "&lt;9", "\\< ",  "\\<=",  "&#60; "};
  if (part.kind != Part::Kind::kText) return Escaping::kDocument;
  const std::string_view raw = document.substr(part.range.begin, part.range.end - part.range.begin);
  if (raw.size() == part.text.size()) return Escaping::kDocument;
  const size_t next = std::min(part.range.end + 1, document.size());  // behind "&lt;" at the end
  if (has_one(raw, kOfBraces)) return Escaping::kBraces;
  if (has_one(raw, kOfDollars)) return Escaping::kDollars;
  return has_one(document.substr(part.range.begin, next - part.range.begin), kOfLess) ? Escaping::kLess
                                                                                      : Escaping::kDocument;
}

/// How many characters are before the one that makes the text a list, quotation or line; npos if none does.
size_t block_sign(std::string_view text) {
  const auto ends_or_space = [&](size_t at) { return at >= text.size() || text[at] == ' ' || text[at] == '\t'; };
  if (text.starts_with('>')) return 0;
  if (text.starts_with('+') || text.starts_with('-') || text.starts_with('=')) {
    const bool line = text.find_first_not_of(text.substr(0, 1)) == std::string_view::npos;
    return line || (text[0] != '=' && ends_or_space(1)) ? 0 : std::string_view::npos;
  }
  const size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const bool number = digits > 0 && digits <= 9 && digits < text.size() && (text[digits] == '.' || text[digits] == ')');
  return number && ends_or_space(digits + 1) ? digits : std::string_view::npos;
}

/// The end of brackets that begin here, if they need no backslashes (MathJax takes "\[a\]" for a formula); npos if they
/// need them. They need none if the words in them begin with a letter or digit, and nothing behind them makes them a
/// link, a span or a definition. If they are all of the text, they need them: it may be the words of a link.
size_t end_of_plain_brackets(std::string_view text, size_t at) {
  constexpr size_t kNowhere = std::string_view::npos, kShortest = 2;  // not "[x]", a task
  const size_t end = text.find_first_of("[]\n", at + 1);
  if (end == kNowhere || text[end] != ']' || end < at + 1 + kShortest || (at == 0 && end + 1 == text.size()))
    return kNowhere;
  const std::string_view inside = text.substr(at + 1, end - at - 1);
  const bool joined = at > 0 && std::string_view("![]").find(text[at - 1]) != kNowhere;
  const bool goes_on = end + 1 < text.size() && std::string_view("([{:]").find(text[end + 1]) != kNowhere;
  const bool sign = inside.find_first_of("@^`") != kNowhere || inside == "TOC";
  return joined || goes_on || sign || !is_word_part(inside, 0, false) ? kNowhere : end;
}

/// Also with a backslash before each of these signs.
std::string escaped_with(std::string_view text, std::string_view signs) {
  std::string escaped;
  bool in_brackets = false;  // with their backslashes, they would begin and end a formula that has an index
  size_t plain_end = 0;      // the byte behind the last brackets without backslashes
  for (size_t at = 0; at < text.size(); ++at) {
    const size_t end = text[at] == '[' ? end_of_plain_brackets(text, at) : std::string_view::npos;
    if (end != std::string_view::npos) plain_end = end + 1;
    if (at < plain_end && (text[at] == '[' || text[at] == ']')) {
      escaped += text[at];
      continue;
    }
    in_brackets = text[at] == '[' || (in_brackets && text[at] != ']');
    const bool index = in_brackets && (text[at] == '_' || text[at] == '^');
    const bool other = signs.find(text[at]) != std::string_view::npos;
    if (text[at] == '<' && other) {  // Python-Markdown has no "\<"
      escaped += "&lt;";
      continue;
    }
    if (index || other || is_sign(text, at)) escaped += '\\';
    escaped += text[at];
  }
  return escaped;
}

/// A heading that is one word in brackets, without backslashes, as programs look for it in a list of changes:
/// "## [Unreleased]". It cannot be the words of a link, which begins with a bracket of its own.
std::string with_plain_name(std::string text) {
  constexpr std::string_view kOpen = "\\[", kClose = "\\]";
  if (!text.starts_with(kOpen) || !text.ends_with(kClose)) return text;
  std::string name = text.substr(kOpen.size(), text.size() - kOpen.size() - kClose.size());
  const size_t end = end_of_run(name, 0, [](UChar32 c) { return u_isalpha(c) != 0; });
  return !name.empty() && end == name.size() ? "[" + std::move(name) + "]" : std::move(text);
}

}  // namespace

MarkedDocument parse_markdown_blocks(const std::string& document) {
  MarkdownReading reading = read_markdown(document);
  locate_markdown(reading.text, reading.events);
  std::vector<Part> parts = markdown_parts(document, reading.events);
  Escaping escaping = Escaping::kDocument;
  for (const Part& part : parts) escaping = std::max(escaping, escaping_of(document, part));
  MarkedDocument parsed = in_blocks(document, std::move(parts));
  for (Block& block : parsed.blocks) {
    if (block.escaping == Escaping::kDocument) block.escaping = escaping;
  }
  return parsed;
}

MarkedDocument parse_markdown(const std::string& document, bool descriptions) {
  MarkedDocument parsed = parse_markdown_blocks(document);
  if (descriptions) add_descriptions(document, parsed);
  add_grid_tables(document, parsed);
  return parsed;
}

std::string escape_markdown(std::string_view text, Escaping escaping) {
  switch (escaping) {
    case Escaping::kLess: return escaped_with(text, "<");
    case Escaping::kDollars: return escaped_with(text, "<$");
    case Escaping::kBraces: return escaped_with(text, "<${}");
    default: return escaped_with(text, "");
  }
}

std::string escape_markdown_strictly(std::string_view text) {
  constexpr std::string_view kSigns = "\\`*_{}[]<>()#+-=.!|~&:@$^\"'";
  std::string escaped;
  for (const char c : text) {
    if (kSigns.find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string escape_markdown_start(std::string text, std::string_view before) {
  const std::string_view line = before.substr(before.rfind('\n') + 1);  // of all if there is no line end
  const size_t at = block_sign(text);
  const bool inside = line.find_first_of("#|") != std::string_view::npos;  // a heading or table
  if (at != std::string_view::npos && !inside) text.insert(at, "\\");
  return line.ends_with("# ") ? with_plain_name(std::move(text)) : text;
}

}  // namespace ventris::markup
