#include "serving/access_log.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <ctime>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/log.h"
#include "serving/json_body.h"

namespace ventris::serving {
namespace {

int open_to_append(const std::string& path) {
  return open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0640);
}

/// "2026-01-31T12:00:00.123Z".
std::string utc(double time) {
  const auto seconds = static_cast<time_t>(std::floor(time));
  const int millis = static_cast<int>((time - std::floor(time)) * 1000);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char text[32], whole[40];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &parts);
  std::snprintf(whole, sizeof whole, "%s.%03dZ", text, millis);
  return whole;
}

}  // namespace

std::string to_json_line(const AccessRecord& record, double time) {
  nlohmann::ordered_json json{{"time", utc(time)}, {"address", record.address}};
  if (!record.key.empty()) json["key"] = record.key;
  json["method"] = record.method;
  json["path"] = record.path;
  json["status"] = record.status;
  json["milliseconds"] = std::round(record.seconds * 1e4) / 10;
  if (record.characters > 0 || record.texts > 0) {
    json["source"] = record.source;
    json["target"] = record.target;
    json["texts"] = record.texts;
    json["characters"] = record.characters;
    json["sentences"] = record.sentences;
    json["tokens"] = record.tokens;
  }
  return to_body(json);
}

AccessLog::AccessLog(std::string path) : path_(std::move(path)) {
  if (path_.empty()) return;
  descriptor_ = open_to_append(path_);
  if (descriptor_ < 0) fail<WriteError>(path_, ": the access log cannot be opened: ", std::strerror(errno));
}

AccessLog::~AccessLog() {
  if (descriptor_ >= 0) close(descriptor_);
}

void AccessLog::add(const AccessRecord& record) {
  if (path_.empty()) return;
  const double now = std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  const std::string line = to_json_line(record, now) + "\n";
  const std::lock_guard lock(mutex_);
  const bool written = write(descriptor_, line.data(), line.size()) == static_cast<ssize_t>(line.size());
  if (!written && !failed_) core::log_error(path_ + ": the access log cannot be written; requests go on without it");
  failed_ = !written;
}

void AccessLog::reopen() {
  if (path_.empty()) return;
  const int opened = open_to_append(path_);
  if (opened < 0) {
    core::log_error(path_ + ": the access log cannot be opened again; the old file goes on");
    return;
  }
  const std::lock_guard lock(mutex_);
  close(descriptor_);
  descriptor_ = opened;
}

}  // namespace ventris::serving
