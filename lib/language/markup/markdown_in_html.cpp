#include "markup/markdown_in_html.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "markup/characters.h"
#include "markup/each_line.h"
#include "markup/fences.h"
#include "markup/html.h"
#include "markup/html_token.h"
#include "markup/known_blocks.h"

namespace ventris::markup {
namespace {

using TokenKind = HtmlToken::Kind;

constexpr std::string_view kSpacesInLine = " \t\r";
constexpr size_t kCodeIndentation = 4;

/// What a line has of tags.
struct TagsOfLine {
  std::vector<HtmlToken> tags = {};
  bool only_tags = true;      // and spaces
  bool has_markdown = false;  // a start tag has the attribute `markdown`
  bool has_block = false;     // a tag that is no part of a sentence
  bool has_code = false;      // an element whose content is no text
};

/// Whether a start tag has the attribute `markdown`; "0" and "false" mean that there is none inside.
bool asks_for_markdown(std::string_view line, const HtmlToken& token) {
  const auto value = token.kind == TokenKind::kStartTag ? attribute(line, token, "markdown") : std::nullopt;
  if (!value) return false;
  const std::string_view kind = line.substr(value->begin, value->end - value->begin);
  return kind != "0" && kind != "false";
}

TagsOfLine tags_of(std::string_view line) {
  TagsOfLine found;
  for (size_t at = 0; at < line.size();) {
    HtmlToken token = html_token(line, at);
    at = token.range.end;
    if (!token.is_tag()) {
      const std::string_view text = line.substr(token.range.begin, at - token.range.begin);
      found.only_tags = found.only_tags && text.find_first_not_of(kSpacesInLine) == std::string_view::npos;
      continue;
    }
    const HtmlRole role = role_of_element(token.name);
    found.has_code = found.has_code || role == HtmlRole::kBlockCode;
    found.has_block = found.has_block || (role == HtmlRole::kBlock && token.name != "br");
    found.has_markdown = found.has_markdown || asks_for_markdown(line, token);
    found.tags.push_back(std::move(token));
  }
  found.only_tags = found.only_tags && !found.tags.empty();
  return found;
}

/// Whether the tag of this text is one of a component of a program: <Steps>, <Tabs.Item>, but not <DIV>.
bool is_component(std::string_view tag) {
  const size_t name = tag.starts_with("</") ? 2 : 1;
  const auto is_kind = [&](size_t at, int (*kind)(int)) {
    return at < tag.size() && kind(static_cast<unsigned char>(tag[at])) != 0;
  };
  return is_kind(name, std::isupper) && is_kind(name + 1, std::islower);
}

class HtmlOpener {
 public:
  explicit HtmlOpener(std::string document) : document_(std::move(document)) {}

  MarkdownInHtml write() {
    each_line(document_,
              [this](size_t begin, size_t end) { read(begin, end - without_container(raw(begin, end)).size(), end); });
    return {std::move(document_), has_components_};
  }

 private:
  enum class Last { kEmpty, kText, kTags };

  std::string_view raw(size_t begin, size_t end) const {
    return std::string_view(document_).substr(begin, end - begin);
  }

  /// Of the line from `begin` on, whose text is from `text` to `end`.
  void read(size_t begin, size_t text, size_t end) {
    const std::string_view line = raw(text, end);
    if (fences_.take(line)) {
      last_ = Last::kText;
    } else if (line.find_first_not_of(kSpacesInLine) == std::string_view::npos) {
      last_ = Last::kEmpty;
      in_html_ = false;
    } else {
      if (in_html_ && !open_.empty()) follow(tags_of(line));
      if (last_ == Last::kEmpty) column_ = columns(begin, text);
      const bool has_tags = line.starts_with('<') || (!open_.empty() && line.find('<') != std::string_view::npos);
      last_ = in_html_ || !has_tags ? read_text(begin, text) : read_tags(begin, text, end);
    }
  }

  /// Text below a line of tags that is indented like code, but hardly more than the tags.
  Last read_text(size_t begin, size_t text) {
    const size_t indented = columns(begin, text);
    const bool below = !in_html_ && last_ == Last::kTags && indented >= column_ + kCodeIndentation &&
                       indented < tags_column_ + kCodeIndentation + (has_components_ ? 1 : 0);  // MDX has no such code
    if (below) quote(begin, text);
    return Last::kText;
  }
  /// Makes quotations of what indents the text.
  void quote(size_t begin, size_t text) {
    for (size_t at = begin, column = 0; at < text; ++at) {
      const size_t next = column_behind(column, document_[at]);
      if (next > column_) {
        const bool sign = document_[at] == '\t' || (column - column_) % kCodeIndentation == 0;
        document_[at] = sign ? '>' : ' ';
      }
      column = next;
    }
  }
  /// A tab goes on to the next multiple of what code is indented by.
  static size_t column_behind(size_t column, char character) {
    return character == '\t' ? (column / kCodeIndentation + 1) * kCodeIndentation : column + 1;
  }
  /// How many columns these bytes at the beginning of a line take.
  size_t columns(size_t begin, size_t end) const {
    size_t column = 0;
    for (size_t at = begin; at < end; ++at) column = column_behind(column, document_[at]);
    return column;
  }
  /// The byte of a line that is at the column of the first text, or the place of its own text.
  size_t place_of_column(size_t begin, size_t text) const {
    size_t at = begin;
    for (size_t column = 0; at < text && column < column_; ++at) column = column_behind(column, document_[at]);
    return at;
  }

