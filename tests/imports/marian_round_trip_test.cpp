#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "exports/marian.h"
#include "files/folders.h"
#include "imports/marian_model.h"
#include "support/temp_folder.h"
#include "text/tokenizer.h"

/// Models of Marian that come in, go out and come in again.
namespace ventris::imports {
namespace {

const std::string kMarianFiles = VENTRIS_SOURCE "/tests/imports/data/marian/";

class MarianRoundTrip : public testing::TestWithParam<const char*> {
 protected:
  Imported first() const { return from_marian_file(kMarianFiles + GetParam(), {{kMarianFiles + "both.spm"}, {}}); }
  /// The folder that it becomes.
  std::string out(const Imported& imported) {
    model::write_bundle(folder_.path("bundle"), imported.package, imported.weights);
    files::write_folder(folder_.path("out"), exports::to_marian(model::open_bundle(folder_.path("bundle"))));
    return folder_.path("out");
  }

  test::TempFolder folder_;
};
INSTANTIATE_TEST_SUITE_P(Models, MarianRoundTrip, testing::Values("ssru.bin", "rms.npz"),
                         [](const auto& name) { return std::string(name.param).substr(0, 3); });

TEST_P(MarianRoundTrip, ParametersSettingsAndTokenizersAreTheSameToTheBit) {
  const Imported one = first();
  const std::string folder = out(one);
  const Imported two = from_marian_file(folder + "/model.npz", {{folder + "/vocab.spm"}, {}});
  EXPECT_EQ(two.weights, one.weights);
  EXPECT_EQ(two.package.config.architecture->to_json(), one.package.config.architecture->to_json());
  const text::Tokenizer before(one.package.source_spm, "before"), after(two.package.source_spm, "after");
  for (const char* line : {"xi lo po", "ka qq lo", "  te   te ", "PO ß", ""}) {
    EXPECT_EQ(after.encode(line), before.encode(line)) << line;
  }
}

}  // namespace
}  // namespace ventris::imports
