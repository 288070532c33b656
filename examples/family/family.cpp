// Adds a model family to Ventris, trains a model of it, and translates with that:
//   family SETTINGS.json SOURCE TARGET RUN < LINES
#include <torch/torch.h>
#include <ventris/architecture/architecture.h>
#include <ventris/architecture/reading.h>
#include <ventris/backend/families.h>
#include <ventris/backend/open_module.h>
#include <ventris/core/error.h>
#include <ventris/core/json_reader.h>
#include <ventris/files/json_file.h>
#include <ventris/nn/seq2seq.h>
#include <ventris/settings/run_config.h>
#include <ventris/training/trainer.h>
#include <ventris/translation/scorer_loader.h>
#include <ventris/translation/translator.h>

#include <iostream>
#include <nlohmann/json.hpp>
#include <span>

namespace {

using namespace ventris;
using torch::Tensor;

struct BagOptions {
  int64_t src_vocab = 0;
  int64_t tgt_vocab = 0;
  int64_t width = 32;
};

/// The settings of the family "bag-of-words", and the tensors that follow from them.
class BagArchitecture : public architecture::Architecture {
 public:
  explicit BagArchitecture(const BagOptions& settings) : options(settings) {}

  std::string family() const override { return "bag-of-words"; }
  nlohmann::json to_json() const override { return {{"width", options.width}}; }
  int64_t src_vocab() const override { return options.src_vocab; }
  int64_t tgt_vocab() const override { return options.tgt_vocab; }
  architecture::ArchitecturePtr with_vocabularies(int64_t src_vocab, int64_t tgt_vocab) const override {
    return std::make_shared<BagArchitecture>(BagOptions{src_vocab, tgt_vocab, options.width});
  }
  int64_t max_length() const override { return 512; }
  int64_t width() const override { return options.width; }
  void check_tokenizers(bool /*shared*/) const override {}
  void each_tensor(const TensorVisitor& visit) const override {
    visit("src_embed.weight", {options.src_vocab, options.width});
    visit("tgt_embed.weight", {options.tgt_vocab, options.width});
    visit("layer.weight", {options.width, 3 * options.width});
    visit("layer.bias", {options.width});
    visit("generator.proj.weight", {options.tgt_vocab, options.width});
    visit("generator.proj.bias", {options.tgt_vocab});
  }

  BagOptions options;
};

/// The source is the mean of its embeddings; a target position sees that, its token, and the mean of those up to it.
class BagOfWordsImpl : public nn::Seq2SeqImpl {
 public:
  explicit BagOfWordsImpl(const BagOptions& options) {
    src_embed = register_module("src_embed", nn::Embedding(options.src_vocab, options.width));
    tgt_embed = register_module("tgt_embed", nn::Embedding(options.tgt_vocab, options.width));
    layer = register_module("layer", nn::Linear(3 * options.width, options.width));
    generator = register_module("generator", nn::Generator(options.width, options.tgt_vocab));
  }

  nn::Memory encode(const Tensor& src, const Tensor& src_mask) override {
    return {src_embed(src), {}, src_mask};  // [batch, src_len, width]
  }

  Tensor decode(const nn::Memory& memory, const Tensor& tgt, const Tensor& /*tgt_mask*/) override {
    const Tensor visible = memory.mask.squeeze(1).unsqueeze(2).to(torch::kFloat);  // [batch, src_len, 1]
    const Tensor bag = (memory.states * visible).sum(1, true) / visible.sum(1, true).clamp_min(1);  // [batch, 1, width]
    const Tensor x = tgt_embed(tgt);  // [batch, tgt_len, width]
    const Tensor count = torch::arange(1, tgt.size(1) + 1, x.options()).view({1, -1, 1});
    return layer(torch::cat({x, x.cumsum(1) / count, bag.expand_as(x)}, 2)).tanh();
  }

  nn::Embedding src_embed{nullptr}, tgt_embed{nullptr};
  nn::Linear layer{nullptr};
};

const architecture::AddedFamily settings_added("bag-of-words", [](core::JsonReader& reader) {
  BagOptions options;
  architecture::read_size(reader, "width", options.width);
  return std::make_shared<BagArchitecture>(options);
});

const backend::AddedFamily modules_added("bag-of-words", {[](const architecture::Architecture& architecture) {
                                           return std::make_shared<BagOfWordsImpl>(
                                               dynamic_cast<const BagArchitecture&>(architecture).options);
                                         }});

/// Trains, with validations on the training text: this is a toy. A run that is there goes on.
void train(const std::string& settings, const std::string& source, const std::string& target, const std::string& run) {
  nlohmann::json json = files::read_json_file(settings);
  json["data"]["train"] = json["data"]["valid"] = nlohmann::json::array({source, target});
  training::train(settings::RunConfig::parse(json), {.folder = run});
}

/// A translator that runs in this program: the backend's own library does not know the family.
translation::Translator translator_of(const std::string& bundle) {
  model::LoadedModel loaded = model::read_model(bundle);
  const model::Package package = loaded.package;
  const std::shared_ptr<const decoding::ScorerFactory> scorers =
      backend::open_model({.model = translation::opened(std::move(loaded))});
  return {package, scorers, translation::suggested_options(package.config.decoding)};
}

}  // namespace

int main(int argc, char** argv) try {
  const std::span<char*> arguments(argv, static_cast<size_t>(argc));
  if (arguments.size() != 5) fail<ConfigError>("usage: family SETTINGS.json SOURCE TARGET RUN < LINES");
  const std::string run = arguments[4];
  train(arguments[1], arguments[2], arguments[3], run);
  const translation::Translator translator = translator_of(run + "/best");
  for (std::string line; std::getline(std::cin, line);) {
    std::cout << translator.translate({line}).front().text() << std::endl;
  }
} catch (const ventris::Error& error) {
  std::cerr << "family: " << error.what() << '\n';
  return 1;
}
