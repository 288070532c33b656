#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "support/bad_tokenizer.h"
#include "support/changed_weights.h"
#include "support/run_program.h"
#include "support/temp_folder.h"
#include "support/tiny_bundle.h"

namespace ventris::test {
namespace {

class AverageProgram : public testing::Test {
 protected:
  std::string bundle(const std::string& name) const {
    const auto package = tiny_package();
    model::write_bundle(folder.path(name), package, tiny_weights(package.config.architecture->src_vocab()));
    return folder.path(name);
  }
  TempFolder folder;
};

TEST_F(AverageProgram, WritesABundleThatOpens) {
  const Outcome outcome = run_program("ventris-average", {"-m", bundle("a"), bundle("b"), "-o", folder.path("mean")});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("average of 2 models"), std::string::npos);
  const auto mean = model::read_bundle(folder.path("mean"));
  EXPECT_NE(mean.package.config.provenance.find("ventris-average"), std::string::npos);
  EXPECT_EQ(mean.weights.tensors().size(), model::read_bundle(folder.path("a")).weights.tensors().size());
}

TEST_F(AverageProgram, RefusesWhatItCannotAverageAndLeavesNothing) {
  const std::string out = folder.path("mean"), a = bundle("a");
  const Outcome missing = run_program("ventris-average", {"-m", a, folder.path("none"), "-o", out});
  EXPECT_EQ(missing.code, 4);
  EXPECT_NE(missing.err.find("none"), std::string::npos) << missing.err;
  EXPECT_EQ(run_program("ventris-average", {"-m", a, "-o", out}).code, 2);
  EXPECT_FALSE(std::filesystem::exists(out));
}

TEST_F(AverageProgram, DoesNotReplaceAModelThatItReads) {
  const std::string a = bundle("a"), b = bundle("b"), link = folder.path("link");
  std::filesystem::create_directory_symlink("a", link);
  for (const std::string& out : {a, b + "/", folder.path("x/../a"), link}) {
    std::filesystem::create_directory(folder.path("x"));
    const Outcome outcome = run_program("ventris-average", {"-m", a, b, "-o", out});
    EXPECT_EQ(outcome.code, 2) << out;
    EXPECT_NE(outcome.err.find("is also an input ("), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("give it another name"), std::string::npos) << outcome.err;
  }
}

TEST_F(AverageProgram, RefusesWeightsAndTokenizersThatAreNoneByName) {
  auto package = tiny_package();
  const std::string weights = tiny_weights(package.config.architecture->src_vocab()), a = bundle("a"),
                    b = folder.path("b");
  model::write_bundle(b, package, with_value(weights, "encoder.norm.weight", HUGE_VALF));
  const Outcome infinite = run_program("ventris-average", {"-m", a, b, "-o", folder.path("mean")});
  EXPECT_EQ(infinite.code, 4);
  EXPECT_NE(infinite.err.find("b/model.safetensors: tensor 'encoder.norm.weight': 0 of 4 values are NaN and 1 inf"),
            std::string::npos)
      << infinite.err;
  package.source_spm = bad_tokenizer();
  model::write_bundle(b, package, weights);
  const Outcome bad = run_program("ventris-average", {"-m", b, b, "-o", folder.path("mean")});
  EXPECT_EQ(bad.code, 4);
  EXPECT_NE(bad.err.find(std::string("b: source.spm") + kBadTokenizer), std::string::npos) << bad.err;
}

TEST_F(AverageProgram, ReplacesABundleButNothingElse) {
  const std::string a = bundle("a"), b = bundle("b"), mean = bundle("mean");
  std::filesystem::create_directory(folder.path("run"));
  const std::string notes = folder.file("run/notes", "mine");
  EXPECT_EQ(run_program("ventris-average", {"-m", a, b, "-o", mean + "/"}).code, 0);
  const Outcome refused = run_program("ventris-average", {"-m", a, b, "-o", folder.path("run")});
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("run: exists and is not a model folder"), std::string::npos) << refused.err;
  EXPECT_EQ(file_bytes(notes), "mine");
}

TEST_F(AverageProgram, AnOutputThatCannotBeWrittenIsExit74) {
  const std::string file = folder.file("file", "");
  EXPECT_EQ(run_program("ventris-average", {"-m", bundle("a"), bundle("b"), "-o", file + "/mean"}).code, 74);
}

}  // namespace
}  // namespace ventris::test
