#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/progress.h"
#include "text/line_reader.h"
#include "translation/window_batches.h"

namespace ventris::filters {

/// The progress of work on lines. The percentage and the time left are computed from bytes, because lines are processed
/// in the order of their lengths; the number shown is that of lines.
class FileProgress {
 public:
  /// `progress` counts bytes; `whole` is the size of the whole input.
  FileProgress(std::unique_ptr<core::Progress> progress, const text::FileSize& whole);

  /// Call when a line or a sentence of it is done, even if it is not written yet; its `bytes` are as in LineCounts.
  /// Shows the speed as soon as there are sentences.
  void done(const translation::DoneLine& line);

  /// What was done before this work began; it does not count for speed and time.
  void skip(const text::FileSize& before);

 private:
  std::unique_ptr<core::Progress> progress_;
  text::FileSize whole_;
  int64_t lines_ = 0, sentences_ = 0, tokens_ = 0;
};

/// "12.5 sentences/s, 300 tokens/s".
std::string speed_text(int64_t sentences, int64_t tokens, double seconds);

/// A progress line for work on the lines of all `inputs`; null if there is no terminal, if the results also go to the
/// terminal, or if an input is not a file or is damaged, so that its length is unknown. The number of lines is that of
/// the last input. `task`: "translating".
std::unique_ptr<FileProgress> file_progress(const std::string& task, const std::vector<std::string>& inputs,
                                            const std::string& output);

}  // namespace ventris::filters
