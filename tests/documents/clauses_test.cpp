#include "documents/clauses.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <unicode/uchar.h>

#include <array>
#include <csignal>

#include "core/error.h"
#include "core/process.h"
#include "documents/sentences.h"
#include "metrics/unicode.h"
#include "support/errors.h"

namespace ventris::documents {
namespace {

using Texts = std::vector<std::string>;

Texts cut(const std::string& text, size_t most) {
  Texts all;
  const auto fits = [&](std::string_view part) { return part.size() <= most; };
  for (const ByteRange& range : cut_at_clauses(text, {0, text.size()}, fits)) {
    all.push_back(text.substr(range.begin, range.end - range.begin));
  }
  return all;
}

TEST(CutAtClauses, WhatFitsStaysWhole) { EXPECT_EQ(cut("one, two", 8), Texts{"one, two"}); }

TEST(CutAtClauses, PunctuationIsBetterThanSpaceAndTheMiddleBetterThanTheEnds) {
  EXPECT_EQ(cut("a, one two three four, five six seven", 36), (Texts{"a, one two three four,", "five six seven"}));
  EXPECT_EQ(cut("one two three", 8), (Texts{"one two", "three"}));
}

TEST(CutAtClauses, AWordThatIsTooLongIsCutBetweenCharacters) {
  EXPECT_EQ(cut("\u00e4\u00e4\u00e4\u00e4", 4), (Texts{"\u00e4\u00e4", "\u00e4\u00e4"}));
  EXPECT_EQ(cut("\u00e4", 1), Texts{"\u00e4"});
}

TEST(CutAtClauses, ANumberIsNoClause) { EXPECT_EQ(cut("one 1,000,000", 12), (Texts{"one", "1,000,000"})); }

/// The definition: each place is compared with all others. For texts of the characters below.
void cut_by_definition(const std::u32string& text, size_t begin, size_t end, size_t most, std::vector<size_t>& ends) {
  const auto bytes = [&](size_t from, size_t to) { return metrics::encode(text.substr(from, to - from)).size(); };
  while (begin < end && text[begin] == U' ') ++begin;
  while (end > begin && text[end - 1] == U' ') --end;
  const size_t all_bytes = bytes(0, begin) + bytes(0, end);
  std::array<std::pair<size_t, size_t>, 3> best{};  // place and distance; 0 = none
  for (size_t at = begin + 1; at < end; ++at) {
    const bool clause = text[at - 1] == U',' && text[at] == U' ', wide = text[at - 1] == U'\u3002';
    if (text[at] == U'\u0301' && !wide) continue;
    const size_t kind = clause || wide ? 2 : text[at] == U' ' ? 1 : 0;
    const size_t middle = all_bytes / 2, here = bytes(0, at);
    const size_t distance = here < middle ? middle - here : here - middle;
    if (best[kind].first == 0 || distance < best[kind].second) best[kind] = {at, distance};
  }
  for (size_t kind = 3; bytes(begin, end) > most && kind-- > 0;) {
    if (best[kind].first == 0) continue;
    cut_by_definition(text, begin, best[kind].first, most, ends);
    return cut_by_definition(text, best[kind].first, end, most, ends);
  }
  if (begin < end) ends.insert(ends.end(), {bytes(0, begin), bytes(0, end)});
}

TEST(CutAtClauses, CutsWhereTheDefinitionSays) {
  EXPECT_TRUE(
      rc::check(
          [] {
            std::u32string text;
            for (const int c : *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 12))) {
              text += std::array{U'a',      U'b',      U' ', U' ', U',', U'\u3002',
                                 U'\u0301', U'\u4f60', U'c', U'd', U'e', U'\u00e4'}[static_cast<size_t>(c)];
            }
            const std::string utf8 = metrics::encode(text);
            const auto most = *rc::gen::inRange<size_t>(1, 20);
            std::vector<size_t> expected, found;
            cut_by_definition(text, 0, text.size(), most, expected);
            for (const ByteRange& part :
                 cut_at_clauses(utf8, {0, utf8.size()}, [&](std::string_view one) { return one.size() <= most; })) {
              found.insert(found.end(), {part.begin, part.end});
            }
            RC_ASSERT(found == expected);
          }));
}

/// If the whole text were asked for at each step, `fits` would get it about 14 times.
TEST(CutAtClauses, TheTextIsAskedForABoundedNumberOfTimes) {
  for (const std::string part : {"x", "word ", "a, ", "\u3002", "\u0301", "\U0001F600", "a   ", "\uFFFC"}) {
    std::string text;
    while (text.size() < 2'000'000) text += part;
    size_t bytes = 0;
    const auto parts = cut_at_clauses(text, {0, text.size()}, [&](std::string_view one) {
      bytes += one.size();
      return one.size() <= 500;
    });
    EXPECT_LT(bytes, 8 * text.size()) << part;
    EXPECT_GT(parts.size(), part == "\u0301" ? 0U : 4'000U) << part;
  }
}

TEST(CutAtClauses, AStopSignalEndsTheWork) {
  const core::StopFlag stop{SIGTERM};
  const core::StopScope scope(&stop);
  EXPECT_FAILS(cut("a b", 1), Interrupted, "cutting of long sentences: ");
}

}  // namespace
}  // namespace ventris::documents
