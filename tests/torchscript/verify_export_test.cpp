#include "torchscript/verify_export.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "core/error.h"
#include "engine/factory.h"
#include "engine/random_model.h"
#include "exports/annotated.h"
#include "exports/ctranslate2.h"
#include "exports/marian.h"
#include "exports/pytorch_code.h"
#include "exports/seq2seq_folder.h"
#include "support/errors.h"
#include "support/shape_of.h"
#include "support/temp_folder.h"
#include "support/tiny_text.h"
#include "support/zero_start.h"
#include "text/model_proto.h"
#include "text/model_rewriting.h"

namespace ventris::torchscript {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class VerifyExport : public testing::Test {
 protected:
  VerifyExport() {
    const auto tokenizer = test::tiny_tokenizer(text::TokenizerKind::kUnigram);
    package.source_spm = package.target_spm = tokenizer.bytes();
    shape().src_vocab = shape().tgt_vocab = tokenizer.size();
    shape().d_model = shape().d_ff = 16;
    shape().heads = 2;
    shape().encoder_layers = shape().decoder_layers = 1;
    shape().max_positions = 32;
  }
  architecture::TransformerOptions& shape() { return test::shape_of(package.config); }
  model::Bundle bundle(uint32_t seed = 1) {
    std::string weights = test::random_model(shape(), seed).weights;
    if (shape().zero_start) weights = test::with_start(weights, 0);
    model::write_bundle(folder.path("bundle"), package, weights);
    return model::read_bundle(folder.path("bundle"));
  }
  /// What the log says.
  std::string verified(const WrittenExport& written, int beam_size = 3) {
    testing::internal::CaptureStderr();
    try {
      verify_export(bundle(), written, lines, beam_size);
    } catch (...) {
      testing::internal::GetCapturedStderr();
      throw;
    }
    return testing::internal::GetCapturedStderr();
  }

  test::TempFolder folder;
  model::Package package;
  std::string lines = folder.file("lines", "My sister likes bread.\n\nNobody sees the bridge.\n");
};

constexpr const char* kSame = "verified: 3 lines translate the same (0 ties within 0.0001)";

TEST_F(VerifyExport, AFolderOfCTranslate2IsReadBack) {
  shape().decoder_heads = 4;
  shape().decoder_d_ff = 24;
  EXPECT_THAT(verified({exports::to_ctranslate2(bundle()), "ctranslate2"}), HasSubstr(kSame));
  EXPECT_THAT(verified({exports::to_ctranslate2(bundle()), "ctranslate2"}, 1), HasSubstr(kSame));
}

TEST_F(VerifyExport, AFolderOfTransformersIsReadBack) {
  shape().norm = architecture::NormPlace::kPost;
  shape().decoder_heads = 8;
  shape().decoder_d_ff = 24;
  EXPECT_THAT(verified({exports::to_seq2seq_folder(bundle()), "huggingface"}), HasSubstr(kSame));
}

TEST_F(VerifyExport, AFolderOfMarianIsReadBack) {
  shape().norm = architecture::NormPlace::kPost;
  shape().positions = architecture::Positions::kHalvedSinusoidal;
  shape().zero_start = true;
  shape().norm_epsilon = 1e-6;
  shape().decoder_d_ff = 24;
  EXPECT_THAT(verified({exports::to_marian(bundle()), "marian", {}, /*generates_specials=*/false}), HasSubstr(kSame));
}

TEST_F(VerifyExport, AStateDictIsReadBackWithTheTokenizersAndHeadsOfTheBundle) {
  shape().heads = 4;
  const auto tensors = exports::state_dict_for("annotated", bundle());
  EXPECT_THAT(verified({{{"model", exports::safetensors_file(tensors)}}, "pytorch", "model"}), HasSubstr(kSame));
}

TEST_F(VerifyExport, OtherWeightsAndOtherTokensAreNamedByTheirLine) {
  const auto other = exports::to_ctranslate2(bundle(2));
  EXPECT_FAILS(verified({other, "ctranslate2"}), ModelError, "lines:1: the export translates differently: '");
  model::Bundle renamed = bundle();
  const auto written = exports::to_ctranslate2(renamed);
  const auto proto = text::parse_model_proto(renamed.package.source_spm);
  std::vector<text::NewPiece> pieces;
  for (const text::ModelPiece& piece : proto->pieces) {
    pieces.push_back({std::string(piece.text), piece.score, piece.type});
  }
  const text::Tokenizer tokenizer(renamed.package.source_spm, "tokenizer");
  pieces[static_cast<size_t>(tokenizer.encode("My sister likes bread.").back())].text = "other";
  renamed.package.source_spm = text::with_pieces(renamed.package.source_spm, pieces, {}, {});
  EXPECT_FAILS(verify_export(renamed, {written, "ctranslate2"}, lines, 1), ModelError,
               "lines:1: the export has other tokens: '");
}

TEST_F(VerifyExport, WhatCannotBeReadBackIsSaid) {
  EXPECT_FAILS(verified({{{"model.bin", "x"}}, "ctranslate2"}), ModelError,
               "--verify: the export cannot be read back, so nothing can be compared; leave --verify out (");
  EXPECT_FAILS(verify_export(bundle(), {exports::to_ctranslate2(bundle()), "ctranslate2"}, folder.path("none"), 1),
               DataError, "none: cannot be read");
}

TEST_F(VerifyExport, NoTemporaryFolderStays) {
  test::TempFolder temporary;
  const std::string path = temporary.path("");
  setenv("TMPDIR", path.c_str(), 1);
  verified({exports::to_ctranslate2(bundle()), "ctranslate2"});
  EXPECT_THROW(verified({{{"model.bin", "x"}}, "ctranslate2"}), ModelError);
  setenv("TMPDIR", (path + "/none").c_str(), 1);
  EXPECT_FAILS(verified({exports::to_ctranslate2(bundle()), "ctranslate2"}), WriteError,
               "--verify: no temporary folder can be made in '");
  unsetenv("TMPDIR");
  EXPECT_TRUE(fs::is_empty(path));
}

TEST_F(VerifyExport, APackedModelIsOpenedAsItIs) {
  const model::Bundle made = bundle();
  testing::internal::CaptureStderr();
  verify_packed(made, engine::pack_bundle(made, engine::Precision::kF32), lines, 2);
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr(kSame));
  EXPECT_FAILS(verify_packed(made, engine::pack_bundle(bundle(2), engine::Precision::kF32), lines, 2), ModelError,
               "lines:1: the export translates differently");
}

}  // namespace
}  // namespace ventris::torchscript
