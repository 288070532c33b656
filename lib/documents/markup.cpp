#include "documents/markup.h"

#include "documents/html.h"
#include "documents/xml.h"

namespace ventris::documents {

MarkedDocument parse_markup(const std::string& document, Markup markup) {
  if (markup == Markup::kHtml) return parse_html(document);
  if (markup == Markup::kXml) return parse_xml(document);
  return {{{"", {document}, 1}}, ""};
}

std::string escape(std::string_view text, Markup markup) {
  if (markup == Markup::kNone) return std::string(text);
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

}  // namespace ventris::documents
