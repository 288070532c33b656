#include "exports/pytorch_names.h"

#include <array>
#include <utility>

namespace ventris::exports {
namespace {

using architecture::NormPlace;
using architecture::TransformerOptions;

/// Replaces the first occurrence of `from`; returns whether there is one.
bool replace_part(std::string& text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  if (at == std::string::npos) return false;
  text.replace(at, from.size(), to);
  return true;
}

/// Replaces all of these.
template <size_t count>
std::string replaced(std::string text, const std::array<std::pair<const char*, const char*>, count>& rules) {
  for (const auto& [from, to] : rules) replace_part(text, from, to);
  return text;
}

TensorPlace annotated_place(const std::string& ours) {
  return {replaced<2>(ours, {{{"norm.weight", "norm.a_2"}, {"norm.bias", "norm.b_2"}}})};
}

TensorPlace annotated_place_with_torch_norms(const std::string& ours) { return {ours}; }

void annotated_settings(TransformerOptions& options) { options.norm_epsilon = 1e-6; }

/// Norms are numbered in the order of the blocks.
TensorPlace torch_place(const std::string& ours) {
  constexpr std::array<std::pair<const char*, const char*>, 6> kRules{{{"sublayer.0.norm", "norm1"},
                                                                       {"sublayer.1.norm", "norm2"},
                                                                       {"sublayer.2.norm", "norm3"},
                                                                       {"feed_forward.w_", "linear"},
                                                                       {"src_attn", "multihead_attn"},
                                                                       {"linears.3", "out_proj"}}};
  if (ours.starts_with("src_embed.0")) return {"src_tok_emb.embedding.weight"};
  if (ours.starts_with("tgt_embed.0")) return {"tgt_tok_emb.embedding.weight"};
  if (ours.starts_with("generator.")) return {replaced<1>(ours, {{{"generator.proj", "generator"}}})};
  std::string theirs = "transformer." + replaced(ours, kRules);
  for (int64_t part = 0; part < 3; ++part) {
    if (replace_part(theirs, "linears." + std::to_string(part) + ".", "in_proj_")) return {theirs, part, 3};
  }
  return {theirs};
}

void torch_settings(TransformerOptions& options) {
  options.norm = NormPlace::kPost;
  options.final_norm = true;
}

/// The norm of a block is in the block.
TensorPlace qkv_place(const std::string& ours) {
  constexpr std::array<std::pair<const char*, const char*>, 9> kRules{{{".layers.", ".layer_stack."},
                                                                       {"self_attn.", "slf_attn."},
                                                                       {"src_attn.", "enc_attn."},
                                                                       {"feed_forward.", "pos_ffn."},
                                                                       {"sublayer.0.norm", "slf_attn.layer_norm"},
                                                                       {"linears.0", "w_qs"},
                                                                       {"linears.1", "w_ks"},
                                                                       {"linears.2", "w_vs"},
                                                                       {"linears.3", "fc"}}};
  if (ours.starts_with("src_embed.0")) return {"encoder.src_word_emb.weight"};
  if (ours.starts_with("tgt_embed.0")) return {"decoder.trg_word_emb.weight"};
  if (ours == "generator.proj.weight") return {"trg_word_prj.weight"};
  if (ours == "generator.proj.bias") return {};
  std::string theirs = replaced(ours, kRules);
  replace_part(theirs, "src_embed.1.norm", "encoder.layer_norm");
  replace_part(theirs, "tgt_embed.1.norm", "decoder.layer_norm");
  const bool decoder = ours.starts_with("decoder.");
  replace_part(theirs, "sublayer.1.norm", decoder ? "enc_attn.layer_norm" : "pos_ffn.layer_norm");
  replace_part(theirs, "sublayer.2.norm", "pos_ffn.layer_norm");
  return {theirs};
}

void qkv_settings(TransformerOptions& options) {
  options.norm = NormPlace::kPost;
  options.norm_epsilon = 1e-6;
  options.embedding_norm = true;
  options.attention_bias = false;
  options.scale_embeddings = false;
}

}  // namespace

const std::array<PytorchNames, 4>& all_pytorch_names() {
  constexpr const char *kSource = "src_embed.0.lut.weight", *kTarget = "tgt_embed.0.lut.weight",
                       *kOutput = "generator.proj.weight";
  const std::map<std::string, std::vector<int64_t>> annotated{{"src_embed.1.pe", {1, 5000, 0}},
                                                              {"tgt_embed.1.pe", {1, 5000, 0}}},
      separate{{"encoder.position_enc.pos_table", {1, 200, 0}}, {"decoder.position_enc.pos_table", {1, 200, 0}}};
  static const std::array<PytorchNames, 4> kAll{
      {{"The Annotated Transformer", kSource, kTarget, kOutput, "encoder.layers.", "feed_forward.w_1.weight",
        "self_attn.linears.0.weight", 1, annotated_settings, annotated_place, annotated},
       {"The Annotated Transformer with layer norms of PyTorch", kSource, kTarget, kOutput, "encoder.layers.",
        "feed_forward.w_1.weight", "self_attn.linears.0.weight", 1, annotated_settings,
        annotated_place_with_torch_norms, annotated},
       {"torch.nn.Transformer",
        "src_tok_emb.embedding.weight",
        "tgt_tok_emb.embedding.weight",
        "generator.weight",
        "transformer.encoder.layers.",
        "linear1.weight",
        "self_attn.in_proj_weight",
        3,
        torch_settings,
        torch_place,
        {{"positional_encoding.pos_embedding", {5000, 1, 0}}}},
       {"attention-is-all-you-need-pytorch", "encoder.src_word_emb.weight", "decoder.trg_word_emb.weight",
        "trg_word_prj.weight", "encoder.layer_stack.", "pos_ffn.w_1.weight", "slf_attn.w_qs.weight", 1, qkv_settings,
        qkv_place, separate, /*scales_output=*/true}}};
  return kAll;
}

}  // namespace ventris::exports
