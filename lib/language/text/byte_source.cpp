#include "text/byte_source.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/process.h"
#include "text/file_kinds.h"

namespace ventris::text {
namespace {

constexpr size_t kBlockBytes = 1 << 17;
constexpr int kSignalCheckMilliseconds = 200;

class PlainSource : public ByteSource {
 public:
  explicit PlainSource(const std::string& path) : name_(path == "-" ? "standard input" : path), block_(kBlockBytes) {
    if (path == "-") {
      descriptor_ = STDIN_FILENO;
    } else {
      open_file(path);
    }
    struct stat status{};
    const bool known = fstat(descriptor_, &status) == 0;
    may_wait_ = !known || !S_ISREG(status.st_mode);
    size_at_start_ = may_wait_ ? 0 : status.st_size;
    if (known && S_ISDIR(status.st_mode)) {
      close_file();
      fail<DataError>(name_, ": is a folder, expected a file");
    }
  }
  ~PlainSource() override { close_file(); }
  PlainSource(const PlainSource&) = delete;
  PlainSource& operator=(const PlainSource&) = delete;

  std::string_view next_block() override {
    for (;;) {
      core::throw_if_stopped(name_);  // also for an endless input, such as a device
      if (may_wait_) wait();
      const ssize_t count = read(descriptor_, block_.data(), block_.size());
      if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
      if (count < 0) fail<DataError>(name_, ": cannot be read: ", std::strerror(errno));
      if (count == 0) check_is_not_shorter();
      return {block_.data(), static_cast<size_t>(count)};
    }
  }

  bool ready() override { return !may_wait_ || poll_once(0); }
  const std::string& name() const { return name_; }

 private:
  /// Opens the input once, because a pipe's writer may end when its reader closes it. Does not wait for the writer of a
  /// named pipe; wait() does, because it notices signals.
  void open_file(const std::string& path) {
    while ((descriptor_ = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) < 0) {
      if (errno != EINTR) fail<DataError>(name_, ": cannot be read: ", std::strerror(errno));
      core::throw_if_stopped(name_);
    }
  }

  /// At the end of a file: another program may have cut it in the meantime.
  void check_is_not_shorter() const {
    struct stat status{};
    if (may_wait_ || fstat(descriptor_, &status) != 0 || status.st_size >= size_at_start_) return;
    fail<DataError>(name_, ": became shorter while it was read: it had ", size_at_start_, " bytes and has ",
                    status.st_size, "; run this again when no other program writes to it");
  }

  void close_file() const {
    if (descriptor_ > STDIN_FILENO) close(descriptor_);
  }

  bool poll_once(int milliseconds) const {
    pollfd request{descriptor_, POLLIN, 0};
    return poll(&request, 1, milliseconds) > 0;  // also true at the end of the input and for errors
  }

  /// Waits for short times, so that a stop signal is noticed even if it arrives just before the wait begins.
  void wait() const {
    while (!poll_once(kSignalCheckMilliseconds)) core::throw_if_stopped(name_);
  }

  std::string name_;
  std::vector<char> block_;
  int descriptor_ = -1;
  bool may_wait_ = false;
  off_t size_at_start_ = 0;  // of a regular file, in bytes
};

/// Reads one gzip member after the other. (zlib's gz* functions would silently drop everything after a damaged header
/// of a second member.)
class GzipSource : public ByteSource {
 public:
  /// `start`: bytes that were already read from `packed`.
  explicit GzipSource(std::unique_ptr<PlainSource> packed, std::string start = {})
      : path_(packed->name()), packed_(std::move(packed)), start_(std::move(start)), block_(kBlockBytes) {
    constexpr int kGzipOnly = 16 + MAX_WBITS;
    if (inflateInit2(&stream_, kGzipOnly) != Z_OK) throw std::bad_alloc();
  }
  ~GzipSource() override { inflateEnd(&stream_); }
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;

  std::string_view next_block() override {
    core::throw_if_stopped(path_);  // one block of the file may unpack to a thousand of these
    stream_.next_out = reinterpret_cast<Bytef*>(block_.data());
    stream_.avail_out = static_cast<uInt>(block_.size());
    while (stream_.avail_out == block_.size()) {
      if (!damaged_ && stream_.avail_in == 0 && !refill()) break;
      if (!inside_member_ && !damaged_ && skip_padding()) continue;
      inside_member_ = true;
      const int result = inflate(&stream_, Z_NO_FLUSH);
      if (result == Z_STREAM_END) {
        end_member();
      } else if (result != Z_OK && result != Z_BUF_ERROR) {
        damaged_ = true;
        if (stream_.avail_out < block_.size()) break;  // first what comes before the damage
        fail<DataError>(path_, members_ == 0 && stream_.total_out == 0 ? ": not a gzip file" : ": damaged gzip data",
                        " (", stream_.msg != nullptr ? stream_.msg : "unknown reason",
                        "); expected a complete .gz file");
      }
    }
    return {block_.data(), block_.size() - stream_.avail_out};
  }

