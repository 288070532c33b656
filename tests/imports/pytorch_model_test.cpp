#include "imports/pytorch_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "architecture/transformer_options.h"
#include "core/error.h"
#include "engine/factory.h"
#include "exports/annotated.h"
#include "exports/pytorch_code.h"
#include "files/files.h"
#include "model/floats.h"
#include "model/safetensors.h"
#include "support/errors.h"
#include "support/temp_folder.h"
#include "text/model_proto.h"
#include "translation/text_scorer.h"

namespace ventris::imports {
namespace {

using nlohmann::json;

std::string data(const std::string& name) { return VENTRIS_SOURCE "/tests/imports/data/pytorch" + name; }
const PytorchOptions kOptions{{data(".spm")}, 4};

/// A state dict of make_pytorch_expected.py, and what its code computes.
class PytorchModel : public testing::TestWithParam<const char*> {
 protected:
  static std::string path() {
    const std::string name = GetParam();
    return data("_" + name + (name == "shared" ? ".pt" : ".safetensors"));
  }
};
INSTANTIATE_TEST_SUITE_P(Codes, PytorchModel, testing::Values("tutorial", "separate", "shared", "annotated"),
                         [](const auto& name) { return std::string(name.param); });

TEST_P(PytorchModel, LogProbabilitiesOfTextsAreThoseOfTheCode) {
  ASSERT_TRUE(is_state_dict(path()));
  const Imported imported = from_pytorch_model(path(), kOptions);
  const auto scorers =
      engine::make_factory(imported.package.config, model::Safetensors::parse(imported.weights, "weights"), {});
  const translation::TextScorer scorer(imported.package, *scorers, {});
  const json expected = json::parse(files::read_file(data(".json")));
  for (const json& row : expected.at(GetParam())) {
    const auto found = scorer.score({{row.at("source"), row.at("target")}}).front();
    const auto log_probs = row.at("log_probs").get<std::vector<float>>();
    ASSERT_EQ(found.token_log_probs.size(), log_probs.size());
    for (size_t i = 0; i < log_probs.size(); ++i) EXPECT_NEAR(found.token_log_probs[i], log_probs[i], 2e-5);
  }
}

TEST_P(PytorchModel, TheBundleCanBeWrittenAndOpened) {
  const test::TempFolder folder;
  const Imported imported = from_pytorch_model(path(), kOptions);
  model::write_bundle(folder.path("bundle"), imported.package, imported.weights);
  EXPECT_TRUE(model::read_bundle(folder.path("bundle")).package.config.tokenizer.shared);
  EXPECT_EQ(imported.notes.size(), 1U) << "the number of heads was given";
}

TEST(FromPytorchModel, WhatGoesOutToTheAnnotatedTransformerComesBack) {
  const test::TempFolder folder;
  const Imported first = from_pytorch_model(data("_annotated.safetensors"), kOptions);
  model::write_bundle(folder.path("bundle"), first.package, first.weights);
  const auto out = exports::annotated_transformer(model::read_bundle(folder.path("bundle")));
  files::write_file(folder.path("out.safetensors"), exports::safetensors_file(out));
  files::write_file(folder.path("new.spm"), first.package.source_spm);
  const Imported second = from_pytorch_model(folder.path("out.safetensors"), {{folder.path("new.spm")}, 4});
  const auto before = model::Safetensors::parse(first.weights, "first"),
             after = model::Safetensors::parse(second.weights, "second");
  EXPECT_EQ(second.package.source_spm, first.package.source_spm);
  for (const model::TensorView& tensor : before.tensors()) {
    const std::string& name = tensor.name;
    const auto a = model::floats_of(before, tensor), b = model::floats_of(after, after.at(name));
    ASSERT_EQ(a.size(), b.size()) << name;
    const float rounding = name.ends_with("norm.weight") ? 1e-6F : 0;  // gains were multiplied and divided by a factor
    for (size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], rounding * std::abs(a[i])) << name;
  }
}

/// The export of a bundle, imported.
Imported out_and_in(const Imported& first, const std::string& code) {
  const test::TempFolder folder;
  model::write_bundle(folder.path("bundle"), first.package, first.weights);
  const auto out = exports::state_dict_for(code, model::read_bundle(folder.path("bundle")));
  files::write_file(folder.path("out.safetensors"), exports::safetensors_file(out));
  files::write_file(folder.path("new.spm"), first.package.source_spm);
  return from_pytorch_model(folder.path("out.safetensors"), {{folder.path("new.spm")}, 4});
}

TEST(FromPytorchModel, WhatGoesOutToACodeComesBackAsItWas) {
  for (const auto& [file, code] : {std::pair("_tutorial.safetensors", "torch.nn.Transformer"),
                                   {"_separate.safetensors", "attention-is-all-you-need-pytorch"},
                                   {"_shared.pt", "attention-is-all-you-need-pytorch"}}) {
    const Imported first = from_pytorch_model(data(file), kOptions), second = out_and_in(first, code);
    EXPECT_EQ(second.package.config.architecture->to_json(), first.package.config.architecture->to_json()) << file;
    EXPECT_TRUE(second.weights == first.weights) << file;
  }
}

TEST(FromPytorchModel, TheExportHasTheTensorsOfTheCode) {
  for (const auto& [file, code] : {std::pair("_tutorial.safetensors", "torch.nn.Transformer"),
                                   {"_separate.safetensors", "attention-is-all-you-need-pytorch"}}) {
    const Imported imported = from_pytorch_model(data(file), kOptions);
    const test::TempFolder folder;
    model::write_bundle(folder.path("bundle"), imported.package, imported.weights);
    std::set<std::string> found, expected;
    for (const auto& tensor : exports::state_dict_for(code, model::read_bundle(folder.path("bundle")))) {
      found.insert(tensor.name);
    }
    const auto original = model::Safetensors::parse(files::read_file(data(file)), file);
    for (const model::TensorView& tensor : original.tensors()) expected.insert(tensor.name);
    EXPECT_EQ(found, expected) << file;
  }
}

TEST(FromPytorchModel, SaysWhatIsMissing) {
  const std::string path = data("_tutorial.safetensors");
  EXPECT_FAILS(from_pytorch_model(path, {}), ConfigError, "--tokenizer: a state dict has no tokenizer");
  EXPECT_FAILS(from_pytorch_model(path, {{data(".spm")}, 5}), ConfigError,
               "--heads: expected a divisor of 16, the width of the model, found 5");
  const std::string other = VENTRIS_SOURCE "/tests/imports/data/marian_shared/source.spm";
  EXPECT_FAILS(from_pytorch_model(path, {{other}, 4}), ModelError,
               "expected a tokenizer with the 60 tokens of the model, found");
  EXPECT_FAILS(from_pytorch_model(VENTRIS_SOURCE "/tests/imports/data/marian_shared/model.safetensors", kOptions),
               ModelError, "expected the tensors of The Annotated Transformer, of torch.nn.Transformer");
  EXPECT_FALSE(is_state_dict(data(".json")));
  EXPECT_FALSE(is_state_dict("/no/such/file"));
  const Imported guessed = from_pytorch_model(path, {{data(".spm")}, 0});
  EXPECT_EQ(guessed.notes.size(), 2U);
}

/// The tokenizer of the models, in which a piece has another text of the same length.
std::string changed_spm(const test::TempFolder& folder, const std::string& piece, const std::string& text) {
  std::string bytes = files::read_file(data(".spm"));
  bytes.replace(bytes.find(piece), piece.size(), text);
  return folder.file(text + ".spm", bytes);
}

TEST(FromPytorchModel, PaddingThatTheTokenizerDoesNotHaveIsNeverGenerated) {
  const test::TempFolder folder;
  const std::string path = data("_separate.safetensors");
  const auto score = [&](const PytorchOptions& options) {
    const Imported imported = from_pytorch_model(path, options);
    const auto scorers =
        engine::make_factory(imported.package.config, model::Safetensors::parse(imported.weights, "weights"), {});
    return translation::TextScorer(imported.package, *scorers, {}).score({{"a b", "b a"}}).front().log_prob;
  };
  const double expected = score(kOptions);
  EXPECT_NEAR(score({{changed_spm(folder, "<pad>", "<PAD>")}, 4}), expected, 1e-4)
      << "the sum of all probabilities has the same tokens";
}

/// A copy of a state dict with a change.
class ChangedStateDict : public testing::Test {
 protected:
  ChangedStateDict() : file_(model::Safetensors::parse(files::read_file(data("_tutorial.safetensors")), "file")) {
    for (const model::TensorView& tensor : file_.tensors()) tensors_[tensor.name] = tensor;
  }
  Imported import(const PytorchOptions& options = kOptions) const {
    std::vector<model::TensorView> views;
    for (const auto& [name, view] : tensors_) {
      views.push_back(view);
      views.back().name = name;
    }
    files::write_file(path_, model::write_safetensors(views, {}));
    return from_pytorch_model(path_, options);
  }

