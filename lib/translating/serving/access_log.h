#pragma once
#include <cstdint>
#include <mutex>
#include <string>

namespace ventris::serving {

/// A request as the access log has it. It has no text of users, not even in the path.
struct AccessRecord {
  std::string address = {}, key = {}, method = {}, path = {}, source = {}, target = {};
  int status = 0;
  int64_t texts = 0, characters = 0, sentences = 0, tokens = 0;
  double seconds = 0;
};

/// One line of JSON without its line end; `time` in seconds since 1970.
std::string to_json_line(const AccessRecord& record, double time);

/// Appends a line for each request to a file. Several threads may use it.
class AccessLog {
 public:
  /// "" = no log. Throws WriteError if the file cannot be opened.
  explicit AccessLog(std::string path);
  ~AccessLog();
  AccessLog(const AccessLog&) = delete;
  AccessLog& operator=(const AccessLog&) = delete;

  void add(const AccessRecord& record);

  /// Opens the file again, which may have been moved (logrotate). If that fails, the old one goes on.
  void reopen();

 private:
  std::string path_;
  std::mutex mutex_;
  int descriptor_ = -1;
  bool failed_ = false;
};

}  // namespace ventris::serving
