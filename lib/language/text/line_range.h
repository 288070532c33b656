#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "text/byte_source.h"

namespace ventris::text {

/// Some lines of a file, byte for byte. Only LF ends a line.
class LineRange : public ByteSource {
 public:
  /// Lines from `begin` to before `end`, counted from 0; there may be fewer. Reads the lines before them at once.
  /// Throws as ByteSource::next_block(), and DataError with the name of `path` unless the file can be text
  /// (check_kind()).
  LineRange(const std::string& path, std::unique_ptr<ByteSource> bytes, int64_t begin, int64_t end);

  std::string_view next_block() override;
  bool ready() override { return left_ == 0 || !block_.empty() || bytes_->ready(); }

 private:
  std::string_view take_lines(int64_t& lines);

  std::unique_ptr<ByteSource> bytes_;
  std::string_view block_;  // what is left of the newest block
  int64_t left_;            // lines that were not given yet
};

}  // namespace ventris::text
