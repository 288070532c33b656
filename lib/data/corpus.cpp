#include "data/corpus.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/error.h"
#include "core/files.h"
#include "core/parallel.h"
#include "core/process.h"

namespace ventris::data {
namespace {

/// What is read before the threads tokenise it; bounded in bytes too, since a line may have a million.
constexpr size_t kBlockLines = 8192;
constexpr size_t kBlockBytes = 16 << 20;

std::span<const int32_t> slice(const std::vector<int32_t>& ids, const std::vector<uint64_t>& ends, size_t pair) {
  const uint64_t begin = pair == 0 ? 0 : ends[pair - 1];
  return {ids.data() + begin, static_cast<size_t>(ends.at(pair) - begin)};
}

struct Line {
  std::string source, target;
  bool too_long = false;      // for a LineReader
  bool invalid_utf8 = false;  // replaced
  std::vector<int32_t> source_ids, target_ids;
};

/// Pairs of lines from two files or two columns of one.
class PairReader {
 public:
  explicit PairReader(const CorpusFiles& files) : source_(files.source) {
    if (!files.target.empty()) target_.emplace_back(files.target);
  }

  /// False at the end. A pair that is too long comes without its text: of cut lines even the columns are unknown.
  bool next(Line& line) {
    const int64_t cut = total(&text::LineCounts::too_long), replaced = total(&text::LineCounts::invalid_utf8);
    if (!source_.next(line.source) || (!target_.empty() && !target_.front().next(line.target))) return false;
    line.too_long = total(&text::LineCounts::too_long) > cut;
    line.invalid_utf8 = total(&text::LineCounts::invalid_utf8) > replaced;
    if (line.too_long) {
      line.source.clear();
      line.target.clear();
    } else if (target_.empty()) {
      auto columns = text::split_columns(line.source, 2, source_.path(), source_.counts().lines);
      line.source = std::move(columns[0]);
      line.target = std::move(columns[1]);
    }
    return true;
  }

 private:
  int64_t total(int64_t text::LineCounts::* field) const {
    return source_.counts().*field + (target_.empty() ? 0 : target_.front().counts().*field);
  }

  text::LineReader source_;
  std::vector<text::LineReader> target_;  // one, or none for a file with two columns
};

enum class Verdict { kKept, kEmpty, kTooLong, kBadRatio };

Verdict judge(const Line& line, const CorpusFilter& filter) {
  if (line.too_long) return Verdict::kTooLong;
  const size_t source = line.source_ids.size(), target = line.target_ids.size();
  if (source == 0 || target == 0) return Verdict::kEmpty;
  const auto shorter = static_cast<double>(std::min(source, target));
  const auto longer = static_cast<double>(std::max(source, target));
  if (longer > static_cast<double>(filter.max_length)) return Verdict::kTooLong;
  return longer > 10 && longer / shorter > filter.max_ratio ? Verdict::kBadRatio : Verdict::kKept;
}

/// The next lines; none at the end.
std::vector<Line> read_block(PairReader& reader) {
  std::vector<Line> block;
  Line line;
  for (size_t bytes = 0; block.size() < kBlockLines && bytes < kBlockBytes && reader.next(line);) {
    bytes += line.source.size() + line.target.size();
    block.push_back(line);
  }
  return block;
}

int64_t count_lines(const std::string& path) {
  std::error_code ignored;
  const auto kind = std::filesystem::status(path, ignored).type();
  using std::filesystem::file_type;
  if (path == "-" || kind == file_type::fifo || kind == file_type::socket || kind == file_type::character) {
    fail<DataError>(path == "-" ? "standard input" : path,
                    ": is not a regular file; a corpus is read more than once, so write it to a file first");
  }
  const int64_t lines = text::count_lines(path);
  if (lines == 0) fail<DataError>(path, ": is empty; expected a sentence a line");
  return lines;
}

void count(const Line& line, Verdict verdict, CorpusCounts& counts) {
  counts.lines += 1;
  counts.invalid_utf8 += line.invalid_utf8;
  counts.kept += verdict == Verdict::kKept;
  counts.empty += verdict == Verdict::kEmpty;
  counts.too_long += verdict == Verdict::kTooLong;
  counts.bad_ratio += verdict == Verdict::kBadRatio;
}

}  // namespace

void ParallelCorpus::add(std::span<const int32_t> source, std::span<const int32_t> target) {
  source_ids_.insert(source_ids_.end(), source.begin(), source.end());
  target_ids_.insert(target_ids_.end(), target.begin(), target.end());
  source_ends_.push_back(source_ids_.size());
  target_ends_.push_back(target_ids_.size());
}

void ParallelCorpus::compact() {
  source_ids_.shrink_to_fit();
  target_ids_.shrink_to_fit();
  source_ends_.shrink_to_fit();
  target_ends_.shrink_to_fit();
}

uint32_t ParallelCorpus::checksum() const {
  std::string sums;
  const auto add = [&](const auto& numbers) {
    const std::string_view bytes(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(numbers[0]));
    sums += std::to_string(core::crc32(bytes)) + " ";
  };
  add(source_ids_);
  add(target_ids_);
  add(source_ends_);
  add(target_ends_);
  return core::crc32(sums);
}

size_t ParallelCorpus::memory_bytes() const {
  return sizeof(int32_t) * (source_ids_.capacity() + target_ids_.capacity()) +
         sizeof(uint64_t) * (source_ends_.capacity() + target_ends_.capacity());
}

std::span<const int32_t> ParallelCorpus::source(size_t pair) const { return slice(source_ids_, source_ends_, pair); }
std::span<const int32_t> ParallelCorpus::target(size_t pair) const { return slice(target_ids_, target_ends_, pair); }

void check_files(const CorpusFiles& files) {
  const int64_t source_lines = count_lines(files.source);
  if (files.target.empty()) return;
  const int64_t target_lines = count_lines(files.target);
  if (source_lines != target_lines) {
    fail<DataError>("line counts differ: ", files.source, " has ", source_lines, ", ", files.target, " has ",
                    target_lines, "; each line of one must translate the same line of the other");
  }
}

ParallelCorpus load_corpus(const CorpusFiles& files, const text::Tokenizer& source, const text::Tokenizer& target,
                           const CorpusFilter& filter, int threads, CorpusCounts& counts) {
  check_files(files);
  PairReader reader(files);
  ParallelCorpus corpus;
  counts = {};
  for (auto block = read_block(reader); !block.empty(); block = read_block(reader)) {
    if (const int signal = core::stop_signal(); signal != 0) {
      throw Interrupted(signal, files.source + ": stopped by a signal while reading the corpus");
    }
    core::parallel_for(block.size(), threads, [&](size_t i, int) {
      block[i].source_ids = source.encode(block[i].source);
      block[i].target_ids = target.encode(block[i].target);
    });
    for (const Line& line : block) {
      const Verdict verdict = judge(line, filter);
      count(line, verdict, counts);
      if (verdict == Verdict::kKept) corpus.add(line.source_ids, line.target_ids);
    }
  }
  if (corpus.size() == 0) fail<DataError>(files.source, ": no sentence pair is left to use: ", describe(counts));
  corpus.compact();
  return corpus;
}

std::string describe(const CorpusCounts& counts) {
  return fmt::format(
      "{} lines, {} kept, {} with an empty side, {} too long, {} with a bad length ratio, {} with invalid UTF-8",
      counts.lines, counts.kept, counts.empty, counts.too_long, counts.bad_ratio, counts.invalid_utf8);
}

}  // namespace ventris::data
