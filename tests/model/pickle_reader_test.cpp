#include "model/pickle_reader.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "engine/counted_memory.h"
#include "support/errors.h"

namespace ventris::model {
namespace {

using namespace std::string_literals;

std::string text(const std::string& value) {
  return "X" + std::string(1, static_cast<char>(value.size())) + "\0\0\0"s + value;
}

/// torch._utils._rebuild_tensor_v2((storage...), 3, shape, strides, False, OrderedDict())
std::string tensor(const std::string& storage = "7") {
  return "ctorch._utils\n_rebuild_tensor_v2\n((" + text("storage") + "ctorch\nFloatStorage\n" + text(storage) +
         text("cpu") + "K\x06tQK\x03" + "K\x02\x8a\x01\x05\x86" + "(K\x05K\x01t" + "\x89" +
         "ccollections\nOrderedDict\n)RtR";
}

std::vector<PickledTensor> read(const std::string& bytes) { return read_pickled_tensors(bytes, "file"); }

TEST(PickleReader, TensorsHaveTheNamesOfTheirPlaces) {
  const std::string inner = "c__torch__\nPart\n)\x81}(" + text("w") + "q\1" + tensor() + text("rate") +
                            "G\0\0\0\0\0\0\0\0"s + text("training") + "\x89ub";
  const auto found = read(
      "\x80\x02"
      "c__torch__\nModel\n)\x81}(" +
      text("a") + inner + text("b") + "}(h\1" + tensor("8") + "uub.");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].name, "a.w");
  EXPECT_EQ(found[0].storage, "7");
  EXPECT_EQ(found[0].storage_type, "FloatStorage");
  EXPECT_EQ(found[0].offset, 3);
  EXPECT_EQ(found[0].shape, (std::vector<int64_t>{2, 5}));
  EXPECT_EQ(found[0].strides, (std::vector<int64_t>{5, 1}));
  EXPECT_EQ(found[1].name, "b.w");
  EXPECT_EQ(found[1].storage, "8");
}

TEST(PickleReader, DictionariesWithATypeAreEntered) {
  const auto found = read("}(" + text("files") + "ctorch.jit._pickle\nrestore_type_tag\n}(" + text("a.txt") + tensor() +
                          "u" + text("Dict[str, Tensor]") + "\x86Ru.");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].name, "files.a.txt");
  EXPECT_TRUE(read("ctorch.jit._pickle\nrestore_type_tag\n)R.").empty());
}

TEST(PickleReader, NothingIsCalled) { EXPECT_TRUE(read("cos\nsystem\n(" + text("echo called") + "tR.").empty()); }

TEST(PickleReader, WhatIsNoPickleOfAModuleIsRefused) {
  EXPECT_FAILS(read(""), ModelError, "file: damaged, or not of ventris-export: it does not end");
  EXPECT_FAILS(read("X\xff\0\0\0cut"s), ModelError, "it is cut off");
  EXPECT_FAILS(read("cos"), ModelError, "it is cut off");
  EXPECT_FAILS(read("."), ModelError, "a value is missing");
  EXPECT_FAILS(read("t."), ModelError, "a mark is missing");
  EXPECT_FAILS(read("(0."), ModelError, "an instruction that PyTorch does not write for tensors");
  EXPECT_FAILS(read("h\1."), ModelError, "it refers to a value that it does not have");
  EXPECT_FAILS(read("K\1(" + text("a") + "K\1u."), ModelError, "a value has items, but is no object");
  EXPECT_FAILS(read("\x8a\x09"
                    "123456789."),
               ModelError, "a number is too large");
  EXPECT_FAILS(read("}(" + text("w") + "ctorch._utils\n_rebuild_tensor_v2\n)Ru."), ModelError,
               "file: damaged: tensor 'w' has no storage");
  EXPECT_FAILS(read("}(" + text("a\nb") + "}u."), ModelError, "a name in it is not printable");
}

