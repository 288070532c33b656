#include "model/zip_layout.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <string_view>

#include "core/error.h"
#include "core/printable.h"

namespace ventris::model {
namespace {

constexpr uint32_t kLocalHeader = 0x04034b50, kDirectoryEntry = 0x02014b50, kEnd = 0x06054b50;
constexpr uint32_t kEnd64 = 0x06064b50, kLocator64 = 0x07064b50;
constexpr size_t kLocalHeaderBytes = 30, kDirectoryEntryBytes = 46, kEndBytes = 22;
constexpr size_t kEnd64Bytes = 56, kLocator64Bytes = 20, kLongestComment = 0xffff;
constexpr uint16_t kExtra64 = 1;  // the kind of extra field that has the numbers for which 32 bits are too few
constexpr uint32_t kIn64 = 0xffffffff;

template <typename Number>
Number number_at(std::string_view bytes, size_t place) {
  Number value = 0;
  std::memcpy(&value, bytes.data() + place, sizeof value);
  return value;
}

struct Range {
  uint64_t begin = 0, end = 0;
};

class Layout {
 public:
  Layout(const std::string& file, const std::string& path)
      : file_(file, std::ios::binary | std::ios::ate), path_(path) {
    if (!file_) fail<ModelError>(path_, ": cannot be read");
    size_ = static_cast<uint64_t>(file_.tellg());
  }

  std::vector<ZipPlace> run() {
    find_directory();
    const std::string bytes = read(directory_.begin, directory_.end - directory_.begin);
    std::vector<ZipPlace> places;
    std::string_view rest = bytes;
    while (!rest.empty()) places.push_back(next_entry(rest));
    if (places.size() != entries_) damaged("its directory has another number of entries than it says");
    check_ranges(places);
    return places;
  }

 private:
  [[noreturn]] void damaged(const std::string& what) const { fail<ModelError>(path_, ": damaged: ", what); }

  std::string read(uint64_t place, uint64_t count) {
    if (place > size_ || count > size_ - place) damaged("a part of the archive is outside the file");
    std::string bytes(count, '\0');
    file_.seekg(static_cast<std::streamoff>(place));
    if (count > 0 && !file_.read(bytes.data(), static_cast<std::streamsize>(count))) {
      fail<ModelError>(path_, ": cannot be read to its end");
    }
    return bytes;
  }

  /// Finds the end record, which reaches to the end of the file with its comment, and takes the place of the directory
  /// from it.
  void find_directory() {
    const uint64_t tail_size = std::min<uint64_t>(size_, kEndBytes + kLongestComment);
    const std::string tail = read(size_ - tail_size, tail_size);
    for (size_t at = tail.size() - std::min(tail.size(), kEndBytes) + 1; at-- > 0;) {
      const std::string_view end = std::string_view(tail).substr(at);
      if (end.size() < kEndBytes || number_at<uint32_t>(end, 0) != kEnd) continue;
      if (number_at<uint16_t>(end, 20) != end.size() - kEndBytes) continue;
      const uint64_t place = size_ - end.size();
      entries_ = number_at<uint16_t>(end, 10);
      take_directory(number_at<uint32_t>(end, 16), number_at<uint32_t>(end, 12), place);
      return;
    }
    damaged("it has no end record of a zip archive at its end");
  }

  /// Zip64 has an end record of its own before the usual one, and a locator that says where.
  void take_directory(uint64_t begin, uint64_t bytes, uint64_t end_record) {
    uint64_t limit = end_record;
    if (end_record >= kLocator64Bytes) {
      const std::string locator = read(end_record - kLocator64Bytes, kLocator64Bytes);
      if (number_at<uint32_t>(locator, 0) == kLocator64) {
        limit = number_at<uint64_t>(locator, 8);
        const std::string end = read(limit, kEnd64Bytes);
        if (number_at<uint32_t>(end, 0) != kEnd64) damaged("its locator does not lead to an end record");
        entries_ = number_at<uint64_t>(end, 32);
        bytes = number_at<uint64_t>(end, 40);
        begin = number_at<uint64_t>(end, 48);
      }
    }
    if (begin > limit || bytes > limit - begin) damaged("its directory is not before its end record");
    directory_ = {begin, begin + bytes};
  }

