#include "model/safetensors.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <nlohmann/json.hpp>
#include <tuple>

#include "core/error.h"
#include "core/json_shape.h"
#include "core/utf8.h"
#include "files/files.h"

namespace ventris::model {
namespace {

using nlohmann::json;

constexpr uint64_t kLengthBytes = 8;
constexpr uint64_t kLargestHeader = 100'000'000;
constexpr size_t kMostTensors = 100'000;
constexpr size_t kAlignment = 64;
constexpr int kHeaderDepth = 4;
constexpr uint64_t kLongestSide = uint64_t{1} << 40;
constexpr std::string_view kAliasPrefix = "alias:";
constexpr const char* kMetadata = "__metadata__";

struct TypeName {
  DType type;
  const char* name;
  int64_t size;
};
constexpr std::array<TypeName, 7> kTypes{{{DType::kF32, "F32", 4},
                                          {DType::kBf16, "BF16", 2},
                                          {DType::kF16, "F16", 2},
                                          {DType::kI64, "I64", 8},
                                          {DType::kI32, "I32", 4},
                                          {DType::kI8, "I8", 1},
                                          {DType::kU8, "U8", 1}}};

const TypeName& entry(DType type) { return kTypes[static_cast<size_t>(type)]; }

/// Parses the header. Refuses repeated keys, which the parser would silently merge, and deep nesting.
json parse_header(std::string_view text, const std::string& where) {
  const core::JsonShape shape = core::shape_of_json(text, kHeaderDepth);
  if (shape.top_members > kMostTensors && (shape.valid || shape.too_many)) {
    fail<ModelError>(where, ": expected at most ", kMostTensors, " tensors");
  }
  if (shape.too_many) {
    fail<ModelError>(where, ": expected a header of at most ", core::kMostJsonValues, " keys and values");
  }
  const json header =
      shape.valid && !shape.repeated_key ? json::parse(text, nullptr, /*allow_exceptions=*/false) : json();
  if (!header.is_object()) fail<ModelError>(where, ": damaged: its header is not a safetensors header");
  return header;
}

uint64_t unsigned_at(const json& value, const std::string& place) {
  if (!value.is_number_unsigned()) fail<ModelError>(place, ": expected whole numbers in shape and data_offsets");
  return value.get<uint64_t>();
}

struct Placed {
  uint64_t begin = 0, end = 0;  // in the data
  TensorView tensor;
};

/// Whether an entry of the header has exactly the three required members.
bool is_entry(const json& source) {
  return source.is_object() && source.size() == 3 && source.contains("dtype") && source["dtype"].is_string() &&
         source.contains("shape") && source["shape"].is_array() && source.contains("data_offsets") &&
         source["data_offsets"].is_array() && source["data_offsets"].size() == 2;
}

/// Reads an entry and finds its bytes in `data`. The shape's size must be that of the range.
Placed read_entry(const std::string& name, const json& source, std::string_view data, const std::string& where) {
  if (name.empty() || !is_printable(name)) {
    fail<ModelError>(where, ": damaged: a tensor's name is empty or not printable");
  }
  const std::string place = where + ": tensor '" + name + "'";
  if (!is_entry(source)) fail<ModelError>(place, ": expected dtype, shape and data_offsets");
  Placed found;
  TensorView& tensor = found.tensor;
  tensor.name = name;
  tensor.dtype = dtype_of(source["dtype"], place);
  if (source["shape"].size() > kHighestRank) fail<ModelError>(place, ": expected at most rank ", kHighestRank);
  for (const json& item : source["shape"]) {
    const uint64_t length = unsigned_at(item, place);
    if (length > kLongestSide)
      fail<ModelError>(place, ": a dimension of its shape is ", length, ", which is larger than the file");
    tensor.shape.push_back(static_cast<int64_t>(length));
  }
  const int64_t count = elements_of(tensor.shape);
  const auto element = static_cast<uint64_t>(size_of(tensor.dtype));
  if (count < 0 || static_cast<uint64_t>(count) > data.size() / element) {
    fail<ModelError>(place, ": is larger than the file");
  }
  found.begin = unsigned_at(source["data_offsets"][0], place);
  found.end = unsigned_at(source["data_offsets"][1], place);
  if (found.begin > found.end || found.end > data.size()) fail<ModelError>(place, ": its range is outside the file");
  const uint64_t size = found.end - found.begin, expected = static_cast<uint64_t>(count) * element;
  if (size != expected) fail<ModelError>(place, ": expected ", expected, " bytes for its shape, found ", size);
  tensor.bytes = data.substr(found.begin, size);
  return found;
}

std::map<std::string, std::string> read_metadata(const json& source, const std::string& where) {
  if (!source.is_object()) fail<ModelError>(where, ": ", kMetadata, ": expected an object");
  std::map<std::string, std::string> metadata;
  for (const auto& [key, value] : source.items()) {
    if (!value.is_string()) fail<ModelError>(where, ": ", kMetadata, ": expected only texts as values");
    metadata[key] = value;
  }
  return metadata;
}

/// Sorts the tensors by their place in the data, and checks that there are no gaps or overlaps.
void sort_and_check(std::vector<Placed>& tensors, uint64_t data_size, const std::string& where) {
  std::sort(tensors.begin(), tensors.end(), [](const Placed& a, const Placed& b) {
    return std::tie(a.begin, a.end, a.tensor.name) < std::tie(b.begin, b.end, b.tensor.name);
  });
  uint64_t place = 0;
  for (const Placed& one : tensors) {
    if (one.begin != place) fail<ModelError>(where, ": tensor '", one.tensor.name, "': a gap or an overlap before it");
    place = one.end;
  }
  if (place != data_size) fail<ModelError>(where, ": damaged: expected ", place, " bytes of data, found ", data_size);
}

struct Parts {
  json header;
  std::string_view data;
};

/// Splits the file into header and data. The length of the header is checked against the size of the file first.
Parts take_apart(std::string_view all, const std::string& where) {
  if (all.size() < kLengthBytes) {
    fail<ModelError>(where, ": truncated: expected a safetensors file, found ", all.size(), " bytes");
  }
  uint64_t size = 0;
  std::memcpy(&size, all.data(), kLengthBytes);
  if (size > kLargestHeader || size > all.size() - kLengthBytes) {
    fail<ModelError>(where, ": damaged or truncated: its header would have ", size, " bytes, the file has ",
                     all.size());
  }
  return {parse_header(all.substr(kLengthBytes, size), where), all.substr(kLengthBytes + size)};
}

}  // namespace

int64_t size_of(DType type) { return entry(type).size; }

std::string name_of(DType type) { return entry(type).name; }

bool is_printable(std::string_view name) {
  return std::all_of(name.begin(), name.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

DType dtype_of(const std::string& name, const std::string& where) {
  const auto known = std::find_if(kTypes.begin(), kTypes.end(), [&](const TypeName& one) { return one.name == name; });
  if (known == kTypes.end()) {
    fail<ModelError>(where, ": expected one of the types F32, BF16, F16, I64, I32, I8, U8, found '",
                     core::cut_utf8(name, 20), "'");
  }
  return known->type;
}

int64_t elements_of(const std::vector<int64_t>& shape) {
  int64_t count = 1;
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
  for (const int64_t length : shape) {
    if (__builtin_mul_overflow(count, length, &count)) return -1;
  }
  return count;
}

int64_t TensorView::elements() const { return elements_of(shape); }

Safetensors Safetensors::parse(std::string bytes, const std::string& where) {
  return parse(core::SharedBytes(std::move(bytes)), where);
}

Safetensors Safetensors::parse(core::SharedBytes bytes, const std::string& where) {
  Safetensors file;
  file.where_ = where;
  file.bytes_ = std::move(bytes);
  const Parts parts = take_apart(file.bytes_.view(), where);
  std::vector<Placed> placed;
  for (const auto& [name, source] : parts.header.items()) {
    if (name == kMetadata) {
      file.metadata_ = read_metadata(source, where);
    } else {
      placed.push_back(read_entry(name, source, parts.data, where));
    }
  }
  sort_and_check(placed, parts.data.size(), where);
  for (Placed& one : placed) {
    file.index_[one.tensor.name] = file.tensors_.size();
    file.tensors_.push_back(std::move(one.tensor));
  }
  file.add_aliases();
  return file;
}

void Safetensors::add_aliases() {
  const auto stored = index_;
  const auto ties = aliases();
  if (stored.size() + ties.size() > kMostTensors) {
    fail<ModelError>(where_, ": expected at most ", kMostTensors, " tensors, including tied ones");
  }
  for (const auto& [alias, name] : ties) {
    if (alias.empty() || !is_printable(alias) || stored.contains(alias)) {
      fail<ModelError>(where_, ": damaged: an alias is not printable or the name of a stored tensor");
    }
    const auto found = stored.find(name);
    if (found == stored.end()) {
      fail<ModelError>(where_, ": alias '", alias, "': the file does not have the tensor that it names");
    }
    index_.emplace(alias, found->second);
  }
}

Safetensors Safetensors::from_file(const std::string& path) { return parse(files::read_file(path), path); }

const TensorView& Safetensors::at(const std::string& name) const {
  const auto found = index_.find(name);
  if (found == index_.end()) fail<ModelError>(where_, ": has no tensor '", name, "'");
  return tensors_[found->second];
}

bool Safetensors::contains(const std::string& name) const { return index_.contains(name); }

Safetensors Safetensors::with_names(const std::map<std::string, std::string>& names) const {
  Safetensors renamed;
  renamed.where_ = where_;
  renamed.bytes_ = bytes_;
  for (const auto& [name, stored] : names) {
    renamed.index_[name] = renamed.tensors_.size();
    renamed.tensors_.push_back(at(stored));
    renamed.tensors_.back().name = name;
  }
  return renamed;
}

std::map<std::string, std::string> Safetensors::aliases() const {
  std::map<std::string, std::string> found;
  for (const auto& [key, value] : metadata_) {
    if (key.starts_with(kAliasPrefix)) found[key.substr(kAliasPrefix.size())] = value;
  }
  return found;
}

std::string write_safetensors(const std::vector<TensorView>& tensors,
                              const std::map<std::string, std::string>& metadata) {
  nlohmann::ordered_json header;
  if (!metadata.empty()) header[kMetadata] = metadata;
  uint64_t place = 0;
  for (const TensorView& tensor : tensors) {
    header[tensor.name] = {{"dtype", entry(tensor.dtype).name},
                           {"shape", tensor.shape},
                           {"data_offsets", {place, place + tensor.bytes.size()}}};
    place += tensor.bytes.size();
  }
  std::string text = header.is_null() ? "{}" : header.dump();
  text.resize((text.size() + kLengthBytes + kAlignment - 1) / kAlignment * kAlignment - kLengthBytes, ' ');
  const uint64_t length = text.size();
  std::string bytes(reinterpret_cast<const char*>(&length), kLengthBytes);
  bytes.reserve(kLengthBytes + length + place);
  bytes += text;
  for (const TensorView& tensor : tensors) bytes += tensor.bytes;
  return bytes;
}

std::string shape_text(const std::vector<int64_t>& shape) {
  std::string text = "[";
  for (const int64_t length : shape) text += (text.size() > 1 ? ", " : "") + std::to_string(length);
  return text + "]";
}

}  // namespace ventris::model
