#include "markup/markdown_events.h"

#include <md4c.h>

#include <algorithm>
#include <cctype>
#include <exception>
#include <new>
#include <utility>

#include "markup/characters.h"
#include "markup/delimiter_rows.h"
#include "markup/digest.h"
#include "markup/front_matter.h"
#include "markup/html.h"
#include "markup/html_blocks.h"
#include "markup/markup.h"
#include "markup/open_code.h"
#include "markup/parser_padding.h"
#include "markup/parsing_limits.h"

namespace ventris::markup {
namespace {

using Kind = MarkdownEvent::Kind;
using Span = MarkdownEvent::Span;

/// Collects what the parser reports.
class Reader {
 public:
  /// `rows`: are told of all text and code.
  Reader(const ParserPadding& padding, DelimiterRows& rows, bool indented_code)
      : indented_code_(indented_code),
        padding_(padding),
        document_(padding.text()),
        rows_(rows),
        limits_(padding.document()) {}

  std::vector<MarkdownEvent> read() {
    MD_PARSER parser{};
    parser.flags = MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH | MD_FLAG_TASKLISTS;
    if (!indented_code_) parser.flags |= MD_FLAG_NOINDENTEDCODEBLOCKS;
    parser.enter_block = [](MD_BLOCKTYPE type, void* detail, void* self) {
      return guarded(self, [&](Reader& reader) { return reader.enter(type, detail); });
    };
    parser.leave_block = [](MD_BLOCKTYPE type, void*, void* self) {
      return guarded(self, [&](Reader& reader) { return reader.leave(type); });
    };
    parser.enter_span = [](MD_SPANTYPE type, void* detail, void* self) {
      return guarded(self, [&](Reader& reader) { return reader.open(type, detail); });
    };
    parser.leave_span = [](MD_SPANTYPE type, void*, void* self) {
      return guarded(self, [&](Reader& reader) { return reader.close(type); });
    };
    parser.text = [](MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* self) {
      return guarded(self, [&](Reader& reader) { return reader.add(type, {text, size}); });
    };
    const bool done = md_parse(document_.data(), static_cast<MD_SIZE>(document_.size()), &parser, this) == 0;
    if (done) return std::move(events_);
    if (error_) std::rethrow_exception(error_);
    if (depth_ <= kDeepestNesting) throw std::bad_alloc();  // the only other reason for which the parser stops
    fail_nesting(line(), "marks");
  }

 private:
  /// Keeps an exception until the parser, which is written in C, has returned.
  template <typename F>
  static int guarded(void* self, const F& work) noexcept {
    auto& reader = *static_cast<Reader*>(self);
    try {
      return work(reader);
    } catch (...) {
      reader.error_ = std::current_exception();
      return -1;
    }
  }

  /// Adds an event; returns it.
  MarkdownEvent& push(MarkdownEvent event) {
    limits_.count(padding_.place(done_));
    if (code_.any() && !events_.empty() && events_.back().kind == Kind::kTag) code_.read(raw(events_.back().range));
    event.in_code = code_.any();
    return events_.emplace_back(std::move(event));
  }

