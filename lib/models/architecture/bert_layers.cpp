#include "architecture/bert_layers.h"

namespace ventris::architecture {

TransformerOptions encoder_options(const BertOptions& options) {
  TransformerOptions same;
  same.src_vocab = options.vocab;
  same.encoder_layers = options.layers;
  same.decoder_layers = 0;
  same.d_model = options.d_model;
  same.d_ff = options.d_ff;
  same.heads = options.heads;
  same.norm = NormPlace::kPost;
  same.activation = Activation::kGelu;
  same.positions = Positions::kLearned;
  same.max_positions = options.max_positions;
  same.tying = Tying::kNone;
  same.embedding_norm = true;
  same.norm_epsilon = options.norm_epsilon;
  return same;
}

const std::map<std::string, std::string>& bert_layer_parts() {
  static const std::map<std::string, std::string> kParts{{"self_attn.linears.0", "attention.self.query"},
                                                         {"self_attn.linears.1", "attention.self.key"},
                                                         {"self_attn.linears.2", "attention.self.value"},
                                                         {"self_attn.linears.3", "attention.output.dense"},
                                                         {"sublayer.0.norm", "attention.output.LayerNorm"},
                                                         {"feed_forward.w_1", "intermediate.dense"},
                                                         {"feed_forward.w_2", "output.dense"},
                                                         {"sublayer.1.norm", "output.LayerNorm"}};
  return kParts;
}

std::map<std::string, std::string> bert_layer_tensors(int64_t layers) {
  std::map<std::string, std::string> names;
  for (int64_t i = 0; i < layers; ++i) {
    const std::string ours = "encoder.layers." + std::to_string(i) + ".";
    const std::string theirs = "bert.encoder.layer." + std::to_string(i) + ".";
    for (const auto& [our_part, their_part] : bert_layer_parts()) {
      for (const char* kind : {".weight", ".bias"}) names[ours + our_part + kind] = theirs + their_part + kind;
    }
  }
  return names;
}

}  // namespace ventris::architecture