  bool ready() override { return stream_.avail_in > 0 || (!start_read_ && !start_.empty()) || packed_->ready(); }

 private:
  bool refill() {
    const bool starts = !std::exchange(start_read_, true) && !start_.empty();
    const std::string_view bytes = starts ? std::string_view(start_) : packed_->next_block();
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream_.avail_in = static_cast<uInt>(bytes.size());
    if (bytes.empty() && (inside_member_ || members_ == 0)) {
      fail<DataError>(path_,
                      ": ends in the middle of its gzip data; expected a complete .gz file (an interrupted copy?)");
    }
    return !bytes.empty();
  }

  /// Tapes and block devices pad the last member with zeros.
  bool skip_padding() {
    if (members_ == 0 || *stream_.next_in != 0) return false;
    ++stream_.next_in;
    --stream_.avail_in;
    return true;
  }

  void end_member() {
    ++members_;
    inside_member_ = false;
    inflateReset(&stream_);
  }

  std::string path_;
  std::unique_ptr<PlainSource> packed_;
  std::string start_;
  bool start_read_ = false;
  std::vector<char> block_;
  z_stream stream_{};
  bool inside_member_ = false;
  bool damaged_ = false;  // inflate() says so at each call from now on
  int64_t members_ = 0;
};

/// Finds out with the first block whether the file is gzip, text, or something else. (A pipe cannot be read again.)
class TextSource : public ByteSource {
 public:
  TextSource(std::unique_ptr<PlainSource> bytes, bool any_kind) : bytes_(std::move(bytes)), any_kind_(any_kind) {}

  std::string_view next_block() override {
    if (unpacked_) return unpacked_->next_block();
    if (std::exchange(begun_, true)) return bytes_->next_block();
    for (bool unsure = true; unsure;) {
      const std::string_view block = bytes_->next_block();
      start_ += block;
      unsure = !block.empty() && is_part_of_signature(start_);
    }
    if (is_gzip(start_)) {
      unpacked_ = std::make_unique<GzipSource>(std::move(bytes_), std::move(start_));
      return unpacked_->next_block();
    }
    const auto problem = any_kind_ ? std::nullopt : foreign_kind(start_);
    if (problem) fail<DataError>(bytes_->name(), ": ", *problem);
    return start_;
  }

  bool ready() override { return unpacked_ ? unpacked_->ready() : bytes_->ready(); }

 private:
  std::unique_ptr<PlainSource> bytes_;  // null if unpacked_ has it
  std::unique_ptr<GzipSource> unpacked_;
  std::string start_;
  bool begun_ = false;
  const bool any_kind_;
};

std::unique_ptr<ByteSource> open_source(const std::string& path, bool any_kind) {
  auto bytes = std::make_unique<PlainSource>(path);
  if (path.ends_with(".gz")) return std::make_unique<GzipSource>(std::move(bytes));
  return std::make_unique<TextSource>(std::move(bytes), any_kind);
}

}  // namespace

std::unique_ptr<ByteSource> open_bytes(const std::string& path) { return open_source(path, false); }

std::unique_ptr<ByteSource> open_bytes_of_any_kind(const std::string& path) { return open_source(path, true); }

void check_kind(std::string_view start, const std::string& name) {
  std::optional<std::string> problem = foreign_kind(start);
  if (!problem) problem = foreign_encoding(start);
  if (problem) fail<DataError>(name, ": ", *problem);
}

void for_each_raw_line(const std::string& path, const std::function<void(const std::string& line)>& each) {
  const auto source = open_bytes(path);
  std::string rest;
  bool first = true;
  for (auto block = source->next_block(); !block.empty(); block = source->next_block()) {
    if (std::exchange(first, false)) check_kind(block, path == "-" ? "standard input" : path);
    size_t start = 0;
    for (size_t end = block.find('\n'); end != std::string_view::npos; end = block.find('\n', start)) {
      each(rest.append(block, start, end - start));
      rest.clear();
      start = end + 1;
    }
    rest.append(block, start);
  }
  if (!rest.empty()) each(rest);
}

}  // namespace ventris::text
