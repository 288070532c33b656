#include <utility>

#include "architecture/rnn.h"
#include "backend/families.h"
#include "scripting/rnn_script_source.h"
#include "scripting/script_builder.h"
#include "families/rnn.h"

namespace ventris::backend {
namespace {

using scripting::RnnScriptSource;
using scripting::ScriptBuilder;
using torch::jit::Module;
using Children = ScriptBuilder::Children;

/// Builds the jit module of a recurrent model.
class RnnScript {
 public:
  RnnScript(const architecture::RnnOptions& options, const text::SpecialIds& ids) : source_{options, ids} {}

  Module encoder_decoder(families::RnnEncoderDecoderImpl& model) {
    const Children children{{"encoder", encoder(*model.encoder)},
                            {"decoder", decoder(*model.decoder)},
                            {"src_embed", build_.embedding(*model.src_embed)},
                            {"trg_embed", build_.embedding(*model.trg_embed)},
                            {"generator", build_.generator(*model.generator->proj)}};
    return build_.make("RnnEncoderDecoder", {}, children, source_.encoder_decoder());
  }

 private:
  Module recurrent(const std::string& type, nn::RecurrentImpl& module, const std::string& source) {
    return build_.make(type, {scripting::own_parameters(module), {}, {}}, {{"dropout", build_.dropout(module.dropout)}},
                       source);
  }

  Module encoder(families::RnnEncoderImpl& module) {
    const Children children{{"rnn", recurrent("EncoderRecurrent", *module.rnn, source_.encoder_rnn())},
                            {"dropout", build_.dropout(module.dropout)}};
    return build_.make("RnnEncoder", {}, children, source_.encoder());
  }

  Module attention(families::RnnAttentionImpl& module) {
    Children children;
    for (const auto& item : module.named_children()) children.emplace_back(item.key(), build_.linear(*item.value()));
    return build_.make("RnnAttention", {}, children, source_.attention());
  }

  Module decoder(families::RnnDecoderImpl& module) {
    Children children;
    if (!module.attention.is_empty()) children.emplace_back("attention", attention(*module.attention));
    children.emplace_back("rnn", recurrent("DecoderRecurrent", *module.rnn, source_.decoder_rnn()));
    children.emplace_back("bridge", build_.linear(*module.bridge));
    if (!module.bridge_cell.is_empty()) children.emplace_back("bridge_cell", build_.linear(*module.bridge_cell));
    children.emplace_back("dropout", build_.dropout(module.dropout));
    children.emplace_back("pre_output_layer", build_.linear(*module.pre_output_layer));
    return build_.make("RnnDecoder", {}, children, source_.decoder());
  }

  RnnScriptSource source_;
  ScriptBuilder build_;
};

nn::Seq2Seq make_rnn(const architecture::Architecture& architecture) {
  return families::RnnEncoderDecoder(dynamic_cast<const architecture::RnnArchitecture&>(architecture).options);
}

Module rnn_to_script(nn::ModelImpl& model, const text::SpecialIds& ids) {
  auto& rnn = dynamic_cast<families::RnnEncoderDecoderImpl&>(model);
  return RnnScript(rnn.options, ids).encoder_decoder(rnn);
}

}  // namespace

Family rnn_family() { return {make_rnn, rnn_to_script}; }

}  // namespace ventris::backend
