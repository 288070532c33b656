#include "markup/html_token.h"

#include <algorithm>
#include <array>

#include "markup/characters.h"

namespace ventris::markup {
namespace {

using TokenKind = HtmlToken::Kind;

constexpr std::string_view kSpaces = " \t\n\f\r";

bool is_letter_at(std::string_view text, size_t at) { return at < text.size() && is_letter(text[at]); }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Whether `word`, which is in small letters, stands at this byte in letters of any case.
bool word_stands_at(std::string_view text, size_t at, std::string_view word) {
  return at + word.size() <= text.size() && std::ranges::equal(text.substr(at, word.size()), word, {}, lower);
}

/// The byte behind the next `sign`, or the end.
size_t behind(std::string_view text, size_t at, std::string_view sign) {
  const size_t found = text.find(sign, at);
  return found == std::string_view::npos ? text.size() : found + sign.size();
}

size_t first_of(std::string_view text, size_t at, std::string_view characters) {
  return std::min(text.find_first_of(characters, at), text.size());
}
size_t first_not_of(std::string_view text, size_t at, std::string_view characters) {
  return std::min(text.find_first_not_of(characters, at), text.size());
}

/// `at`: behind "<!--".
size_t end_of_comment(std::string_view text, size_t at) {
  if (text.substr(at).starts_with('>')) return at + 1;
  if (text.substr(at).starts_with("->")) return at + 2;
  for (size_t end = text.find("--", at); end != std::string_view::npos; end = text.find("--", end + 1)) {
    if (text.substr(end + 2).starts_with('>')) return end + 3;
    if (text.substr(end + 2).starts_with("!>")) return end + 4;
  }
  return text.size();
}

/// Reads the attributes of a tag.
template <typename Visit>
class Attributes {
 public:
  /// Calls visit(name, value) for each, with their places; without a value, it is empty.
  Attributes(std::string_view text, size_t at, const Visit& visit) : text_(text), at_(at), visit_(visit) {}

  /// The byte behind the tag; nothing if it has no end.
  std::optional<size_t> read() {
    while (true) {
      at_ = first_not_of(text_, at_, kSpaces);
      if (at_ == text_.size()) return {};
      if (text_[at_] == '>') return at_ + 1;
      if (text_[at_] == '/') {
        ++at_;
        self_closing_ = text_.substr(at_).starts_with('>');
      } else {
        read_one();
        if (at_ == text_.size()) return {};
      }
    }
  }
  bool self_closing() const { return self_closing_; }

 private:
  void read_one() {
    const ByteRange name{at_, first_of(text_, at_ + 1, " \t\n\f\r/>=")};  // "=" may be the first character of a name
    at_ = name.end;
    const size_t sign = first_not_of(text_, at_, kSpaces);
    ByteRange value{at_, at_};
    if (text_.substr(sign).starts_with('=')) {
      at_ = first_not_of(text_, sign + 1, kSpaces);
      value = read_value();
    }
    visit_(name, value);
  }
  ByteRange read_value() {
    if (at_ == text_.size() || text_[at_] == '>') return {at_, at_};
    const bool quoted = text_[at_] == '"' || text_[at_] == '\'';
    const size_t begin = at_ + (quoted ? 1 : 0);
    const size_t end =
        quoted ? std::min(text_.find(text_[at_], begin), text_.size()) : first_of(text_, begin, " \t\n\f\r>");
    at_ = quoted && end < text_.size() ? end + 1 : end;
    return {begin, end};
  }

