#include "filters/file_progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "core/error.h"
#include "core/human.h"
#include "core/log.h"

namespace ventris::filters {
namespace {

bool is_file(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored);
}

}  // namespace

FileProgress::FileProgress(std::unique_ptr<core::Progress> progress, const text::FileSize& whole)
    : progress_(std::move(progress)), whole_(whole) {}

void FileProgress::done(const translation::DoneLine& line) {
  lines_ += line.bytes > 0 ? 1 : 0;
  sentences_ += line.sentences;
  tokens_ += line.tokens;
  progress_->add(static_cast<double>(line.bytes));
  const std::string share = fmt::format("{} of {} lines", core::grouped(lines_), core::grouped(whole_.lines));
  if (sentences_ == 0) return progress_->note(share);
  const std::string speed = speed_text(sentences_, tokens_, progress_->seconds());
  progress_->note(share + ", " + speed, speed);
}

void FileProgress::skip(const text::FileSize& before) {
  lines_ = before.lines;
  progress_->set(static_cast<double>(before.bytes));
}

std::string speed_text(int64_t sentences, int64_t tokens, double seconds) {
  return core::rate_text(sentences, seconds) + " sentences/s, " + core::rate_text(tokens, seconds) + " tokens/s";
}

std::unique_ptr<FileProgress> file_progress(const std::string& task, const std::vector<std::string>& inputs,
                                            const std::string& output) {
  const bool hidden = !core::shows_progress() || (output == "-" && core::stdout_is_terminal());
  if (hidden || !std::ranges::all_of(inputs, is_file)) return nullptr;
  text::FileSize whole;
  try {
    for (const std::string& input : inputs) {
      const text::FileSize size = text::measure_lines(input);
      whole.lines = size.lines;
      whole.bytes += size.bytes;
    }
  } catch (const DataError&) {  // the end cannot be read; the lines before it can be processed
    return nullptr;
  }
  auto progress = std::make_unique<core::Progress>(task, "lines", static_cast<double>(whole.bytes));
  return std::make_unique<FileProgress>(std::move(progress), whole);
}

}  // namespace ventris::filters
