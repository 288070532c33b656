#include "markup/android_text.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "markup/html.h"
#include "markup/markup.h"
#include "markup/text_cursor.h"

namespace ventris::markup {
namespace {

/// The text without the escapes that stand for characters.
std::string decoded(std::string_view raw) {
  constexpr size_t kDigits = 4;
  const std::string text = raw.find('&') == std::string_view::npos ? std::string(raw) : decode_entities(raw);
  std::string plain;
  for (size_t at = 0; at < text.size(); ++at) {
    const char next = text[at] == '\\' && at + 1 < text.size() ? text[at + 1] : '\0';
    if (next == '\'' || next == '"' || next == '@' || next == '?') {
      plain += text[++at];
    } else if (next == 'u' && text.find_first_not_of("0123456789abcdefABCDEF", at + 2) >= at + 2 + kDigits &&
               text.size() >= at + 2 + kDigits) {
      plain += decode_entities("&#x" + text.substr(at + 2, kDigits) + ";");
      at += 1 + kDigits;
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

void keep_texts_without_letters(std::vector<Part>& parts) {
  const auto is_kept = [](const Part& part) { return part.kind == Part::Kind::kKept; };
  for (auto begin = parts.begin(); begin != parts.end();) {
    const auto end = std::find_if(begin, parts.end(), is_kept);
    if (std::none_of(begin, end, [](const Part& part) { return has_letter(part.text); })) {
      std::for_each(begin, end, [](Part& part) { part.kind = Part::Kind::kKept; });
    }
    begin = end == parts.end() ? end : end + 1;
  }
}

std::vector<Part> android_parts(std::string_view document, const Part& part) {
  std::vector<Part> parts;
  const std::string_view raw = document.substr(0, part.range.end);
  const bool around = is_around(raw.substr(part.range.begin));
  for (size_t at = part.range.begin; at < raw.size();) {
    const size_t sign = find_sign(raw, at);
    if (sign > at) {
      parts.push_back({{at, sign}, Part::Kind::kText, Mark::Kind::kAlone, decoded(raw.substr(at, sign - at))});
    }
    const bool line_end = sign < raw.size() && raw[sign] != '"';
    at = std::min(sign + (line_end ? 2 : 1), raw.size());
    if (sign < at) parts.push_back({{sign, at}, around || line_end ? Part::Kind::kKept : Part::Kind::kHidden});
  }
  return parts;
}

std::string escape_android(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\'' || c == '"') escaped += '\\';
    escaped += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  }
  return escaped;
}

std::string escape_android_start(std::string text) {
  return text.starts_with('@') || text.starts_with('?') ? "\\" + std::move(text) : text;
}

}  // namespace ventris::markup
