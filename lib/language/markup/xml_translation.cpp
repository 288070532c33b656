#include "markup/xml_translation.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <span>
#include <utility>

#include "core/ascii.h"
#include "markup/html.h"
#include "markup/html_token.h"
#include "markup/technical_values.h"

namespace ventris::markup {
namespace {

constexpr std::string_view kIts = "http://www.w3.org/2005/11/its";

/// Whether the value is one of these words, in letters of any case.
std::optional<bool> choice(std::string_view value, std::string_view yes, std::string_view no) {
  const std::string word = core::in_lower_case(value);
  if (word == yes) return true;
  if (word == no) return false;
  return {};
}

/// Elements of DocBook, DITA and JATS whose content is not translated, and whose names mean nothing else.
constexpr std::array<std::string_view, 24> kCode{
    "tex-math",  "article-id",     "pub-id",    "journal-id",  "elocation-id", "publisher-id",
    "object-id", "programlisting", "codeblock", "codeph",      "cmdname",      "computeroutput",
    "userinput", "systemoutput",   "envar",     "cmdsynopsis", "funcsynopsis", "classsynopsis",
    "apiname",   "parmname",       "synph",     "xmlelement",  "xmlatt",       "sgmltag"};
/// Others, which may be something else in another document.
constexpr std::array<std::string_view, 34> kCodeOfManuals{
    "screen",        "command",  "filename",      "option",     "parameter", "function",   "synopsis",
    "literal",       "constant", "type",          "tag",        "prompt",    "package",    "uri",
    "email",         "varname",  "classname",     "methodname", "filepath",  "structname", "structfield",
    "msgblock",      "refname",  "refentrytitle", "systemitem", "errorname", "errorcode",  "exceptionname",
    "interfacename", "symbol",   "token",         "database",   "keysym",    "returnvalue"};
/// Those of RSS and Atom that programs read.
constexpr std::array<std::string_view, 22> kOfFeeds{
    "creator",       "author",   "managingEditor", "webMaster",    "pubDate",
    "lastBuildDate", "language", "guid",           "link",         "ttl",
    "docs",          "id",       "updated",        "published",    "uri",
    "url",           "email",    "generator",      "updatePeriod", "updateFrequency",
    "explicit",      "day"};

constexpr std::array<std::string_view, 12> kOfPodcasts{
    "itunes:type",    "itunes:episodeType", "itunes:block",    "itunes:complete", "itunes:owner", "googleplay:block",
    "podcast:medium", "podcast:locked",     "podcast:license", "podcast:person",  "media:rating", "media:credit"};
/// The roots of quizzes, of Moodle and of QTI.
constexpr std::array<std::string_view, 4> kQuizzes{"quiz", "questestinterop", "assessmentItem", "assessmentTest"};
/// Those of a quiz of Moodle or QTI that programs read.
constexpr std::array<std::string_view, 10> kOfQuizzes{
    "answernumbering", "dataset_definitions", "idnumber", "responseformat", "filetypeslist", "coderunnertype", "value",
    "varequal",        "fieldentry",          "mapEntry"};
/// Those of FictionBook.
constexpr std::array<std::string_view, 5> kOfFictionBooks{"binary", "genre", "id", "lang", "src-lang"};

/// Those of a feed of products ("g:title") that are texts.
constexpr std::array<std::string_view, 6> kTextsOfProducts{"title",        "description",       "short_title",
                                                           "product_type", "product_highlight", "product_detail"};

/// Those in an export of WordPress ("wp:cat_name") that are texts, and those that have others inside.
constexpr std::array<std::string_view, 11> kTextsOfWordPress{"category",
                                                             "tag",
                                                             "term",
                                                             "comment",
                                                             "cat_name",
                                                             "tag_name",
                                                             "term_name",
                                                             "comment_content",
                                                             "category_description",
                                                             "tag_description",
                                                             "term_description"};

bool is_one_of(std::string_view name, std::span<const std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

/// Whether a document is in DocBook or DITA, by its document type or its namespace.
bool is_manual(std::string_view document) {
  constexpr size_t kShown = 4096;  // bytes that are looked at
  const std::string_view shown = document.substr(0, kShown);
  constexpr std::array<std::string_view, 4> kSigns{"DTD DocBook", "docbook.org/ns/docbook", "DTD DITA",
                                                   "dita.oasis-open.org"};
  return std::ranges::any_of(kSigns, [&](std::string_view sign) { return shown.find(sign) != std::string_view::npos; });
}

bool is_resource_name(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '.' || c == '-' || c == '$' || c >= 0x80;
  });
}

/// Whether this is a reference as Android's resource compiler reads it: "@[+][*][package:]type/name",
/// "?[package:][attr/]name", "@null" or "@empty". A backslash in front makes it text.
bool is_reference(std::string_view text) {
  if (text == "@null" || text == "@empty") return true;
  const bool of_attribute = text.starts_with('?');
  if (!of_attribute && !text.starts_with('@')) return false;
  text.remove_prefix(1);
  for (const char sign : {'+', '*'}) {
    if (text.starts_with(sign)) text.remove_prefix(1);
  }
  const size_t colon = text.find(':');
  if (colon != std::string_view::npos) {
    if (!is_resource_name(text.substr(0, colon))) return false;
    text.remove_prefix(colon + 1);
  }
  const size_t slash = text.find('/');
  if (slash == std::string_view::npos) return of_attribute && is_resource_name(text);
  const std::string_view type = text.substr(0, slash);
  return (of_attribute ? type == "attr" : is_resource_name(type)) && is_resource_name(text.substr(slash + 1));
}

/// Whether this is a formula of a calculated question, "{a} * sqrt({b})": numbers in braces, signs and functions.
bool is_formula_of_quiz(std::string_view text) {
  const auto is_of_name = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c >= 0x80; };
  const auto end_of_name = [&](size_t at) {
    while (at < text.size() && is_of_name(static_cast<unsigned char>(text[at]))) ++at;
    return at;
  };
  bool number = false;
  for (size_t at = 0; at < text.size(); ++at) {
    const bool brace = text[at] == '{', digit = std::isdigit(static_cast<unsigned char>(text[at])) != 0;
    if (!brace && !is_of_name(static_cast<unsigned char>(text[at]))) continue;
    const size_t end = end_of_name(brace ? at + 1 : at);
    const char behind = end < text.size() ? text[end] : ' ';
    if (brace ? behind != '}' || end == at + 1 : !digit && behind != '(') return false;
    number = number || brace;
    at = brace ? end : end - 1;
  }
  return number;
}

