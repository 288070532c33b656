#include "report/run_names.h"

#include <gtest/gtest.h>

namespace ventris::report {
namespace {

RunNames names_of_data(const nlohmann::json& data) {
  RunData run;
  run.settings = {{"data", data}};
  return names_of(run);
}

TEST(RunNames, LanguagesAreTheEndsOfTheNamesOfTheTwoFiles) {
  const RunNames names = names_of_data({{"train", {"/data/news/train.en", "/data/news/train.de"}}});
  EXPECT_EQ(names.source_language, "en");
  EXPECT_EQ(names.target_language, "de");
  EXPECT_EQ(names.corpus, "news/train");
  const RunNames packed = names_of_data({{"train", {"train.pt_BR.gz", "train.haw.gz"}}});
  EXPECT_EQ(packed.source_language, "pt-BR");
  EXPECT_EQ(packed.target_language, "haw");
  EXPECT_EQ(packed.corpus, "train");
}

TEST(RunNames, EndsThatAreNoLanguagesAreNotTakenForThem) {
  for (const auto& [source, target] : {std::pair{"train.src", "train.tgt"},
                                       {"train.en", "train.txt"},
                                       {"english", "german"},
                                       {"a.1", "a.2"},
                                       {"train.en-", "train.de"},
                                       {"train.source", "train.target"}}) {
    const RunNames names = names_of_data({{"train", {source, target}}});
    EXPECT_EQ(names.source_language, "") << source;
    EXPECT_EQ(names.target_language, "") << target;
  }
}

TEST(RunNames, SeveralCorporaAreCounted) {
  const RunNames names = names_of_data({{"train", nlohmann::json::array()},
                                        {"corpora",
                                         {{{"source", "news/a.en"}, {"target", "news/a.de"}, {"weight", 2}},
                                          {{"tsv", "back.tsv.gz"}},
                                          {{"tsv", "more.tsv"}}}}});
  EXPECT_EQ(names.corpus, "news/a and 2 more");
  EXPECT_EQ(names.target_language, "de");
}

TEST(RunNames, OneFileHasNoLanguages) {
  const RunNames names = names_of_data({{"train", {"pairs/train.tsv"}}});
  EXPECT_EQ(names.corpus, "pairs/train");
  EXPECT_EQ(names.source_language, "");
}

TEST(RunNames, UnknownOrDamagedSettingsHaveNoNames) {
  EXPECT_EQ(names_of(RunData{}).corpus, "");
  EXPECT_EQ(names_of_data({{"train", 5}, {"corpora", "x"}}).corpus, "");
  RunData run;
  run.name = "run";
  EXPECT_EQ(title_of(run), "run");
}

TEST(RunNames, ATitleHasWhatIsKnown) {
  RunData run;
  run.name = "run";
  run.settings = {{"data", {{"train", {"d/train.en", "d/train.de"}}}}};
  EXPECT_EQ(title_of(run), "run: en \u2192 de, d/train");
  run.state = {{"state", "finished"}};
  EXPECT_EQ(title_of(run), "run: en \u2192 de, d/train (finished)");
  run.settings = {{"data", {{"train", {"d/train.tsv"}}}}};
  EXPECT_EQ(title_of(run), "run: d/train (finished)");
}

}  // namespace
}  // namespace ventris::report
