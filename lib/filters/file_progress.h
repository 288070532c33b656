#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/progress.h"
#include "text/line_reader.h"

namespace ventris::filters {

/// The progress of work on lines. Its share and the time left go by bytes, since lines are worked on in the order of
/// their lengths; what is shown are lines.
class FileProgress {
 public:
  /// `progress` counts bytes; `whole` is the size of all input.
  FileProgress(std::unique_ptr<core::Progress> progress, const text::FileSize& whole);

  /// One more line is done, whether or not it is written already. `bytes` as LineCounts counts them.
  void done(int64_t bytes);

 private:
  std::unique_ptr<core::Progress> progress_;
  text::FileSize whole_;
  int64_t lines_ = 0;
};

/// A progress line for work on each line of all `inputs`, or null where it would stand in somebody's way or have no
/// length: nobody watches, the results are on the terminal too, or an input is no file. As many lines are done as the
/// last input has. `task`: "translating".
std::unique_ptr<FileProgress> file_progress(const std::string& task, const std::vector<std::string>& inputs,
                                            const std::string& output);

}  // namespace ventris::filters