  Last read_tags(size_t begin, size_t text, size_t end) {
    const TagsOfLine found = tags_of(raw(text, end));
    const bool component = begins_component(text, found);
    const bool block = begins_html_block(raw(text, end)) || component;
    if (open_.empty() && !component && !(block && (found.has_markdown || has_markdown_below(end + 1)))) {
      in_html_ = block;
      return Last::kText;
    }
    follow(found);
    if (found.has_code || found.tags.empty()) {
      in_html_ = block;
      return Last::kText;
    }
    if (found.only_tags && (found.has_block || component || last_ != Last::kText)) return make_rule(begin, text, end);
    const Last last = read_text(begin, text);
    for (const HtmlToken& tag : found.tags) {
      const size_t name = text + tag.range.begin + (tag.kind == TokenKind::kEndTag ? 2 : 1);
      if (role_of_element(tag.name) == HtmlRole::kBlock) document_[name] = 'x';  // no element but <xmp> begins with it
    }
    return last;
  }

  /// Whether an element has the attribute `markdown` in the lines from here to the next empty one. Each is read once.
  bool has_markdown_below(size_t at) const {
    while (at < document_.size()) {
      const size_t end = std::min(document_.find('\n', at), document_.size());
      if (raw(at, end).find_first_not_of(kSpacesInLine) == std::string_view::npos) break;
      if (raw(at, end).find(" markdown") != std::string_view::npos && tags_of(raw(at, end)).has_markdown) return true;
      at = end + 1;
    }
    return false;
  }

  /// Whether this line of tags begins a component, which has an end, not inside a paragraph.
  bool begins_component(size_t text, const TagsOfLine& found) {
    if (!found.only_tags || last_ == Last::kText || !is_component(raw(text, document_.size()))) return false;
    const HtmlToken& tag = found.tags.front();
    if (tag.kind != TokenKind::kStartTag || tag.self_closing) return false;
    if (!last_ends_) last_ends_ = last_ends();
    const auto end = last_ends_->find(std::string(raw(text + 1, text + 1 + tag.name.size())));
    const bool ends = end != last_ends_->end() && end->second > text;
    has_components_ = has_components_ || ends;
    return ends;
  }

  /// The places of the last end tags of all names.
  std::map<std::string, size_t> last_ends() const {
    std::map<std::string, size_t> places;
    for (size_t at = document_.find("</"); at != std::string::npos; at = document_.find("</", at + 2)) {
      const size_t end = std::min(document_.find_first_of(" \t\r\n/<>", at + 2), document_.size());
      places.insert_or_assign(document_.substr(at + 2, end - at - 2), at);
    }
    return places;
  }

  /// Notes which elements are open.
  void follow(const TagsOfLine& found) {
    for (const HtmlToken& tag : found.tags) {
      if (tag.kind == TokenKind::kStartTag) {
        if (tag.self_closing || is_void_element(tag.name)) continue;
        open_.push_back(tag.name);
        ++count_[tag.name];
      } else if (count_[tag.name] > 0) {
        close(tag.name);
      }
    }
  }
  void close(const std::string& name) {
    for (bool found = false; !found; open_.pop_back()) {
      found = open_.back() == name;
      --count_[open_.back()];
    }
  }

  /// A rule ends a paragraph, and has no text.
  Last make_rule(size_t begin, size_t text, size_t end) {
    tags_column_ = columns(begin, text);
    const bool spaces = raw(begin, text).find_first_not_of(kSpacesInLine) == std::string_view::npos;
    const size_t from = spaces ? place_of_column(begin, text) : text;
    std::fill(document_.begin() + static_cast<int64_t>(from), document_.begin() + static_cast<int64_t>(end), '*');
    return Last::kTags;
  }

  std::string document_;
  Fences fences_;
  bool has_components_ = false;
  bool in_html_ = false;  // in a block of HTML without Markdown
  std::vector<std::string> open_;  // the elements of Markdown that are open, and those in them
  std::map<std::string, int64_t> count_;  // of each name in open_
  Last last_ = Last::kEmpty;  // what the last line was
  size_t column_ = 0;  // of the text of the first line behind the last empty one
  size_t tags_column_ = 0;  // of the last line of tags
  std::optional<std::map<std::string, size_t>> last_ends_;  // once they are needed
};

}  // namespace

MarkdownInHtml with_markdown_in_html(std::string document) { return HtmlOpener(std::move(document)).write(); }

}  // namespace ventris::markup
