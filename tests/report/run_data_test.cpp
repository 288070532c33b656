#include "report/run_data.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "support/errors.h"
#include "support/small_run.h"
#include "support/temp_folder.h"

namespace ventris::report {
namespace {

TEST(ReadRun, FindsWhatARunHasLeft) {
  const test::TempFolder folder;
  test::write_small_run(folder.path("run"));
  const RunData found = read_run(folder.path("run/")), expected = test::small_run();
  EXPECT_EQ(found.name, "run");
  EXPECT_EQ(found.settings, expected.settings);
  EXPECT_EQ(found.metrics, expected.metrics);
  EXPECT_EQ(found.samples, expected.samples);
  EXPECT_EQ(found.attention, expected.attention);
  EXPECT_EQ(found.statistics, expected.statistics);
  EXPECT_NE(found.written.find("UTC"), std::string::npos);
}

TEST(ReadRun, WhatIsMissingOrHalfWrittenIsPassedOver) {
  const test::TempFolder folder;
  folder.file("metrics.jsonl", "{\"kind\":\"train\",\"updates\":5}\n{\"kind\":\"tr");
  folder.file("config.json", "{\"model\":");
  const RunData found = read_run(folder.path());
  EXPECT_EQ(found.metrics.size(), 1U);
  EXPECT_TRUE(found.settings.is_null());
  EXPECT_TRUE(found.samples.empty());
}

TEST(ReadRun, DamagedLinesArePassedOver) {
  const test::TempFolder folder;
  test::write_small_run(folder.path("run"));
  const std::string metrics = test::file_bytes(folder.path("run/metrics.jsonl"));
  folder.file("run/metrics.jsonl", metrics + R"({"kind":7,"updates":700}
{"kind":"train","updates":"x"}
{"kind":"train","updates":700,"epoch":"x"}
{"kind":"valid","updates":700,"best":"x"}
)");
  folder.file("run/report/samples.jsonl", R"({"kind":"valid","updates":700,"samples":5})");
  EXPECT_EQ(read_run(folder.path("run")).metrics, test::small_run().metrics);
  EXPECT_TRUE(read_run(folder.path("run")).samples.empty());
}

TEST(ReadRun, AFolderThatIsNoRunIsRefused) {
  const test::TempFolder folder;
  EXPECT_FAILS(read_run(folder.path()), DataError,
               ": expected a run folder of ventris-train, but it has no metrics.jsonl");
}

}  // namespace
}  // namespace ventris::report
