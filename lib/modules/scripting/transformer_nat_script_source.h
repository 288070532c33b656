#pragma once
#include <string>

#include "architecture/transformer_nat_options.h"
#include "scripting/transformer_script_source.h"

namespace ventris::scripting {

/// The TorchScript source of an exported non-autoregressive Transformer; that of its layers is TransformerScriptSource.
struct TransformerNatScriptSource {
  const architecture::NatOptions& options;
  core::SpecialIds ids = {};

  std::string length_predictor() const;
  /// The methods encode, length_log_probs (if lengths are predicted), first_input, embed, decode, forward and greedy.
  std::string model() const;

 private:
  std::string first_input() const;
  std::string greedy() const;
  std::string lengths() const;
  std::string kept() const;
};

}  // namespace ventris::scripting
