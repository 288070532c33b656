#pragma once
#include <string>

#include "architecture/rnn_options.h"
#include "families/rnn.h"
#include "scripting/rnn_script_source.h"
#include "scripting/script_builder.h"

namespace ventris::scripting {

/// Builds the jit module of a recurrent model.
class RnnScript {
 public:
  using Module = ScriptBuilder::Module;
  using Children = ScriptBuilder::Children;

  /// Keeps a reference to the options.
  RnnScript(const architecture::RnnOptions& options, const core::SpecialIds& ids) : source_{options, ids} {}

  Module encoder_decoder(families::RnnEncoderDecoderImpl& model);

 private:
  Module recurrent(const std::string& type, nn::RecurrentImpl& module, const std::string& source);
  Module encoder(families::RnnEncoderImpl& module);
  Module attention(families::RnnAttentionImpl& module);
  Module decoder(families::RnnDecoderImpl& module);

  RnnScriptSource source_;
  ScriptBuilder build_;
};

}  // namespace ventris::scripting
