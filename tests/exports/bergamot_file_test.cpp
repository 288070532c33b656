#include "exports/bergamot_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

namespace ventris::exports {
namespace {

using testing::ElementsAre;

/// Numbers in a .bin file of Bergamot, from its beginning.
class BergamotReader {
 public:
  explicit BergamotReader(std::string bytes) : bytes_(std::move(bytes)) {}

  template <typename Number>
  Number number() {
    Number value;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  std::string take(size_t size) { return bytes_.substr(std::exchange(at_, at_ + size), size); }
  size_t at() const { return at_; }

 private:
  std::string bytes_;
  size_t at_ = 0;
};

const std::vector<MarianParameter> kBergamotParameters{
    {"x_W", {2, 3}, {0, 1, -2, 2, 0.5, -4}}, {"Wemb", {2, 2}, {1, -1, 0.25, 0}}, {"x_b", {1, 2}, {1.5, -2}}};

struct BergamotItem {
  std::string name;
  uint64_t type;
  std::vector<int32_t> shape;
  std::string bytes;
};

std::vector<BergamotItem> items_in(const std::string& file) {
  BergamotReader reader(file);
  EXPECT_EQ(reader.number<uint64_t>(), 1U) << "the version";
  std::vector<BergamotItem> items(reader.number<uint64_t>());
  std::vector<uint64_t> names, ranks, sizes;
  for (BergamotItem& item : items) {
    names.push_back(reader.number<uint64_t>());
    item.type = reader.number<uint64_t>();
    ranks.push_back(reader.number<uint64_t>());
    sizes.push_back(reader.number<uint64_t>());
  }
  for (size_t i = 0; i < items.size(); ++i) {
    const std::string name = reader.take(names[i]);
    EXPECT_EQ(name.back(), '\0');
    items[i].name = name.substr(0, name.size() - 1);
  }
  for (size_t i = 0; i < items.size(); ++i) {
    for (uint64_t dimension = 0; dimension < ranks[i]; ++dimension) items[i].shape.push_back(reader.number<int32_t>());
  }
  reader.take(reader.number<uint64_t>());
  for (size_t i = 0; i < items.size(); ++i) {
    EXPECT_EQ(reader.at() % 256, 0U) << items[i].name << " begins at a multiple of 256 bytes";
    items[i].bytes = reader.take(sizes[i]);
  }
  EXPECT_EQ(reader.at(), file.size());
  return items;
}

std::vector<int> rounded_in(const BergamotItem& item, size_t count) {
  std::vector<int> values;
  for (size_t i = 0; i < count; ++i) values.push_back(static_cast<signed char>(item.bytes[i]));
  return values;
}

float float_in(const BergamotItem& item, size_t at) {
  float value = 0;
  std::memcpy(&value, item.bytes.data() + at, sizeof value);
  return value;
}

TEST(BergamotFile, HasMatricesTurnedIn8BitsWithTheirFactor) {
  const auto items = items_in(bergamot_file(kBergamotParameters, "type: transformer\n"));
  ASSERT_EQ(items.size(), 4U);
  EXPECT_EQ(items[0].name, "x_W");
  EXPECT_EQ(items[0].type, 0x4101U);
  EXPECT_THAT(items[0].shape, ElementsAre(2, 3)) << "the shape is not turned";
  EXPECT_THAT(rounded_in(items[0], 6), ElementsAre(0, 64, 32, 16, -64, -127)) << "127 / 4 times, ties to even";
  EXPECT_EQ(float_in(items[0], 6), 127 / 4.0F);
}

TEST(BergamotFile, HasTablesAsTheyAreAndVectorsInFloats) {
  const auto items = items_in(bergamot_file(kBergamotParameters, "type: transformer\n"));
  EXPECT_THAT(rounded_in(items[1], 4), ElementsAre(127, -127, 32, 0));
  EXPECT_EQ(float_in(items[1], 4), 127);
  EXPECT_EQ(items[2].type, 0x0404U);
  EXPECT_EQ(float_in(items[2], 0), 1.5F);
  EXPECT_EQ(float_in(items[2], 4), -2);
  EXPECT_EQ(items[2].bytes.size(), 256U);
}

TEST(BergamotFile, EndsWithItsSettings) {
  const auto items = items_in(bergamot_file({}, "a: 1"));
  ASSERT_EQ(items.size(), 1U);
  EXPECT_EQ(items[0].name, "special:model.yml");
  EXPECT_EQ(items[0].type, 0x0101U);
  EXPECT_THAT(items[0].shape, ElementsAre(5));
  EXPECT_EQ(items[0].bytes.substr(0, 5), std::string("a: 1\0", 5));
}

TEST(BergamotFile, AMatrixOfZerosHasTheFactor1) {
  const auto items = items_in(bergamot_file({{"x_W", {2, 1}, {0, 0}}}, ""));
  EXPECT_THAT(rounded_in(items[0], 2), ElementsAre(0, 0));
  EXPECT_EQ(float_in(items[0], 2), 1);
}

}  // namespace
}  // namespace ventris::exports
