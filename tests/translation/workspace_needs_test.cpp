#include "translation/workspace_needs.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "support/errors.h"

namespace ventris::translation {
namespace {

/// A MiB for each hypothesis and token of the target.
WorkspaceNeeds large_needs() { return {{.place = kMebibyte}, {.place = 2 * kMebibyte}, false, 100}; }

TEST(WithinWorkspace, ALimitThatIsNoneIsLeftOut) {
  EXPECT_EQ(within_workspace({.beam_size = 2}, large_needs(), 200).longest, 0);
  EXPECT_EQ(within_workspace({.beam_size = 2}, large_needs(), 198).longest, 99);
}

TEST(WithinWorkspace, AWiderBeamLeavesShorterSentences) {
  for (const int32_t beam : {1, 2, 5}) {
    const auto search = within_workspace({.beam_size = beam}, large_needs(), 90);
    EXPECT_EQ(search.longest, 90 / beam);
    EXPECT_EQ(decoding::longest_sentence(search, 100), 90 / beam);
  }
}

TEST(WithinWorkspace, FewerSamplesAtATimeComeBeforeShorterSentences) {
  decoding::SearchOptions search{.n_best = 1000};
  search.sampling.enabled = true;
  const auto found = within_workspace(search, large_needs(), 900);
  EXPECT_EQ(found.draws_at_once, 8);
  EXPECT_EQ(found.longest, 0);
  const auto one = within_workspace(search, large_needs(), 50);
  EXPECT_EQ(one.draws_at_once, 1);
  EXPECT_EQ(one.longest, 50);
}

TEST(WithinWorkspace, PairsGetAHalf) {
  WorkspaceNeeds needs = large_needs();
  needs.asks_pairs = true;
  EXPECT_EQ(within_workspace({.beam_size = 4}, needs, 200).longest, 25) << "of 100 MiB for the search";
  EXPECT_EQ(within_workspace({.beam_size = 1}, needs, 160).longest, 40) << "of 80 MiB for the pairs";
}

TEST(WithinWorkspace, WhatIsTooSmallForAShortSentenceIsRefused) {
  EXPECT_FAILS(within_workspace({.beam_size = 2}, large_needs(), 31), ConfigError,
               "workspace: 31 MiB are not enough for one sentence with these settings; give at least 32");
  EXPECT_EQ(within_workspace({.beam_size = 2}, large_needs(), 33).longest, 16);
}

TEST(LongestPair, IsThatOfTheModelOrOfTheWorkspace) {
  EXPECT_EQ(longest_pair({.place = kMebibyte}, 100, 200), 100);
  EXPECT_EQ(longest_pair({.place = kMebibyte}, 100, 50), 50);
  EXPECT_FAILS(longest_pair({.place = kMebibyte}, 100, 5), ConfigError, "workspace: 5 MiB are not enough");
}

TEST(CheckWorkspace, NamesTheLimits) {
  EXPECT_FAILS(check_workspace(0), ConfigError, "workspace: must be from 1 to 1048576 MiB, got 0");
  EXPECT_FAILS(check_workspace((1 << 20) + 1), ConfigError, "workspace: must be from 1 to 1048576 MiB, got 1048577");
}

TEST(WindowText, IsAPartOfASmallWorkspace) {
  EXPECT_EQ(window_text(64), kMebibyte);
  EXPECT_EQ(window_text(1 << 20), int64_t{16} << 20);
}

}  // namespace
}  // namespace ventris::translation
