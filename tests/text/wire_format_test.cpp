#include "text/wire_format.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ventris::text {
namespace {

using namespace std::string_literals;

/// The numbers of the fields; -1 if the bytes are not a message.
std::vector<int64_t> numbers(std::string_view bytes) {
  std::vector<int64_t> all;
  const bool whole = each_field(bytes, [&](const WireField& field) {
    all.push_back(field.number);
    return true;
  });
  if (!whole) all.push_back(-1);
  return all;
}

using Numbers = std::vector<int64_t>;

TEST(WireFormat, EachTypeIsReadAndRemoved) {
  // 1: 150; 2: "ab"; 3: 8 bytes; 4: 4 bytes
  const std::string message =
      "\x08\x96\x01\x12\x02"
      "ab\x19"
      "12345678\x25"
      "1234"s;
  std::string_view left = message;
  const auto varint = take_field(left);
  ASSERT_TRUE(varint);
  EXPECT_EQ(varint->number, 1U);
  EXPECT_EQ(varint->type, WireType::kVarint);
  EXPECT_EQ(varint->value, 150U);
  const auto bytes = take_field(left);
  ASSERT_TRUE(bytes);
  EXPECT_EQ(bytes->type, WireType::kBytes);
  EXPECT_EQ(bytes->bytes, "ab");
  EXPECT_EQ(take_field(left)->bytes, "12345678");
  EXPECT_EQ(take_field(left)->bytes, "1234");
  EXPECT_EQ(left, "");
  EXPECT_EQ(numbers(message), (Numbers{1, 2, 3, 4}));
}

TEST(WireFormat, TheLargestNumbersAreRead) {
  const std::string largest = "\x08" + std::string(9, '\xFF') + "\x01";
  std::string_view left = largest;
  EXPECT_EQ(take_field(left)->value, ~uint64_t{0});
  EXPECT_EQ(numbers("\xF8\xFF\xFF\xFF\x0F"
                    "\x00"s),
            Numbers{0x1FFFFFFF});
  EXPECT_EQ(numbers("\x80\x80\x80\x80\x10"
                    "\x00"s),
            Numbers{-1})
      << "a field number beyond that";
}

TEST(WireFormat, WhatIsCutOffIsNoMessage) {
  const std::string message =
      "\x08\x96\x01\x12\x02"
      "ab\x19"
      "12345678\x25"
      "1234"s;
  for (const size_t whole : {3U, 7U, 16U, 21U}) EXPECT_EQ(numbers(message.substr(0, whole)).back(), whole / 7 + 1);
  for (const size_t cut : {1U, 2U, 4U, 5U, 6U, 8U, 15U, 17U, 20U}) {
    EXPECT_EQ(numbers(message.substr(0, cut)).back(), -1) << cut;
  }
}

TEST(WireFormat, LengthsBeyondTheEndAndEndlessNumbersAreRefused) {
  EXPECT_EQ(numbers("\x12\x03"
                    "ab"s),
            Numbers{-1});
  EXPECT_EQ(numbers("\x12" + std::string(9, '\xFF') + "\x01" + "ab"), Numbers{-1}) << "2^64 - 1 bytes";
  EXPECT_EQ(numbers("\x08" + std::string(20, '\xFF')), Numbers{-1});
  EXPECT_EQ(numbers("\x00\x01"s), Numbers{-1}) << "field 0";
  EXPECT_EQ(numbers("\x0B\x0C"s), Numbers{-1}) << "a group";
  EXPECT_EQ(numbers("\x0E\x00"s), Numbers{-1}) << "no type";
}

TEST(WireFormat, TheCallerCanStop) {
  int seen = 0;
  EXPECT_FALSE(each_field("\x08\x01\x10\x01"s, [&](const WireField& /*field*/) { return ++seen > 1; }));
  EXPECT_EQ(seen, 1);
  EXPECT_TRUE(each_field("", [](const WireField& /*field*/) { return false; })) << "no fields are a message";
}

}  // namespace
}  // namespace ventris::text
