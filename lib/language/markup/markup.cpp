#include "markup/markup.h"

#include <utility>

#include "markup/android_text.h"
#include "markup/cdata.h"
#include "markup/html.h"
#include "markup/markdown.h"
#include "markup/xml.h"

namespace ventris::markup {

void fail_nesting(int64_t line, const char* what) {
  fail<MarkupError>("line ", line, ": ", what, " are nested deeper than ", kDeepestNesting, " levels");
}

MarkedDocument parse_markup(const std::string& document, Markup markup, const DocumentChanges& changes) {
  if (markup == Markup::kHtml) return parse_html(document, changes);
  if (markup == Markup::kMarkdown) return parse_markdown(document, changes.attributes);
  if (is_xml(markup)) return parse_xml(document, markup, changes);
  return {{{"", {document}, 1}}, ""};
}

std::string escape(std::string_view text, Markup markup, Escaping escaping) {
  if (escaping == Escaping::kCdata)
    return escape_cdata(markup == Markup::kAndroid ? escape_quotation_marks(text) : std::string(text));
  if (escaping == Escaping::kBeside) return std::string(text);
  if (escaping == Escaping::kHtml) markup = Markup::kHtml;
  if (markup == Markup::kNone || (keeps_bytes(markup) && markup != Markup::kVtt && !is_package(markup)))
    return std::string(text);
  if (markup == Markup::kMarkdown) return escape_markdown(text, escaping);
  if (markup == Markup::kAndroid) return escape_android(text);
  std::string escaped;
  for (const char c : text) {
    if (c == '&') {
      escaped += "&amp;";
    } else if (c == '<') {
      escaped += "&lt;";
    } else if (c == '>') {
      escaped += "&gt;";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

std::string escape_start(std::string text, std::string_view before, Markup markup) {
  const std::string_view tag = before.substr(0, before.find_last_not_of(" \t\r\n") + 1);
  const bool begins = tag.ends_with('>') || tag.ends_with("<![CDATA[");
  if (markup == Markup::kAndroid && begins) return escape_android_start(std::move(text));
  return markup == Markup::kMarkdown ? escape_markdown_start(std::move(text), before) : text;
}

}  // namespace ventris::markup
