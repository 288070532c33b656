#include "doctor/doctor_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

/// tests/apps_train/doctor_test.cpp asks the program.
namespace ventris::doctor {
namespace {

using nlohmann::ordered_json;
using testing::EndsWith;
using testing::HasSubstr;

ordered_json some_report() {
  return ordered_json::parse(R"({
    "run": {"folder": "run", "changes": ["training.after: 10u, was 5u"], "goes_on_from": 5},
    "corpora": {"training": [{"source": "a.en", "lines": 1200, "kept": 1000}], "pairs": 1000,
                "source_tokens": 20000, "target_tokens": 21000},
    "tokenizers": {"source": {"pieces": 8000, "rare_pieces": 12, "unknown_share": 0.00012},
                   "target": {"pieces": 8000, "rare_pieces": 12, "unknown_share": 0}, "shared": true},
    "model": {"parameters": 2360000},
    "measured": {"updates": 10, "seconds_per_update": 0.5, "target_tokens_per_second": 5000},
    "expected": {"updates_per_epoch": 9, "seconds_per_epoch": 4.2, "length": "2e", "updates": 17, "epochs": 2,
                 "seconds": 8.4, "peak_memory_mib": 500, "available_memory_mib": 4000},
    "disk": {"checkpoint_bytes": 30000000, "bundle_bytes": 10000000, "needed_bytes": 100000000,
             "free_bytes": 1000000000000},
    "warnings": []})");
}

TEST(DoctorReport, EveryPartHasItsLine) {
  const std::string text = doctor_text(some_report());
  EXPECT_THAT(text, HasSubstr("run          run, resumes from update 5\n             changed setting: training.after"));
  EXPECT_THAT(text, HasSubstr("training     1,000 pairs, 20,000 source and 21,000 target tokens\n"));
  EXPECT_THAT(text, HasSubstr("tokenizer    source: 8,000 pieces (shared), 12 of them rare, 0.012 % of the tokens"));
  EXPECT_THAT(text, HasSubstr("whole run    2e: about 17 updates, 2.0 epochs, 0:08, "));
  EXPECT_THAT(text,
              HasSubstr("disk         28.6 MiB per checkpoint, 9.5 MiB per bundle, 95.4 MiB in total; 931.3 GiB"));
  EXPECT_THAT(text, EndsWith("no warnings\n"));
}

TEST(DoctorReport, TheSizesOfBatchesAreShownIfTheyFollowFromTheMemory) {
  ordered_json report = some_report();
  EXPECT_THAT(doctor_text(report), testing::Not(HasSubstr("batches")));
  report["batches"] = {
      {"memory", "4G"},
      {"tokens", 1000},
      {"length_cost", 0.0},
      {"sentences_of_length", {{{"length", 10}, {"sentences", 100}}, {{"length", 50}, {"sentences", 20}}}}};
  EXPECT_THAT(doctor_text(report), HasSubstr("batches      within 4G: at most 100 sentences of 10 tokens, 20 of 50\n"));
}

TEST(DoctorReport, WarningsAreTheLastLines) {
  ordered_json report = some_report();
  report["warnings"] = {"too little memory"};
  EXPECT_THAT(doctor_text(report), EndsWith("\nWARNING      too little memory\n"));
}

TEST(DoctorReport, NoNameReachesTheTerminalRaw) {
  ordered_json report = some_report();
  report["run"]["folder"] = "run\x1b[2J";
  report["corpora"]["training"][0]["source"] = "a\nb";
  report["warnings"] = {"\u009b"};
  const std::string text = doctor_text(report);
  EXPECT_THAT(text, HasSubstr("run          run\\x1b[2J, resumes"));
  EXPECT_THAT(text, HasSubstr(" a\\nb: 1,000 of 1,200 lines\n"));
  EXPECT_THAT(text, EndsWith("WARNING      \\u009b\n"));
}

TEST(DoctorReport, ARunWithoutAnEndSaysSo) {
  ordered_json report = some_report();
  report["expected"].erase("seconds");
  EXPECT_THAT(doctor_text(report), HasSubstr("whole run    until it is stopped"));
}

}  // namespace
}  // namespace ventris::doctor
