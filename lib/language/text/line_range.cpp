#include "text/line_range.h"

#include <algorithm>
#include <utility>

namespace ventris::text {

LineRange::LineRange(const std::string& path, std::unique_ptr<ByteSource> bytes, int64_t begin, int64_t end)
    : bytes_(std::move(bytes)), block_(bytes_->next_block()), left_(end - begin) {
  check_kind(block_, path);
  while (begin > 0) {
    if (take_lines(begin).empty()) return;
  }
}

std::string_view LineRange::next_block() { return left_ == 0 ? std::string_view() : take_lines(left_); }

/// Takes bytes up to the end of this many lines, or of the block; `lines` becomes how many of them are not ended. Empty
/// at the end of the file.
std::string_view LineRange::take_lines(int64_t& lines) {
  if (block_.empty()) block_ = bytes_->next_block();
  const int64_t ends = std::count(block_.begin(), block_.end(), '\n');
  size_t size = block_.size();
  if (ends >= lines) {
    for (size = 0; lines > 0; --lines) size = block_.find('\n', size) + 1;
  } else {
    lines -= ends;
  }
  const std::string_view taken = block_.substr(0, size);
  block_.remove_prefix(size);
  return taken;
}

}  // namespace ventris::text
