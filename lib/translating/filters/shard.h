#pragma once
#include <cstdint>
#include <string>
#include <utility>

#include "filters/settings.h"
#include "text/line_reader.h"

namespace ventris::filters {

/// A part of the input, for one of several runs that share the work.
struct Shard {
  int64_t number = 1;  ///< from 1
  int64_t parts = 1;

  bool is_whole() const { return parts == 1; }
};

inline constexpr int64_t kMostShards = 1'000'000;

/// Reads "2/8", the second of eight parts; "" = the whole input. Throws ConfigError.
Shard parse_shard(const std::string& text);

/// The first line of a part, and the one behind its last, counted from 0, of `lines` in all. The parts differ by at
/// most one line.
std::pair<int64_t, int64_t> range_of(const Shard& shard, int64_t lines);

/// The lines of settings.shard.
struct ShardLines {
  text::LineReader reader;
  int64_t texts_before;     ///< lines before, without the blank ones if the input is JSON lines
};

/// Opens settings.input at its shard. Reads all of the input once, to count its lines. Throws ConfigError if it is a
/// pipe or the like, DataError if it cannot be read, and Interrupted after a stop signal.
ShardLines open_shard(const TranslateSettings& settings);

}  // namespace ventris::filters
