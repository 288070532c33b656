#include "translation/open_encoder.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>

#include "core/error.h"
#include "files/files.h"
#include "support/errors.h"
#include "support/temp_folder.h"
#include "support/tiny_classifier.h"

namespace ventris::translation {
namespace {

class OpenEncoder : public testing::Test {
 protected:
  ~OpenEncoder() override { unsetenv("VENTRIS_BACKEND"); }
  test::TempFolder folder;
};

TEST_F(OpenEncoder, IsThatOfABertOfAClassifierOrOfATransformer) {
  test::write_tiny_bert(folder.path("bert"));
  test::write_tiny_classifier(folder.path("classifier"));
  test::write_tiny_bundle(folder.path("translating"));
  const auto info = [&](const std::string& name) {
    const EncoderModel model = open_encoder(folder.path(name), {});
    EXPECT_EQ(model.package.path, folder.path(name));
    return model.encoders->make_encoder()->info();
  };
  EXPECT_TRUE(info("bert").predicts_tokens);
  EXPECT_EQ(info("classifier").labels, 3);
  EXPECT_FALSE(info("translating").has_pooler);
  EXPECT_EQ(info("translating").width, 4);
}

TEST_F(OpenEncoder, AnExportAndWhatIsNotThereAreNamed) {
  const std::string file = folder.file("model.pt", "");
  EXPECT_FAILS(open_encoder(file, {}), ModelError, file + ": expected a bundle folder, got a file");
  EXPECT_FAILS(open_encoder(folder.path("none"), {}), ModelError, folder.path("none"));
}

TEST_F(OpenEncoder, WithoutTheEngineLibTorchMustBeThere) {
  test::write_tiny_bert(folder.path("bert"));
  setenv("VENTRIS_BACKEND", folder.path("none.so").c_str(), 1);
  EXPECT_FAILS(open_encoder(folder.path("bert"), {.device = "cuda"}), ConfigError, "device cuda");
  EXPECT_FAILS(open_encoder(folder.path("bert"), {}), ConfigError,
               "LibTorch is needed (VENTRIS_BACKEND is set), but the translation backend was not found");
}

TEST_F(OpenEncoder, AWeightThatIsNoNumberIsNamed) {
  test::write_tiny_bert(folder.path("bert"));
  const std::string path = folder.path("bert/model.safetensors");
  std::string bytes = files::read_file(path);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  bytes.replace(bytes.size() - sizeof nan, sizeof nan, reinterpret_cast<const char*>(&nan), sizeof nan);
  files::write_file(path, bytes);
  EXPECT_FAILS(open_encoder(folder.path("bert"), {}), ModelError, path);
}

}  // namespace
}  // namespace ventris::translation
