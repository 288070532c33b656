#include "markup/markdown_extensions.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/ascii.h"
#include "core/process.h"
#include "markup/characters.h"
#include "markup/delimiter_rows.h"
#include "markup/directives.h"
#include "markup/each_line.h"
#include "markup/extension_finder.h"
#include "markup/fences.h"
#include "markup/jsx_tags.h"
#include "markup/known_blocks.h"
#include "markup/line_extensions.h"
#include "markup/link_targets.h"
#include "markup/markdown_in_html.h"
#include "markup/tildes.h"

namespace ventris::markup {
namespace {

/// The pipes of a text that may divide cells of a table.
int64_t count_pipes(std::string_view text) {
  int64_t pipes = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\\') {
      ++at;
    } else if (text[at] == '|') {
      ++pipes;
    }
  }
  return pipes;
}

/// Whether a line of the paragraph looks like the delimiter row of a table.
bool may_have_table(std::string_view paragraph) {
  for (size_t at = 0; at < paragraph.size();) {
    const size_t end = std::min(paragraph.find('\n', at), paragraph.size());
    if (may_be_delimiter_row(paragraph.substr(at, end - at))) return true;
    at = end + 1;
  }
  return false;
}

/// Drops the spans from this number on with some of the pipes of their line, because these may divide cells.
void drop_cells(std::string_view document, std::vector<ByteRange>& spans, size_t first) {
  ByteRange line{0, 0};
  int64_t pipes = 0;  // of the line
  const auto divides_cells = [&](const ByteRange& span) {
    const std::string_view text = document.substr(span.begin, span.end - span.begin);
    const int64_t inside = count_pipes(text);
    if (text.starts_with("{{") || text.starts_with("{%")) return false;  // they are replaced before Markdown is read
    if (inside == 0 || text.find('\n') != std::string_view::npos) return false;
    if (span.begin >= line.end) {
      line = {document.substr(0, span.begin).rfind('\n') + 1, std::min(document.find('\n', span.end), document.size())};
      pipes = count_pipes(document.substr(line.begin, line.end - line.begin));
    }
    return inside < pipes;
  };
  spans.erase(std::remove_if(spans.begin() + static_cast<int64_t>(first), spans.end(), divides_cells), spans.end());
}

/// Adds what is in the paragraph with these bytes.
void add_paragraph(std::string_view document, ByteRange range, const DocumentTraits& traits,
                   MarkdownExtensions& found) {
  const std::string_view paragraph = document.substr(range.begin, range.end - range.begin);
  const size_t before = found.spans.size();
  find_extensions(paragraph, range.begin, traits, found);
  for (const ByteRange& sign : emphasis_in_targets(paragraph)) {
    found.in_targets.push_back({range.begin + sign.begin, range.begin + sign.end});
  }
  if (found.spans.size() > before && may_have_table(paragraph)) drop_cells(document, found.spans, before);
}

/// Whether a brace is escaped in the line, as MDX needs it, and not in code or a formula.
bool escapes_brace(std::string_view line) {
  return line.find("\\{") != std::string_view::npos && line.find_first_of("`$") == std::string_view::npos &&
         line.find("\\\\") == std::string_view::npos;
}

/// Reads what the document says in lines of its own: imports and exports of MDX, tables, and definitions of links.
DocumentTraits traits_of(std::string_view document, bool jsx) {
  DocumentTraits traits{jsx};
  Fences fences;
  for (size_t at = 0; at < document.size();) {
    const size_t end = std::min(document.find('\n', at), document.size());
    const std::string_view line = document.substr(at, end - at), text = without_container(line);
    const bool code = fences.take(text);
    traits.mdx = traits.mdx || (!code && (is_javascript(line) || text.starts_with("{/*") || escapes_brace(text)));
    traits.tables = traits.tables || text.starts_with("~~~") || may_be_delimiter_row(line);  // see with_known_blocks
    const size_t close = !code && text.starts_with('[') ? text.find(']') : std::string_view::npos;
    if (close != std::string_view::npos && text.substr(close).starts_with("]:")) {
      traits.definitions.insert(core::in_lower_case(text.substr(1, close - 1)));
    }
    at = end + 1;
  }
  return traits;
}

/// Gives the texts their own characters again.
void restore_texts(std::string_view document, MarkdownReading& reading) {
  for (MarkdownEvent& event : reading.events) {
    const size_t begin = event.range.begin;
    if (event.kind == MarkdownEvent::Kind::kText && reading.text.compare(begin, event.text.size(), event.text) == 0) {
      event.text = document.substr(begin, event.text.size());
    }
  }
}

