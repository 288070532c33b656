#include "markup/markdown.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <utility>
#include <vector>

#include "markup/addresses.h"
#include "markup/block_builder.h"
#include "markup/characters.h"
#include "markup/html.h"
#include "markup/html_token.h"
#include "markup/markdown_events.h"

namespace ventris::markup {
namespace {

using Span = MarkdownEvent::Span;

bool is_alnum(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || static_cast<signed char>(c) < 0; }

/// The bytes of the settings that many site generators expect at the beginning.
size_t size_of_front_matter(std::string_view document) {
  for (const std::string_view sign : {"---", "+++"}) {
    if (!document.starts_with(std::string(sign) + "\n")) continue;
    const size_t end = document.find("\n" + std::string(sign) + "\n", sign.size());
    if (end != std::string_view::npos) return end + sign.size() + 2;
    if (document.ends_with("\n" + std::string(sign))) return document.size();
  }
  return 0;
}

/// Turns events into parts: pairs marks, and makes objects of code, images, addresses and what has no text.
class MarkdownParts {
 public:
  explicit MarkdownParts(std::string_view document) : document_(document) {}

  void add(const MarkdownEvent& event) {
    const ByteRange range = event.range;
    if (event.kind == MarkdownEvent::Kind::kText) return collect(range, event.text);
    add_collected();
    switch (event.kind) {
      case MarkdownEvent::Kind::kText: break;
      case MarkdownEvent::Kind::kCode: parts_.push_back({range, Part::Kind::kHidden}); break;
      case MarkdownEvent::Kind::kTag: add_tag(range); break;
      case MarkdownEvent::Kind::kOpen: open(range, event.span, ""); break;
      case MarkdownEvent::Kind::kClose: close(range, event.span, ""); break;
      case MarkdownEvent::Kind::kSoftBreak:
        parts_.push_back({range, Part::Kind::kText, Mark::Kind::kAlone, " "});
        break;
      case MarkdownEvent::Kind::kHardBreak: parts_.push_back({range, Part::Kind::kKept}); break;
      case MarkdownEvent::Kind::kBlock: end_block(); break;
    }
  }
  std::vector<Part> finish() {
    add_collected();
    return std::move(parts_);
  }

 private:
  /// What the parser reports of a text at a time: it divides a text at backslashes and entities.
  struct Piece {
    ByteRange range;
    std::string text;
    bool escaped = false, entity = false;

    /// The text of these bytes of it.
    std::string part(ByteRange of) const {
      if (entity) return text;
      const size_t first = range.begin + (escaped ? 1 : 0);
      const size_t begin = std::max(of.begin, first) - first;
      return text.substr(begin, of.end - first - begin);
    }
  };
  struct Open {
    size_t part = 0;
    Span span = Span::kNone;
    std::string tag;  // of HTML; otherwise empty
  };

  void collect(ByteRange range, const std::string& text) {
    const std::string_view source = raw(range);
    const bool escaped = source.size() == text.size() + 1 && source.starts_with('\\') && source.substr(1) == text;
    const bool follows = !pieces_.empty() && pieces_.back().range.end == range.begin;
    if (!follows || escaped) add_collected();  // no address goes on behind a backslash
    pieces_.push_back({range, text, escaped, !escaped && source != text});
  }

  /// Adds the pieces, with the addresses in them as objects.
  void add_collected() {
    if (pieces_.empty()) return;
    const size_t begin = pieces_.front().range.begin + (pieces_.front().escaped ? 1 : 0);
    const std::vector<ByteRange> addresses = find_addresses(raw({begin, pieces_.back().range.end}));
    size_t next = 0;
    const auto place = [&](size_t address) {
      return address < addresses.size() ? ByteRange{addresses[address].begin + begin, addresses[address].end + begin}
                                        : ByteRange{document_.size(), document_.size()};
    };
    for (const Piece& piece : std::exchange(pieces_, {})) {
      for (size_t done = piece.range.begin; done < piece.range.end;) {
        while (place(next).end <= done && next < addresses.size()) ++next;
        const bool inside = place(next).begin <= done;
        const size_t end =
            piece.entity ? piece.range.end : std::min(inside ? place(next).end : place(next).begin, piece.range.end);
        if (inside && done > place(next).begin && parts_.back().kind == Part::Kind::kHidden) {
          parts_.back().range.end = end;  // the address goes on
        } else if (inside) {
          parts_.push_back({{done, end}, Part::Kind::kHidden});
        } else {
          add_text({done, end}, piece.part({done, end}));
        }
        done = end;
      }
    }
  }

