#pragma once
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace ventris::serving {

/// Translated files until their clients fetch them, in memory, under names that nobody can guess. Several threads may
/// use it.
class FileStore {
 public:
  /// `most_bytes`: of all files together; the oldest ones give way. `seconds`: how long a file is kept.
  FileStore(int64_t most_bytes, double seconds) : most_bytes_(most_bytes), seconds_(seconds) {}

  /// Keeps a file, and returns its name, which ends in `ending` (".txt"). `now`: core::seconds_now().
  std::string add(std::string content, const std::string& ending, double now);

  /// The file; none if it was never there, or not any more.
  std::optional<std::string> find(const std::string& name, double now);

 private:
  struct File {
    std::string name, content;
    double added = 0;
  };

  void forget(double now);

  const int64_t most_bytes_;
  const double seconds_;
  std::mutex mutex_;
  std::deque<File> files_;  // the oldest first
  int64_t bytes_ = 0;
};

/// The endings of files that are translated: ".txt", ".html" and so on (formats::all_formats).
std::vector<std::string> file_endings();

/// The ending of this name, in small letters, with which its translation is kept: ".html".
std::string ending_of(const std::string& name);

}  // namespace ventris::serving
