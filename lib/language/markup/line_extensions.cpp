#include "markup/line_extensions.h"

#include <algorithm>
#include <array>

#include "markup/directives.h"

namespace ventris::markup {
namespace {

constexpr std::string_view kInLine = " \t\r";

size_t end_of_name(std::string_view line, size_t at) {
  while (at < line.size() && is_name_byte(line[at])) ++at;
  return at;
}

/// Whether the text has only attributes: source="a.png" alt-text="A page."
bool are_attributes(std::string_view text) {
  while (!text.empty()) {
    const size_t name = end_of_name(text, 0);
    const size_t end = text.substr(name).starts_with("=\"") ? text.find('"', name + 2) : kNoEnd;
    if (name == 0 || end == kNoEnd) return false;
    text.remove_prefix(std::min(end + 1 + run_of(text, end + 1, kInLine), text.size()));
  }
  return true;
}

/// The end of the name in ":::{admonition} Title"; 0 if no title is behind it, as in ":::{figure} a.png", or the braces
/// have attributes.
size_t end_of_braces_with_title(std::string_view line, size_t braces) {
  const size_t close = line.find('}', braces);
  if (close == kNoEnd || std::string_view(".#").find(line[braces + 1]) != kNoEnd) return 0;
  if (!is_titled_directive(line.substr(braces + 1, close - braces - 1))) return 0;
  const size_t title = line.find_first_not_of(kInLine, close + 1);
  return title != kNoEnd && line[title] != '{' ? close + 1 : 0;
}

/// Of ":::name", without the title behind it; with attributes or a title in brackets, of the whole line.
size_t size_of_fence(std::string_view line) {
  constexpr std::string_view kFence = ":::";
  const size_t signs = run_of(line, 0, ":"), name = signs + run_of(line, signs, kInLine);
  if (name == line.size()) return signs;
  const size_t end = end_of_name(line, name);
  const size_t next = std::min(end + run_of(line, end, kInLine), line.size());
  if (next == line.size()) return end;
  if (line[next] == '{' && end == name) {
    const size_t braces = end_of_braces_with_title(line, next);
    return braces > 0 ? braces : line.size();
  }
  const bool closed = line.ends_with(kFence);  // :::image source="a.png":::
  const bool values =
      end > name && are_attributes(line.substr(next, line.size() - next - (closed ? kFence.size() : 0)));
  return values || line[next] == '[' || line[next] == '{' ? line.size() : end;
}

/// Of "/// name", the line that begins a block of PyMdown, with the bar in front of a title, or "///", which ends it.
size_t size_of_block(std::string_view line) {
  constexpr std::string_view kSign = "///";
  if (line == kSign) return line.size();
  const size_t name = kSign.size() + 1;
  if (!line.starts_with("/// ") || name == line.size() || !is_letter(line[name])) return 0;
  const size_t end = end_of_name(line, name);
  const size_t bar = std::min(end + run_of(line, end, kInLine), line.size());
  if (bar == line.size()) return line.size();
  return line[bar] == '|' ? bar + 1 : 0;
}

/// Whether the line begins a part of a slide of remark: ".left[", ".left.big[".
bool begins_part_of_slide(std::string_view line) {
  if (!line.starts_with('.') || !line.ends_with('[')) return false;
  size_t at = 0;
  while (line[at] == '.' && is_letter(line[at + 1])) at = end_of_name(line, at + 1);
  return at > 0 && at + 1 == line.size();
}

/// Whether the line is a component of Nuxt ("::alert{type=\"info\"}"), a directive of remark ("::video[title]{#id}"),
/// or the name of a part of a slide in Slidev ("::right::").
bool is_component_line(std::string_view line) {
  if (!line.starts_with("::") || line.size() < 3 || !is_letter(line[2])) return false;
  const std::string_view rest = line.substr(end_of_name(line, 2));
  const bool attributes =
      (rest.starts_with('{') || rest.starts_with('[')) && (rest.ends_with('}') || rest.ends_with(']'));
  const bool slot = rest == "::" && line.size() > 5;  // not "::a::"
  return rest.empty() || slot || attributes;
}

/// Whether the line is one of a card in MyST ("^^^", "+++"), or the beginning of a cell with its metadata.
bool is_part_of_card(std::string_view line) {
  return line == "^^^" || line == "+++" || (line.starts_with("+++ {") && line.ends_with('}'));
}

/// Whether the line is a code of a forum that stands around lines: [quote="name, post:1"], [details="title"], [/quote].
bool is_code_of_forum(std::string_view line) {
  constexpr std::array<std::string_view, 7> kNames{"quote", "details", "poll", "spoiler", "wrap", "date-range", "grid"};
  if (!line.starts_with('[') || line.find(']') != line.size() - 1) return false;
  const bool ends = line.starts_with("[/");
  const std::string_view inside = line.substr(ends ? 2 : 1, line.size() - (ends ? 3 : 2));
  const size_t name = std::min(inside.find_first_of(" ="), inside.size());
  if (std::ranges::find(kNames, inside.substr(0, name)) == kNames.end()) return false;
  return ends ? name == inside.size() : name == inside.size() || inside.find('=') != kNoEnd;
}

/// Whether the line names a module, or something in one, for mkdocstrings: "::: a.b.C". A name without dots may be that
/// of a box.
bool is_module(std::string_view line) {
  constexpr std::string_view kSign = "::: ";
  if (!line.starts_with(kSign)) return false;
  const std::string_view name = line.substr(line.find_first_not_of(' ', kSign.size() - 1));
  const auto is_part = [](char c) { return is_name_byte(c) || std::string_view(".:/[]").find(c) != kNoEnd; };
  return std::ranges::all_of(name, is_part) && is_name_byte(name.front());
}

/// Whether a line is a key of YAML, which may have a value: "options:".
bool is_key(std::string_view line) {
  const size_t end = line.find_first_not_of("abcdefghijklmnopqrstuvwxyz_-");
  return end != kNoEnd && end > 0 && line[end] == ':' && (end + 1 == line.size() || line[end + 1] == ' ');
}

/// The end of the lines below this one that are indented by four spaces more, if the first one is a key, or `any`.
size_t end_of_options(std::string_view text, size_t at, size_t last, bool any) {
  constexpr size_t kLeast = 4;
  const size_t line = text.substr(0, at).rfind('\n') + 1;  // of all if there is no line end
  const size_t least = at - line + kLeast;
  size_t end = last;
  for (size_t next = text.find('\n', last); next != kNoEnd; next = text.find('\n', next + 1)) {
    const size_t begin = next + 1 + run_of(text, next + 1, " \t>");
    const size_t line_end = std::min(text.find('\n', begin), text.size());
    if (begin - next - 1 < least || (end == last && !any && !is_key(text.substr(begin, line_end - begin)))) break;
    end = text.find_last_not_of(kInLine, line_end - 1) + 1;
  }
  return end;
}

bool is_option(std::string_view line) { return is_option_of_myst(line, " "); }

/// Whether this line is an option, and only others are between it and the line that begins the box: of MyST
/// (":::{note}", ":class: tip"), or of PyMdown ("/// note", "type: warning").
bool is_option_of_box(std::string_view text, size_t at, std::string_view line) {
  constexpr int kMostOptions = 20;
  constexpr size_t kLeastIndentation = 4;  // of options of PyMdown
  const bool myst = is_option(line);
  const size_t line_begin = text.substr(0, at).rfind('\n') + 1;  // of all if there is no line end
  if (!myst && (!is_key(line) || at - line_begin < kLeastIndentation)) return false;
  for (int number = 0; number < kMostOptions && at > 0; ++number) {
    const size_t end = text.rfind('\n', at - 1);
    if (end == std::string_view::npos) return false;
    const size_t begin = text.substr(0, end).rfind('\n') + 1;  // of all if there is no line end
    std::string_view before = text.substr(begin, end - begin);
    before.remove_prefix(std::min(before.find_first_not_of(" \t>"), before.size()));
    if (before.starts_with("///")) return !myst && size_of_block(before) > 0;
    if (before.starts_with(":::")) return myst && before.find('{') != std::string_view::npos;
    if (myst ? !is_option(before) : !is_key(before)) return false;
    at = begin;
  }
  return false;
}

/// "(name)="
bool is_label(std::string_view line) {
  constexpr size_t kShortest = 4;
  if (line.size() < kShortest || !line.starts_with('(') || !line.ends_with(")=")) return false;
  return std::ranges::all_of(line.substr(1, line.size() - 3),
                             [](char c) { return is_name_byte(c) || c == '.' || c == ':' || c == '/'; });
}

bool is_inclusion(std::string_view line) {
  constexpr std::array<std::string_view, 4> kBeginnings{"--8<--", "<<< @", "<<< ./", "@[code"};
  return std::ranges::any_of(kBeginnings, [&](std::string_view sign) { return line.starts_with(sign); });
}

/// Whether the text has only names of JavaScript, and signs between them: "A, {b as c}", "* as d".
bool has_only_names(std::string_view text) {
  bool name = false, word = false;  // the last characters are a name; there was a name before without a sign behind it
  for (const char c : text) {
    const bool sign = std::string_view("{},*").find(c) != std::string_view::npos;
    if (!sign && c != ' ' && !is_name_byte(c) && c != '$') return false;
    if (is_name_byte(c) && !name && word) return false;  // two words: text
    word = sign ? false : word || is_name_byte(c);
    name = is_name_byte(c);
  }
  return true;
}

/// Without " as ", which stands between two names.
std::string without_as(std::string_view text) {
  std::string names(text);
  for (size_t at = names.find(" as "); at != std::string::npos; at = names.find(" as ")) names.replace(at, 4, ",");
  return names;
}

/// "import A from 'a';", "import 'a'"
bool is_import(std::string_view line) {
  constexpr std::string_view kImport = "import ", kFrom = " from ";
  if (!line.starts_with(kImport)) return false;
  line = line.substr(kImport.size(), line.find_last_not_of(" ;") + 1 - kImport.size());
  const size_t from = line.rfind(kFrom);
  const std::string_view file = from == std::string_view::npos ? line : line.substr(from + kFrom.size());
  const bool quoted =
      file.size() > 2 && (file[0] == '\'' || file[0] == '"') && file.find(file[0], 1) == file.size() - 1;
  return quoted && (from == std::string_view::npos || has_only_names(without_as(line.substr(0, from))));
}

/// The first line of an import that has several: "import {", "import A, {".
bool begins_import(std::string_view line) {
  constexpr std::string_view kImport = "import ";
  const size_t brace = line.find('{');
  return line.starts_with(kImport) && brace != std::string_view::npos && line.find('}') == std::string_view::npos &&
         line.find_first_of("'\".") == std::string_view::npos && has_only_names(line.substr(kImport.size()));
}

/// The end of such an import; kNoEnd if it is none.
size_t end_of_import(std::string_view text, size_t at, size_t end) {
  if (end == kNoEnd) return kNoEnd;
  std::string statement(text.substr(at, end - at));
  std::ranges::replace_if(statement, [](char c) { return c == '\n' || c == '\t' || c == '\r'; }, ' ');
  return is_import(statement) ? end : kNoEnd;
}

/// "export const a = {", "export default {", "export function a(", "export {a} from 'a';"
bool begins_export(std::string_view line) {
  constexpr std::string_view kExport = "export ";
  if (!line.starts_with(kExport)) return false;
  line.remove_prefix(kExport.size());
  const auto name_behind = [&](size_t at) {
    size_t end = at;
    while (end < line.size() && (is_name_byte(line[end]) || line[end] == '$')) ++end;
    return end > at ? end : std::string_view::npos;
  };
  for (const std::string_view word : {"const ", "let ", "var "}) {
    const size_t end = line.starts_with(word) ? name_behind(word.size()) : std::string_view::npos;
    if (end != std::string_view::npos) return line.substr(end).starts_with(" =");
  }
  for (const std::string_view word : {"function ", "async function ", "default function ", "default async function "}) {
    if (line.starts_with(word)) return line.find('(') == std::min(name_behind(word.size()), line.size());
  }
  const bool arrow = line.starts_with("default (") && line.find("=>") != std::string_view::npos;
  return arrow || line.starts_with("default {") || line.starts_with("default [") || line.starts_with("{") ||
         line.starts_with("* from ");
}

/// Behind the line in which all brackets from here on are closed; kNoEnd if that does not come soon.
size_t end_of_statement(std::string_view text, size_t at) {
  constexpr size_t kLongest = 10'000;
  const size_t most = std::min(text.size(), at + kLongest);
  int64_t depth = 0;
  for (; at < most; ++at) {
    if (std::string_view("({[").find(text[at]) != std::string_view::npos) ++depth;
    if (std::string_view(")}]").find(text[at]) != std::string_view::npos) --depth;
    if (text[at] == '\n' && depth <= 0) break;
  }
  const bool ends = depth <= 0 && (at == text.size() || text[at] == '\n');
  return ends ? text.find_last_not_of(" \t\r\n", at - 1) + 1 : kNoEnd;
}

/// Whether the line is a quick action of GitLab, as templates of issues have them: "/label ~bug", "/assign @me".
bool is_quick_action(std::string_view line) {
  constexpr std::array<std::string_view, 24> kNames{
      "assign", "assign_reviewer", "unassign", "cc",       "label",  "labels",       "unlabel", "relabel",
      "due",    "milestone",       "epic",     "close",    "reopen", "confidential", "weight",  "estimate",
      "spend",  "iteration",       "type",     "severity", "todo",   "draft",        "relate",  "copy_metadata"};
  if (!line.starts_with('/')) return false;
  const std::string_view name = line.substr(1, end_of_name(line, 1) - 1);
  const std::string_view value = line.substr(1 + name.size());
  return std::ranges::find(kNames, name) != kNames.end() && (value.empty() || value.starts_with(' '));
}

/// The size of a word that is a sign: of a caption of pandoc ("Table: The words"), at the beginning of a paragraph, and
/// of a part in bookdown ("# (PART) The words"); 0 if there is none.
size_t size_of_keyword(std::string_view text, size_t at) {
  constexpr std::string_view kCaption = "Table:";
  constexpr std::array<std::string_view, 3> kParts{"(PART)", "(PART\\*)", "(APPENDIX)"};
  const std::string_view line = text.substr(at);
  if (line.starts_with("Table: ")) return text.find_first_not_of(" >") == at ? kCaption.size() : 0;
  if (at < 2 || text[at - 2] != '#') return 0;
  const auto* const part = std::ranges::find_if(kParts, [&](std::string_view sign) { return line.starts_with(sign); });
  return part == kParts.end() ? 0 : part->size();
}

}  // namespace

size_t end_of_line_extension(Paragraph& paragraph, size_t at) {
  const std::string_view text = paragraph.text();
  const size_t last = text.find_last_not_of(kInLine, paragraph.end_of_line(at) - 1) + 1;  // without spaces at the end
  if (last <= at) return kNoEnd;
  const std::string_view line = text.substr(at, last - at);
  if (is_module(line)) {
    if (at > 1 && text[at - 2] == '#') return last;
    const bool dotted = line.find_first_of(".:", 4) != kNoEnd;
    const size_t end = end_of_options(text, at, last, dotted);
    if (dotted || end > last) return end;
  }
  if (line.starts_with(":::")) return at + size_of_fence(line);
  if (const size_t keyword = size_of_keyword(text, at); keyword > 0) return at + keyword;
  if (const size_t block = size_of_block(line); block > 0) return at + block;
  if (line.starts_with("*[")) {
    const size_t end = text.find_first_of("[]\n", at + 2);
    return end != std::string_view::npos && end > at + 2 && paragraph.rest(end).starts_with("]: ") ? end + 2 : kNoEnd;
  }
  if (line.starts_with("{/*")) {
    const size_t end = paragraph.next_of("*/}", at);
    return end < text.size() ? end + 3 : kNoEnd;
  }
  if (begins_export(line)) return end_of_statement(text, at);
  if (begins_import(line)) return end_of_import(text, at, end_of_statement(text, at));
  const bool whole = is_label(line) || is_inclusion(line) || is_import(line) || begins_part_of_slide(line) ||
                     is_component_line(line) || is_part_of_card(line) || is_code_of_forum(line) ||
                     is_quick_action(line);
  return whole || is_option_of_box(text, at, line) ? last : kNoEnd;
}

bool is_option_of_myst(std::string_view line, std::string_view blanks) {
  if (!line.starts_with(':')) return false;
  size_t end = 1;
  while (end < line.size() && is_name_byte(line[end])) ++end;
  return end > 1 && end < line.size() && line[end] == ':' &&
         (end + 1 == line.size() || blanks.find(line[end + 1]) != std::string_view::npos);
}

std::string_view end_of_component(std::string_view line) {
  if (begins_part_of_slide(line)) return "]";
  const bool alone = line.find('[') != kNoEnd || line.ends_with("::");  // a directive of remark, a name in Slidev
  return is_component_line(line) && !alone ? "::" : "";
}

bool is_javascript(std::string_view line) { return is_import(line) || begins_import(line) || begins_export(line); }

bool may_fill_line(std::string_view raw) {
  return is_label(raw) || is_inclusion(raw) || is_import(raw) || begins_import(raw) || begins_export(raw) ||
         raw.starts_with("{/*") || raw.starts_with("[!") || raw.starts_with("{*") || is_option(raw) || is_key(raw) ||
         begins_part_of_slide(raw) || is_component_line(raw) || is_part_of_card(raw) || is_code_of_forum(raw) ||
         is_quick_action(raw);
}

}  // namespace ventris::markup
