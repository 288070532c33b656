#include "model/pickle_machine.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "engine/counted_memory.h"
#include "support/errors.h"

namespace ventris::model {
namespace {

using namespace std::string_literals;
using Kind = PickleValue::Kind;

class Pickle {
 public:
  explicit Pickle(std::string bytes) : bytes_(std::move(bytes)) {}
  const PickleValue& run() { return machine_.run(); }
  PickleMachine& machine() { return machine_; }

 private:
  std::string bytes_, where_ = "file";
  PickleMachine machine_{bytes_, where_};
};

TEST(PickleMachine, NumbersOfAllWidthsAreRead) {
  for (const auto& [bytes, number] : {std::pair{"K\xff."s, 255},
                                      {"M\1\1."s, 257},
                                      {"J\xff\xff\xff\xff."s, -1},
                                      {"\x8a\2\1\1."s, 257},
                                      {"\x8a\0."s, 0}}) {
    Pickle pickle(bytes);
    const PickleValue& value = pickle.run();
    EXPECT_EQ(value.kind, Kind::kNumber);
    EXPECT_EQ(value.number, number);
  }
}

TEST(PickleMachine, ItemsStayInTheOrderOfThePickle) {
  Pickle pickle("(K\1K\2\x86K\3)t.");
  const auto items = pickle.machine().items(pickle.run().block);
  ASSERT_EQ(items.size(), 3U);
  EXPECT_EQ(pickle.machine().items(items[0]->block)[1]->number, 2);
  EXPECT_EQ(items[1]->number, 3);
  EXPECT_EQ(items[2]->kind, Kind::kTuple);
}

TEST(PickleMachine, ADictionaryMayGetItsItemsInSeveralParts) {
  Pickle pickle("}(K\1K\2u(K\3K\4K\5K\6u.");
  const PickleValue& value = pickle.run();
  EXPECT_EQ(pickle.machine().items(value.block).size(), 2U);
  const uint32_t next = pickle.machine().next(value.block);
  EXPECT_EQ(pickle.machine().items(next).size(), 4U);
  EXPECT_EQ(pickle.machine().next(next), PickleValue::kNone);
}

TEST(PickleMachine, PlainValuesAreRead) {
  Pickle pickle("(N\x88\x89G\x3f\xf8\0\0\0\0\0\0]K\1a](K\2K\3e](K\4et."s);
  const auto items = pickle.machine().items(pickle.run().block);
  ASSERT_EQ(items.size(), 7U);
  EXPECT_EQ(items[0]->kind, Kind::kNone);
  EXPECT_EQ(items[1]->number, 1);
  EXPECT_EQ(items[2]->kind, Kind::kFlag);
  EXPECT_EQ(items[2]->number, 0);
  EXPECT_EQ(items[3]->real, 1.5);
  EXPECT_EQ(items[4]->kind, Kind::kList);
  EXPECT_EQ(pickle.machine().items(items[4]->block)[0]->number, 1);
  EXPECT_EQ(pickle.machine().items(items[5]->block)[1]->number, 3);
  EXPECT_FAILS(Pickle("a.").run(), ModelError, "a value is missing");
  EXPECT_FAILS(Pickle("(e.").run(), ModelError, "a value is missing");
  EXPECT_FAILS(Pickle("G\0."s).run(), ModelError, "it is cut off");
}

TEST(PickleMachine, WhatACallMadeMayHaveItems) {
  Pickle pickle("(ccollections\ndefaultdict\n)R(K\1K\2uccollections\ndeque\n)R(K\1et.");
  EXPECT_EQ(pickle.machine().items(pickle.run().block).size(), 2U);
}

TEST(PickleMachine, AClassThatIsNotKnownIsRefusedByItsName) {
  const std::string bytes = "cos\nsystem\n)R.", where = "file";
  EXPECT_NO_THROW(PickleMachine(bytes, where).run());
  EXPECT_FAILS(PickleMachine(bytes, where, PickleMachine::Names::kKnown).run(), ModelError,
               "file: has an object of os.system, which is not known to be plain data; nothing of it was run");
}

TEST(PickleMachine, AKeyWithoutAValueIsRefused) {
  EXPECT_FAILS(Pickle("}(K\1u.").run(), ModelError, "file: damaged, or not of ventris-export: a key has no value");
  EXPECT_FAILS(Pickle("(u.").run(), ModelError, "a value is missing");
  EXPECT_FAILS(Pickle("(00t.").run(), ModelError, "an instruction");
}

/// Every instruction that adds something, as often as the limit allows, or with what it needs.
TEST(PickleMachine, EveryInstructionNeedsMemoryInProportion) {
  for (const std::string& part : {"N"s, "}"s, ")"s, "("s, "K\1"s, "X\0\0\0\0"s, "cab\ncd\n"s, "K\1\x85"s, "N\x85\x85"s,
                                  "q\1N"s, "}()))Nu"s, "NN\x81"s, "N)R"s, "NQ"s, "NNb"s, "]"s, "](Ne"s, "]Na"s}) {
    std::string bytes;
    while (bytes.size() < 200'000) bytes += part;
    Pickle pickle("N" + bytes + ".");
    EXPECT_LT(test::peak_during([&] { EXPECT_NO_THROW(pickle.run()) << part; }), 100 * 200'000) << part;
  }
  EXPECT_FAILS(Pickle("N" + std::string(PickleMachine::kMostInstructions, 'N') + ".").run(), ModelError,
               "file: damaged, or not of ventris-export: it has more than 4000000 instructions");
}

}  // namespace
}  // namespace ventris::model