  int enter(MD_BLOCKTYPE type, const void* detail) {
    kept_ = type == MD_BLOCK_CODE || type == MD_BLOCK_HTML;
    below_html_ = below_html_ && type == MD_BLOCK_P;
    if (type == MD_BLOCK_HTML) html_ = {};
    if (type == MD_BLOCK_LI) ++items_;
    begins_item_ = type == MD_BLOCK_LI ? static_cast<const MD_BLOCK_LI_DETAIL*>(detail)->is_task == 0
                                       : begins_item_ && type == MD_BLOCK_P;
    if (type == MD_BLOCK_LI || type == MD_BLOCK_QUOTE) code_.enter();
    content_ = Digest();
    spaces_ = 0;
    push({Kind::kBlock}).digest = digest_of(type, detail);
    // A row can be shorter than the head of its table; the parser adds the missing cells.
    if ((type == MD_BLOCK_TH || type == MD_BLOCK_TD) && ++cells_ > document_.size() + kLeastAllowed) {
      fail_excess("the cells of its tables are");
    }
    return 0;
  }
  int leave(MD_BLOCKTYPE type) {
    begins_item_ = false;
    if (type == MD_BLOCK_HTML && !code_.any()) add_html();
    push({Kind::kBlock}).digest = content_.add("leave").add(static_cast<uint64_t>(type)).value();
    if (type == MD_BLOCK_HTML) code_.read(html_.content);
    below_html_ = type == MD_BLOCK_HTML;
    if (type == MD_BLOCK_LI) --items_;
    if (type == MD_BLOCK_LI || type == MD_BLOCK_QUOTE) code_.leave(type == MD_BLOCK_LI ? "li" : "blockquote");
    kept_ = false;
    content_ = Digest();
    return 0;
  }
  int open(MD_SPANTYPE type, const void* detail) {
    begins_item_ = false;
    MarkdownEvent& event = push({Kind::kOpen, span_of(type)});
    event.digest = digest_of(type, detail);
    // The targets of references can occur often.
    if (targets_ > kMostOfDocument * (document_.size() + kLeastAllowed)) fail_excess("the targets of its links are");
    return ++depth_ > kDeepestNesting ? -1 : 0;
  }
  int close(MD_SPANTYPE type) {
    push({Kind::kClose, span_of(type)});
    --depth_;
    return 0;
  }

  int add(MD_TEXTTYPE type, std::string_view text) {
    const std::less<> earlier;
    const char* end = document_.data() + document_.size();
    const bool placed = !earlier(text.data(), document_.data()) && earlier(text.data(), end);
    if (placed) {
      const auto begin = static_cast<size_t>(text.data() - document_.data());
      const ByteRange range{begin, begin + text.size()};
      const ByteRange unpadded{padding_.place(range.begin), padding_.place(range.end)};
      rows_.note_text(unpadded, !kept_ && type != MD_TEXT_CODE && type != MD_TEXT_HTML);
      if (type == MD_TEXT_HTML && kept_) html_.add(range);
      if (std::exchange(below_html_, false)) note_code_below_html(begin);
    }
    if (kept_) {
      add_kept(text);
      if (type == MD_TEXT_HTML) html_.content += text;
      return 0;
    }
    if (type == MD_TEXT_SOFTBR || type == MD_TEXT_NULLCHAR) {
      push({Kind::kSoftBreak});  // NUL is not a line end, so its block is kept
    } else if (type == MD_TEXT_BR) {
      push({Kind::kHardBreak});
    } else if (!placed) {
      goes_on_ = type == MD_TEXT_HTML;  // a line end in a tag, or in code
    } else {
      add_placed(type, text);
    }
    return 0;
  }

  /// A block of HTML that is complete; its texts may change.
  void add_html() {
    content_ = Digest().add(digest_of_html(html_.content));
    const bool whole = html_.range.end > html_.range.begin &&
                       without_white_space(raw(html_.range)) == without_white_space(html_.content);
    if (whole) push({Kind::kHtml, Span::kNone, html_.range});
  }

  /// Content of a block of code or of HTML. The spaces at the ends of its lines can be padding.
  void add_kept(std::string_view text) {
    const size_t visible = text.find_last_not_of(' ') + 1;
    if (text == "\n") spaces_ = 0;
    if (visible > 0) content_.add(std::string(std::exchange(spaces_, 0), ' ')).add(text.substr(0, visible));
    spaces_ += text.size() - visible;
  }

