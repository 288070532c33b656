#include "encoding/open_bundle.h"

#include <filesystem>

#include "backend/module_weights.h"
#include "core/error.h"
#include "model/finite.h"
#include "nn/threads.h"

namespace ventris::encoding {
namespace {

/// The module of a bundle, which must be of this family.
template <typename Impl>
std::shared_ptr<Impl> module_as(const model::Bundle& bundle, torch::Device device, const char* expected) {
  const std::string family = bundle.package.config.architecture->family();
  if (family != expected) {
    fail<ModelError>(bundle.package.path, ": expected a model of the family '", expected,
                     "', found one of the family '", family, "'");
  }
  return std::dynamic_pointer_cast<Impl>(module_of(bundle, device));
}

}  // namespace

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
  return families::BertForPreTraining(module_as<families::BertForPreTrainingImpl>(bundle, device, "bert"));
}

families::BertForSequenceClassification classifier_of(const model::Bundle& bundle, torch::Device device) {
  using Impl = families::BertForSequenceClassificationImpl;
  return families::BertForSequenceClassification(module_as<Impl>(bundle, device, "bert-classifier"));
}

}  // namespace ventris::encoding
