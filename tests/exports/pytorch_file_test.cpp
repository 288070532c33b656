#include "exports/pytorch_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ventris::exports {
namespace {

using testing::HasSubstr;

NamedTensor tensor(const std::string& name, const std::vector<int64_t>& shape, std::vector<float> values) {
  return {name, shape, std::make_shared<const std::vector<float>>(std::move(values))};
}

size_t count(const std::string& text, const std::string& part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

/// That PyTorch reads such a file is tested in tests/python/test_exports.py.
TEST(PyTorchFile, HasTheEntriesThatTorchLoadReads) {
  const std::string bytes = pytorch_file({tensor("w", {2, 1}, {1, 2})});
  for (const char* entry : {"archive/data.pkl", "archive/byteorder", "archive/data/0", "archive/version"}) {
    EXPECT_EQ(count(bytes, entry), 2U) << entry << " once before its data, and once in the directory";
  }
  EXPECT_THAT(bytes, HasSubstr("ctorch._utils\n_rebuild_tensor_v2\n"));
  EXPECT_THAT(bytes, HasSubstr(std::string("\0\0\x80\x3f\0\0\0\x40", 8)));
}

TEST(PyTorchFile, TiedTensorsHaveOneStorage) {
  const NamedTensor one = tensor("one", {3}, {1, 2, 3});
  NamedTensor other = one;
  other.name = "other";
  EXPECT_EQ(count(pytorch_file({one, other}), "archive/data/1"), 0U);
  EXPECT_EQ(count(pytorch_file({one, tensor("other", {3}, {1, 2, 3})}), "archive/data/1"), 2U);
}

TEST(PyTorchFile, TheSameTensorsGiveTheSameBytes) {
  EXPECT_EQ(pytorch_file({tensor("w", {1}, {1})}), pytorch_file({tensor("w", {1}, {1})}));
}

}  // namespace
}  // namespace ventris::exports
