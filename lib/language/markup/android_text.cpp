#include "markup/android_text.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <utility>

#include "markup/html.h"
#include "markup/markup.h"
#include "markup/text_cursor.h"
#include "markup/unicode_escapes.h"

namespace ventris::markup {
namespace {

/// Whether XML has no such character: most control characters, U+FFFE and U+FFFF.
bool is_forbidden(std::string_view character) {
  const auto control = static_cast<unsigned char>(character.front()) < ' ' && character.front() != '\t' &&
                       character.front() != '\n' && character.front() != '\r';
  return control || character == "\uFFFE" || character == "\uFFFF";
}

/// The text without the escapes that stand for characters.
std::string decoded(std::string_view raw, Escaping escaping) {
  const bool entities = escaping != Escaping::kCdata && raw.find('&') != std::string_view::npos;
  const std::string text = entities ? decode_entities(raw) : std::string(raw);
  std::string plain;
  for (size_t at = 0; at < text.size(); ++at) {
    const char next = text[at] == '\\' && at + 1 < text.size() ? text[at + 1] : '\0';
    if (next == '\'' || next == '"' || next == '@' || next == '?') {
      plain += text[++at];
    } else if (next == 'u') {
      std::string character;
      const size_t end = read_unicode_escape(text, at + 2, 'u', character);
      const bool read = end != std::string::npos && !is_forbidden(character);
      plain += read ? character : text.substr(at, 2);
      at = (read ? end : at + 2) - 1;
    } else if (next != '\0') {
      plain += {text[at], next};
      ++at;
    } else {
      plain += text[at];
    }
  }
  return plain;
}

/// The next quotation mark without a backslash, or "\n" as two characters.
size_t find_sign(std::string_view text, size_t at) {
  for (; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] != '\\') continue;
    if (text.substr(at + 1).starts_with('n')) return at;
    ++at;
  }
  return std::min(at, text.size());
}

/// Whether quotation marks stand around the text, and nowhere else.
bool is_around(std::string_view text) {
  return text.size() > 1 && text.front() == '"' && text.back() == '"' && find_sign(text, 1) == text.size() - 1;
}

constexpr std::array<std::string_view, 8> kSpaces{" ", "\t", "\r", "\n", "\\u0020", "\\u0009", "\\u000a", "\\u000A"};

/// The bytes of white space, also as escapes, at the beginning of a text or at its end.
size_t size_of_spaces(std::string_view text, bool at_end) {
  const size_t all = text.size();
  const auto is_there = [&](std::string_view space) {
    if (!at_end) return text.starts_with(space);
    const bool escaped = space.size() > 1 && text.substr(0, text.size() - space.size()).ends_with('\\');
    return text.ends_with(space) && !escaped;
  };
  for (;;) {
    const auto space = std::ranges::find_if(kSpaces, is_there);
    if (space == kSpaces.end()) return all - text.size();
    at_end ? text.remove_suffix(space->size()) : text.remove_prefix(space->size());
  }
}

/// Adds a text. White space at its ends that has escapes, which keep it, is a part of its own.
void add_text(std::string_view document, text::ByteRange range, Escaping escaping, std::vector<Part>& parts) {
  const std::string_view raw = document.substr(range.begin, range.end - range.begin);
  size_t begin = size_of_spaces(raw, /*at_end=*/false), end = raw.size();
  end -= size_of_spaces(raw.substr(begin), /*at_end=*/true);
  if (raw.substr(0, begin).find('\\') == std::string_view::npos) begin = 0;
  if (raw.substr(end).find('\\') == std::string_view::npos) end = raw.size();
  const auto add = [&](size_t from, size_t to) {
    if (from == to) return;
    const std::string_view part = raw.substr(from, to - from);
    parts.push_back(
        {{range.begin + from, range.begin + to}, Part::Kind::kText, Mark::Kind::kAlone, decoded(part, escaping)});
    parts.back().escaping = escaping;
  };
  add(0, begin);
  add(begin, end);
  add(end, raw.size());
}

bool is_android_text(const XmlDocument& xml, size_t element) {
  const std::string_view name = xml.name(element);
  if (name != "item") return name == "string";
  const std::string_view parent = xml.name(xml.elements[element].parent);
  return parent == "string-array" || parent == "plurals" || xml.attribute(element, "type") == "string";
}

/// A digit is no letter.
bool has_letter(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    if (u_isalpha(next_character(text, at)) != 0) return true;
  }
  return false;
}

}  // namespace

void choose_android_texts(XmlDocument& xml) {
  std::vector<bool> inside(xml.elements.size());  // a text, or in one
  for (size_t i = 1; i < xml.elements.size(); ++i) {
    XmlElement& element = xml.elements[i];
    inside[i] = inside[element.parent] || is_android_text(xml, i);
    element.translated = element.translated && inside[i];
    element.translates_inside = false;
    if (!element.translated) continue;
    for (size_t above = element.parent; !xml.elements[above].translated; above = xml.elements[above].parent) {
      if (std::exchange(xml.elements[above].translates_inside, true)) break;
    }
  }
}

void keep_what_is_no_text(std::vector<Part>& parts) {
  const auto is_kept = [](const Part& part) { return part.kind == Part::Kind::kKept; };
  const auto is_more_than_space = [](const Part& part) {
    return part.kind != Part::Kind::kText || part.text.find_first_not_of(" \t\r\n") != std::string::npos;
  };
  for (auto begin = parts.begin(); begin != parts.end();) {
    const auto end = std::find_if(begin, parts.end(), is_kept);
    const auto keep = [](Part& part) { part.kind = Part::Kind::kKept; };
    std::for_each(begin, std::find_if(begin, end, is_more_than_space), keep);
    for (auto last = end; last != begin && !is_more_than_space(*(last - 1)); --last) keep(*(last - 1));
    if (std::none_of(begin, end, [](const Part& part) { return has_letter(part.text); })) {
      std::for_each(begin, end, keep);
    }
    begin = end == parts.end() ? end : end + 1;
  }
}

std::vector<Part> android_parts(std::string_view document, const Part& part) {
  std::vector<Part> parts;
  const std::string_view raw = document.substr(0, part.range.end);
  const bool around = is_around(raw.substr(part.range.begin));
  const Escaping escaping = part.escaping == Escaping::kCdata ? Escaping::kCdata : Escaping::kDocument;
  for (size_t at = part.range.begin; at < raw.size();) {
    const size_t sign = find_sign(raw, at);
    if (sign > at) add_text(raw, {at, sign}, escaping, parts);
    const bool line_end = sign < raw.size() && raw[sign] != '"';
    at = std::min(sign + (line_end ? 2 : 1), raw.size());
    if (sign == at) continue;
    parts.push_back({{sign, at}, around || line_end ? Part::Kind::kKept : Part::Kind::kHidden});
    parts.back().escaping = escaping;
  }
  return parts;
}

std::string escape_quotation_marks(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\'' || c == '"') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string escape_android(std::string_view text) {
  std::string escaped;
  for (const char c : escape_quotation_marks(text)) {
    escaped += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  }
  return escaped;
}

std::string escape_android_start(std::string text) {
  return text.starts_with('@') || text.starts_with('?') ? "\\" + std::move(text) : text;
}

}  // namespace ventris::markup
