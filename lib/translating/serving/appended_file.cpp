#include "serving/appended_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "core/log.h"

namespace ventris::serving {
namespace {

int open_to_append(const std::string& path) {
  return open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0640);
}

/// Writes as much as there is room for; how many bytes.
size_t write_some(int descriptor, std::string_view bytes) {
  size_t written = 0;
  while (written < bytes.size()) {
    const ssize_t more = write(descriptor, bytes.data() + written, bytes.size() - written);
    if (more < 0 && errno == EINTR) continue;
    if (more <= 0) break;
    written += static_cast<size_t>(more);
  }
  return written;
}

/// Takes back the bytes that were just written, unless somebody else has appended some since; whether it could.
bool take_back(int descriptor, size_t bytes) {
  const off_t end = lseek(descriptor, 0, SEEK_CUR);
  struct stat file{};
  if (end < 0 || fstat(descriptor, &file) != 0 || file.st_size != end) return false;
  return ftruncate(descriptor, end - static_cast<off_t>(bytes)) == 0;
}

}  // namespace

AppendedFile::AppendedFile(std::string path, std::string what) : path_(std::move(path)), what_(std::move(what)) {
  if (path_.empty()) return;
  descriptor_ = open_to_append(path_);
  if (descriptor_ < 0) fail<WriteError>(path_, ": the ", what_, " cannot be opened: ", std::strerror(errno));
}

AppendedFile::~AppendedFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

bool AppendedFile::add(const std::string& line) {
  if (path_.empty()) return true;
  const std::lock_guard lock(mutex_);
  const std::string whole = (cut_ ? "\n" : "") + line + "\n";
  const size_t bytes = write_some(descriptor_, whole);
  const bool written = bytes == whole.size();
  if (written) {
    cut_ = false;
  } else if (bytes > 0 && !take_back(descriptor_, bytes)) {
    cut_ = true;
  }
  if (!written && !failed_) core::log_error(path_ + ": the " + what_ + " cannot be written; requests go on without it");
  failed_ = !written;
  return written;
}

void AppendedFile::reopen() {
  if (path_.empty()) return;
  const int opened = open_to_append(path_);
  if (opened < 0) {
    core::log_error(path_ + ": the " + what_ + " cannot be opened again; the old file goes on");
    return;
  }
  const std::lock_guard lock(mutex_);
  close(descriptor_);
  descriptor_ = opened;
  cut_ = cut_ && lseek(opened, 0, SEEK_END) != 0;  // an empty file has no part of a line
}

std::string utc_text(double time) {
  const auto seconds = static_cast<time_t>(std::floor(time));
  const int millis = static_cast<int>((time - std::floor(time)) * 1000);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char text[32], whole[40];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &parts);
  std::snprintf(whole, sizeof whole, "%s.%03dZ", text, millis);
  return whole;
}

double seconds_since_1970() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace ventris::serving
