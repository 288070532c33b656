#include "markup/block_builder.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <utility>

namespace ventris::markup {
namespace {

bool has_letters(std::string_view text) {
  const auto size = static_cast<int32_t>(text.size());
  for (int32_t at = 0; at < size;) {
    UChar32 character = 0;
    U8_NEXT(text.data(), at, size, character);
    if (character > 0 && u_isalnum(character) != 0) return true;
  }
  return false;
}

}  // namespace

void BlockBuilder::add_text(std::string_view raw, std::string_view text) {
  if (!has_letters_) block_line_ = line_;
  has_letters_ = has_letters_ || has_letters(text);
  text_.text += text;
  add_raw(raw);
}

void BlockBuilder::add_mark(Mark::Kind kind, std::string_view raw, std::string_view written, bool never_empty) {
  depth_ = std::max<int64_t>(depth_ + (kind == Mark::Kind::kOpen) - (kind == Mark::Kind::kClose), 0);
  if (depth_ > kDeepestNesting) fail_nesting(line_, "tags");
  text_.marks.push_back({text_.text.size(), kind, std::string(written), never_empty});
  add_raw(raw);
}

void BlockBuilder::add_object(std::string_view raw) {
  text_.objects.push_back({text_.text.size(), std::string(raw)});
  text_.text += kObject;
  add_raw(raw);
}

void BlockBuilder::add_raw(std::string_view raw) {
  raw_ += raw;
  done_ += raw.size();
  line_ += std::ranges::count(raw, '\n');
}

void BlockBuilder::add_kept(std::string_view raw) {
  end_block();
  kept_ += raw;
  done_ += raw.size();
  line_ += std::ranges::count(raw, '\n');
}

void BlockBuilder::end_block() {
  if (has_letters_) {
    const ByteRange range{done_ - raw_.size(), done_};
    document_.blocks.push_back({std::exchange(kept_, {}), std::move(text_), block_line_, range});
  } else {
    kept_ += raw_;
  }
  raw_.clear();
  text_ = {};
  has_letters_ = false;
}

MarkedDocument BlockBuilder::finish() {
  end_block();
  document_.after = std::move(kept_);
  return std::move(document_);
}

MarkedDocument in_blocks(std::string_view document, const std::vector<Part>& parts) {
  BlockBuilder builder;
  size_t done = 0;
  for (const Part& part : parts) {
    if (part.range.begin > done) builder.add_kept(document.substr(done, part.range.begin - done));
    const std::string_view raw = document.substr(part.range.begin, part.range.end - part.range.begin);
    if (part.kind == Part::Kind::kText) builder.add_text(raw, part.text);
    if (part.kind == Part::Kind::kMark) {
      builder.add_mark(part.mark, raw, part.text.empty() ? raw : part.text, part.never_empty);
    }
    if (part.kind == Part::Kind::kHidden) builder.add_object(raw);
    if (part.kind == Part::Kind::kKept) builder.add_kept(raw);
    done = part.range.end;
  }
  builder.add_kept(document.substr(done));
  return builder.finish();
}

}  // namespace ventris::markup
