#include "encoding/open_bundle.h"

#include <filesystem>

#include "backend/module_weights.h"
#include "core/error.h"
#include "model/finite.h"
#include "nn/threads.h"

namespace ventris::encoding {

model::Bundle open_bundle(const std::string& path) {
  if (std::error_code ignored; std::filesystem::is_regular_file(path, ignored)) {
    fail<ModelError>(path, ": expected a bundle folder, got a file");
  }
  nn::use_one_thread_per_operation();  // the program has its own threads
  model::Bundle bundle = model::open_bundle(path);
  model::check_finite(bundle.weights);
  return bundle;
}

nn::Model module_of(const model::Bundle& bundle, torch::Device device) {
  nn::Model module = backend::load_module(*bundle.package.config.architecture, bundle.weights);
  module->to(device);
  return module;
}

families::BertForPreTraining bert_of(const model::Bundle& bundle, torch::Device device) {
  const std::string family = bundle.package.config.architecture->family();
  auto bert = std::dynamic_pointer_cast<families::BertForPreTrainingImpl>(module_of(bundle, device));
  if (!bert) {
    fail<ModelError>(bundle.package.path, ": expected a model of the family 'bert', found one of the family '", family,
                     "'");
  }
  return families::BertForPreTraining(bert);
}

}  // namespace ventris::encoding
