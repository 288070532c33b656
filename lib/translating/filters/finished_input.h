#pragma once
#include <cstdint>
#include <deque>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "filters/settings.h"
#include "text/line_reader.h"

namespace ventris::filters {

/// Bytes of a JSON line; if a longer one were cut, it would not be JSON.
inline constexpr size_t kLongestJson = 64 << 20;

/// The longest text in bytes: the model gets a text as a whole, or its sentences or blocks.
size_t longest_text(const TranslateSettings& settings);

/// How the lines of the input, and those of settings.force_prefix, are read.
text::LineReaderOptions reading_options(const TranslateSettings& settings);

/// Checksums of the lines of the input, without blank ones among JSON lines (and of settings.force_prefix) that are
/// finished. With them, a run can be gone on with although the rest of its input was changed: a line that could not be
/// read was mended.
class FinishedInput {
 public:
  /// The next line was read. `prefix`: what belongs to it; empty without settings.force_prefix.
  void read(std::string_view line, std::string_view prefix);

  /// The first line that was read and not finished is finished.
  void finish();

  /// A list of marks [lines, checksum of so many lines, checksum of so many prefixes]: the last line that is finished,
  /// and some earlier ones, which are close to each other near the end. (Damaged gzip data may give wrong lines before
  /// the damage is noticed.)
  nlohmann::ordered_json to_json() const;

 private:
  struct Mark {
    int64_t lines = 0;
    uint32_t input = 0, prefixes = 0;
  };

  Mark newest_;              // of the lines that were read
  std::deque<Mark> waiting_;  // of those among them that are not finished
  std::vector<Mark> marks_;  // of some that are finished
};

/// How many lines at the beginning of the input that is there now are those of `marks` (FinishedInput::to_json); 0 for
/// something else than marks. Throws DataError if the input or the file of prefixes cannot be read so far.
int64_t lines_as_before(const nlohmann::ordered_json& marks, const TranslateSettings& settings);

}  // namespace ventris::filters
