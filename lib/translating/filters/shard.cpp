#include "filters/shard.h"

#include <charconv>
#include <filesystem>
#include <memory>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "filters/finished_input.h"
#include "text/byte_source.h"
#include "text/line_range.h"
#include "text/valid_utf8.h"

namespace ventris::filters {
namespace {

bool read_whole(std::string_view text, int64_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

/// Of the first `lines` JSON lines, those that are not blank.
int64_t json_texts_in(const TranslateSettings& settings, int64_t lines) {
  text::LineReaderOptions options = reading_options(settings);
  options.strict = false;  // what is wrong there is for the run that translates it
  text::LineReader reader(settings.input, options);
  int64_t texts = 0;
  std::string line;
  while (reader.counts().lines < lines && reader.next(line)) texts += text::is_blank(line) ? 0 : 1;
  return texts;
}

}  // namespace

Shard parse_shard(const std::string& text) {
  if (text.empty()) return {};
  const std::string_view both = text;
  const size_t slash = both.find('/');
  Shard shard;
  const bool read = slash != std::string_view::npos && read_whole(both.substr(0, slash), shard.number) &&
                    read_whole(both.substr(slash + 1), shard.parts);
  if (!read || shard.parts < 1 || shard.parts > kMostShards || shard.number < 1 || shard.number > shard.parts) {
    fail<ConfigError>("shard: expected I/N with I from 1 to N and N at most ", kMostShards,
                      ", such as 2/8 for the second of eight parts, got '", text, "'");
  }
  return shard;
}

std::pair<int64_t, int64_t> range_of(const Shard& shard, int64_t lines) {
  const int64_t whole = lines / shard.parts, rest = lines % shard.parts;  // lines * number could be too large
  const auto end_of = [&](int64_t number) { return whole * number + rest * number / shard.parts; };
  return {end_of(shard.number - 1), end_of(shard.number)};
}

ShardLines open_shard(const TranslateSettings& settings) {
  std::error_code ignored;
  if (std::filesystem::exists(settings.input, ignored) && !std::filesystem::is_regular_file(settings.input, ignored)) {
    fail<ConfigError>("shard: ", settings.input,
                      " is not a plain file; a part can be found only in a file that can be read several times");
  }
  const auto [begin, end] = range_of(parse_shard(settings.shard), text::count_lines(settings.input));
  auto lines = std::make_unique<text::LineRange>(settings.input, text::open_bytes(settings.input), begin, end);
  const bool json = settings.input_format == InputFormat::kJsonl;
  return {{settings.input, std::move(lines), reading_options(settings), begin},
          json ? json_texts_in(settings, begin) : begin};
}

}  // namespace ventris::filters
