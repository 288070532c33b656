#pragma once
#include <memory>

#include "architecture/transformer_options.h"
#include "model/model_config.h"

namespace ventris::test {

/// The settings of the Transformer that a configuration is about.
inline const architecture::TransformerOptions& shape_of(const model::ModelConfig& config) {
  return dynamic_cast<const architecture::TransformerArchitecture&>(*config.architecture).options;
}

/// The settings of a Transformer, to be changed: `architecture` becomes one of its own.
inline architecture::TransformerOptions& shape_of(architecture::ArchitecturePtr& architecture) {
  const auto own = std::make_shared<architecture::TransformerArchitecture>(
      dynamic_cast<const architecture::TransformerArchitecture&>(*architecture));
  architecture = own;
  return own->options;
}

inline architecture::TransformerOptions& shape_of(model::ModelConfig& config) { return shape_of(config.architecture); }

}  // namespace ventris::test
