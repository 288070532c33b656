#include "markup/apart_texts.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace ventris::markup {
namespace {

constexpr char kInAttribute = '\xFF', kInContent = '\xFD';  // before and behind the number of a text
constexpr char kSeparator = '\xFE';                         // before each text
constexpr std::string_view kSigns = "\xFF\xFD";

void append_in_quotes(std::string& out, std::string_view text, char quote) {
  for (const char c : text) {
    if (c == quote) {
      out += quote == '"' ? "&quot;" : "&#39;";
    } else {
      out += c;
    }
  }
}

/// Writes a document with texts in the places of their signs.
class TextPutter {
 public:
  explicit TextPutter(std::vector<std::string_view> texts) : texts_(std::move(texts)) {}

  void put(std::string_view part) {
    size_t done = 0;
    for (size_t at = part.find_first_of(kSigns); at != std::string_view::npos; at = part.find_first_of(kSigns, done)) {
      const size_t close = std::min(part.find(part[at], at + 1), part.size());
      size_t number = texts_.size();
      std::from_chars(part.data() + at + 1, part.data() + close, number);
      out_.append(part, done, at - done);
      done = std::min(close + 1, part.size());
      if (number >= texts_.size()) continue;
      const std::string_view text = std::exchange(texts_[number], {});  // so that no text is inside itself
      if (part[at] == kInContent) {
        put(text);
      } else {
        append_in_quotes(out_, text, out_.empty() ? '"' : out_.back());
      }
    }
    out_.append(part, done);
  }
  std::string take() { return std::move(out_); }

 private:
  std::vector<std::string_view> texts_;
  std::string out_;
};

}  // namespace

std::string ApartTexts::add(Block text, Place place) {
  const char sign = place == Place::kAttribute ? kInAttribute : kInContent;
  std::string written = sign + std::to_string(texts_.size()) + sign;
  texts_.push_back(std::move(text));
  return written;
}

void ApartTexts::append_to(MarkedDocument& document) {
  for (Block& block : texts_) {
    block.before = std::exchange(document.after, {}) + kSeparator;
    document.blocks.push_back(std::move(block));
  }
  texts_.clear();
}

std::string put_apart_texts(std::string_view written) {
  std::vector<std::string_view> texts;
  size_t end = std::min(written.find(kSeparator), written.size());
  const std::string_view document = written.substr(0, end);
  while (end < written.size()) {
    const size_t begin = end + 1;
    end = std::min(written.find(kSeparator, begin), written.size());
    texts.push_back(written.substr(begin, end - begin));
  }
  TextPutter putter(std::move(texts));
  putter.put(document);
  return putter.take();
}

}  // namespace ventris::markup
