#include "markup/markdown_structure.h"

#include <algorithm>
#include <string>

#include "markup/digest.h"
#include "markup/markdown_extensions.h"
#include "markup/marked_text.h"
#include "markup/template_pairs.h"
#include "markup/text_cursor.h"

namespace ventris::markup {
namespace {

using Kind = MarkdownEvent::Kind;
using Span = MarkdownEvent::Span;

/// Whether it is a tag <sup> or <sub>, or the end of one.
bool is_of_script(std::string_view tag) {
  tag.remove_prefix(tag.starts_with("</") ? 2 : 1);
  if (!tag.starts_with("sup") && !tag.starts_with("sub")) return false;
  tag.remove_prefix(3);
  return tag.starts_with('>') || tag.starts_with(' ');
}

/// Code with its first and last byte, which are backticks to the parser: those of a tag of a template, or of a sign of
/// CriticMarkup ("{++", "++}").
std::string with_ends(std::string_view content) {
  const bool ends_first = content.size() > 1 && content[1] == '}';
  const bool begins_last = content.size() > 1 && content[content.size() - 2] == '{';
  return (ends_first ? content[0] : '{') + std::string(content) + (begins_last ? content.back() : '}');
}

/// Makes leaves of events.
class Leaves {
 public:
  explicit Leaves(std::string_view document) : document_(document) {}

  void add(const MarkdownEvent& event) {
    if (event.kind == Kind::kBlock) {
      blocks_.add(event.digest);
      if (has_content_) end_leaf();  // with the end of its own block
      return;
    }
    if (event.kind == Kind::kHtml) return;
    has_content_ = true;
    if (event.has_place()) {
      if (leaf_.range.end == 0) leaf_.range.begin = event.range.begin;
      leaf_.range.end = event.range.end;
    }
    switch (event.kind) {
      case Kind::kText: add_text(event.text); break;
      case Kind::kCode: add_code(raw(event)); break;
      case Kind::kTag: add_tag(raw(event)); break;
      case Kind::kHardBreak: add_node(event.kind, ""); break;
      case Kind::kOpen: open(event); break;
      case Kind::kClose: images_ -= event.span == Span::kImage ? 1 : 0; break;
      default: break;
    }
  }
  std::vector<MarkdownLeaf> finish() {
    end_leaf();
    return std::move(leaves_);
  }

 private:
  void end_leaf() {
    leaf_.blocks = blocks_.value();
    leaves_.push_back(leaf_);
    leaf_ = {};
    blocks_ = Digest();
    has_content_ = false;
    images_ = 0;
  }
  void add_text(std::string_view text) {
    if (images_ > 0) {
      leaf_.nodes += 31 * characters_of(text);
    } else {
      leaf_.characters += characters_of(text);
    }
  }
  std::string_view raw(const MarkdownEvent& event) const {
    return document_.substr(event.range.begin, event.range.end - event.range.begin);
  }
  void add_tag(std::string_view tag) { is_of_script(tag) ? void(++leaf_.scripts) : add_node(Kind::kTag, tag); }
  void add_node(Kind kind, std::string_view content) {
    std::string bytes(content);  // a line end in code is a space
    std::erase_if(bytes, [](char c) { return c == '\n' || c == '\r' || c == ' ' || c == '\t' || c == '>'; });
    leaf_.nodes += Digest().add(static_cast<uint64_t>(kind)).add(bytes).value();
  }
  /// Tags of templates, and signs of CriticMarkup, without anything between are one code to the parser (with_code_at).
  /// They count one by one.
  void add_code(std::string_view content) {
    const std::string code = with_ends(content);
    const std::vector<size_t> sizes = sizes_of_tags(code);
    if (sizes.size() < 2) return add_node(Kind::kCode, content);
    leaf_.nodes += (sizes.size() - 1) * Digest().add(static_cast<uint64_t>(Span::kCode)).add(uint64_t{0}).value();
    size_t at = 0;
    for (const size_t size : sizes) {
      add_node(Kind::kCode, std::string_view(code).substr(at + 1, size - 2));
      at += size;
    }
  }
  void open(const MarkdownEvent& event) {
    switch (event.span) {
      case Span::kEmphasis: ++leaf_.emphasis; break;
      case Span::kStrong: ++leaf_.strong; break;
      case Span::kStrike: ++leaf_.strike; break;
      case Span::kLink: leaf_.links += number_of_link(event); break;
      default: leaf_.nodes += Digest().add(static_cast<uint64_t>(event.span)).add(event.digest).value();
    }
    images_ += event.span == Span::kImage ? 1 : 0;
  }

  std::string_view document_;
  std::vector<MarkdownLeaf> leaves_;
  MarkdownLeaf leaf_;
  Digest blocks_;
  bool has_content_ = false;
  int64_t images_ = 0;  // that are open
};

}  // namespace

uint64_t characters_of(std::string_view text) {
  const UChar32 sign = character_at(kObject, 0);
  uint64_t sum = 0;
  for (size_t at = 0; at < text.size();) {
    const UChar32 c = next_character(text, at);
    if (!is_space(c) && c != sign) sum += Digest().add(static_cast<uint64_t>(static_cast<uint32_t>(c))).value();
  }
  return sum;
}

bool MarkdownLeaf::may_become(const MarkdownLeaf& translated, uint64_t difference, uint64_t left_out) const {
  return blocks == translated.blocks && nodes == translated.nodes && links == translated.links + left_out &&
         characters + difference == translated.characters && translated.emphasis <= emphasis &&
         translated.strong <= strong && translated.strike <= strike && translated.scripts <= scripts;
}

std::vector<MarkdownLeaf> markdown_leaves(std::string_view document) {
  const MarkdownReading reading = read_markdown(document);
  Leaves leaves(reading.text);
  for (const MarkdownEvent& event : reading.events) leaves.add(event);
  return leaves.finish();
}

}  // namespace ventris::markup