  /// Takes an entry from the front of the directory.
  ZipPlace next_entry(std::string_view& rest) {
    const auto take = [&](size_t count) {
      if (count > rest.size()) damaged("its directory is cut off");
      const std::string_view front = rest.substr(0, count);
      rest.remove_prefix(count);
      return front;
    };
    const std::string_view head = take(kDirectoryEntryBytes);
    if (number_at<uint32_t>(head, 0) != kDirectoryEntry) damaged("its directory is not whole");
    ZipPlace place{std::string(take(number_at<uint16_t>(head, 28))), number_at<uint32_t>(head, 20)};
    const std::string_view extra = take(number_at<uint16_t>(head, 30));
    take(number_at<uint16_t>(head, 32));  // a comment
    uint64_t begin = number_at<uint32_t>(head, 42);
    const uint32_t unpacked = number_at<uint32_t>(head, 24);
    if (unpacked == kIn64 || place.bytes == kIn64 || begin == kIn64) {
      read_extra(extra, place.name, unpacked == kIn64, place.bytes, begin);
    }
    ranges_.push_back(range_of(place, begin));
    return place;
  }

  /// The numbers of 64 bits are there in this order, each only if the usual place cannot hold it.
  void read_extra(std::string_view extra, const std::string& name, bool has_unpacked, uint64_t& bytes,
                  uint64_t& begin) const {
    while (extra.size() >= 4) {
      const size_t size = number_at<uint16_t>(extra, 2);
      if (size > extra.size() - 4) break;
      std::string_view field = extra.substr(4, size);
      if (number_at<uint16_t>(extra, 0) == kExtra64) {
        if (has_unpacked && field.size() >= sizeof(uint64_t)) field.remove_prefix(sizeof(uint64_t));
        for (uint64_t* number : {&bytes, &begin}) {
          if (*number != kIn64 || field.size() < sizeof(uint64_t)) continue;
          *number = number_at<uint64_t>(field, 0);
          field.remove_prefix(sizeof(uint64_t));
        }
        return;
      }
      extra.remove_prefix(4 + size);
    }
    fail<ModelError>(path_, " (", name, "): damaged: its numbers of 64 bits are missing");
  }

  /// The bytes of an entry, from its local header to the end of its data.
  Range range_of(const ZipPlace& place, uint64_t begin) {
    const std::string head = read(begin, kLocalHeaderBytes);
    if (number_at<uint32_t>(head, 0) != kLocalHeader) {
      fail<ModelError>(path_, " (", place.name, "): damaged: it has no local header");
    }
    const uint64_t data =
        begin + kLocalHeaderBytes + number_at<uint16_t>(head, 26) + uint64_t{number_at<uint16_t>(head, 28)};
    if (data > directory_.begin || place.bytes > directory_.begin - data) {
      fail<ModelError>(path_, " (", place.name, "): damaged: it is not before the directory of the archive");
    }
    return {begin, data + place.bytes};
  }

  void check_ranges(const std::vector<ZipPlace>& places) const {
    std::vector<size_t> order(places.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return ranges_[a].begin < ranges_[b].begin; });
    for (size_t i = 1; i < order.size(); ++i) {
      const size_t before = order[i - 1], after = order[i];
      if (ranges_[before].end <= ranges_[after].begin) continue;
      fail<ModelError>(path_, ": damaged: its entries '", places[before].name, "' and '", places[after].name,
                       "' share bytes; expected an archive in which each has its own");
    }
  }

  std::ifstream file_;
  const std::string& path_;
  uint64_t size_ = 0;
  uint64_t entries_ = 0;
  Range directory_;
  std::vector<Range> ranges_;  // of the entries
};

}  // namespace

std::vector<ZipPlace> zip_layout(const std::string& file, const std::string& path) { return Layout(file, path).run(); }

}  // namespace ventris::model