  void add_placed(MD_TEXTTYPE type, std::string_view text) {
    if (std::exchange(begins_item_, false) && type == MD_TEXT_NORMAL) {
      text.remove_prefix(size_of_task_mark(text));
      if (text.empty()) return;
    }
    const auto begin = static_cast<size_t>(text.data() - document_.data());
    const Kind kind = type == MD_TEXT_CODE ? Kind::kCode : type == MD_TEXT_HTML ? Kind::kTag : Kind::kText;
    const bool same = !events_.empty() && events_.back().kind == kind;
    if (same && (kind == Kind::kCode || (kind == Kind::kTag && goes_on_))) {
      events_.back().range.end = begin + text.size();
    } else {
      MarkdownEvent event{kind, Span::kNone, {begin, begin + text.size()}};
      if (type == MD_TEXT_ENTITY) {
        event.text = decode_entities(text);
      } else if (kind == Kind::kText) {
        event.text = text;
        if (is_escaped(begin)) --event.range.begin;
      }
      push(std::move(event));
    }
    goes_on_ = false;
    done_ = begin + text.size();
  }

  /// The sign of a task that the parser takes for text: behind an item that ends with a quotation (md4c 0.4.8).
  static size_t size_of_task_mark(std::string_view text) {
    const bool mark = text.size() > 3 && text[0] == '[' && (text[1] == ' ' || text[1] == 'x' || text[1] == 'X') &&
                      text[2] == ']' && text[3] == ' ';
    return mark ? std::min(text.find_first_not_of(' ', 3), text.size()) : 0;
  }

  std::string_view raw(ByteRange range) const { return document_.substr(range.begin, range.end - range.begin); }
  size_t line_of(size_t place) const { return document_.substr(0, place).rfind('\n') + 1; }  // 0: the first one

  /// How far a text is indented, behind the signs of quotations around it. `before`: of its line.
  static size_t columns(std::string_view before) {
    const size_t sign = before.rfind('>');
    if (sign != std::string_view::npos) before.remove_prefix(sign + 1);
    if (sign != std::string_view::npos && before.starts_with(' ')) before.remove_prefix(1);
    size_t columns = 0;
    for (const char c : before) columns += c == '\t' ? 4 - columns % 4 : 1;
    return columns;
  }
  /// A paragraph has its first text here. Directly below a block of HTML, it is code if it is indented like that.
  void note_code_below_html(size_t text) {
    constexpr size_t kLeastOfCode = 4;
    const size_t line = line_of(text);
    if (html_.range.end >= line || std::ranges::count(raw({html_.range.end, line}), '\n') != 1) return;
    const std::string_view signs = document_.substr(line, document_.find_first_not_of(" \t>", line) - line);
    const size_t around = items_ > 0 ? columns(raw({line_of(html_.range.begin), html_.range.begin})) : 0;
    if (columns(signs) >= around + kLeastOfCode) rows_.note_code(padding_.place(line));
  }

  bool is_escaped(size_t at) const {
    return at > done_ && document_[at - 1] == '\\' && std::ispunct(static_cast<unsigned char>(document_[at])) != 0;
  }

  static Span span_of(MD_SPANTYPE type) {
    switch (type) {
      case MD_SPAN_EM: return Span::kEmphasis;
      case MD_SPAN_STRONG: return Span::kStrong;
      case MD_SPAN_DEL: return Span::kStrike;
      case MD_SPAN_CODE: return Span::kCode;
      case MD_SPAN_A: return Span::kLink;
      case MD_SPAN_IMG: return Span::kImage;
      default: return Span::kNone;
    }
  }

