#include "exports/stored_zip.h"

#include <limits>

#include "core/error.h"
#include "exports/little_endian.h"
#include "files/files.h"

namespace ventris::exports {
namespace {

constexpr uint32_t kLocalHeader = 0x04034b50, kDirectoryEntry = 0x02014b50, kEnd = 0x06054b50;
constexpr size_t kLocalHeaderSize = 30, kAlignment = 64;
constexpr uint16_t kZipVersion = 20, kNamesAreUtf8 = 0x0800, kNotCompressed = 0;
constexpr uint16_t kMidnight = 0, kFirstDay = 0x21;  // 1 January 1980: the same model always gives the same file
constexpr uint16_t kPadding = 0x4246;                // the kind of extra field that torch.save pads with
constexpr size_t kExtraHeader = 4;

/// What the local header and the entry of the directory have in common.
std::string common_fields(const std::string& name, std::string_view data, uint16_t extra) {
  std::string bytes;
  for (const uint16_t field : {kZipVersion, kNamesAreUtf8, kNotCompressed, kMidnight, kFirstDay}) append(bytes, field);
  append(bytes, files::crc32(data));
  for (int packed_and_not = 0; packed_and_not < 2; ++packed_and_not) append(bytes, static_cast<uint32_t>(data.size()));
  append(bytes, static_cast<uint16_t>(name.size()));
  append(bytes, extra);
  return bytes;
}

}  // namespace

void StoredZip::add(const std::string& name, std::string_view data) {
  const size_t begin = bytes_.size(), fixed = begin + kLocalHeaderSize + name.size() + kExtraHeader;
  const size_t padding = (kAlignment - fixed % kAlignment) % kAlignment;
  constexpr size_t kRoom = 1 << 24;  // for the directory
  if (fixed + padding + data.size() + kRoom > std::numeric_limits<uint32_t>::max() ||
      entries_ + 1 >= std::numeric_limits<uint16_t>::max()) {
    fail<ModelError>(name, ": the file would have 4 GiB or more; use --format safetensors");
  }
  append(bytes_, kLocalHeader);
  bytes_ += common_fields(name, data, static_cast<uint16_t>(kExtraHeader + padding));
  bytes_ += name;
  append(bytes_, kPadding);
  append(bytes_, static_cast<uint16_t>(padding));
  bytes_.append(padding, '\0');
  bytes_ += data;
  append(directory_, kDirectoryEntry);
  append(directory_, kZipVersion);
  directory_ += common_fields(name, data, 0);
  constexpr size_t kNoCommentDiskOrAttributes = 10;
  directory_.append(kNoCommentDiskOrAttributes, '\0');
  append(directory_, static_cast<uint32_t>(begin));
  directory_ += name;
  ++entries_;
}

std::string StoredZip::finish() && {
  const auto begin = static_cast<uint32_t>(bytes_.size());
  bytes_ += directory_;
  append(bytes_, kEnd);
  append(bytes_, uint32_t{0});  // one disk
  append(bytes_, entries_);
  append(bytes_, entries_);
  append(bytes_, static_cast<uint32_t>(directory_.size()));
  append(bytes_, begin);
  append(bytes_, uint16_t{0});  // no comment
  return std::move(bytes_);
}

}  // namespace ventris::exports