TEST(PickleReader, ObjectsThatContainThemselvesAreRefused) {
  EXPECT_FAILS(read("}q\1(" + text("a") + "h\1u."), ModelError, "file: damaged: its objects are nested too deeply");
  std::string doubled = "}q\1";
  for (int i = 0; i < 40; ++i) doubled = "}(" + text("a") + doubled + "q\1" + text("b") + "h\1u";
  EXPECT_FAILS(read(doubled + "."), ModelError, "nested too deeply");
}

/// Expects that reading fails with memory of at most `factor` times the pickle and a little more.
void expect_refused_with_little_memory(const std::string& bytes, const std::string& message, int64_t factor = 150) {
  EXPECT_LT(test::peak_during([&] { EXPECT_FAILS(read(bytes), ModelError, message); }),
            factor * static_cast<int64_t>(bytes.size()) + (1 << 18));
}

std::string recalled(char number) { return std::string("h") + number; }

TEST(PickleReader, AnObjectThatIsItsOwnStateDoesNotGrow) {
  for (const std::string& object : {"}("s + text("a") + "Nu"s, "ca\nb\n)\x81"s}) {
    std::string bytes = object + "q\1";
    for (int i = 0; i < 300; ++i) bytes += recalled(1) + "b";
    EXPECT_TRUE(read(bytes + ".").empty());
    for (int i = 0; i < 300; ++i) bytes += "h\1h\1b0";
    expect_refused_with_little_memory(bytes + ".", "an instruction that PyTorch does not write for tensors");
  }
  std::string bytes = "}q\1(" + text("a") + tensor() + "u";
  for (int i = 0; i < 60; ++i) bytes += "ca\nb\n)\x81h\1bq\1";
  EXPECT_LT(test::peak_during([&] { EXPECT_LE(read(bytes + ".").size(), 1U); }), 200'000);
}

TEST(PickleReader, KeysThatGrowWithTheDepthAreNotCopiedAtEachLevel) {
  const auto key = [](size_t size) {
    std::string length(4, '\0');
    for (size_t i = 0; i < 4; ++i) length[i] = static_cast<char>(size >> 8 * i);
    return "X" + length + std::string(size, 'k');
  };
  std::string bytes = tensor();
  for (size_t depth = 97; depth > 0; --depth) bytes = "}(" + key(1000 * depth) + bytes + "u";
  EXPECT_LT(test::peak_during([&] { EXPECT_EQ(read(bytes + ".").size(), 1U); }),
            4 * static_cast<int64_t>(bytes.size()));
}

TEST(PickleReader, ValuesInVeryManyPlacesAreRefused) {
  std::string six = "}q\1(" + text("t") + tensor() + "u";  // 9 places in each of 6 levels
  std::string six_objects = "}q\1(" + text("t") + "Nu";
  for (std::string* bytes : {&six, &six_objects}) {
    for (int level = 0; level < 6; ++level) {
      std::string wide = *bytes + "q\1}(";
      for (int i = 0; i < 9; ++i) wide += text(std::string(1, static_cast<char>('a' + i))) + recalled(1);
      *bytes = wide + "u";
    }
    expect_refused_with_little_memory(*bytes + ".", "nested too deeply or are in too many places");
  }
  std::string shared = "}(";
  for (int i = 0; i < 100; ++i) {
    shared += i > 0 ? "h\2h\1" : "X\xc8\0\0\0"s + std::string(200, 'k') + "q\2}(" + text("t") + tensor() + "uq\1";
  }
  expect_refused_with_little_memory(shared + "u.", "it has two tensors 'kkkk");
}

TEST(PickleReader, SharedTensorsOfLongShapesAreRefused) {
  std::string shape = "(";
  for (int i = 0; i < 5000; ++i) shape += "K\1";
  shape += "tq\3";
  std::string bytes = "}(" + text("first") + "ctorch._utils\n_rebuild_tensor_v2\n((" + text("storage") +
                      "ctorch\nFloatStorage\n" + text("0") + text("cpu") + "K\1tQK\0"s + shape + "h\3tR" + "q\4";
  for (int i = 0; i < 1000; ++i) bytes += text("t" + std::to_string(i)) + recalled(4);
  expect_refused_with_little_memory(bytes + "u.", "in too many places");
}

TEST(PickleReader, TwoTensorsOfOneNameAreRefused) {
  EXPECT_FAILS(read("}(" + text("a") + tensor() + text("a") + tensor("8") + "u."), ModelError,
               "file: damaged: it has two tensors 'a'");
}

TEST(PickleReader, TiedLayersInManyPlacesAreFound) {
  std::string bytes = "}(";
  for (int i = 0; i < 100; ++i) {
    const std::string name = "a_name_of_usual_length." + std::to_string(i);
    bytes += text(name) + (i == 0 ? tensor() + "q\1" : recalled(1));
  }
  EXPECT_EQ(read(bytes + "u.").size(), 100U);
}

nlohmann::json values_of(const std::string& bytes, std::vector<std::string> keys = {"opt"}) {
  nlohmann::json values;
  read_pickled_checkpoint(bytes, "file", {{"model"}, std::move(keys)}, values);
  return values;
}

TEST(PickledCheckpoint, HasTheTensorsAndTheValuesOfItsKeys) {
  const std::string bytes = "}(" + text("model") + "}(" + text("w") + tensor() + "u" + text("other") + "}(" +
                            text("x") + tensor("8") + "u" + text("opt") + "cargparse\nNamespace\n)\x81}(" +
                            text("heads") + "K\x08" + text("dropout") + "]G\x3f\xe0\0\0\0\0\0\0a"s + text("flag") +
                            "\x88" + text("none") + "N" + text("path") + "cpathlib\nPosixPath\n(" + text("a") + "tR" +
                            "K\1K\2ubu.";
  nlohmann::json values;
  const auto tensors = read_pickled_checkpoint(bytes, "file", {{"model"}, {"opt", "none"}}, values);
  ASSERT_EQ(tensors.size(), 1U);
  EXPECT_EQ(tensors[0].name, "model.w");
  const nlohmann::json expected = {
      {"opt", {{"heads", 8}, {"dropout", {0.5}}, {"flag", true}, {"none", nullptr}, {"path", nullptr}}}};
  EXPECT_EQ(values, expected);
  EXPECT_EQ(pickled_keys(bytes, "file"), (std::vector<std::string>{"model", "other", "opt"}));
  EXPECT_TRUE(pickled_keys("N.", "file").empty());
}

TEST(PickledCheckpoint, SettingsOfOmegaConfAreTheirContent) {
  const std::string node =
      "comegaconf.nodes\nAnyNode\n)\x81}(" + text("_parent") + recalled(9) + text("_val") + "K\x05ub";
  const std::string bytes = "}(" + text("opt") + "comegaconf.dictconfig\nDictConfig\n)\x81q\x09}(" + text("_parent") +
                            "N" + text("_content") + "}(" + text("heads") + node + "uubu.";
  EXPECT_EQ(values_of(bytes), nlohmann::json({{"opt", {{"heads", 5}}}}));
}

TEST(PickledCheckpoint, OtherObjectsAreRefusedByTheirNames) {
  const std::string bytes = "}(" + text("opt") + "cmine.code\nSettings\n)\x81}bu.";
  EXPECT_FAILS(values_of(bytes), ModelError, "file: has an object of mine.code.Settings, which is not known");
}

TEST(PickledCheckpoint, ValuesThatContainThemselvesOrGrowAreRefused) {
  EXPECT_FAILS(values_of("}(" + text("opt") + "]q\1h\1au."), ModelError, "nested too deeply");
  std::string growing = "](K\1eq\1";
  for (int level = 0; level < 40; ++level) growing = "](" + growing + "h\1h\1h\1h\1h\1h\1h\1h\1eq\1";
  EXPECT_LT(test::peak_during([&] {
              EXPECT_FAILS(values_of("}(" + text("opt") + growing + "u."), ModelError, "in too many places");
            }),
            4'000'000);
  const std::string shared = "X\0\x40\0\0"s + std::string(0x4000, 't') + "q\2";
  std::string texts = "}(" + text("opt") + "](" + shared;
  for (int i = 0; i < 10'000; ++i) texts += "h\2";
  EXPECT_FAILS(values_of(texts + "eu."), ModelError, "in too many places");
}

}  // namespace
}  // namespace ventris::model