  std::string_view raw(ByteRange range) const { return document_.substr(range.begin, range.end - range.begin); }

  void end_block() {
    open_.clear();
    open_tags_.clear();
    const size_t end = parts_.empty() ? 0 : parts_.back().range.end;
    parts_.push_back({{end, end}, Part::Kind::kKept});
  }

  void add_plain(ByteRange range, std::string text) {
    std::ranges::replace(text, '\n', ' ');  // from an entity
    if (range.end > range.begin) parts_.push_back({range, Part::Kind::kText, Mark::Kind::kAlone, std::move(text)});
  }

  /// Signs of footnotes, such as [^1], are objects; at the beginning of a footnote, they are kept.
  void add_text(ByteRange range, const std::string& text) {
    if (raw(range) != text) return add_plain(range, text);
    size_t done = 0;
    for (size_t at = text.find("[^"); at != std::string::npos; at = text.find("[^", at + 2)) {
      const size_t end = text.find_first_of("] ", at);
      if (end == std::string::npos) break;
      if (text[end] == ' ') continue;
      const bool begins = at == 0 && text.substr(end + 1, 1) == ":" && parts_.back().kind == Part::Kind::kKept;
      const size_t last = end + (begins ? 2 : 1);
      add_plain({range.begin + done, range.begin + at}, text.substr(done, at - done));
      parts_.push_back({{range.begin + at, range.begin + last}, begins ? Part::Kind::kKept : Part::Kind::kHidden});
      done = last;
    }
    add_plain({range.begin + done, range.end}, text.substr(done));
  }

  void open(ByteRange range, Span span, const std::string& tag) {
    if (!tag.empty()) ++open_tags_[tag];
    open_.push_back({parts_.size(), span, tag});
    parts_.push_back({range, Part::Kind::kMark});  // alone until it is closed
  }

  void close(ByteRange range, Span span, const std::string& tag) {
    auto found = open_.rbegin();
    if (!tag.empty() && open_tags_[tag] == 0) found = open_.rend();
    while (found != open_.rend() && (found->span != span || found->tag != tag)) {
      found = !tag.empty() && found->tag.empty() ? open_.rend() : found + 1;  // no tag closes a span of Markdown
    }
    if (found == open_.rend()) {
      parts_.push_back({range, Part::Kind::kMark});
      return;
    }
    const size_t first = found->part;
    for (auto open = open_.rbegin(); open != found + 1; ++open) {
      if (!open->tag.empty()) --open_tags_[open->tag];
    }
    open_.erase(found.base() - 1, open_.end());
    if (is_object(first, span, tag)) {
      const ByteRange whole{parts_[first].range.begin, range.end};
      parts_.resize(first);
      parts_.push_back({whole, Part::Kind::kHidden});
      return;
    }
    const bool never_empty = span == Span::kEmphasis || span == Span::kStrong || span == Span::kStrike;
    const std::string written = span == Span::kLink ? with_label(range, parts_[first].range.end) : "";
    parts_[first].mark = Mark::Kind::kOpen;
    parts_[first].never_empty = never_empty;
    parts_.push_back({range, Part::Kind::kMark, Mark::Kind::kClose, written, never_empty});
  }

  /// The end of a link such as [label] or [label][], whose label is its text and is translated: "][label]". Empty for
  /// other ends. `begin`: of the label.
  std::string with_label(ByteRange end, size_t begin) const {
    if (raw(end) != "]" && raw(end) != "][]") return "";
    std::string label;
    for (const char c : raw({begin, end.begin})) {
      const bool after_line_end = label.ends_with('\n');
      if (after_line_end && (c == '>' || c == ' ' || c == '\t')) continue;
      label += c;
    }
    std::ranges::replace(label, '\n', ' ');
    return "][" + label + "]";
  }

  bool is_object(size_t first, Span span, const std::string& tag) const {
    if (span == Span::kCode || span == Span::kImage) return true;
    if (!tag.empty() &&
        (role_of_element(tag) != HtmlRole::kInline || html_token(raw(parts_[first].range), 0).untranslated)) {
      return true;
    }
    if (span == Span::kLink && raw(parts_[first].range) != "[") return true;  // the text is an address
    if (span == Span::kLink && first + 1 < parts_.size() && parts_[first + 1].text.starts_with('^')) return true;
    return std::none_of(parts_.begin() + static_cast<int64_t>(first), parts_.end(), [](const Part& part) {
      return part.kind == Part::Kind::kKept || std::ranges::any_of(part.text, is_alnum);
    });
  }

