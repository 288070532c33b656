#include "formats/subtitles.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "formats/cue_lines.h"
#include "formats/cue_pairs.h"
#include "formats/subtitle_chains.h"
#include "markup/characters.h"
#include "markup/parsing_limits.h"
#include "markup/text_cursor.h"

namespace ventris::formats {
namespace {

using markup::Block;
using markup::MarkedDocument;
using markup::Markup;

/// A line of a block.
struct WrittenLine {
  size_t block = 0, cue = 0;
  ByteRange range;  // in the document
  std::string before, source, after;  // source: as an unchanged translation would be
};

/// The lines of a text, divided by line feeds.
std::vector<std::string> lines_in(const std::string& text) {
  std::vector<std::string> lines;
  size_t begin = 0;
  for (size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', begin)) {
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  lines.push_back(text.substr(begin));
  return lines;
}

/// Whether the text has letters or digits.
bool has_words(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    if (u_isalnum(markup::next_character(text, at)) != 0) return true;
  }
  return false;
}

/// The text without "-->", which stands only between times.
std::string without_arrows(std::string_view text) {
  std::string written;
  for (const char c : text) written += c == '>' && written.ends_with("--") ? " >" : std::string(1, c);
  return written;
}

bool is_empty(std::string_view text) { return text.find_first_not_of(kSpaces) == std::string_view::npos; }

/// Puts the lines of translations into their subtitles.
class SubtitleWriter : public markup::DocumentWriter {
 public:
  SubtitleWriter(std::string document, Markup markup, std::vector<WrittenLine> lines, std::vector<bool> in_pairs)
      : document_(std::move(document)), markup_(markup), lines_(std::move(lines)), in_pairs_(std::move(in_pairs)) {}

  std::string write(const std::vector<std::string>& translations) const override {
    std::vector<Replacement> replacements;
    for (size_t first = 0; first < lines_.size();) {
      size_t last = first;
      while (last < lines_.size() && lines_[last].block == lines_[first].block) ++last;
      std::vector<std::string> texts = lines_in(translations[lines_[first].block]);
      for (; texts.size() > last - first; texts.pop_back()) texts[last - first - 1] += " " + texts.back();
      texts.resize(last - first);
      mend(first, texts);
      for (size_t i = first; i < last; ++i) add(i, texts[i - first], replacements);
      first = last;
    }
    drop_empty_lines(replacements);
    return replaced(document_, replacements);
  }

 private:
  /// Pairs of tags do not go on in the next subtitle.
  void mend(size_t first, std::vector<std::string>& texts) const {
    std::vector<size_t> cues;
    for (size_t i = 0; i < texts.size(); ++i) cues.push_back(lines_[first + i].cue);
    if (in_pairs_[lines_[first].block] && cues.front() != cues.back()) mend_pairs(texts, cues, markup_);
  }
  void add(size_t number, const std::string& text, std::vector<Replacement>& replacements) const {
    const WrittenLine& line = lines_[number];
    if (text == line.source) return replacements.push_back({line.range, std::string(part_of(document_, line.range))});
    replacements.push_back({line.range, line.before + without_arrows(text) + line.after});
  }
  /// Leaves out lines without text, because a blank line would end the subtitle.
  void drop_empty_lines(std::vector<Replacement>& replacements) const {
    for (size_t first = 0; first < replacements.size();) {
      size_t last = first + 1;
      while (last < replacements.size() && are_neighbours(last - 1, last)) ++last;
      bool has_text = false;
      for (size_t i = first; i < last; ++i) {
        if (!is_empty(replacements[i].text)) {
          has_text = true;
        } else if (has_text) {
          replacements[i].range.begin = lines_[i - 1].range.end;
        } else if (i + 1 < last) {
          replacements[i].range.end = lines_[i + 1].range.begin;
        }
      }
      first = last;
    }
  }
  /// Whether nothing but white space is between two lines of a subtitle.
  bool are_neighbours(size_t line, size_t next) const {
    if (lines_[line].cue != lines_[next].cue) return false;
    return part_of(document_, {lines_[line].range.end, lines_[next].range.begin}).find_first_not_of(" \t\r\n") ==
           std::string_view::npos;
  }

