#include "metrics/segments.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "support/errors.h"

namespace ventris::metrics {
namespace {

using Lines = std::vector<std::string>;

/// What the work was called with.
std::vector<Lines> segments(const Lines& hypotheses, const References& references) {
  std::vector<Lines> found;
  for_each_segment(hypotheses, references, 1, [&](size_t segment, int /*worker*/, const auto& lines) {
    EXPECT_EQ(segment, found.size());
    found.emplace_back();
    for (const std::string* line : lines) found.back().push_back(*line);
  });
  return found;
}

TEST(Segments, AHypothesisComesBeforeItsReferences) {
  EXPECT_EQ(segments({"a", "b"}, {{"a1", "b1"}, {"a2", "b2"}}),
            (std::vector<Lines>{{"a", "a1", "a2"}, {"b", "b1", "b2"}}));
  EXPECT_EQ(segments({""}, {{""}}), (std::vector<Lines>{{"", ""}}));
}

TEST(Segments, LinesAreLookedAtNotCopied) {
  const Lines hypotheses{"a"};
  const References references{{"b"}};
  for_each_segment(hypotheses, references, 1, [&](size_t /*segment*/, int /*worker*/, const auto& lines) {
    EXPECT_EQ(lines, (std::vector<const std::string*>{hypotheses.data(), references[0].data()}));
  });
}

TEST(Segments, NoHypothesesAreNoWork) { EXPECT_TRUE(segments({}, {{}, {}}).empty()); }

TEST(Segments, ReferencesMustBeThereAndAsManyAsHypothesesBeforeAnyWork) {
  size_t called = 0;
  const auto count = [&](size_t, int, const auto&) { ++called; };
  EXPECT_FAILS(for_each_segment({"a"}, {}, 1, count), std::invalid_argument, "no references");
  EXPECT_FAILS(for_each_segment({}, {}, 1, count), std::invalid_argument, "no references");
  EXPECT_FAILS(for_each_segment({"a", "b"}, {{"a", "b"}, {"a"}}, 1, count), std::invalid_argument,
               "2 hypotheses, but 1 references");
  EXPECT_FAILS(for_each_segment({}, {{"a"}}, 1, count), std::invalid_argument, "0 hypotheses, but 1 references");
  EXPECT_EQ(called, 0U);
}

TEST(Segments, SeveralThreadsShareThem) {
  const Lines lines(1000, "x");
  std::vector<int> calls(lines.size());
  for_each_segment(lines, {lines}, 3, [&](size_t segment, int worker, const auto& /*lines*/) {
    EXPECT_TRUE(worker >= 0 && worker < 3);
    ++calls[segment];
  });
  EXPECT_EQ(calls, std::vector<int>(lines.size(), 1));
}

TEST(Segments, OneSegmentsReferencesMakeColumnsOfOneLine) {
  EXPECT_EQ(columns_of({"a", "b"}), (References{{"a"}, {"b"}}));
}

TEST(Segments, WhatTheWorkThrowsComesThrough) {
  const auto refuse = [](size_t, int, const auto&) { throw std::length_error("too much"); };
  EXPECT_FAILS(for_each_segment({"a"}, {{"a"}}, 1, refuse), std::length_error, "too much");
}

}  // namespace
}  // namespace ventris::metrics
