#include "events/event_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

#include "core/error.h"

namespace ventris::events {
namespace fs = std::filesystem;
namespace {

constexpr const char* kPrefix = "events.out.tfevents.";
constexpr const char* kSuffix = ".ventris";

double seconds_since_1970() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

/// The number in a file's name, by which files are sorted; 0 if there is none.
int64_t number_of(const std::string& path) {
  const std::string name = fs::path(path).filename().string();
  int64_t number = 0;
  std::from_chars(name.data() + std::min(name.size(), std::string(kPrefix).size()), name.data() + name.size(), number);
  return number;
}

}  // namespace

EventFile::EventFile(std::string folder, int64_t first_step) : folder_(std::move(folder)), first_step_(first_step) {}

std::string EventFile::fresh_path() const {
  const auto earlier = event_files(folder_);
  int64_t number = static_cast<int64_t>(seconds_since_1970());
  if (!earlier.empty()) number = std::max(number, number_of(earlier.back()) + 1);  // the clock may have been set back
  return fmt::format("{}/{}{:010}{}", folder_, kPrefix, number, kSuffix);
}

std::string EventFile::opening() const {
  const std::string version = framed(version_event(seconds_since_1970()));
  return started_ ? version : version + framed(start_event(seconds_since_1970(), first_step_));
}

void EventFile::append(const std::string& records) {
  std::error_code ignored;
  const bool fresh = !fs::exists(path_, ignored);
  std::ofstream file(path_, std::ios::binary | std::ios::app);
  file << records;
  if (file.flush()) return;
  if (fresh) fs::remove(path_, ignored);  // otherwise each attempt on a full disk would leave a file
  fail<WriteError>(std::exchange(path_, ""), ": cannot be written: is the disk full, or the folder gone?");
}

void EventFile::write(int64_t step, const std::vector<Scalar>& scalars) {
  const std::string event = framed(scalar_event(seconds_since_1970(), step, scalars));
  if (!path_.empty()) return append(event);
  path_ = fresh_path();
  append(opening() + event);
  started_ = true;
}

std::vector<std::string> event_files(const std::string& folder) {
  std::vector<std::string> found;
  std::error_code ignored;  // a folder that does not exist has no files
  for (fs::directory_iterator it(folder, ignored), end; !ignored && it != end; it.increment(ignored)) {
    if (it->path().filename().string().starts_with(kPrefix)) found.push_back(it->path().string());
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<std::string> own_event_files(const std::string& folder) {
  auto files = event_files(folder);
  std::erase_if(files, [](const std::string& path) {
    std::string number = fs::path(path).filename().string().substr(std::strlen(kPrefix));
    if (!number.ends_with(kSuffix)) return true;
    number.resize(number.size() - std::strlen(kSuffix));
    return number.empty() || number.find_first_not_of("0123456789") != std::string::npos;
  });
  return files;
}

}  // namespace ventris::events
