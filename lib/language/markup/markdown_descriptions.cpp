#include "markup/markdown_descriptions.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "markup/characters.h"
#include "markup/edits.h"
#include "markup/html.h"
#include "markup/link_targets.h"
#include "markup/markdown.h"
#include "markup/markdown_extensions.h"
#include "markup/markdown_places.h"
#include "markup/markdown_structure.h"

namespace ventris::markup {
namespace {

using Kind = MarkdownEvent::Kind;
using Span = MarkdownEvent::Span;

/// The text of a title as a reader sees it.
std::string unescaped_title(std::string_view raw) {
  const std::string decoded = decode_entities(raw);
  std::string text;
  for (size_t at = 0; at < decoded.size(); ++at) {
    const bool escape = decoded[at] == '\\' && at + 1 < decoded.size() && !is_alnum_byte(decoded[at + 1]);
    text += decoded[escape ? ++at : at];
  }
  return text;
}

/// Takes the descriptions from the events of a document.
class DescriptionTaker {
 public:
  DescriptionTaker(std::string_view document, const MarkdownReading& reading)
      : document_(document), parsed_(reading.text) {}

  void take(const MarkdownEvent& event) {
    if (event.in_code || event.kind == Kind::kBlock) {
      image_.reset();
      return;
    }
    const bool emphasis = event.span == Span::kEmphasis || event.span == Span::kStrong || event.span == Span::kStrike;
    const bool closes = event.kind == Kind::kClose;
    if (event.kind == Kind::kText && image_) image_->text += event.text;
    if (event.kind == Kind::kSoftBreak && image_) image_->text += ' ';
    if (closes && event.span == Span::kImage) take_image(event.range);
    if (closes && (event.span == Span::kImage || event.span == Span::kLink)) take_title(event.range);
    if (event.kind == Kind::kText || event.kind == Kind::kSoftBreak || emphasis) return;
    image_.reset();
    if (event.kind == Kind::kOpen && event.span == Span::kImage) image_ = {{}, {event.range.end, event.range.end}, ""};
  }
  std::vector<MarkdownDescription> finish() { return std::move(found_); }

 private:
  void take_image(ByteRange close) {
    if (!image_) return;
    const std::string_view sign = document_.substr(close.begin, close.end - close.begin);
    if (sign == "]" || sign == "][]") image_->kind = MarkdownDescription::Kind::kLabel;
    image_->range.end = close.begin;
    const bool several_lines =
        document_.substr(0, close.begin).find('\n', image_->range.begin) != std::string_view::npos;
    if (image_->kind == MarkdownDescription::Kind::kLabel && several_lines)
      return;  // the label may have signs of blocks
    add(std::move(*image_));
  }
  void take_title(ByteRange close) {
    if (!parsed_.substr(0, close.end).substr(close.begin).starts_with("](")) return;
    const ByteRange title = title_of_link(parsed_.substr(0, close.end), close.begin + 1);
    const std::string_view raw = document_.substr(title.begin, title.end - title.begin);
    if (raw.find('\n') != std::string_view::npos) return;
    add({MarkdownDescription::Kind::kTitle, title, unescaped_title(raw)});
  }
  void add(MarkdownDescription description) {
    if (has_letters(description.text)) found_.push_back(std::move(description));
  }

  std::string_view document_, parsed_;
  std::optional<MarkdownDescription> image_;  // that is open, without anything inside but text
  std::vector<MarkdownDescription> found_;
};

/// The text between signs that it must not have.
std::string quoted(std::string_view text, std::string_view signs) {
  std::string written;
  for (const char c : text) {
    if (signs.find(c) != std::string_view::npos) written += '\\';
    written += c;
  }
  return written;
}

int64_t links_and_images(const std::string& document) {
  return std::ranges::count_if(read_markdown(document).events, [](const MarkdownEvent& event) {
    return event.kind == Kind::kOpen && (event.span == Span::kImage || event.span == Span::kLink);
  });
}

/// Writes a text in the place of a description. A label stays behind it: "![text][label]".
void put_text(std::string_view document, const MarkdownDescription& description, std::string text, Edits& edits) {
  std::ranges::replace(text, '\n', ' ');
  const std::string written = escape_markdown(text, Escaping::kDocument);
  const ByteRange range = description.range;
  if (description.kind == MarkdownDescription::Kind::kTitle) {
    const std::string_view sign = document.substr(range.begin - 1, 1);
    if (sign == "(" && written.find_first_of("()") != std::string::npos) return;  // the parser knows no backslash there
    return edits.add(range, quoted(written, sign));
  }
  if (description.kind == MarkdownDescription::Kind::kImage) return edits.add(range, written);
  const std::string label(document.substr(range.begin, range.end - range.begin));
  const bool empty_label = document.substr(range.end).starts_with("][]");
  edits.add({range.begin, range.end + (empty_label ? 2 : 0)}, written + "][" + label);
}

}  // namespace

std::vector<MarkdownDescription> markdown_descriptions(const std::string& document) {
  MarkdownReading reading = read_markdown(document);
  locate_markdown(reading.text, reading.events);
  DescriptionTaker taker(document, reading);
  for (const MarkdownEvent& event : reading.events) taker.take(event);
  return taker.finish();
}

std::string with_descriptions(const std::string& document, const std::map<std::string, std::string>& texts) {
  Edits edits;
  for (const MarkdownDescription& description : markdown_descriptions(document)) {
    const auto text = texts.find(description.text);
    if (text != texts.end() && text->second != description.text && has_letters(text->second))
      put_text(document, description, text->second, edits);
  }
  const std::string written = edits.apply(document, {0, document.size()});
  const bool alike = markdown_leaves(written).size() == markdown_leaves(document).size() &&
                     links_and_images(written) == links_and_images(document);
  return alike ? written : document;
}

void add_descriptions(const std::string& document, MarkedDocument& parsed) {
  std::map<std::string, size_t> numbers;  // of the blocks, by text
  size_t done = 0;
  int64_t line = 1;
  for (MarkdownDescription& description : markdown_descriptions(document)) {
    line += std::count(document.begin() + static_cast<int64_t>(done),
                       document.begin() + static_cast<int64_t>(description.range.begin), '\n');
    done = description.range.begin;
    if (!numbers.try_emplace(description.text, numbers.size()).second) continue;
    Block block{"", {std::move(description.text)}, line};
    block.escaping = Escaping::kBeside;
    parsed.blocks.push_back(std::move(block));
  }
  if (numbers.empty()) return;
  const auto put = [numbers](const std::string& written, const std::vector<std::string>& translations) {
    std::map<std::string, std::string> texts;
    for (const auto& [text, number] : numbers) texts[text] = translations[number];
    return with_descriptions(written, texts);
  };
  parsed.beside.push_back({numbers.size(), put});
}

}  // namespace ventris::markup
