#include <gtest/gtest.h>

#include <filesystem>

#include "support/run_program.h"
#include "support/temp_folder.h"
#include "support/tiny_bundle.h"

namespace ventris::test {
namespace {

class AverageProgram : public testing::Test {
 protected:
  std::string bundle(const std::string& name) const {
    const auto package = tiny_package();
    model::write_bundle(folder.path(name), package, tiny_weights(package.config.transformer.src_vocab));
    return folder.path(name);
  }
  TempFolder folder;
};

TEST_F(AverageProgram, WritesABundleThatOpens) {
  const Outcome outcome = run_program("ventris-average", {"-m", bundle("a"), bundle("b"), "-o", folder.path("mean")});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("the average of 2 models"), std::string::npos);
  const auto mean = model::open_bundle(folder.path("mean"));
  EXPECT_NE(mean.package.config.provenance.find("ventris-average"), std::string::npos);
  EXPECT_EQ(mean.weights.tensors().size(), model::open_bundle(folder.path("a")).weights.tensors().size());
}

TEST_F(AverageProgram, RefusesWhatItCannotAverageAndLeavesNothing) {
  const std::string out = folder.path("mean"), a = bundle("a");
  const Outcome missing = run_program("ventris-average", {"-m", a, folder.path("none"), "-o", out});
  EXPECT_EQ(missing.code, 4);
  EXPECT_NE(missing.err.find("none"), std::string::npos) << missing.err;
  EXPECT_EQ(run_program("ventris-average", {"-m", a, "-o", out}).code, 2);
  EXPECT_FALSE(std::filesystem::exists(out));
}

TEST_F(AverageProgram, AnOutputThatCannotBeWrittenIsExit74) {
  const std::string file = folder.file("file", "");
  EXPECT_EQ(run_program("ventris-average", {"-m", bundle("a"), bundle("b"), "-o", file + "/mean"}).code, 74);
}

}  // namespace
}  // namespace ventris::test
