#include "report/run_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/small_run.h"
#include "support/temp_folder.h"

namespace ventris::report {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(RunReport, HasEveryPartOfAWholeRun) {
  const std::string text = run_report(test::small_run());
  for (const char* heading : {"<h2>Curves</h2>", "<h2>Translations over time</h2>", "<h2>Attention of a sample</h2>",
                              "<h2>Validations</h2>", "<h2>Training data</h2>", "<h2>Settings</h2>"}) {
    EXPECT_THAT(text, HasSubstr(heading));
  }
  EXPECT_THAT(text, HasSubstr("<td dir=\"auto\">schedule.warmup_updates</td><td dir=\"auto\">100</td>"));
  EXPECT_THAT(text, HasSubstr("<b>1.8 M</b><span>target tokens</span>"));
  EXPECT_THAT(text, HasSubstr("<b>25.00</b><span>best BLEU</span>"));  // at update 500, the last that was best
}

TEST(RunReport, IsTitledWithLanguagesCorpusAndState) {
  RunData run = test::small_run();
  run.settings["data"] = {{"train", {"news/train.en.gz", "news/train.de.gz"}}};
  run.state = {{"state", "stopped"}, {"time", "2026-05-01 12:00 UTC"}, {"reason", "stopped by signal 2"}};
  const std::string text = run_report(run);
  EXPECT_THAT(text, HasSubstr("one&lt;/b&gt;: en \u2192 de, news/train (stopped): training report</title>"));
  EXPECT_THAT(text, HasSubstr("en \u2192 de, news/train (stopped)</h1>"));
  EXPECT_THAT(text, HasSubstr("Stopped at 2026-05-01 12:00 UTC: stopped by signal 2."));
}

TEST(RunReport, TheTextsOfASampleHaveTheirLanguages) {
  RunData run = test::small_run();
  run.settings["data"] = {{"train", {"train.ar", "train.zh"}}};
  const std::string text = run_report(run);
  EXPECT_THAT(text, HasSubstr("<h3 lang=\"ar\" dir=\"auto\">two"));
  EXPECT_THAT(text, HasSubstr("<td lang=\"zh\" dir=\"auto\">ein &amp; zwei</td>"));
  EXPECT_THAT(text, HasSubstr("<td lang=\"zh\" dir=\"auto\">zwei Hunde</td>"));
  EXPECT_THAT(text, HasSubstr("<p lang=\"zh\" dir=\"auto\"><span>translation</span> zwei</p>"));
  EXPECT_THAT(text, Not(HasSubstr("<td lang=\"zh\" dir=\"auto\">600")));
}

TEST(RunReport, ValidationsStandBeforeAttentionAndSettingsAreFolded) {
  const std::string text = run_report(test::small_run());
  EXPECT_LT(text.find("<h2>Validations</h2>"), text.find("<h2>Attention of a sample</h2>"));
  EXPECT_THAT(text, HasSubstr("<details>\n<summary><h2>Settings</h2></summary>"));
}

TEST(RunReport, NamesTheSettingsOfBleu) {
  RunData run = test::small_run();
  EXPECT_THAT(run_report(run), Not(HasSubstr("tok:")));
  run.metrics.back()["bleu_signature"] = "nrefs:1|tok:zh";
  EXPECT_THAT(run_report(run), HasSubstr("BLEU: nrefs:1|tok:zh."));
}

TEST(RunReport, ShowsWhatAnAverageIsWorth) {
  RunData run = test::small_run();
  run.metrics.push_back({{"kind", "averaged"}, {"updates", 600}, {"models", {500, 600}}});
  EXPECT_THAT(run_report(run), Not(HasSubstr("BLEU of the average")));  // there was no validation corpus
  run.metrics.back()["bleu"] = 31.5;
  EXPECT_THAT(run_report(run), HasSubstr("<b>31.50</b><span>BLEU of the average</span>"));
}

TEST(RunReport, ShowsFurtherCorporaAtTheBestModel) {
  RunData run = test::small_run();
  EXPECT_THAT(run_report(run), Not(HasSubstr("Further corpora")));
  for (auto& line : run.metrics) {
    if (line.at("kind") != "valid") continue;
    const double bleu = line.at("updates").get<double>() / 40;
    line["further"] = {{"<news>", {{"loss", 4.5}, {"perplexity", 54.6}, {"bleu", bleu}, {"chrf", 15}}}};
  }
  const std::string text = run_report(run);
  EXPECT_THAT(text, HasSubstr("<h3>Further corpora, after update 500</h3>"));
  EXPECT_THAT(text, HasSubstr("&lt;news&gt;</td>"));
  EXPECT_THAT(text, HasSubstr(">12.50</td>"));
  EXPECT_THAT(text, HasSubstr("Validation BLEU per corpus"));
  EXPECT_THAT(text, HasSubstr("the one that decides"));
}

TEST(RunReport, ShowsFurtherCorporaAtTheNewestModelIfTheyWereAddedAfterTheBest) {
  RunData run = test::small_run();
  run.metrics.back()["further"]["news"] = {{"loss", 4.5}, {"perplexity", 54.6}, {"bleu", 12.5}, {"chrf", 15}};
  const std::string text = run_report(run);
  EXPECT_THAT(text, HasSubstr("<h3>Further corpora, after update 600</h3>"));
  EXPECT_THAT(text, HasSubstr(">news</td>"));
}

TEST(RunReport, ShowsTheAccuracyOfAClassifierInPlaceOfBleu) {
  RunData run = test::small_run();
  for (auto& line : run.metrics) {
    line.erase("bleu");
    line.erase("chrf");
    if (line.at("kind") == "valid") line["accuracy"] = line.at("updates") == 500 ? 0.875 : 0.5;
  }
  run.metrics.push_back({{"kind", "averaged"}, {"updates", 600}, {"models", {500, 600}}, {"accuracy", 0.75}});
  const std::string text = run_report(run);
  EXPECT_THAT(text, HasSubstr("<b>0.8750</b><span>best accuracy</span>"));
  EXPECT_THAT(text, HasSubstr("<b>0.7500</b><span>accuracy of the average</span>"));
  EXPECT_THAT(text, HasSubstr(">accuracy</th>"));
  EXPECT_THAT(text, Not(HasSubstr(">chrF</th>")));
}

TEST(RunReport, ShowsTextsAsTexts) {
  const std::string text = run_report(test::small_run());
  EXPECT_THAT(text, HasSubstr("two &lt;script&gt;dogs&lt;/script&gt;"));
  EXPECT_THAT(text, HasSubstr("run &lt;b&gt;one&lt;/b&gt;"));
  EXPECT_THAT(text, Not(HasSubstr("<script")));
}

TEST(RunReport, SaysWhatIsEmpty) {
  RunData run = test::small_run();
  run.samples.back()["samples"][0]["translation"] = "";
  run.settings["training"]["log"] = "";
  const std::string text = run_report(run);
  EXPECT_THAT(text, HasSubstr("<td dir=\"auto\">600</td><td dir=\"auto\">(empty)</td>"));
  EXPECT_THAT(text, HasSubstr("<td dir=\"auto\">log</td><td dir=\"auto\">\u2013</td>"));
}

TEST(RunReport, SpreadsTheTranslationsOverTheRun) {
  RunData run = test::small_run();
  const nlohmann::json line = run.samples.back();
  for (int updates = 700; updates <= 10000; updates += 100) {
    run.samples.push_back(line);
    run.samples.back()["updates"] = updates;
  }
  const std::string text = run_report(run);
  for (const char* update : {"100", "10,000"}) {
    EXPECT_THAT(text,
                HasSubstr("<tr><td dir=\"auto\">" + std::string(update) + "</td><td dir=\"auto\">ein &amp; zwei"));
  }
  EXPECT_THAT(text, Not(HasSubstr("<td dir=\"auto\">9,900</td><td dir=\"auto\">ein")));
}

TEST(RunReport, LeavesOutWhatIsMissingOrDamaged) {
  EXPECT_THAT(run_report(RunData{}), Not(HasSubstr("<h2>")));
  RunData run = test::small_run();
  run.attention["layers"] = "none";
  run.samples.back().erase("samples");
  run.statistics["source_lengths"] = -1;
  const std::string text = run_report(run);
  EXPECT_THAT(text, HasSubstr("<h2>Curves</h2>"));
  for (const char* heading : {"Attention", "Translations", "Training data"}) {
    EXPECT_THAT(text, Not(HasSubstr(std::string("<h2>") + heading)));
  }
}

TEST(RunReport, TextsWithoutATargetHaveOneSide) {
  RunData run = test::small_run();
  run.statistics.erase("target_lengths");
  run.statistics.erase("target_tokens");
  run.statistics["examples"] = "passages";
  const std::string text = run_report(run), data = text.substr(text.find("<h2>Training data"));
  EXPECT_THAT(data, HasSubstr(" passages</p>"));
  EXPECT_THAT(data, Not(HasSubstr("target")));
}

TEST(RunReport, AFigureThatIsNotFiniteIsADash) {
  RunData run = test::small_run();
  run.metrics.back()["bleu"] = nullptr;
  EXPECT_THAT(run_report(run), HasSubstr("<td dir=\"auto\">\u2013</td>"));
}

TEST(WriteRunReport, ReplacesTheReport) {
  const test::TempFolder folder;
  test::write_small_run(folder.path("run"));
  folder.file("run/report.html", "old");
  write_run_report(folder.path("run"), folder.path("run/report.html"));
  EXPECT_THAT(test::file_bytes(folder.path("run/report.html")), testing::StartsWith("<!DOCTYPE html>"));
}

}  // namespace
}  // namespace ventris::report
