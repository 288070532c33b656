#include "exports/bergamot_file.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "exports/little_endian.h"

namespace ventris::exports {
namespace {

constexpr uint64_t kFloatsOfMarian = 0x0404, kBytesOfMarian = 0x0101,
                   kIntgemm8 = 0x4101;  // types of Marian and of Bergamot's fork
constexpr size_t kAlignment = 256;

struct Item {
  std::string name;
  uint64_t type = kFloatsOfMarian;
  std::vector<int64_t> shape;
  std::string bytes;
};

bool is_table(const std::string& name) { return name.ends_with("Wemb"); }

/// Rounded to 8 bits, then the factor that they were multiplied with. A matrix is stored as [out, in]; a table of
/// embeddings is stored as it is.
std::string rounded(const MarianParameter& parameter) {
  constexpr float kMost = 127;
  float largest = 0;
  for (const float value : parameter.values) largest = std::max(largest, std::abs(value));
  const float factor = largest > 0 ? kMost / largest : 1;
  const auto rows = static_cast<size_t>(parameter.shape[0]), columns = static_cast<size_t>(parameter.shape[1]);
  const bool turned = !is_table(parameter.name);
  std::string bytes(parameter.values.size(), '\0');
  for (size_t row = 0; row < rows; ++row) {
    for (size_t column = 0; column < columns; ++column) {
      const float value = std::nearbyint(parameter.values[row * columns + column] * factor);
      bytes[turned ? column * rows + row : row * columns + column] =
          static_cast<char>(static_cast<int8_t>(std::clamp(value, -kMost, kMost)));
    }
  }
  uint32_t bits = 0;
  std::memcpy(&bits, &factor, sizeof bits);
  append(bytes, bits);
  return bytes;
}

Item item_of(const MarianParameter& parameter) {
  if (parameter.shape[0] > 1) return {parameter.name, kIntgemm8, parameter.shape, rounded(parameter)};
  const auto* const first = reinterpret_cast<const char*>(parameter.values.data());
  return {parameter.name, kFloatsOfMarian, parameter.shape, {first, parameter.values.size() * sizeof(float)}};
}

void fill_up(std::string& bytes) { bytes.resize((bytes.size() + kAlignment - 1) / kAlignment * kAlignment); }

}  // namespace

std::string bergamot_file(const std::vector<MarianParameter>& parameters, const std::string& settings) {
  std::vector<Item> items;
  for (const MarianParameter& parameter : parameters) items.push_back(item_of(parameter));
  items.push_back({"special:model.yml", kBytesOfMarian, {static_cast<int64_t>(settings.size() + 1)}, settings + '\0'});
  for (Item& item : items) fill_up(item.bytes);

  std::string file;
  append(file, uint64_t{1});  // version
  append(file, static_cast<uint64_t>(items.size()));
  for (const Item& item : items) {
    append(file, static_cast<uint64_t>(item.name.size() + 1));
    append(file, item.type);
    append(file, static_cast<uint64_t>(item.shape.size()));
    append(file, static_cast<uint64_t>(item.bytes.size()));
  }
  for (const Item& item : items) file += item.name + '\0';
  for (const Item& item : items) {
    for (const int64_t length : item.shape) append(file, static_cast<uint32_t>(length));
  }
  const size_t padding = kAlignment - (file.size() + sizeof(uint64_t)) % kAlignment;
  append(file, static_cast<uint64_t>(padding));
  file.append(padding, '\0');
  for (const Item& item : items) file += item.bytes;
  return file;
}

}  // namespace ventris::exports
