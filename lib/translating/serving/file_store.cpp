#include "serving/file_store.h"

#include <sys/random.h>

#include <algorithm>

#include "core/ascii.h"
#include "core/error.h"
#include "formats/format_table.h"
#include "serving/http_message.h"
#include "serving/sha256.h"

namespace ventris::serving {
namespace {

std::string secret_name() {
  Digest bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    fail<Error>("no random numbers for the name of a file");
  }
  return to_hex(bytes).substr(0, 32);
}

}  // namespace

void FileStore::forget(double now) {
  while (!files_.empty() && (bytes_ > most_bytes_ || files_.front().added + seconds_ < now)) {
    bytes_ -= static_cast<int64_t>(files_.front().content.size());
    files_.pop_front();
  }
}

std::string FileStore::add(std::string content, const std::string& ending, double now) {
  if (static_cast<int64_t>(content.size()) > most_bytes_) {
    throw RequestError(413, "The translation is larger than the files that this server keeps");
  }
  const std::lock_guard lock(mutex_);
  bytes_ += static_cast<int64_t>(content.size());
  files_.push_back({secret_name() + ending, std::move(content), now});
  const std::string name = files_.back().name;
  forget(now);
  return name;
}

std::optional<std::string> FileStore::find(const std::string& name, double now) {
  const std::lock_guard lock(mutex_);
  forget(now);
  const auto found = std::ranges::find(files_, name, &File::name);
  return found == files_.end() ? std::nullopt : std::optional(found->content);
}

std::vector<std::string> file_endings() {
  std::vector<std::string> endings;
  for (const formats::FileFormat& format : formats::all_formats()) {
    for (const std::string ending : format.endings) {
      if (ending.starts_with('.')) endings.push_back(ending);
    }
  }
  return endings;
}

std::string ending_of(const std::string& name) {
  const size_t point = name.rfind('.');
  return point == std::string::npos ? "" : core::in_lower_case(name.substr(point));
}

}  // namespace ventris::serving
