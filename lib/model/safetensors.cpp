#include "model/safetensors.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "core/error.h"
#include "core/files.h"

namespace ventris::model {
namespace {

using nlohmann::json;

constexpr uint64_t kLengthBytes = 8;
constexpr uint64_t kLargestHeader = 100'000'000;
constexpr size_t kMostTensors = 100'000;
constexpr size_t kHighestRank = 8;
constexpr size_t kAlignment = 64;
constexpr int kHeaderDepth = 4;
const std::string kAliasPrefix = "alias:";

struct TypeName {
  DType type;
  const char* name;
  int64_t size;
};
constexpr std::array<TypeName, 5> kTypes{{{DType::kF32, "F32", 4},
                                          {DType::kBf16, "BF16", 2},
                                          {DType::kF16, "F16", 2},
                                          {DType::kI64, "I64", 8},
                                          {DType::kU8, "U8", 1}}};

const TypeName& entry(DType type) { return kTypes[static_cast<size_t>(type)]; }

/// The header as JSON; refuses repeated keys, which the parser would silently merge, and deep nesting.
json parse_header(std::string_view text, const std::string& where) {
  std::vector<std::set<std::string>> keys;
  bool sound = true;
  const auto check = [&](int depth, json::parse_event_t event, json& value) {
    if (depth > kHeaderDepth) sound = false;
    if (event == json::parse_event_t::object_start) keys.emplace_back();
    if (event == json::parse_event_t::object_end) keys.pop_back();
    if (event == json::parse_event_t::key && !keys.back().insert(value.get<std::string>()).second) sound = false;
    return sound;
  };
  const json header = json::parse(text, check, /*allow_exceptions=*/false);
  if (!sound || header.is_discarded() || !header.is_object()) {
    fail<ModelError>(where, ": damaged: its header is not a safetensors header");
  }
  return header;
}

uint64_t unsigned_at(const json& value, const std::string& where, const std::string& name) {
  if (!value.is_number_unsigned()) fail<ModelError>(where, ": tensor '", name, "': expected a whole number, got ", value.dump());
  return value.get<uint64_t>();
}

struct Range {
  uint64_t begin, end;
};

/// Fills type and shape; returns where the bytes lie. The shape's size must be that of the range.
Range read_entry(const json& source, TensorView& tensor, uint64_t data_size, const std::string& where) {
  const auto bad = [&](const std::string& what) { fail<ModelError>(where, ": tensor '", tensor.name, "': ", what); };
  if (!source.is_object() || source.size() != 3 || !source.contains("dtype") || !source.contains("shape") ||
      !source.contains("data_offsets") || !source["dtype"].is_string() || !source["shape"].is_array() ||
      !source["data_offsets"].is_array() || source["data_offsets"].size() != 2) {
    bad("expected dtype, shape and data_offsets");
  }
  const std::string type = source["dtype"];
  const auto known = std::find_if(kTypes.begin(), kTypes.end(), [&](const TypeName& one) { return one.name == type; });
  if (known == kTypes.end()) bad("expected one of the types F32, BF16, F16, I64, U8, got " + type.substr(0, 20));
  tensor.dtype = known->type;
  if (source["shape"].size() > kHighestRank) bad("its rank is over 8");
  uint64_t size = static_cast<uint64_t>(known->size);
  for (const json& item : source["shape"]) {
    const uint64_t length = unsigned_at(item, where, tensor.name);
    if (length > data_size || (length != 0 && size > data_size / length)) bad("it is larger than the file");
    size *= length;
    tensor.shape.push_back(static_cast<int64_t>(length));
  }
  const Range range{unsigned_at(source["data_offsets"][0], where, tensor.name),
                    unsigned_at(source["data_offsets"][1], where, tensor.name)};
  if (range.begin > range.end || range.end > data_size) bad("its range lies outside the file");
  if (range.end - range.begin != size) bad("its range does not fit its shape");
  return range;
}

}  // namespace

int64_t size_of(DType type) { return entry(type).size; }

std::string name_of(DType type) { return entry(type).name; }

int64_t TensorView::elements() const {
  int64_t count = 1;
  for (const int64_t length : shape) count *= length;
  return count;
}

Safetensors Safetensors::parse(std::string bytes, const std::string& where) {
  Safetensors file;
  file.where_ = where;
  file.bytes_ = std::make_shared<const std::string>(std::move(bytes));
  const std::string_view all = *file.bytes_;
  uint64_t header_size = 0;
  if (all.size() < kLengthBytes) fail<ModelError>(where, ": truncated: expected a safetensors file, found ", all.size(), " bytes");
  std::memcpy(&header_size, all.data(), kLengthBytes);
  if (header_size > kLargestHeader || header_size > all.size() - kLengthBytes) {
    fail<ModelError>(where, ": damaged: its header would be ", header_size, " bytes long");
  }
  const json header = parse_header(all.substr(kLengthBytes, header_size), where);
  const std::string_view data = all.substr(kLengthBytes + header_size);
  if (header.size() > kMostTensors) fail<ModelError>(where, ": more than ", kMostTensors, " tensors");

  std::vector<std::pair<Range, TensorView>> found;
  for (const auto& [name, source] : header.items()) {
    if (name == "__metadata__") {
      for (const auto& [key, value] : source.items()) {
        if (!value.is_string()) fail<ModelError>(where, ": __metadata__.", key, ": expected a text");
        file.metadata_[key] = value;
      }
      continue;
    }
    TensorView tensor;
    tensor.name = name;
    const Range range = read_entry(source, tensor, data.size(), where);
    tensor.bytes = data.substr(range.begin, range.end - range.begin);
    found.emplace_back(range, std::move(tensor));
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return a.first.begin != b.first.begin ? a.first.begin < b.first.begin : a.first.end < b.first.end;
  });
  uint64_t place = 0;
  for (auto& [range, tensor] : found) {
    if (range.begin != place) fail<ModelError>(where, ": tensor '", tensor.name, "': a gap or an overlap before it");
    place = range.end;
    file.index_[tensor.name] = file.tensors_.size();
    file.tensors_.push_back(std::move(tensor));
  }
  if (place != data.size()) fail<ModelError>(where, ": damaged: expected ", place, " bytes of data, found ", data.size());
  for (const auto& [alias, name] : file.aliases()) {
    if (!file.index_.contains(name)) fail<ModelError>(where, ": alias '", alias, "' of a tensor that is not there: '", name, "'");
    file.index_.emplace(alias, file.index_.at(name));
  }
  return file;
}

Safetensors Safetensors::from_file(const std::string& path) { return parse(core::read_file(path), path); }

const TensorView& Safetensors::at(const std::string& name) const {
  const auto found = index_.find(name);
  if (found == index_.end()) fail<ModelError>(where_, ": has no tensor '", name, "'");
  return tensors_[found->second];
}

bool Safetensors::contains(const std::string& name) const { return index_.contains(name); }

std::map<std::string, std::string> Safetensors::aliases() const {
  std::map<std::string, std::string> found;
  for (const auto& [key, value] : metadata_) {
    if (key.starts_with(kAliasPrefix)) found[key.substr(kAliasPrefix.size())] = value;
  }
  return found;
}

std::string write_safetensors(const std::vector<TensorView>& tensors, const std::map<std::string, std::string>& metadata) {
  nlohmann::ordered_json header;
  if (!metadata.empty()) header["__metadata__"] = metadata;
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

}  // namespace ventris::model
