#include "model/safetensors.h"

#include <gtest/gtest.h>

#include <bit>

#include "core/error.h"
#include "support/errors.h"
#include "support/temp_folder.h"
#include "support/tiny_bundle.h"

namespace ventris::model {
namespace {

/// A file with this header, written out by hand, and this many bytes of data.
std::string file_of(const std::string& header, size_t data) {
  const uint64_t length = header.size();
  return std::string(reinterpret_cast<const char*>(&length), 8) + header + std::string(data, 'd');
}

std::string entry(const std::string& name, const std::string& dtype, const std::string& shape,
                  const std::string& offsets) {
  return '"' + name + R"(":{"dtype":")" + dtype + R"(","shape":)" + shape + R"(,"data_offsets":)" + offsets + '}';
}

Safetensors parse(const std::string& header, size_t data = 0) {
  return Safetensors::parse(file_of(header, data), "w.st");
}

TEST(Safetensors, GivesBackWhatWasWritten) {
  test::TensorList list;
  list.add("b.weight", {2, 3}).add("a", {5}).add("scalar", {}).add("empty", {0, 7});
  const std::string bytes = write_safetensors(list.views(), {{"format", "pt"}, {"alias:c", "a"}});
  const Safetensors file = Safetensors::parse(bytes, "here");
  ASSERT_EQ(file.tensors().size(), 4U);
  for (const TensorView& wanted : list.views()) {
    const TensorView& found = file.at(wanted.name);
    EXPECT_EQ(found.shape, wanted.shape);
    EXPECT_EQ(found.dtype, DType::kF32);
    EXPECT_EQ(found.bytes, wanted.bytes);
    EXPECT_EQ(found.elements() * 4, static_cast<int64_t>(wanted.bytes.size()));
  }
  EXPECT_EQ(&file.at("c"), &file.at("a"));
  EXPECT_TRUE(file.contains("c"));
  EXPECT_EQ(file.aliases(), (std::map<std::string, std::string>{{"c", "a"}}));
  EXPECT_EQ(file.metadata().at("format"), "pt");
}

TEST(Safetensors, TheLayoutIsThatOfTheFormat) {
  const std::string data = "12345678";
  const std::string bytes = write_safetensors({{"x", DType::kI64, {1}, data}}, {});
  const std::string header = R"({"x":{"dtype":"I64","shape":[1],"data_offsets":[0,8]}})";
  ASSERT_EQ(bytes.size(), 64 + 8U);
  EXPECT_EQ(bytes[0], 56);
  EXPECT_EQ(bytes.substr(1, 7), std::string(7, '\0'));
  EXPECT_EQ(bytes.substr(8, 56), header + std::string(56 - header.size(), ' '));
  EXPECT_EQ(bytes.substr(64), data);
  static_assert(std::endian::native == std::endian::little);
}

TEST(Safetensors, NoTensorIsAFileToo) {
  EXPECT_TRUE(Safetensors::parse(write_safetensors({}, {}), "here").tensors().empty());
}

TEST(Safetensors, CopiesOutliveTheOriginal) {
  test::TensorList list;
  list.add("a", {100});
  Safetensors copy;
  {
    const Safetensors original = Safetensors::parse(write_safetensors(list.views(), {}), "here");
    copy = original;
  }
  EXPECT_EQ(copy.at("a").bytes, list.views()[0].bytes);
}

TEST(Safetensors, EveryTypeHasItsNameAndSize) {
  for (const auto& [type, name, size] : {std::tuple{DType::kF32, "F32", 4},
                                         {DType::kBf16, "BF16", 2},
                                         {DType::kF16, "F16", 2},
                                         {DType::kI64, "I64", 8},
                                         {DType::kI32, "I32", 4},
                                         {DType::kI8, "I8", 1},
                                         {DType::kU8, "U8", 1}}) {
    EXPECT_EQ(name_of(type), name);
    EXPECT_EQ(size_of(type), size);
    EXPECT_EQ(dtype_of(name, "here"), type);
  }
}

TEST(Safetensors, AMissingTensorIsNamed) {
  const test::TempFolder folder;
  const std::string path = folder.file("w.safetensors", write_safetensors({}, {}));
  EXPECT_FAILS(Safetensors::from_file(path).at("decoder.x"), ModelError, "w.safetensors: has no tensor 'decoder.x'");
}

TEST(Safetensors, HeadersThatAreNoneAreRefused) {
  EXPECT_FAILS(Safetensors::parse("", "w.st"), ModelError,
               "w.st: truncated: expected a safetensors file, found 0 bytes");
  EXPECT_FAILS(Safetensors::parse("1234567", "w.st"), ModelError, "found 7 bytes");
  EXPECT_FAILS(Safetensors::parse(std::string(8, '\xff') + "{}", "w.st"), ModelError,
               "its header would have 18446744073709551615");
  EXPECT_FAILS(Safetensors::parse(file_of("{}", 0).substr(0, 9), "w.st"), ModelError, "w.st: damaged or truncated");
  for (const char* header : {"", "[]", "3", "{", R"({"a":})", "{}}", "nul", "{\"\xff\":3}"}) {
    EXPECT_FAILS(parse(header), ModelError, "w.st: damaged: its header is not a safetensors header") << header;
  }
  const std::string deep = R"({"a":)" + std::string(100000, '[') + std::string(100000, ']') + '}';
  EXPECT_FAILS(parse(deep), ModelError, "is not a safetensors header");
}

TEST(Safetensors, RepeatedNamesAndKeysAreRefused) {
  const std::string a = entry("a", "U8", "[4]", "[0,4]");
  EXPECT_EQ(parse('{' + a + '}', 4).tensors().size(), 1U);
  EXPECT_FAILS(parse('{' + a + ',' + a + '}', 4), ModelError, "is not a safetensors header");
  EXPECT_FAILS(parse(R"({"a":{"dtype":"U8","dtype":"U8","shape":[4],"data_offsets":[0,4]}})", 4), ModelError, "header");
  EXPECT_FAILS(parse(R"({"__metadata__":{"x":"1","x":"2"}})"), ModelError, "is not a safetensors header");
}

TEST(Safetensors, SizesThatOverflowOrLeaveTheFileAreRefused) {
  const auto refused = [](const std::string& shape, const std::string& offsets, const std::string& part) {
    EXPECT_FAILS(parse('{' + entry("a", "F32", shape, offsets) + '}', 16), ModelError, "w.st: tensor 'a': " + part)
        << shape;
  };
  refused("[4294967296,4294967296]", "[0,0]", "is larger than the file");
  refused("[1099511627776,16777216]", "[0,16]", "is larger than the file");
  refused("[9223372036854775807]", "[0,16]", "a dimension of its shape is 9223372036854775807");
  refused("[0,18446744073709551615]", "[0,0]", "a dimension of its shape is");
  refused("[5]", "[0,20]", "is larger than the file");
  refused("[4]", "[4,20]", "its range is outside the file");
  refused("[4]", "[16,0]", "its range is outside the file");
  refused("[4]", "[18446744073709551600,16]", "its range is outside the file");
  refused("[3]", "[0,16]", "expected 12 bytes for its shape, found 16");
  refused("[1,1,1,1,1,1,1,1,4]", "[0,16]", "expected at most rank 8");
  refused("[-4]", "[0,16]", "expected whole numbers");
  refused("[4.0]", "[0,16]", "expected whole numbers");
  refused("[4]", "[0,\"16\"]", "expected whole numbers");
  refused("[4]", "[0,16,16]", "expected dtype, shape and data_offsets");
  refused("4", "[0,16]", "expected dtype, shape and data_offsets");
}

TEST(Safetensors, DataWithoutAnOwnerOrWithTwoIsRefused) {
  const std::string a = entry("a", "U8", "[4]", "[0,4]");
  EXPECT_FAILS(parse('{' + a + '}', 5), ModelError, "w.st: damaged: expected 4 bytes of data, found 5");
  EXPECT_FAILS(parse('{' + a + ',' + entry("b", "U8", "[4]", "[3,7]") + '}', 7), ModelError,
               "'b': a gap or an overlap before it");
  EXPECT_FAILS(parse('{' + a + ',' + entry("b", "U8", "[4]", "[5,9]") + '}', 9), ModelError,
               "'b': a gap or an overlap before it");
  EXPECT_FAILS(parse('{' + a + ',' + entry("b", "U8", "[4]", "[0,4]") + '}', 4), ModelError,
               "'b': a gap or an overlap before it");
}

TEST(Safetensors, UnknownTypesAndNamesThatCannotBeShownAreRefused) {
  EXPECT_FAILS(parse('{' + entry("a", "F64", "[1]", "[0,8]") + '}', 8), ModelError,
               "tensor 'a': expected one of the types F32");
  EXPECT_FAILS(parse('{' + entry("a", "\\u001b[2J", "[1]", "[0,8]") + '}', 8), ModelError, R"(found '\x1b[2J')");
  EXPECT_FAILS(parse('{' + entry("a\\u001b[2J", "U8", "[1]", "[0,1]") + '}', 1), ModelError, "not printable");
  EXPECT_FAILS(parse('{' + entry("", "U8", "[1]", "[0,1]") + '}', 1), ModelError, "name is empty");
}

TEST(Safetensors, AliasesMustStandForStoredTensors) {
  const std::string a = entry("a", "U8", "[4]", "[0,4]");
  const auto with = [&](const std::string& metadata) {
    return parse(R"({"__metadata__":)" + metadata + ',' + a + '}', 4);
  };
  EXPECT_EQ(with(R"({"alias:b":"a"})").at("b").name, "a");
  EXPECT_FAILS(with(R"({"alias:b":"c"})"), ModelError, "alias 'b': the file does not have the tensor that it names");
  EXPECT_FAILS(with(R"({"alias:b":"a","alias:c":"b"})"), ModelError, "alias 'c'");
  EXPECT_FAILS(with(R"({"alias:a":"a"})"), ModelError, "an alias is not printable or the name of a stored tensor");
  EXPECT_FAILS(with(R"({"format":3})"), ModelError, "__metadata__: expected only texts");
  EXPECT_FAILS(with(R"("pt")"), ModelError, "__metadata__: expected an object");
}

TEST(Safetensors, MoreTensorsThanAnyModelHasAreRefused) {
  std::string header = "{";
  for (int i = 0; i < 100'001; ++i) header += (i == 0 ? "" : ",") + entry(std::to_string(i), "U8", "[0]", "[0,0]");
  EXPECT_FAILS(parse(header + '}'), ModelError, "expected at most 100000 tensors");
}

TEST(Safetensors, AHeaderOfVeryManyValuesIsRefusedBeforeItNeedsMemory) {
  std::string list = "[0", texts = "{\"0\":\"\"";
  while (list.size() < 5'000'000) list += ",0";
  for (int i = 1; i <= 1'000'000; ++i) texts += ",\"" + std::to_string(i) + "\":\"\"";
  EXPECT_FAILS(parse("{" + entry("a", "U8", list + "]", "[0,0]") + "}"), ModelError,
               "expected a header of at most 2000000 keys and values");
  EXPECT_FAILS(parse(R"({"__metadata__":)" + texts + "}}"), ModelError, "expected a header of at most 2000000 keys");
}

TEST(Safetensors, TiedTensorsCountAsTensors) {
  std::map<std::string, std::string> metadata;
  for (int i = 0; i < 100'000; ++i) metadata["alias:x" + std::to_string(i)] = "w";
  const std::string four(4, '\0');
  const std::string file = write_safetensors({{"w", DType::kF32, {1}, four}}, metadata);
  EXPECT_FAILS(Safetensors::parse(file, "m"), ModelError, "m: expected at most 100000 tensors, including tied ones");
}

}  // namespace
}  // namespace ventris::model
