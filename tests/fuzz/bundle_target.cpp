#include <nlohmann/json.hpp>

#include "architecture/bert_classifier_options.h"
#include "architecture/bert_options.h"
#include "architecture/rnn_options.h"
#include "architecture/transformer_nat_options.h"
#include "architecture/transformer_options.h"
#include "core/json_reader.h"
#include "files/folders.h"
#include "fuzz/targets.h"
#include "model/model_config.h"

/// A bundle: the list of its files, and its settings (config.json).
namespace ventris::fuzz {
namespace {

void read_manifest(std::string_view input) {
  static const test::TempFolder kBundle(test::memory_folder());
  kBundle.file("config.json", "{}");
  kBundle.file("model.safetensors", "weights");
  kBundle.file("MANIFEST", std::string(input));
  try {
    static_cast<void>(files::read_changed_folder(kBundle.path()));
  } catch (const Error&) {  // then read_folder() throws, too
  }
  for (const auto& [name, bytes] : files::read_folder(kBundle.path())) {
    require(name == "config.json" || name == "model.safetensors" || name == "MANIFEST",
            "only files of the folder are read");
  }
  static_cast<void>(files::map_folder(kBundle.path(), {}, {"model.safetensors"}));
}

std::vector<std::string> manifest_seeds() {
  const std::string line = "2 00000000 config.json\n";
  return {line + "END\n", line + "7 0 model.safetensors\nEND\n", line};
}

void read_model_config(std::string_view input) {
  const auto config = model::ModelConfig::parse(core::parse_json(std::string(input), "config.json"), "config.json");
  const nlohmann::json written = config.to_json();
  require(model::ModelConfig::parse(written, "again").to_json() == written, "settings that are read come back");
  int64_t tensors = 0;
  config.architecture->each_tensor([&](const std::string&, const std::vector<int64_t>&) { ++tensors; });
  require(tensors > 0, "a model has tensors");
}

template <typename Architecture, typename Options>
std::string config_text(Options options) {
  options.src_vocab = options.tgt_vocab = 20;
  model::ModelConfig config;
  config.architecture = std::make_shared<Architecture>(options);
  return config.to_json().dump();
}

std::vector<std::string> model_config_seeds() {
  using namespace architecture;
  NatOptions nat;
  nat.transformer.src_vocab = nat.transformer.tgt_vocab = 20;
  model::ModelConfig written_at_once;
  written_at_once.architecture = std::make_shared<NatArchitecture>(nat);
  return {config_text<TransformerArchitecture>(TransformerOptions()), config_text<RnnArchitecture>(RnnOptions()),
          written_at_once.to_json().dump()};
}

const Registration kManifest("manifest", read_manifest, manifest_seeds);
const Registration kConfig("model_config", read_model_config, model_config_seeds);

}  // namespace
}  // namespace ventris::fuzz
