#include "markup/attribute_texts.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/ascii.h"
#include "markup/characters.h"
#include "markup/html.h"
#include "markup/html_templates.h"
#include "markup/technical_values.h"

namespace ventris::markup {
namespace {

using Values = std::vector<std::pair<size_t, ByteRange>>;

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

/// Whether the content of this <meta> is a description or title, by its name or property.
bool has_text_content(std::string_view document, const HtmlToken& tag) {
  if (tag.name != "meta") return false;
  for (const char* key : {"name", "property"}) {
    const auto value = attribute(document, tag, key);
    if (!value) continue;
    const std::string name = core::in_lower_case(document.substr(value->begin, value->end - value->begin));
    return is_one_of(name, {"description", "og:description", "og:title", "twitter:description", "twitter:title"});
  }
  return false;
}

/// The entities that each XML document has. Others are known only from its declarations.
bool has_known_entities(std::string_view value) {
  for (size_t at = value.find('&'); at != std::string_view::npos; at = value.find('&', at + 1)) {
    const std::string_view rest = value.substr(at);
    const bool known = std::ranges::any_of(std::array{"&amp;", "&lt;", "&gt;", "&quot;", "&apos;", "&#"},
                                           [&](const char* entity) { return rest.starts_with(entity); });
    if (!known) return false;
  }
  return true;
}

/// Whether this is a button of a form, whose value is the text on it.
bool is_button(std::string_view document, const HtmlToken& tag) {
  if (tag.name != "input") return false;
  const auto value = attribute(document, tag, "type");
  if (!value) return false;
  const std::string type = core::in_lower_case(document.substr(value->begin, value->end - value->begin));
  return is_one_of(type, {"submit", "button", "reset"});
}

/// The value of an attribute, with objects for templates.
MarkedText text_beside_templates(std::string_view raw) {
  MarkedText text;
  size_t done = 0;
  for (const HtmlTemplate& code : find_templates(raw)) {
    text.text += decode_entities(raw.substr(done, code.range.begin - done));
    text.objects.push_back(
        {text.text.size(), std::string(raw.substr(code.range.begin, code.range.end - code.range.begin))});
    text.text += kObject;
    done = code.range.end;
  }
  text.text += decode_entities(raw.substr(done));
  return text;
}

}  // namespace

void AttributeTexts::take(const HtmlToken& tag, Edits& edits) {
  if (tag.kind != HtmlToken::Kind::kStartTag || tag.untranslated || is_one_of(tag.name, {"link", "style"})) return;
  Values found;
  for (const char* name : {"alt", "title", "placeholder", "summary", "label", "aria-label", "aria-description",
                           "aria-placeholder", "aria-roledescription", "aria-valuetext"}) {
    if (const auto value = attribute(tags_, tag, name)) found.emplace_back(value->begin, *value);
  }
  if (has_text_content(tags_, tag)) {
    if (const auto value = attribute(tags_, tag, "content")) found.emplace_back(value->begin, *value);
  }
  if (is_button(tags_, tag)) {
    if (const auto value = attribute(tags_, tag, "value")) found.emplace_back(value->begin, *value);
  }
  std::ranges::sort(found, {}, &Values::value_type::first);
  for (const auto& [begin, value] : found) take(value, edits);
}

void AttributeTexts::take(ByteRange value, Edits& edits) {
  const std::string_view raw = document_.substr(value.begin, value.end - value.begin);
  if (markup_ == Markup::kXml && !has_known_entities(raw)) return;
  const char before = document_[value.begin - 1];
  const bool quoted = before == '"' || before == '\'';
  MarkedText text = markup_ == Markup::kHtml ? text_beside_templates(raw) : MarkedText{decode_entities(raw)};
  std::ranges::replace_if(text.text, [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  if (!has_letters(text.text) || is_technical_value(text.text)) return;
  const auto has_quote = [&](const Object& code) { return code.raw.find(before) != std::string::npos; };
  if (!text.objects.empty() && (!quoted || std::ranges::any_of(text.objects, has_quote))) return;
  line_ += std::ranges::count(document_.substr(done_, value.begin - done_), '\n');
  done_ = value.begin;
  const std::string sign = texts_.add({"", std::move(text), line_}, ApartTexts::Place::kAttribute);
  edits.add(value, quoted ? sign : '"' + sign + '"');
}

void set_attribute(std::string_view document, const HtmlToken& tag, std::string_view name, const std::string& value,
                   Edits& edits) {
  const auto found = attribute(document, tag, core::in_lower_case(name));
  if (!found) {
    const size_t end = tag.range.begin + 1 + tag.name.size();
    edits.add({end, end}, " " + std::string(name) + "=\"" + value + "\"");
    return;
  }
  const char before = document[found->begin - 1];
  const bool quoted = before == '"' || before == '\'';
  if (quoted || found->end > found->begin) {
    edits.add(*found, quoted ? value : '"' + value + '"');
  } else {
    edits.add(*found, (before == '=' ? "\"" : "=\"") + value + '"');
  }
}

}  // namespace ventris::markup