  /// Of the kind of a block.
  static uint64_t digest_of(MD_BLOCKTYPE type, const void* detail) {
    Digest digest;
    digest.add(static_cast<uint64_t>(type));
    if (type == MD_BLOCK_H) digest.add(static_cast<const MD_BLOCK_H_DETAIL*>(detail)->level);
    if (type == MD_BLOCK_OL) digest.add(static_cast<const MD_BLOCK_OL_DETAIL*>(detail)->start);
    if (type == MD_BLOCK_CODE) digest.add(text_of(static_cast<const MD_BLOCK_CODE_DETAIL*>(detail)->info));
    if (type == MD_BLOCK_TH || type == MD_BLOCK_TD) digest.add(static_cast<const MD_BLOCK_TD_DETAIL*>(detail)->align);
    if (type == MD_BLOCK_LI) {
      const auto& item = *static_cast<const MD_BLOCK_LI_DETAIL*>(detail);
      digest.add(item.is_task == 0 ? 0 : static_cast<uint64_t>(item.task_mark));
    }
    return digest.value();
  }
  /// Of the target and title of a link or image.
  uint64_t digest_of(MD_SPANTYPE type, const void* detail) {
    if (type != MD_SPAN_A && type != MD_SPAN_IMG) return 0;
    const bool link = type == MD_SPAN_A;
    const auto* const of_link = static_cast<const MD_SPAN_A_DETAIL*>(detail);
    const auto* const of_image = static_cast<const MD_SPAN_IMG_DETAIL*>(detail);
    const std::string_view target = text_of(link ? of_link->href : of_image->src);
    const std::string_view title = text_of(link ? of_link->title : of_image->title);
    targets_ += target.size() + title.size();
    return Digest().add(target).add("\n").add(title).value();
  }
  [[noreturn]] void fail_excess(const char* what) const {
    fail<MarkupError>("line ", line(), ": ", what, " far more than the document has bytes; divide it");
  }
  static std::string_view text_of(const MD_ATTRIBUTE& attribute) { return {attribute.text, attribute.size}; }

  /// The line of the document up to which it is read.
  int64_t line() const { return std::ranges::count(padding_.document().substr(0, padding_.place(done_)), '\n') + 1; }

  const bool indented_code_;
  const ParserPadding& padding_;
  std::string_view document_;  // with the padding
  DelimiterRows& rows_;
  ParsingLimits limits_;
  static constexpr size_t kMostOfDocument = 16, kLeastAllowed = 1 << 16;

  /// The last block of HTML.
  struct Html {
    std::string content;
    ByteRange range = {};  // of its texts

    void add(ByteRange text) { range = {range.end == 0 ? text.begin : range.begin, text.end}; }
  };

  std::vector<MarkdownEvent> events_;
  Html html_;
  bool below_html_ = false;  // nothing has come behind it
  OpenCode code_;
  int64_t items_ = 0;  // of lists that are open
  bool begins_item_ = false;  // of a list, which is no task for the parser
  size_t targets_ = 0;    // bytes of the targets and titles of links and images
  size_t cells_ = 0;      // of tables
  Digest content_;        // of a block of code or of HTML
  size_t spaces_ = 0;     // at the end of its last line
  bool kept_ = false;     // in such a block
  bool goes_on_ = false;  // a tag has a further line
  int64_t depth_ = 0;
  size_t done_ = 0;  // the end of the last text
  std::exception_ptr error_;
};

}  // namespace

std::string with_blank_settings(std::string_view document) {
  std::string blank(document);
  for (const ByteRange& range : settings_of(document)) {
    const auto begin = blank.begin() + static_cast<int64_t>(range.begin);
    const auto end = blank.begin() + static_cast<int64_t>(range.end);
    std::replace_if(begin, end, [](char c) { return c != '\n'; }, ' ');
  }
  return blank;
}

uint64_t number_of_link(const MarkdownEvent& event) {
  return Digest().add(static_cast<uint64_t>(event.span)).add(event.digest).value();
}

std::vector<MarkdownEvent> markdown_events(std::string_view document, bool indented_code) {
  constexpr int kMostRounds = 5;
  DelimiterRows rows(document);
  for (int round = 1;; ++round) {
    const std::string widened = rows.widened();
    const ParserPadding padding(widened);
    std::vector<MarkdownEvent> events = Reader(padding, rows, indented_code).read();
    if (rows.drop_text()) {
      if (round == kMostRounds) rows.clear();
      continue;
    }
    for (MarkdownEvent& event : events) {
      if (event.has_place()) {
        event.range = {rows.place(padding.place(event.range.begin)), rows.place(padding.place(event.range.end))};
      }
    }
    return events;
  }
}

}  // namespace ventris::markup
