#include "scripting/rnn_script.h"

#include <torch/script.h>

namespace ventris::scripting {

RnnScript::Module RnnScript::encoder_decoder(families::RnnEncoderDecoderImpl& model) {
  const Children children{{"encoder", encoder(*model.encoder)},
                          {"decoder", decoder(*model.decoder)},
                          {"src_embed", build_.embedding(*model.src_embed)},
                          {"trg_embed", build_.embedding(*model.trg_embed)},
                          {"generator", build_.generator(*model.generator->proj)}};
  return build_.make("RnnEncoderDecoder", {}, children, source_.encoder_decoder());
}

RnnScript::Module RnnScript::recurrent(const std::string& type, nn::RecurrentImpl& module, const std::string& source) {
  return build_.make(type, {own_parameters(module), {}, {}}, {{"dropout", build_.dropout(module.dropout)}}, source);
}

RnnScript::Module RnnScript::encoder(families::RnnEncoderImpl& module) {
  const Children children{{"rnn", recurrent("EncoderRecurrent", *module.rnn, source_.encoder_rnn())},
                          {"dropout", build_.dropout(module.dropout)}};
  return build_.make("RnnEncoder", {}, children, source_.encoder());
}

RnnScript::Module RnnScript::attention(families::RnnAttentionImpl& module) {
  Children children;
  for (const auto& item : module.named_children()) children.emplace_back(item.key(), build_.linear(*item.value()));
  return build_.make("RnnAttention", {}, children, source_.attention());
}

RnnScript::Module RnnScript::decoder(families::RnnDecoderImpl& module) {
  Children children;
  if (!module.attention.is_empty()) children.emplace_back("attention", attention(*module.attention));
  children.emplace_back("rnn", recurrent("DecoderRecurrent", *module.rnn, source_.decoder_rnn()));
  children.emplace_back("bridge", build_.linear(*module.bridge));
  if (!module.bridge_cell.is_empty()) children.emplace_back("bridge_cell", build_.linear(*module.bridge_cell));
  children.emplace_back("dropout", build_.dropout(module.dropout));
  children.emplace_back("pre_output_layer", build_.linear(*module.pre_output_layer));
  return build_.make("RnnDecoder", {}, children, source_.decoder());
}

}  // namespace ventris::scripting