  std::string_view text_;
  size_t at_;
  const Visit& visit_;
  bool self_closing_ = false;
};

/// The value of the first attribute with this name, if there is one, goes to `value`.
auto value_of_first(std::string_view text, std::string_view name, std::optional<ByteRange>& value) {
  return [text, name, &value](ByteRange of_name, ByteRange of_value) {
    const bool same = of_name.end - of_name.begin == name.size() && word_stands_at(text, of_name.begin, name);
    if (same && !value) value = of_value;
  };
}

/// Whether a list of words, with spaces between them, has this one.
bool has_word(std::string_view list, std::string_view word) {
  for (size_t at = list.find(word); at != std::string_view::npos; at = list.find(word, at + 1)) {
    const size_t end = at + word.size();
    const bool begins = at == 0 || kSpaces.find(list[at - 1]) != std::string_view::npos;
    if (begins && (end == list.size() || kSpaces.find(list[end]) != std::string_view::npos)) return true;
  }
  return false;
}

/// Whether an attribute is one of Vue, by which the content of a <template> is shown: "v-if", "#footer", "slot".
bool is_of_vue(std::string_view name) {
  const bool slot = name == "slot" || name.starts_with("slot-");
  return slot || name.starts_with("v-") || name.starts_with('#') || name.starts_with(':');
}

/// Whether a parameter of Confluence is the title of a box: ac:name="title".
bool has_name_title(std::string_view text, const HtmlToken& tag) {
  const std::optional<ByteRange> name = attribute(text, tag, "ac:name");
  return name && text.substr(name->begin, name->end - name->begin) == "title";
}

HtmlToken tag_at(std::string_view text, size_t at) {
  const bool closes = text[at + 1] == '/';
  HtmlToken tag{closes ? TokenKind::kEndTag : TokenKind::kStartTag};
  const size_t begin = at + (closes ? 2 : 1);
  const size_t end = first_of(text, begin, " \t\n\f\r/>");
  tag.name = text.substr(begin, end - begin);
  std::ranges::transform(tag.name, tag.name.begin(), lower);
  std::optional<ByteRange> translate, classes;
  const bool is_template = tag.name == "template";
  bool shown = false;  // by Vue
  const auto visit = [of_translate = value_of_first(text, "translate", translate),
                      of_class = value_of_first(text, "class", classes), text, is_template,
                      &shown](ByteRange name, ByteRange value) {
    of_translate(name, value);
    of_class(name, value);
    shown = shown || (is_template && is_of_vue(text.substr(name.begin, name.end - name.begin)));
  };
  Attributes attributes(text, end, visit);
  const std::optional<size_t> last = attributes.read();
  tag.range = {at, last.value_or(text.size())};
  if (!last) tag.kind = TokenKind::kCutTag;
  tag.self_closing = attributes.self_closing();
  const size_t size = translate ? translate->end - translate->begin : 0;
  const std::string_view class_names = classes ? text.substr(classes->begin, classes->end - classes->begin) : "";
  // Doxygen has code in <div class="fragment"><div class="line">. (Elsewhere, a fragment is a text.)
  const std::string_view behind_tag = text.substr(first_not_of(text, tag.range.end, kSpaces));
  const bool lines = has_word(class_names, "fragment") && behind_tag.starts_with("<div class=\"line\"");
  // rustdoc has a signature in a heading. (Elsewhere, this is the bar above some code.)
  const bool heading = tag.name == "section" || tag.name == "h3" || tag.name == "h4";
  const bool code = lines || (heading && has_word(class_names, "code-header"));
  // The text of an icon is the name of a sign; the one of MathJax is a formula.
  const bool sign = code || tag.name == "mat-icon" || tag.name == "v-icon" || tag.name == "mjx-container";
  tag.untranslated =
      (size == 2 && word_stands_at(text, translate->begin, "no")) || has_no_translate(class_names) || sign;
  const bool wanted = translate && (size == 0 || (size == 3 && word_stands_at(text, translate->begin, "yes")));
  tag.translated = !tag.untranslated && (wanted || shown || (tag.name == "ac:parameter" && has_name_title(text, tag)));
  return tag;
}

/// Where text that begins at this byte ends: before the next tag or comment.
size_t end_of_text(std::string_view text, size_t at) {
  for (size_t sign = text.find('<', at); sign != std::string_view::npos; sign = text.find('<', sign + 1)) {
    const char next = sign + 1 < text.size() ? text[sign + 1] : ' ';
    if (is_letter(next) || next == '!' || next == '?' || (next == '/' && sign + 2 < text.size())) return sign;
  }
  return text.size();
}

/// Whether the tag "<name" or "</name", of which `at` is the first byte of the name, ends with it.
bool has_name(std::string_view text, size_t at, std::string_view name) {
  const size_t end = at + name.size();
  return word_stands_at(text, at, name) && end < text.size() &&
         std::string_view(" \t\n\f\r/>").find(text[end]) != std::string_view::npos;
}

/// Where a script ends. After "<!--" and "<script", the next "</script" does not end it.
size_t end_of_script(std::string_view text, size_t at) {
  bool commented = false, nested = false;
  for (; at < text.size(); ++at) {
    at = first_of(text, at, "<-");
    const std::string_view rest = text.substr(at);
    if (rest.starts_with("<!--")) {
      commented = true;
      at += 1;  // "<!-->" ends the comment, too
    } else if (rest.starts_with("-->")) {
      commented = nested = false;
    } else if (rest.starts_with("</") && has_name(text, at + 2, "script")) {
      if (!nested) return at;
      nested = false;
    } else if (rest.starts_with('<') && commented && has_name(text, at + 1, "script")) {
      nested = true;
    }
  }
  return text.size();
}

}  // namespace

bool has_no_translate(std::string_view classes) {
  constexpr std::array<std::string_view, 8> kIcons{
      "material-icons",          "material-icons-outlined",   "material-icons-round",     "material-icons-sharp",
      "material-icons-two-tone", "material-symbols-outlined", "material-symbols-rounded", "material-symbols-sharp"};
  constexpr std::array<std::string_view, 9> kFormulas{"katex",       "katex-display",   "katex-html",
                                                      "MathJax",     "MathJax_Display", "MathJax_Preview",
                                                      "MathJax_SVG", "MathJax_CHTML",   "arithmatex"};
  constexpr std::array<std::string_view, 24> kSignatures{
      "sig-object",       "sig-prename",       "sig-name",      "sig-paren",        "sig-param",
      "sig-return",       "descname",          "descclassname", "memname",          "memtitle",
      "memproto",         "memtemplate",       "memItemLeft",   "memItemRight",     "memTemplParams",
      "memTemplItemLeft", "memTemplItemRight", "paramname",     "paramtype",        "member-signature",
      "type-signature",   "methodSignature",   "tsd-signature", "package-signature"};
  const auto has = [&](std::string_view word) { return has_word(classes, word); };
  if (std::ranges::any_of(kSignatures, has)) return true;
  const bool of_pandoc = has("math") && (has("inline") || has("display"));
  return has("notranslate") || of_pandoc || std::ranges::any_of(kIcons, has) || std::ranges::any_of(kFormulas, has);
}

bool is_note_reference(std::string_view document, const HtmlToken& tag) {
  const auto has = [&](std::string_view name, std::string_view word) {
    const auto value = attribute(document, tag, name);
    return value && has_word(document.substr(value->begin, value->end - value->begin), word);
  };
  return has("role", "doc-noteref") || has("epub:type", "noteref");
}

bool links_to_anchor(std::string_view document, const HtmlToken& tag) {
  const auto value = attribute(document, tag, "href");
  return value && document.substr(value->begin, value->end - value->begin).find('#') != std::string_view::npos;
}

HtmlToken html_token(std::string_view document, size_t at) {
  const size_t end = end_of_text(document, at);
  if (end > at) return {TokenKind::kText, {at, end}};
  const std::string_view rest = document.substr(at);
  if (is_letter_at(rest, 1) || (rest[1] == '/' && is_letter_at(rest, 2))) return tag_at(document, at);
  if (rest.starts_with("<!--")) return {TokenKind::kComment, {at, end_of_comment(document, at + 4)}};
  const TokenKind kind = word_stands_at(document, at, "<!doctype") ? TokenKind::kDoctype : TokenKind::kComment;
  return {kind, {at, behind(document, at, ">")}};
}

std::optional<ByteRange> attribute(std::string_view document, const HtmlToken& tag, std::string_view name) {
  std::optional<ByteRange> value;
  const auto visit = value_of_first(document, name, value);
  Attributes(document, tag.range.begin + 1 + tag.name.size(), visit).read();
  return value;
}

size_t end_of_raw_text(std::string_view document, size_t at, std::string_view name) {
  if (name == "plaintext") return document.size();
  if (!is_raw_text_element(name)) return at;
  if (name == "script") return end_of_script(document, at);
  for (size_t end = document.find("</", at); end != std::string_view::npos; end = document.find("</", end + 2)) {
    if (has_name(document, end + 2, name)) return end;
  }
  return document.size();
}

bool is_raw_text_element(std::string_view name) {
  constexpr std::array<std::string_view, 9> kRaw{"style",    "xmp",   "iframe", "noembed",  "noframes",
                                                 "textarea", "title", "script", "plaintext"};
  return std::ranges::find(kRaw, name) != kRaw.end();
}

bool is_void_element(std::string_view name) {
  constexpr std::array<std::string_view, 18> kVoid{"area",  "base",  "basefont", "bgsound", "br",    "col",
                                                   "embed", "frame", "hr",       "img",     "input", "keygen",
                                                   "link",  "meta",  "param",    "source",  "track", "wbr"};
  return std::ranges::find(kVoid, name) != kVoid.end();
}

}  // namespace ventris::markup
