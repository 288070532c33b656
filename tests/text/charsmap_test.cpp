#include "text/charsmap.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "support/errors.h"
#include "support/model_writer.h"

namespace ventris::text {
namespace {

using namespace std::string_literals;
using test::CharsmapWriter;

constexpr uint32_t kRoot = 0, kFirst = 16, kSecond = 128;  // units, and the bases of the rules' first and second bytes

/// Two rules: "a" becomes "one", "ab" becomes "two".
CharsmapWriter two_rules() {
  return CharsmapWriter()
      .put(kRoot, CharsmapWriter::node(0, kFirst))
      .put(kFirst ^ 'a', CharsmapWriter::node('a', kFirst ^ 'a' ^ kSecond, true))
      .put(kSecond, CharsmapWriter::value(0))
      .put(kSecond ^ 'b', CharsmapWriter::node('b', kSecond ^ 'b' ^ 200, true))
      .put(200, CharsmapWriter::value(4))
      .put(kFirst, CharsmapWriter::node('x', 0))  // no byte leads to an empty unit
      .texts("one\0two\0"s);
}

void refused(const std::string& map, const std::string& part) {
  EXPECT_FAILS(check_charsmap(map, "x.spm: rules"), ModelError, "x.spm: rules: " + part);
}

TEST(Charsmap, RulesThatStayInsideTheirTablePass) {
  EXPECT_NO_THROW(check_charsmap(two_rules().write(), "x"));
  EXPECT_NO_THROW(
      check_charsmap(two_rules().put(1, 0xFFFFFFFF).put(2, 0x7FFFFF00).write(), "x"));  // nothing leads there
}

TEST(Charsmap, SizesThatDoNotFitAreRefused) {
  const std::string map = two_rules().write();
  for (const uint32_t size : {0U, 2U, 1023U, 1040U, 0xFFFFFFFCU, static_cast<uint32_t>(map.size()) - 2}) {
    refused(test::little_endian(size) + map.substr(4), "damaged: expected a table of a multiple of 4 bytes");
  }
  refused(test::little_endian(static_cast<uint32_t>(map.size()) - 4) + map.substr(4), "damaged: expected a NUL");
  refused(map.substr(0, 7), "damaged: found only 7 bytes");
  refused("x", "damaged: found only 1 bytes");
  refused(std::string(kLargestCharsmap + 1, '\0'), "expected at most 8388608 bytes, found 8388609");
}

TEST(Charsmap, TextsMustEndBeUtf8AndBeShort) {
  refused(two_rules().texts("one\0two"s).write(), "damaged: expected a NUL at the end");
  refused(two_rules().texts("").write(), "damaged: expected a NUL at the end");
  refused(two_rules().texts("\xFFne\0two\0"s).write(), "damaged: expected UTF-8");
  refused(two_rules().texts(std::string(kLongestRule + 1, 'x') + '\0').write(),
          "expected texts of at most 512 bytes, found one of 513");
}

TEST(Charsmap, RulesThatMakeATextManyTimesLongerAreRefused) {
  const std::string most(kMostGrowth, 'x');
  EXPECT_NO_THROW(check_charsmap(two_rules().texts("one\0"s + most + '\0').write(), "x"));
  EXPECT_NO_THROW(check_charsmap(two_rules().texts("one\0"s + most + most + '\0').write(), "x"));  // for two bytes
  refused(two_rules().texts("one\0"s + most + most + "x\0"s).write(),
          "a rule replaces a text by more than 16 times as many bytes");
}

TEST(Charsmap, RulesThatLeadOutOfTheTableAreRefused) {
  refused(two_rules().put(kRoot, CharsmapWriter::node(0, 256)).write(), "damaged: a rule leads out of the table");
  refused(two_rules().put(kRoot, 0xFFFFFE00).write(), "damaged: a rule leads out of the table");
  refused(two_rules().put(kFirst ^ 'a', CharsmapWriter::node('a', 1U << 20, true)).write(),
          "damaged: a rule leads out of the table");
  refused(two_rules().put(kSecond ^ 'b', CharsmapWriter::node('b', 1U << 9)).write(),
          "damaged: a rule leads out of the table");
}

TEST(Charsmap, ValuesOutsideTheTextsAreRefused) {
  for (const uint32_t at : {8U, 100U, 0x7FFFFFFFU}) {
    refused(two_rules().put(kSecond, CharsmapWriter::value(at)).write(),
            "damaged: a rule's text lies outside the texts");
  }
  refused(two_rules().put(kSecond, 9).write(), "damaged: a rule's text lies outside the texts");
  EXPECT_NO_THROW(check_charsmap(two_rules().put(kSecond, CharsmapWriter::value(7)).write(), "x"));  // an empty text
  refused(two_rules().put(kSecond, CharsmapWriter::value(1)).texts("\u00e9\0two\0"s).write(),
          "damaged: a rule's text begins inside a character");
}

TEST(Charsmap, RulesForPartsOfCharactersAreRefused) {
  refused(two_rules().put(kFirst ^ 0xC3, CharsmapWriter::node(0xC3, kFirst ^ 0xC3 ^ kSecond, true)).write(),
          "damaged: a rule looks for a part of a character");
  refused(two_rules().put(kFirst ^ 0xFF, CharsmapWriter::node(0xFF, 0)).write(),
          "damaged: a rule looks for bytes that are not valid UTF-8");
  refused(two_rules().put(kFirst ^ 0x81, CharsmapWriter::node(0x81, 0)).write(),
          "damaged: a rule looks for bytes that are not valid UTF-8");
}

TEST(Charsmap, RulesThatLeadBackAreRefused) {
  refused(two_rules().put(kSecond ^ 'b', CharsmapWriter::node('b', kSecond ^ 'b' ^ kFirst)).write(),
          "damaged: a rule leads back to itself");
  refused(CharsmapWriter().write(), "damaged: a rule leads back to itself");  // all units empty: NUL leads to the root
}

/// "a", "aa", "aaa"... each with a value if `valued`.
std::string chain(uint32_t length, bool valued) {
  constexpr uint32_t kBlock = 256;
  CharsmapWriter map(kBlock * (length + 2));
  for (uint32_t i = 0; i <= length; ++i) {
    const uint32_t at = i == 0 ? 0 : kBlock * i + 'a', next = kBlock * (i + 1);
    map.put(next, CharsmapWriter::value(0)).put(at, CharsmapWriter::node(i == 0 ? 0 : 'a', 0));
    const uint32_t offset = at ^ next;  // too far for an offset without scale only if it has low bits
    map.put(at, CharsmapWriter::node(i == 0 ? 0 : 'a', offset, valued && i > 0));
  }
  return map.write();
}

TEST(Charsmap, MoreRulesAtOnePlaceThanTheLibraryHasRoomForAreRefused) {
  EXPECT_NO_THROW(check_charsmap(chain(kMostNestedRules, true), "x"));
  refused(chain(kMostNestedRules + 1, true), "damaged: more than 32 rules apply at one place");
}

TEST(Charsmap, LongRulesAreRefused) {
  EXPECT_NO_THROW(check_charsmap(chain(kLongestRule, false), "x"));
  refused(chain(kLongestRule + 1, false), "damaged: a rule looks for more than 512 bytes");
}

}  // namespace
}  // namespace ventris::text