/// Whether a text of a quiz is no text: the place of a category ("$course$/top/Default"), or a formula.
bool is_value_of_quiz(std::string_view text) {
  const size_t end = text.starts_with('$') ? text.find('$', 1) : std::string_view::npos;
  const bool category = end != std::string_view::npos && text.substr(end + 1).starts_with('/') &&
                        text.substr(0, end).find_first_of(" \t\n") == std::string_view::npos;
  return category || is_formula_of_quiz(text);
}

}  // namespace

XmlTranslation::XmlTranslation(std::string_view document) : of_manuals_(is_manual(document)) {}

bool XmlTranslation::is_code(std::string_view name) const {
  const HtmlRole role = role_of_element(std::string(name));
  if (role == HtmlRole::kInlineCode || role == HtmlRole::kBlockCode || is_one_of(name, kCode)) return true;
  return (of_manuals_ && is_one_of(name, kCodeOfManuals)) || (kind_ == Kind::kFeed && is_one_of(name, kOfFeeds)) ||
         (kind_ == Kind::kQuiz && is_one_of(name, kOfQuizzes));
}

bool XmlTranslation::keeps(std::string_view text) const {
  constexpr std::string_view kSpaces = " \t\r\n";
  const size_t begin = text.find_first_not_of(kSpaces);
  if (begin == std::string_view::npos) return false;
  const std::string_view value = text.substr(begin, text.find_last_not_of(kSpaces) + 1 - begin);
  return is_technical_value(value) || (kind_ == Kind::kAndroid && is_reference(value)) ||
         (kind_ == Kind::kQuiz && is_value_of_quiz(value));
}

std::string_view local_part(std::string_view name) { return name.substr(name.find(':') + 1); }

std::optional<bool> XmlTranslation::of_attribute(std::string_view name, std::string_view value) const {
  if (name == "translate") return choice(value, "yes", "no");
  if (name == "class" && has_no_translate(value)) return false;
  if (name == "translatable") return choice(value, "true", "false");
  if (of_manuals_ && name == "class" && value == "monospaced") return false;
  if (local_part(name) == "encoding" && core::in_lower_case(value) == "base64") return false;
  if (local_part(name) == "type" && local_part(value) == "base64Binary") return false;
  if (is_xliff() && name == "mtype" && value == "protected") return false;
  const size_t colon = name.find(':');
  const bool its = colon != std::string_view::npos && its_prefixes_.contains(name.substr(0, colon));
  return its && name.substr(colon + 1) == "translate" ? choice(value, "yes", "no") : std::nullopt;
}

std::optional<bool> XmlTranslation::keeps_lines(std::string_view name, const char* const* attributes) const {
  constexpr std::array<std::string_view, 3> kWithLines{"lines", "literallayout", "address"};
  for (const char* const* at = attributes; *at != nullptr; at += 2) {
    if (std::string_view(at[0]) == "xml:space") return std::string_view(at[1]) == "preserve";
  }
  return of_manuals_ && is_one_of(local_part(name), kWithLines) ? std::optional(true) : std::nullopt;
}

std::optional<bool> XmlTranslation::of(std::string_view name, const char* const* attributes) {
  const bool root = kind_ == Kind::kNone;
  if (root) {
    const std::string_view local = local_part(name);
    kind_ = local == "xliff"                    ? Kind::kXliff
            : name == "resources"               ? Kind::kAndroid
            : local == "rss" || local == "feed" ? Kind::kFeed
            : is_one_of(local, kQuizzes)        ? Kind::kQuiz
            : local == "FictionBook"            ? Kind::kFictionBook
                                                : Kind::kOther;
  }
  constexpr std::string_view kDeclaration = "xmlns:";
  for (const char* const* at = attributes; *at != nullptr; at += 2) {
    const std::string_view attribute = at[0];
    if (attribute.starts_with(kDeclaration) && at[1] == kIts) {
      its_prefixes_.emplace(attribute.substr(kDeclaration.size()));
    }
  }
  std::optional<bool> own;
  for (const char* const* at = attributes; *at != nullptr; at += 2) {
    const std::optional<bool> said = of_attribute(at[0], at[1]);
    if (said) own = own.value_or(true) && *said;  // "no" wins
  }
  if (own || root || is_xliff()) return own;
  if (name == "xliff:g") return false;  // in the resources of Android
  if (kind_ == Kind::kFeed && name.starts_with("wp:") && !is_one_of(local_part(name), kTextsOfWordPress)) return false;
  if (kind_ == Kind::kFeed && name.starts_with("g:") && !is_one_of(local_part(name), kTextsOfProducts)) return false;
  if (kind_ == Kind::kFeed && is_one_of(name, kOfPodcasts)) return false;
  if (kind_ == Kind::kFictionBook && is_one_of(local_part(name), kOfFictionBooks)) return false;
  return is_code(local_part(name)) ? std::optional(false) : std::nullopt;
}

}  // namespace ventris::markup
