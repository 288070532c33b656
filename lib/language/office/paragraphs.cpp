#include "office/paragraphs.h"

#include <algorithm>
#include <utility>

#include "office/paragraph_text.h"
#include "office/symbols.h"

namespace ventris::office {
namespace {

std::string escaped(std::string_view text) { return markup::escape(text, markup::Markup::kXml); }

/// Control characters, which XML does not have, and line ends as spaces.
std::string in_one_line(std::string_view text) {
  std::string line(text);
  std::ranges::replace_if(line, [](unsigned char c) { return c < ' '; }, ' ');
  return line;
}

}  // namespace

void ParagraphWriter::add(Paragraph paragraph, markup::MarkedDocument& blocks) {
  const size_t begin = paragraph.range.begin;
  Entry entry{std::move(paragraph), {}};
  const std::vector<Item>& items = entry.paragraph.items;
  for (const ItemRange range : texts_of(items)) {
    const size_t format = usual_format(items, range);
    markup::Block block{"", marked_text(items, range, format)};
    std::string source = block.text.raw({0, block.text.text.size()}, escaped);
    entry.texts.push_back({range.first, range.last, blocks.blocks.size(), format, std::move(source)});
    blocks.blocks.push_back(std::move(block));
  }
  if (entry.texts.empty()) return;
  // One in the properties of another one comes after it, but is before its text.
  const auto is_later = [](size_t at, const Entry& one) { return at < one.paragraph.range.begin; };
  entries_.insert(std::upper_bound(entries_.begin(), entries_.end(), begin, is_later), std::move(entry));
}

/// The document while it is written.
class ParagraphWriter::Output {
 public:
  Output(const ParagraphWriter& writer, const std::vector<std::string>& translations)
      : writer_(writer), translations_(translations) {}

  std::string write() {
    add_range({0, writer_.document_.size()}, 0);
    return std::move(out_);
  }

 private:
  /// Bytes of the document. The paragraphs in them have numbers from `next` on.
  void add_range(ByteRange range, size_t next) {
    const std::vector<Entry>& entries = writer_.entries_;
    size_t done = range.begin;
    auto entry = std::lower_bound(entries.begin() + static_cast<std::ptrdiff_t>(next), entries.end(), range.begin,
                                  [](const Entry& one, size_t at) { return one.paragraph.range.begin < at; });
    while (entry != entries.end() && entry->paragraph.range.begin < range.end) {
      const ByteRange inside = entry->paragraph.range;
      out_.append(writer_.document_, done, inside.begin - done);
      add_paragraph(static_cast<size_t>(entry - entries.begin()));
      done = inside.end;
      while (entry != entries.end() && entry->paragraph.range.begin < done) ++entry;
    }
    out_.append(writer_.document_, done, range.end - done);
  }

  void add_paragraph(size_t number) {
    const auto& [paragraph, texts] = writer_.entries_[number];
    const auto is_same = [&](const Text& text) { return translations_[text.block] == text.source; };
    if (std::ranges::all_of(texts, is_same)) return add_range(paragraph.range, number + 1);
    const bool space_before = std::exchange(after_space_, true);
    size_t item = 0;
    for (const Text& text : texts) {
      for (; item < text.first; ++item) add_item(paragraph.items[item], number);
      add_text(paragraph.items, text, number);
      item = text.last + 1;
    }
    for (; item < paragraph.items.size(); ++item) add_item(paragraph.items[item], number);
    after_space_ = space_before;
  }

  void add_text(const std::vector<Item>& items, const Text& text, size_t paragraph) {
    std::vector<size_t> formats{text.format};
    std::string source;
    for (size_t i = text.first; i <= text.last; ++i) source += items[i].text;
    const std::string translation = with_no_break_hyphens(translations_[text.block], source);
    for (const Sign& sign : signs_of(translation, items, {text.first, text.last})) {
      switch (sign.kind) {
        case Sign::Kind::kText: add_words(sign.text, formats.back()); break;
        case Sign::Kind::kItem: add_item(items[sign.number], paragraph); break;
        case Sign::Kind::kFormat: formats.push_back(sign.number); break;
        case Sign::Kind::kFormatEnd:
          if (formats.size() > 1) formats.pop_back();
          break;
      }
    }
  }
  void add_words(std::string_view escaped_text, size_t format) {
    const std::string line = in_one_line(escaped_text);
    out_ += writer_.notation_->text(line, format, after_space_);
    after_space_ = line.ends_with(' ');
  }

  void add_item(const Item& item, size_t paragraph) {
    for (const Item& part : item.inside) add_item(part, paragraph);
    if (!item.inside.empty()) return;
    if (item.kind == Item::Kind::kText) return add_words(escaped(item.text), item.format);
    std::string before = std::exchange(out_, {});
    add_range(item.range, paragraph + 1);
    const std::string raw = std::exchange(out_, std::move(before));
    out_ += writer_.notation_->item(item, raw);
    if (item.kind == Item::Kind::kBreak) after_space_ = true;
    if (item.kind == Item::Kind::kObject) after_space_ = false;
  }

  const ParagraphWriter& writer_;
  const std::vector<std::string>& translations_;
  std::string out_;
  bool after_space_ = true;
};

std::string ParagraphWriter::write(const std::vector<std::string>& translations) const {
  return Output(*this, translations).write();
}

}  // namespace ventris::office
