#pragma once
#include <optional>

#include "core/log.h"
#include "files/folders.h"
#include "preparation/opened_run.h"
#include "preparation/standard_input.h"

namespace ventris::preparation {

/// A run folder that this process has taken for a run. Until begin(), an older run in it stays as it was.
class TakenFolder {
 public:
  /// Creates the folder if it is missing, and locks it. Throws ConfigError if it has foreign files or another process
  /// has it, WriteError if it cannot be created.
  explicit TakenFolder(const run::RunOptions& options);

  /// Reads the folder (open_run), opens its log, and copies standard input if a corpus is `piped`; the settings name
  /// the copy. The log outlives a failure, so that it can be told there.
  OpenedRun open(settings::RunConfig& config, bool piped, std::optional<core::LogFile>& log);

  /// As begin_run(); call after all checks.
  void begin(const settings::RunConfig& config, const OpenedRun& run);

  /// Throws WriteError if the path leads to another folder by now.
  void check_in_place() const { lock_.check_in_place(); }

 private:
  run::RunOptions options_;
  files::FolderLock lock_;
  std::optional<run::EarlyMark> mark_;
  std::optional<KeptInput> input_;
};

}  // namespace ventris::preparation
