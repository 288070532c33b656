#pragma once
#include <mutex>
#include <string>

namespace ventris::serving {

/// A file to which lines are appended, each as a whole. Several threads may use it.
class AppendedFile {
 public:
  /// "" = no file. `what` is its name in messages: "access log". Throws WriteError if the file cannot be opened.
  AppendedFile(std::string path, std::string what);
  ~AppendedFile();
  AppendedFile(const AppendedFile&) = delete;
  AppendedFile& operator=(const AppendedFile&) = delete;

  bool is_open() const { return !path_.empty(); }

  /// Appends a line, given without its line end. Whether it was written; if not, the log says so, once until a line is
  /// written again.
  bool add(const std::string& line);

  /// Opens the file again, which may have been moved (logrotate). If that fails, the old one goes on.
  void reopen();

 private:
  const std::string path_, what_;
  std::mutex mutex_;
  int descriptor_ = -1;
  bool failed_ = false;
  bool cut_ = false;  // the file ends with a part of a line
};

/// "2026-01-31T12:00:00.123Z"; `time` in seconds since 1970.
std::string utc_text(double time);

/// Seconds since 1970.
double seconds_since_1970();

}  // namespace ventris::serving
