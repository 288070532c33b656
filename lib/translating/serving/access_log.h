#pragma once
#include <cstdint>
#include <string>

#include "serving/appended_file.h"

namespace ventris::serving {

/// A request as the access log has it. It has no text of users, not even in the path or the method.
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
  explicit AccessLog(const std::string& path) : file_(path, "access log") {}

  void add(const AccessRecord& record);
  void reopen() { file_.reopen(); }  ///< after it was moved

 private:
  AppendedFile file_;
};

}  // namespace ventris::serving