  test::TempFolder folder_;
  std::string path_ = folder_.path("model.safetensors");
  model::Safetensors file_;
  std::map<std::string, model::TensorView> tensors_;
};

TEST_F(ChangedStateDict, TablesOfDifferentTokensAreNotTied) {
  tensors_["src_tok_emb.embedding.weight"] = tensors_["generator.weight"] = tensors_["tgt_tok_emb.embedding.weight"];
  const auto tying = [](const Imported& imported) {
    return dynamic_cast<const architecture::TransformerArchitecture&>(*imported.package.config.architecture)
        .options.tying;
  };
  EXPECT_EQ(tying(import()), architecture::Tying::kAll);
  const auto tokenizer = files::read_file(data(".spm"));
  const std::string piece(text::parse_model_proto(tokenizer)->pieces.back().text);
  const Imported imported = import({{data(".spm"), changed_spm(folder_, piece, std::string(piece.size(), '~'))}, 4});
  EXPECT_EQ(tying(imported), architecture::Tying::kDecoder);
  model::write_bundle(folder_.path("bundle"), imported.package, imported.weights);
  EXPECT_NO_THROW(model::read_bundle(folder_.path("bundle")));
}

TEST_F(ChangedStateDict, TensorsThatAreMissingOrTooManyOrOthersAreNamed) {
  tensors_["extra.weight"] = tensors_.at("generator.bias");
  EXPECT_FAILS(import(), ModelError, "tensor 'extra.weight': torch.nn.Transformer has no such part");
  tensors_.erase("extra.weight");
  const auto kept = tensors_.extract("transformer.decoder.norm.bias");
  EXPECT_FAILS(import(), ModelError, "has no tensor 'transformer.decoder.norm.bias'");
  tensors_["transformer.decoder.norm.bias"] = tensors_.at("generator.bias");
  EXPECT_FAILS(import(), ModelError, "'transformer.decoder.norm.bias': expected shape [16], found [60]");
  tensors_["transformer.decoder.norm.bias"] = kept.mapped();
  EXPECT_NO_THROW(import());
  model::TensorView& table = tensors_.at("src_tok_emb.embedding.weight");
  table.shape = {64, 15};
  EXPECT_FAILS(import(), ModelError, "'src_tok_emb.embedding.weight': expected an even width, found 15");
  table.shape = {60, 16};
  tensors_["positional_encoding.pos_embedding"] = tensors_.at("generator.weight");
  EXPECT_FAILS(import(), ModelError, "'positional_encoding.pos_embedding': expected sinusoids, found other values");
}

}  // namespace
}  // namespace ventris::imports
