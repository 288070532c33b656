#pragma once
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/parallel.h"
#include "core/process.h"

namespace ventris::data {

/// The lines that are read before the threads tokenize them. Also limited in bytes, because a line may have a million.
inline constexpr size_t kBlockLines = 8192;
inline constexpr size_t kBlockBytes = 16 << 20;

/// Reads a corpus in blocks of lines. For each block: calls next(line) until the block is full or next() returns 0 at
/// the end, then prepare(line) for all lines on `threads` threads, then each(line) in order. next() returns the bytes
/// that it read, at least 1. Throws Interrupted after a stop signal, with `path` in the message.
template <typename Line, typename Next, typename Prepare, typename Each>
void read_in_blocks(const std::string& path, int threads, const Next& next, const Prepare& prepare, const Each& each) {
  for (bool more = true; more;) {
    std::vector<Line> block;
    for (size_t bytes = 0; more && block.size() < kBlockLines && bytes < kBlockBytes;) {
      Line line;
      const size_t read = next(line);
      more = read > 0;
      bytes += read;
      if (more) block.push_back(std::move(line));
    }
    if (const int signal = core::stop_signal(); signal != 0) {
      throw Interrupted(signal, path + ": stopped by a signal while reading the corpus");
    }
    core::parallel_for(block.size(), threads, [&](size_t i, int) { prepare(block[i]); });
    for (Line& line : block) each(line);
  }
}

}  // namespace ventris::data
