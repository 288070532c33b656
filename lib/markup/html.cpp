#include <gumbo.h>

#include <algorithm>
#include <cctype>
#include <memory>
#include <set>

#include "markup/block_builder.h"
#include "markup/html.h"

namespace ventris::markup {
namespace {

/// Elements that are a part of a sentence.
const std::set<GumboTag> kInline{GUMBO_TAG_A,     GUMBO_TAG_ABBR,  GUMBO_TAG_ACRONYM, GUMBO_TAG_B,      GUMBO_TAG_BDI,
                                 GUMBO_TAG_BDO,   GUMBO_TAG_BIG,   GUMBO_TAG_CITE,    GUMBO_TAG_DATA,   GUMBO_TAG_DEL,
                                 GUMBO_TAG_DFN,   GUMBO_TAG_EM,    GUMBO_TAG_FONT,    GUMBO_TAG_I,      GUMBO_TAG_IMG,
                                 GUMBO_TAG_INS,   GUMBO_TAG_LABEL, GUMBO_TAG_MARK,    GUMBO_TAG_Q,      GUMBO_TAG_S,
                                 GUMBO_TAG_SMALL, GUMBO_TAG_SPAN,  GUMBO_TAG_STRIKE,  GUMBO_TAG_STRONG, GUMBO_TAG_SUB,
                                 GUMBO_TAG_SUP,   GUMBO_TAG_TIME,  GUMBO_TAG_U,       GUMBO_TAG_WBR};
/// Elements inside a sentence whose content is not translated, and others of that kind.
const std::set<GumboTag> kInlineCode{GUMBO_TAG_CODE, GUMBO_TAG_KBD, GUMBO_TAG_SAMP, GUMBO_TAG_TT,
                                     GUMBO_TAG_VAR,  GUMBO_TAG_SVG, GUMBO_TAG_MATH};
const std::set<GumboTag> kBlockCode{GUMBO_TAG_PRE,      GUMBO_TAG_SCRIPT, GUMBO_TAG_STYLE, GUMBO_TAG_TEXTAREA,
                                    GUMBO_TAG_TEMPLATE, GUMBO_TAG_IFRAME, GUMBO_TAG_XMP,   GUMBO_TAG_NOSCRIPT};

HtmlRole role_of(GumboTag tag) {
  if (kInline.contains(tag)) return HtmlRole::kInline;
  if (kInlineCode.contains(tag)) return HtmlRole::kInlineCode;
  return kBlockCode.contains(tag) ? HtmlRole::kBlockCode : HtmlRole::kBlock;
}

using Parsed = std::unique_ptr<GumboOutput, void (*)(GumboOutput*)>;

Parsed parse(std::string_view document) {
  const auto destroy = [](GumboOutput* output) { gumbo_destroy_output(&kGumboDefaultOptions, output); };
  return {gumbo_parse_with_options(&kGumboDefaultOptions, document.data(), document.size()), destroy};
}

/// Throws MarkupError if more tags than kDeepestNesting are open at a time. Tags that often have no end do not count.
void check_nesting(std::string_view document) {
  static const std::set<GumboTag> kOftenOpen{
      GUMBO_TAG_AREA, GUMBO_TAG_BR,    GUMBO_TAG_COL,    GUMBO_TAG_DD,    GUMBO_TAG_DT,   GUMBO_TAG_HR,
      GUMBO_TAG_IMG,  GUMBO_TAG_INPUT, GUMBO_TAG_LI,     GUMBO_TAG_LINK,  GUMBO_TAG_META, GUMBO_TAG_OPTION,
      GUMBO_TAG_P,    GUMBO_TAG_PARAM, GUMBO_TAG_SOURCE, GUMBO_TAG_TBODY, GUMBO_TAG_TD,   GUMBO_TAG_TH,
      GUMBO_TAG_TR,   GUMBO_TAG_TRACK, GUMBO_TAG_WBR};
  int64_t open = 0;
  for (size_t at = document.find('<'); at != std::string_view::npos; at = document.find('<', at + 1)) {
    const bool closes = document.substr(at + 1).starts_with('/');
    const size_t begin = at + (closes ? 2 : 1);
    const size_t end = std::min(document.find_first_of(" \t\n\r\f/>", begin), document.size());
    const GumboTag tag = gumbo_tag_enum(std::string(document.substr(begin, std::min<size_t>(end - begin, 20))).c_str());
    if (end == begin || std::isalpha(static_cast<unsigned char>(document[begin])) == 0 || kOftenOpen.contains(tag)) {
      continue;
    }
    open = std::max<int64_t>(open + (closes ? -1 : 1), 0);
    if (open > kDeepestNesting) {
      fail_nesting(std::ranges::count(document.substr(0, at), '\n') + 1, "tags");
    }
  }
}

/// Where a tag or comment begins in what should be text; the size if there is none.
size_t first_tag(std::string_view text) {
  for (size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at + 1)) {
    const char next = at + 1 < text.size() ? text[at + 1] : ' ';
    if (std::isalpha(static_cast<unsigned char>(next)) != 0 || next == '/' || next == '!' || next == '?') return at;
  }
  return text.size();
}

class HtmlParts {
 public:
  explicit HtmlParts(const std::string& source) : source_(source) {}

