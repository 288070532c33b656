#include "markup/code_ends.h"

#include <algorithm>
#include <iterator>

namespace ventris::markup {
namespace {

using ElementNames = std::vector<std::string_view>;

bool is_in(std::string_view name, const ElementNames& names) { return std::ranges::find(names, name) != names.end(); }

/// Elements with whose end tags all elements inside end that have no end tag of their own, apart from <p>.
bool is_special(std::string_view name) {
  static const ElementNames kSpecial{
      "address", "article", "aside",  "blockquote", "body",   "button",  "caption",  "center",     "dd",
      "details", "dialog",  "dir",    "div",        "dl",     "dt",      "fieldset", "figcaption", "figure",
      "footer",  "form",    "h1",     "h2",         "h3",     "h4",      "h5",       "h6",         "header",
      "hgroup",  "html",    "li",     "listing",    "main",   "marquee", "menu",     "nav",        "object",
      "ol",      "pre",     "search", "section",    "select", "summary", "table",    "tbody",      "td",
      "tfoot",   "th",      "thead",  "tr",         "ul",     "applet"};
  return is_in(name, kSpecial);
}

/// Elements in which the list of formatting elements begins anew.
bool is_marker(std::string_view name) {
  return is_in(name, {"applet", "caption", "marquee", "object", "table", "tbody", "td", "tfoot", "th", "thead", "tr"});
}

bool is_of_table(std::string_view name) {
  return is_in(name, {"caption", "tbody", "td", "tfoot", "th", "thead", "tr"});
}

bool ends_paragraph(std::string_view name) {
  static const ElementNames kBlocks{"address", "article", "aside",   "blockquote", "center", "dd",        "details",
                                    "dialog",  "dir",     "div",     "dl",         "dt",     "fieldset",  "figcaption",
                                    "figure",  "footer",  "form",    "h1",         "h2",     "h3",        "h4",
                                    "h5",      "h6",      "header",  "hgroup",     "hr",     "li",        "listing",
                                    "main",    "menu",    "nav",     "ol",         "p",      "plaintext", "pre",
                                    "search",  "section", "summary", "table",      "ul",     "xmp"};
  return is_in(name, kBlocks);
}

/// Browsers that run scripts do not look at what is inside.
bool never_ends(std::string_view code) { return is_in(code, {"template", "noscript"}); }

}  // namespace

bool is_formatting_code(std::string_view code) { return code == "code" || code == "tt"; }

bool ends_with(std::string_view code, std::string_view element) {
  if (never_ends(code)) return false;
  if (is_formatting_code(code)) return is_marker(element);
  return code != "pre" || is_special(element);
}

ElementNames ended_by_start_tag(std::string_view name) {
  ElementNames ended;
  if (is_of_table(name)) return {"td", "th", "caption"};
  if (ends_paragraph(name)) ended.emplace_back("p");
  if (name == "li") ended.emplace_back("li");
  if (name == "dd" || name == "dt") ended.insert(ended.end(), {"dd", "dt"});
  return ended;
}

bool ends_at_start_tag(std::string_view code, std::string_view element) {
  if (never_ends(code)) return false;
  return is_of_table(element) || (code != "pre" && !is_formatting_code(code));
}

}  // namespace ventris::markup