  const std::string document_;
  const Markup markup_;
  const std::vector<WrittenLine> lines_;
  const std::vector<bool> in_pairs_;  // whether the block has pairs of tags, and no tags alone
};

/// Whether the text has marks, all of them in pairs.
bool is_in_pairs(const markup::MarkedText& text) {
  const auto is_alone = [](const markup::Mark& mark) { return mark.kind == markup::Mark::Kind::kAlone; };
  return !text.marks.empty() && std::ranges::none_of(text.marks, is_alone);
}

/// Appends a text and its marks.
void append(markup::MarkedText& whole, const markup::MarkedText& text) {
  const size_t offset = whole.text.size();
  whole.text += text.text;
  for (const markup::Mark& mark : text.marks) {
    whole.marks.push_back(mark);
    whole.marks.back().at += offset;
  }
}

/// Joins lines into blocks.
class Joiner {
 public:
  Joiner(const std::string& document, Markup markup)
      : document_(document), markup_(markup), cues_(read_cues(document, markup)), limits_(document) {}

  MarkedDocument join() {
    for (size_t cue = 0; cue < cues_.size(); ++cue) {
      std::vector<CueLine> lines = lines_of_cue(document_, cues_[cue], cue, markup_);
      const bool has_letters =
          std::ranges::any_of(lines, [](const CueLine& line) { return markup::has_letters(line.text.text); });
      for (CueLine& line : lines) take(std::move(line), has_letters);
    }
    drop_blocks_without_letters();
    std::vector<bool> in_pairs;
    for (const Block& block : result_.blocks) in_pairs.push_back(is_in_pairs(block.text));
    result_.writer = std::make_shared<SubtitleWriter>(document_, markup_, std::move(written_), std::move(in_pairs));
    return std::move(result_);
  }

 private:
  /// In a subtitle with letters, a line of digits may be a part of a sentence, or stand alone.
  void drop_blocks_without_letters() {
    std::vector<size_t> numbers;  // of the blocks that are left
    std::vector<Block> left;
    for (Block& block : result_.blocks) {
      const bool stays = !markup::has_letters(block.text.text);
      numbers.push_back(stays ? kDropped : left.size());
      if (!stays) left.push_back(std::move(block));
    }
    for (WrittenLine& line : written_) line.block = numbers[line.block];
    std::erase_if(written_, [](const WrittenLine& line) { return line.block == kDropped; });
    result_.blocks = std::move(left);
  }
  void take(CueLine line, bool cue_has_letters) {
    limits_.count(line.range.begin);
    if (markup_ == Markup::kVtt && is_empty(part_of(document_, line.range))) return;
    for (size_t i = 0; i < line.text.marks.size(); ++i) limits_.count(line.range.begin);
    const bool has_text = cue_has_letters && has_words(line.text.text);
    if (has_text) {
      const bool goes_on = open_ && may_go_on(last_, line, cues_);
      if (!goes_on) result_.blocks.push_back({"", {}, line.line});
      Block& block = result_.blocks.back();
      if (goes_on) block.text.text += '\n';
      block.lines.push_back(line.line);
      append(block.text, line.text);
      written_.push_back({result_.blocks.size() - 1, line.cue, line.range, line.before, source_of(line), line.after});
    }
    open_ = has_text;
    last_ = std::move(line);
  }
  std::string source_of(const CueLine& line) const {
    return line.text.raw({0, line.text.text.size()},
                         [this](std::string_view text) { return markup::escape(text, markup_); });
  }

  static constexpr size_t kDropped = static_cast<size_t>(-1);

  const std::string& document_;
  Markup markup_;
  std::vector<Cue> cues_;
  markup::ParsingLimits limits_;
  MarkedDocument result_;
  std::vector<WrittenLine> written_;
  CueLine last_;
  bool open_ = false;  // the last line was text
};

}  // namespace

MarkedDocument parse_subtitles(const std::string& document, Markup markup) { return Joiner(document, markup).join(); }

}  // namespace ventris::formats