  void add(const GumboNode& node) {
    if (node.type == GUMBO_NODE_TEXT || node.type == GUMBO_NODE_WHITESPACE) {
      add_text(node.v.text);
    } else if (node.type == GUMBO_NODE_COMMENT) {
      add(node.v.text.original_text, Part::Kind::kMark);
    } else if (node.type == GUMBO_NODE_ELEMENT || node.type == GUMBO_NODE_TEMPLATE) {
      add_element(node.v.element);
    } else if (node.type == GUMBO_NODE_DOCUMENT) {
      add_children(node.v.document.children);
    }
  }

  /// In the order of the source; a part that begins inside another one is left out.
  std::vector<Part> sorted() {
    std::ranges::stable_sort(parts_, {}, [](const Part& part) { return part.range.begin; });
    std::vector<Part> kept;
    for (Part& part : parts_) {
      if (kept.empty() || part.range.begin >= kept.back().range.end) kept.push_back(std::move(part));
    }
    return kept;
  }

 private:
  void add(const GumboStringPiece& piece, Part::Kind kind, Mark::Kind mark = Mark::Kind::kAlone,
           const std::string& text = {}) {
    if (piece.data == nullptr || piece.length == 0) return;
    const auto begin = static_cast<size_t>(piece.data - source_.data());
    parts_.push_back({{begin, begin + piece.length}, kind, mark, text});
  }
  /// Text after the end of the body is a part of the last text in it, whose place then has tags in it.
  void add_text(const GumboText& text) {
    const std::string_view raw(text.original_text.data, text.original_text.length);
    const size_t length = first_tag(raw);
    add({raw.data(), length}, Part::Kind::kText, {},
        length == raw.size() ? text.text : decode_entities(raw.substr(0, length)));
  }
  void add_children(const GumboVector& children) {
    for (unsigned int i = 0; i < children.length; ++i) add(*static_cast<const GumboNode*>(children.data[i]));
  }
  void add_element(const GumboElement& element) {
    const GumboAttribute* translate = gumbo_get_attribute(&element.attributes, "translate");
    const HtmlRole role = role_of(element.tag);
    const bool is_inline = role == HtmlRole::kInline || role == HtmlRole::kInlineCode;
    const bool hidden = role == HtmlRole::kInlineCode || role == HtmlRole::kBlockCode ||
                        (translate != nullptr && std::string_view(translate->value) == "no");
    const bool closed = element.original_end_tag.length > 0;
    if (hidden && closed && element.original_tag.length > 0) {
      const GumboStringPiece& end = element.original_end_tag;
      const auto length = static_cast<size_t>(end.data + end.length - element.original_tag.data);
      add({element.original_tag.data, length}, is_inline ? Part::Kind::kHidden : Part::Kind::kKept);
      return;
    }
    const Part::Kind kind = is_inline ? Part::Kind::kMark : Part::Kind::kKept;
    add(element.original_tag, kind, closed ? Mark::Kind::kOpen : Mark::Kind::kAlone);
    add_children(element.children);
    add(element.original_end_tag, kind, Mark::Kind::kClose);
  }

  const std::string& source_;
  std::vector<Part> parts_;
};

}  // namespace

MarkedDocument parse_html(const std::string& document) {
  check_nesting(document);
  const Parsed parsed = parse(document);
  HtmlParts parts(document);
  parts.add(*parsed->document);
  return in_blocks(document, parts.sorted());
}

HtmlRole role_of_element(const std::string& name) { return role_of(gumbo_tag_enum(name.c_str())); }

std::string decode_entities(std::string_view raw) {
  if (raw.find('&') == std::string_view::npos) return std::string(raw);
  const std::string inside = "<pre>x" + std::string(raw) + "</pre>";  // "x": no white space at the beginning is dropped
  const Parsed parsed = parse(inside);
  const GumboNode* node = parsed->root;
  while (node->type == GUMBO_NODE_ELEMENT && node->v.element.children.length > 0) {
    const GumboVector& children = node->v.element.children;
    node = static_cast<const GumboNode*>(children.data[children.length - 1]);
  }
  return node->type == GUMBO_NODE_TEXT ? std::string(node->v.text.text).substr(1) : std::string(raw);
}

}  // namespace ventris::markup
