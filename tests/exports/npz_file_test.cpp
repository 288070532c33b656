#include "exports/npz_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ventris::exports {
namespace {

using testing::HasSubstr;

TEST(NpzFile, HasTheHeadersThatMarianReads) {
  NpzFile file;
  file.add("w", {2, 3}, {1, 2, 3, 4, 5, 6});
  file.add_bytes("special:model.yml", "a: 1\n");
  const std::string bytes = std::move(file).finish();
  EXPECT_THAT(bytes, HasSubstr("w.npy"));
  EXPECT_THAT(bytes, HasSubstr("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }"));
  EXPECT_THAT(bytes, HasSubstr("special:model.yml.npy"));
  EXPECT_THAT(bytes, HasSubstr("{'descr': '|i1', 'fortran_order': False, 'shape': (5,), }"));
  const size_t header = bytes.find("\x93NUMPY"), end = bytes.find('\n', header);
  EXPECT_EQ((end + 1 - header) % 64, 0U);
}

}  // namespace
}  // namespace ventris::exports
