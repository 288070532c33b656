#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "imports/marian_tensors.h"
#include "imports/marian_writer.h"
#include "support/errors.h"
#include "support/temp_folder.h"
#include "support/zip.h"

namespace ventris::imports {
namespace {

using testing::ElementsAre;

std::string array_of_numpy(const std::string& head, const std::string& data) {
  return "\x93NUMPY\x01" + std::string(1, '\0') + bytes_of_number(head.size(), 2) + head + data;
}

class RefusedMarianNpz : public testing::Test {
 protected:
  MarianTensors read(const std::string& array, const std::string& name = "a.npy") const {
    const std::string path = folder.path("m.npz");
    test::write_zip(path, {{name, array}});
    return read_marian_npz(path);
  }

  test::TempFolder folder;
};

TEST_F(RefusedMarianNpz, WhatIsWrongIsSaid) {
  const std::string data(24, '\0');
  const auto head = [](const std::string& type, const std::string& order, const std::string& shape) {
    return "{'descr': '" + type + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
  };
  EXPECT_THAT(read(array_of_numpy(head("<f4", "False", "(2, 3)"), data)).shape("a"), ElementsAre(2, 3));
  EXPECT_THAT(read(array_of_numpy(head("<f4", "False", "(6,)"), data)).shape("a"), ElementsAre(6));
  EXPECT_FAILS(read(data, "a.txt"), ModelError, "m.npz: expected arrays of NumPy, found 'a.txt'");
  EXPECT_FAILS(read(data), ModelError, "m.npz: damaged: the array 'a' is no array of NumPy");
  EXPECT_FAILS(read(array_of_numpy(head("<f4", "False", "(2, 4)"), data)), ModelError,
               "the array 'a' has another size than its shape says");
  EXPECT_FAILS(read(array_of_numpy(head("<f4", "True", "(2, 3)"), data)), ModelError,
               "the array 'a' has its elements column by column; expected row by row");
  EXPECT_FAILS(read(array_of_numpy(head("<f8", "False", "(3,)"), data)), ModelError,
               "tensor 'a': expected elements of type <f4 or <f2, found <f8");
  EXPECT_FAILS(read(array_of_numpy(head("|i1", "False", "(24,)"), data)), ModelError,
               "tensor 'a': expected elements of type <f4 or <f2, found |i1");
  for (const char* wrong : {"{}", "{'descr': '<f4'}", "{'descr': '<f4', 'descr': '<f4', 'shape': (), }", "[]",
                            "{'descr': '<f4', 'fortran_order': False, 'shape': (-1), }",
                            "{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1), }",
                            "{'descr': '<f4', 'fortran_order': False, 'shape': (6,), } x"}) {
    EXPECT_FAILS(read(array_of_numpy(wrong, data)), ModelError, "the array 'a' has a wrong header") << wrong;
  }
}

TEST_F(RefusedMarianNpz, HalfPrecisionAndSettingsAreRead) {
  const std::string path = folder.path("m.npz"), yaml("type: transformer\0rest", 22);
  const std::string halves("\x00\x3c\x00\xc0", 4);  // 1 and -2
  test::write_zip(
      path,
      {{"W.npy", array_of_numpy("{'descr': '<f2', 'fortran_order': False, 'shape': (1, 2), }", halves)},
       {"special:model.yml.npy", array_of_numpy("{'descr': '|i1', 'fortran_order': False, 'shape': (22,), }", yaml)}});
  const MarianTensors tensors = read_marian_npz(path);
  EXPECT_THAT(tensors.floats("W"), ElementsAre(1, -2));
  EXPECT_EQ(tensors.settings(), "type: transformer");
  EXPECT_THAT(tensors.names(), ElementsAre("W"));
  EXPECT_TRUE(is_marian_npz(path));
  read(array_of_numpy("{'descr': '<f2', 'fortran_order': False, 'shape': (1, 2), }", halves));
  EXPECT_FALSE(is_marian_npz(path)) << "without settings";
}

TEST_F(RefusedMarianNpz, ALongHeaderHasFourBytesOfSize) {
  const std::string head = "{'shape': (), 'descr': '<f4', 'fortran_order': True}", data(4, '\0');
  const auto array = [&](char version) {
    return std::string("\x93NUMPY") + version + std::string(1, '\0') + bytes_of_number(head.size(), 4) + head + data;
  };
  EXPECT_THAT(read(array(2)).shape("a"), ElementsAre());
  EXPECT_THAT(read(array(3)).floats("a"), ElementsAre(0)) << "the order of one element is not looked at";
  EXPECT_FAILS(read(array(4)), ModelError, "the array 'a' has a wrong header");
}

}  // namespace
}  // namespace ventris::imports