/// Keeps the spans without those that the parser took for text.
bool drop_text(std::vector<ByteRange>& spans, const std::vector<MarkdownEvent>& events) {
  const size_t before = spans.size();
  auto event = events.begin();
  std::erase_if(spans, [&](const ByteRange& span) {
    const auto is_behind = [&](const MarkdownEvent& one) {
      return one.kind == MarkdownEvent::Kind::kText && one.range.end > span.begin;
    };
    event = std::find_if(event, events.end(), is_behind);
    return event != events.end() && event->range.begin < span.end;
  });
  return spans.size() < before;
}

}  // namespace

MarkdownExtensions markdown_extensions(std::string_view document, bool jsx) {
  MarkdownExtensions found;
  const DocumentTraits traits = traits_of(document, jsx);
  size_t begin = 0;
  each_line(document, [&](size_t at, size_t end) {
    if (at + run_of(document, at, kBeforeText) < end) return;
    add_paragraph(document, {begin, at}, traits, found);
    begin = std::min(end + 1, document.size());
  });
  add_paragraph(document, {begin, document.size()}, traits, found);
  std::ranges::sort(found.in_targets, {}, &ByteRange::begin);
  return found;
}

std::string with_code_at(std::string document, const MarkdownExtensions& found) {
  const std::vector<ByteRange>& spans = found.spans;
  const auto fill = [&](ByteRange run, char with) {
    std::fill_n(document.begin() + static_cast<int64_t>(run.begin), run.end - run.begin, with);
  };
  for (const ByteRange& run : found.backticks) fill(run, ',');
  for (const ByteRange& range : found.in_targets) fill(range, 'x');
  for (const ByteRange& range : found.attributes) {
    fill(range, 'x');
    document[range.begin] = '(';
    document[range.end - 1] = ')';
  }
  for (size_t i = 0; i < spans.size(); ++i) {
    ByteRange span = spans[i];
    for (; i + 1 < spans.size() && spans[i + 1].begin == span.end; ++i) span.end = spans[i + 1].end;
    std::optional<bool> quoted;  // whether it is in a quotation
    for (size_t at = span.begin + 1; at + 1 < span.end; ++at) {
      char& c = document[at];
      if (c == '`' || c == '\\' || c == '|') c = 'x';
      if (c != '\n') continue;
      if (!quoted) {
        const size_t line = document.rfind('\n', span.begin) + 1;  // of all if there is no line end
        quoted = document.find_first_not_of(" \t", line) < document.find_first_not_of(kBeforeText, line);
      }
      at += 1 + run_of(document, at + 1, *quoted ? kBeforeText : " \t");
      if (at + 1 < span.end) document[at] = 'x';  // begins no list
    }
    document[span.begin] = document[span.end - 1] = '`';
  }
  return document;
}

/// Whether one of these ranges begins with a brace, and is not in a block of code.
bool has_braces_outside_code(std::string_view document, const std::vector<ByteRange>& ranges) {
  Fences fences;
  auto range = ranges.begin();
  for (size_t at = 0; at < document.size() && range != ranges.end();) {
    const size_t end = std::min(document.find('\n', at), document.size());
    const bool code = fences.take(without_container(document.substr(at, end - at)));
    for (; range != ranges.end() && range->begin < end; ++range) {
      if (!code && document[range->begin] == '{') return true;
    }
    at = end + 1;
  }
  return false;
}

/// The document with LF in the place of each CR that is a line end of its own (CommonMark 0.31.2, section 2.1), and not
/// in front of LF.
std::string with_line_feeds(std::string document) {
  for (size_t at = document.find('\r'); at < document.size(); at = document.find('\r', at)) {
    const size_t end = std::min(document.find_first_not_of('\r', at), document.size());
    if (end == document.size() || document[end] != '\n') {
      std::fill(document.begin() + static_cast<int64_t>(at), document.begin() + static_cast<int64_t>(end), '\n');
    }
    at = end;
  }
  return document;
}

MarkdownReading read_markdown(std::string_view document) {
  std::string settled = with_line_feeds(with_blank_settings(document));
  const std::vector<ByteRange> in_tags = jsx_in_tags(settled);
  const bool has_braces = has_braces_outside_code(settled, in_tags);
  MarkdownInHtml html = with_markdown_in_html(with_open_directives(with_plain_tags(std::move(settled), in_tags)));
  const bool jsx = html.has_components || has_braces;
  const std::string blank = with_known_blocks(std::move(html.text));
  MarkdownExtensions found = markdown_extensions(blank, jsx);
  for (int round = 1;; ++round) {
    MarkdownReading reading{with_plain_tildes(with_code_at(blank, found)), {}};
    reading.events = markdown_events(reading.text, !html.has_components);
    bool dropped = false;
    for (auto* const parts : {&found.spans, &found.in_targets, &found.attributes}) {
      dropped = drop_text(*parts, reading.events) || dropped;
    }
    if (!dropped) {
      restore_texts(document, reading);
      return reading;
    }
    constexpr int kMostRounds = 3;
    if (round == kMostRounds) found = {};
  }
}

}  // namespace ventris::markup
