#include "torchscript/verify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "backend/module_weights.h"
#include "core/error.h"
#include "families/transformer.h"
#include "support/errors.h"
#include "support/shape_of.h"
#include "support/temp_folder.h"
#include "support/tiny_text.h"
#include "torchscript/torchscript.h"

namespace ventris::torchscript {
namespace {

namespace fs = std::filesystem;

class VerifyTorchscript : public testing::Test {
 protected:
  VerifyTorchscript() {
    const auto tokenizer = test::tiny_tokenizer(text::TokenizerKind::kUnigram);
    package.source_spm = package.target_spm = tokenizer.bytes();
    auto& shape = test::shape_of(package.config);
    shape.src_vocab = shape.tgt_vocab = tokenizer.size();
    shape.d_model = shape.d_ff = 16;
    shape.heads = 2;
    shape.encoder_layers = shape.decoder_layers = 1;
    shape.max_positions = 32;
    model = random_model(1);
    model::write_bundle(bundle, package, backend::save_weights(*model));
  }

  families::EncoderDecoder random_model(uint64_t seed) const {
    torch::manual_seed(seed);
    auto made = families::make_model(test::shape_of(package.config));
    made->eval();
    return made;
  }

  test::TempFolder folder;
  model::Package package;
  families::EncoderDecoder model{nullptr};
  std::string bundle = folder.path("bundle");
  std::string lines = folder.file("lines", "My sister likes bread.\n\nNobody sees the bridge.\n");
};

TEST_F(VerifyTorchscript, AnExportOfTheBundleTranslatesTheSame) {
  const std::string bytes = write_torchscript(model, package);
  for (const int beam_size : {1, 3}) {
    testing::internal::CaptureStderr();
    verify_torchscript(bundle, bytes, lines, beam_size);
    EXPECT_THAT(testing::internal::GetCapturedStderr(), testing::HasSubstr("verified: 3 lines translate the same"));
  }
}

TEST_F(VerifyTorchscript, AnExportOfAnotherModelIsRefusedWithItsFirstLineThatDiffers) {
  const std::string bytes = write_torchscript(random_model(2), package);
  EXPECT_FAILS(verify_torchscript(bundle, bytes, lines, 2), ModelError,
               lines + ":1: the export translates differently: '");
  const std::string late = folder.file("late", "\n\nThe driver carries a green umbrella.\n");
  EXPECT_FAILS(verify_torchscript(bundle, bytes, late, 2), ModelError,
               late + ":3: the export translates differently: '");
}

TEST_F(VerifyTorchscript, BytesThatAreNoExportAreRefused) {
  EXPECT_FAILS(verify_torchscript(bundle, "no archive", lines, 2), ModelError,
               "neither a bundle folder nor a TorchScript file");
}

TEST_F(VerifyTorchscript, SentencesAreNeeded) {
  EXPECT_FAILS(verify_torchscript(bundle, "", folder.file("empty", ""), 2), DataError,
               "empty: is empty; expected sentences to translate");
  EXPECT_FAILS(verify_torchscript(bundle, "", folder.path("none"), 2), DataError, "none: cannot be read");
}

TEST_F(VerifyTorchscript, TellsOfLinesThatAreNoUtf8) {
  testing::internal::CaptureStderr();
  verify_torchscript(bundle, write_torchscript(model, package), folder.file("broken", "My sis\xffter\n"), 1);
  EXPECT_THAT(testing::internal::GetCapturedStderr(), testing::HasSubstr("1 of 1 lines are not valid UTF-8"));
}

TEST_F(VerifyTorchscript, ASenselessBeamIsRefused) {
  EXPECT_FAILS(verify_torchscript(bundle, write_torchscript(model, package), lines, 0), ConfigError, "beam_size");
}

TEST_F(VerifyTorchscript, NothingStaysInTheTemporaryFolder) {
  const auto left = [] {
    const fs::directory_iterator all(fs::temp_directory_path());
    const std::string start = "ventris-verify-" + std::to_string(getpid());
    return std::count_if(begin(all), end(all),
                         [&](const auto& entry) { return entry.path().filename().string().starts_with(start); });
  };
  verify_torchscript(bundle, write_torchscript(model, package), lines, 1);
  EXPECT_EQ(left(), 0);
  EXPECT_THROW(verify_torchscript(bundle, "no archive", lines, 1), ModelError);
  EXPECT_EQ(left(), 0);
}

}  // namespace
}  // namespace ventris::torchscript