  void add_tag(ByteRange range) {
    const HtmlToken tag = html_token(raw(range), 0);
    const HtmlRole role = role_of_element(tag.name);
    if (tag.is_tag() && role == HtmlRole::kBlock) {
      parts_.push_back({range, Part::Kind::kKept});
    } else if (!tag.is_tag() || tag.self_closing || is_void_element(tag.name)) {
      parts_.push_back({range, Part::Kind::kMark});
    } else if (tag.kind == HtmlToken::Kind::kEndTag) {
      close(range, Span::kNone, tag.name);
    } else {
      open(range, Span::kNone, tag.name);
    }
  }

  std::string_view document_;
  std::vector<Part> parts_;
  std::vector<Piece> pieces_;  // not in parts_ yet
  std::vector<Open> open_;
  std::map<std::string, int64_t> open_tags_;  // how many of each name are in open_
};

// --- Escaping ------------------------------------------------------------------------------------------------------

bool is_entity(std::string_view text) {
  const size_t end = text.find_first_not_of("#0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", 1);
  return end != std::string_view::npos && end > 1 && text[end] == ';';
}

/// Whether the character at `at` would be markup.
bool is_sign(std::string_view text, size_t at) {
  const auto neighbour = [&](size_t i) { return i < text.size() ? text[i] : ' '; };
  switch (text[at]) {
    case '\\':
    case '`':
    case '*':
    case '[':
    case ']':
    case '|':
    case '~': return true;
    case '_': return !is_word_part(text, at, true) || !is_word_part(text, at + 1, false);
    case '<':
      return at + 1 == text.size() || is_alnum(text[at + 1]) ||
             std::string_view("/!?").find(text[at + 1]) != std::string_view::npos;
    case '&': return is_entity(text.substr(at));
    case ':': return text.substr(at).starts_with("://") && is_word_part(text, at, true);
    case '@': return is_word_part(text, at, true) && is_word_part(text, at + 1, false);
    case '.': return at >= 3 && text.substr(at - 3, 3) == "www" && !is_word_part(text, at - 3, true);
    case '#':
      return neighbour(at - 1) == ' ' && std::string_view(" #").find(neighbour(at + 1)) != std::string_view::npos;
    default: return false;
  }
}

/// How many characters are before the one that makes the text a list, quotation or line; npos if none does.
size_t block_sign(std::string_view text) {
  const auto ends_or_space = [&](size_t at) { return at >= text.size() || text[at] == ' ' || text[at] == '\t'; };
  if (text.starts_with('>')) return 0;
  if (text.starts_with('+') || text.starts_with('-') || text.starts_with('=')) {
    const bool line = text.find_first_not_of(text.substr(0, 1)) == std::string_view::npos;
    return line || (text[0] != '=' && ends_or_space(1)) ? 0 : std::string_view::npos;
  }
  const size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const bool number = digits > 0 && digits <= 9 && digits < text.size() && (text[digits] == '.' || text[digits] == ')');
  return number && ends_or_space(digits + 1) ? digits : std::string_view::npos;
}

}  // namespace

MarkedDocument parse_markdown(const std::string& document) {
  std::string read = document;  // with blank lines in the place of the settings, so that lines and places stay the same
  const size_t kept = size_of_front_matter(document);
  std::replace_if(read.begin(), read.begin() + static_cast<int64_t>(kept), [](char c) { return c != '\n'; }, ' ');
  std::vector<MarkdownEvent> events = markdown_events(read);
  locate_markdown(read, events);
  MarkdownParts parts(document);
  for (const MarkdownEvent& event : events) parts.add(event);
  return in_blocks(document, parts.finish());
}

std::string escape_markdown(std::string_view text) {
  std::string escaped;
  for (size_t at = 0; at < text.size(); ++at) {
    if (is_sign(text, at)) escaped += '\\';
    escaped += text[at];
  }
  return escaped;
}

std::string escape_markdown_strictly(std::string_view text) {
  constexpr std::string_view kSigns = "\\`*_{}[]<>()#+-=.!|~&:@\"'";
  std::string escaped;
  for (const char c : text) {
    if (kSigns.find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string escape_markdown_start(std::string text, std::string_view before) {
  const std::string_view line = before.substr(before.rfind('\n') + 1);  // of all if there is no line end
  const size_t at = block_sign(text);
  const bool inside = line.find_first_of("#|") != std::string_view::npos;  // a heading or table
  if (at != std::string_view::npos && !inside) text.insert(at, "\\");
  return text;
}

}  // namespace ventris::markup
