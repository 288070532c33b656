#include "training/agreement.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "support/errors.h"
#include "support/toy_run.h"
#include "support/two_processes.h"

namespace ventris::training {
namespace {

using Group = std::shared_ptr<distributed::ProcessGroup>;

TEST(Agreement, DifferentSettingsAreNamedWithBothValues) {
  test::as_two_processes([](const Group& group) {
    settings::RunConfig config;
    EXPECT_NO_THROW(check_same_settings(*group, config));
    config.training.seed = static_cast<uint64_t>(group->rank());
    EXPECT_FAILS(check_same_settings(*group, config), ConfigError, "training.seed: is 0 for rank 0, but 1 for rank 1;");
  });
}

TEST(Agreement, EnvironmentsMustAgreeInCorpusAndVersions) {
  const auto environment = [](const char* corpus, const char* libtorch, const char* set, int order = 1) {
    return nlohmann::json({{"corpus", corpus},
                           {"libtorch", libtorch},
                           {"instruction_set", set},
                           {"ventris", "1"},
                           {"data_order", order},
                           {"sentencepiece", "1"}})
        .dump();
  };
  test::as_two_processes([&](const Group& group) {
    const bool first = group->leads();
    EXPECT_NO_THROW(check_same_environment(*group, environment("c", "2", first ? "avx2" : "avx512")));
    EXPECT_FAILS(check_same_environment(*group, environment(first ? "c" : "d", "2", "avx2")), ConfigError,
                 "data.train: the training corpus of rank 1 (d) is not that of rank 0 (c)");
    EXPECT_FAILS(check_same_environment(*group, environment("c", first ? "2" : "3", "avx2")), ConfigError,
                 "LibTorch of rank 1 (3) is not that of rank 0 (2)");
    EXPECT_FAILS(check_same_environment(*group, environment("c", "2", "avx2", first ? 1 : 2)), ConfigError,
                 "the order of batches of rank 1 (2) is not that of rank 0 (1)");
  });
}

TEST(Agreement, Rank0LearnsTheTokenizersForAll) {
  const test::TempFolder folder;
  const auto config = test::toy_config(test::write_toy_corpus(folder, "train", 60, 1));
  const std::string expected = preparation::prepare_tokenizers(config, {}).source.bytes();
  test::as_two_processes([&](const Group& group) {
    settings::RunConfig own = config;
    if (!group->leads()) own.data.train = {"none", "none"};
    EXPECT_TRUE(share_tokenizers(*group, own, {}).source.bytes() == expected);
  });
}

TEST(Agreement, Rank0CollectsTheLabelsForAll) {
  const test::TempFolder folder;
  auto config = settings::RunConfig::parse({{"architecture", "bert-classifier"}});
  config.data.train = {folder.file("train.tsv", "b\tone\na\ttwo\n"), ""};
  config.data.train.labelled = true;
  test::as_two_processes([&](const Group& group) {
    settings::RunConfig own = config;
    if (!group->leads()) own.data.train.source = "none";
    share_labels(*group, own, {});
    EXPECT_EQ(own.model->labels(), (std::vector<std::string>{"a", "b"}));
  });
}

}  // namespace
}  // namespace ventris::training
