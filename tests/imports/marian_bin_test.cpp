#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "imports/marian_tensors.h"
#include "imports/marian_writer.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace ventris::imports {
namespace {

using testing::ElementsAre;

constexpr uint64_t kF32OfMarian = 0x0404, kI8OfMarian = 0x0101, kIntgemm8OfMarian = 0x10001;

class RefusedMarianBin : public testing::Test {
 protected:
  MarianTensors read(const std::string& bytes) const { return read_marian_bin(folder.file("m.bin", bytes)); }

  test::TempFolder folder;
};

TEST_F(RefusedMarianBin, WhatIsWrongIsSaid) {
  const std::string four(4, '\0');
  EXPECT_FAILS(read(MarianBinWriter().bytes(2)), ModelError, "m.bin: is encrypted; decrypt it with Marian first");
  EXPECT_FAILS(read(MarianBinWriter().bytes(3)), ModelError,
               "m.bin: expected a .bin file of Marian with the file version 1, found 3");
  EXPECT_FAILS(read("1"), ModelError, "m.bin: damaged, or no .bin file of Marian: it ends too early, at byte 0");
  EXPECT_FAILS(read(bytes_of_number(1, 8) + bytes_of_number(1U << 30U, 8)), ModelError,
               "it says that it has 1073741824 tensors");
  EXPECT_FAILS(read(MarianBinWriter().add("a\n", kF32OfMarian, {1}, four).bytes()), ModelError,
               "a name is not a printable text with a 0 at its end");
  EXPECT_FAILS(read(MarianBinWriter().add("a", kF32OfMarian, std::vector<int32_t>(9, 1), four).bytes()), ModelError,
               "a has too many dimensions");
  EXPECT_FAILS(read(MarianBinWriter().add("a", kF32OfMarian, {-1}, four).bytes()), ModelError, "a has a shape below 0");
  EXPECT_FAILS(read(MarianBinWriter().add("a", kF32OfMarian, {2}, four).bytes()), ModelError,
               "a is shorter than its shape");
  EXPECT_FAILS(read(MarianBinWriter().add("a", kF32OfMarian, {1 << 30, 1 << 30, 1 << 30}, four).bytes()), ModelError,
               "a is shorter than its shape");
  EXPECT_FAILS(read(MarianBinWriter().add("a", kIntgemm8OfMarian, {1, 2}, four).bytes()), ModelError,
               "a has no multiplier");
  EXPECT_FAILS(read(MarianBinWriter().add("a", kIntgemm8OfMarian, {2}, four + four).bytes()), ModelError,
               "a is in 8 bits, but is no matrix");
  EXPECT_FAILS(read(MarianBinWriter().add("a", kIntgemm8OfMarian, {2, 2}, four + four).bytes()), ModelError,
               "tensor 'a': expected a multiplier over 0, found 0");
  EXPECT_FAILS(read(MarianBinWriter().add("a", kF32OfMarian, {1}, four).add("a", kF32OfMarian, {1}, four).bytes()),
               ModelError, "m.bin: damaged: the tensor 'a' is there twice");
}

TEST_F(RefusedMarianBin, OtherTypesAreNamed) {
  const std::string bytes(16, '\0');
  for (const auto& [type, name] : {std::pair<uint64_t, const char*>{0x4102, "intgemm16"},
                                   {0x0802, "packed16"},
                                   {0x12001, "intgemm8avx2"},
                                   {0x0402, "float16"},
                                   {77, "77"}}) {
    const std::string file = MarianBinWriter().add("a", type, {1, 1}, bytes).bytes();
    EXPECT_FAILS(read(file), ModelError,
                 "tensor 'a': expected elements in float32 or intgemm8, found " + std::string(name) +
                     "; convert the original .npz file instead");
  }
}

TEST_F(RefusedMarianBin, AllMatricesButEmbeddingsAreTransposed) {
  const std::string elements("\x01\x02\x03\x04\x05\x06", 6);
  const float two = 2;
  const std::string data = elements + std::string(reinterpret_cast<const char*>(&two), 4);
  const MarianTensors tensors = read(MarianBinWriter()
                                         .add("encoder_Wemb", kIntgemm8OfMarian, {2, 3}, data)
                                         .add("x_W1", kIntgemm8OfMarian, {2, 3}, data)
                                         .add("x_W1_QuantMultA", kF32OfMarian, {1, 1}, data)
                                         .add("special:model.yml", kI8OfMarian, {6}, std::string("a: 1\0b", 6))
                                         .bytes());
  EXPECT_THAT(tensors.floats("encoder_Wemb"), ElementsAre(0.5, 1, 1.5, 2, 2.5, 3));
  EXPECT_THAT(tensors.floats("x_W1"), ElementsAre(0.5, 1.5, 2.5, 1, 2, 3));
  EXPECT_THAT(tensors.names(), ElementsAre("encoder_Wemb", "x_W1"));
  EXPECT_EQ(tensors.settings(), "a: 1");
}

TEST_F(RefusedMarianBin, FloatsAreThoseOfTheFile) {
  const float values[] = {1.5F, -2};
  const std::string data(reinterpret_cast<const char*>(values), sizeof values);
  const MarianTensors tensors = read(MarianBinWriter().add("a", kF32OfMarian, {1, 2}, data + "rest").bytes());
  EXPECT_THAT(tensors.shape("a"), ElementsAre(1, 2));
  EXPECT_THAT(tensors.floats("a"), ElementsAre(1.5, -2)) << "Marian pads elements to 256 bytes";
}

TEST_F(RefusedMarianBin, AFileIsRecognisedByItsFirstNumbers) {
  const auto is_bin = [&](const std::string& bytes) { return is_marian_bin(folder.file("x", bytes)); };
  EXPECT_TRUE(is_bin(MarianBinWriter().add("a", kF32OfMarian, {1}, "1234").bytes()));
  EXPECT_TRUE(is_bin(MarianBinWriter().bytes(2))) << "an encrypted one, so that the message says it";
  EXPECT_FALSE(is_bin(MarianBinWriter().bytes())) << "no tensors";
  EXPECT_TRUE(is_bin(bytes_of_number(1, 8) + bytes_of_number(100000, 8)));
  EXPECT_FALSE(is_bin(bytes_of_number(1, 8) + bytes_of_number(100001, 8)));
  EXPECT_FALSE(is_bin(bytes_of_number(1, 8) + "1234567")) << "too short";
  EXPECT_FALSE(is_marian_bin(folder.path()));
  EXPECT_FALSE(is_marian_bin(folder.path("none")));
}

}  // namespace
}  // namespace ventris::imports
