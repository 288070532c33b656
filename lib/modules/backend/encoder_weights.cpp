#include "backend/encoder_weights.h"

#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "backend/module_weights.h"

namespace ventris::backend {
namespace {

using torch::Tensor;

const std::string kEncoder = "bert.", kEmbeddings = kEncoder + "embeddings.";

/// The parts of a layer: ours, and those of a BERT.
constexpr std::array<std::pair<const char*, const char*>, 8> kParts{{{"self_attn.linears.0", "attention.self.query"},
                                                                     {"self_attn.linears.1", "attention.self.key"},
                                                                     {"self_attn.linears.2", "attention.self.value"},
                                                                     {"self_attn.linears.3", "attention.output.dense"},
                                                                     {"sublayer.0.norm", "attention.output.LayerNorm"},
                                                                     {"feed_forward.w_1", "intermediate.dense"},
                                                                     {"feed_forward.w_2", "output.dense"},
                                                                     {"sublayer.1.norm", "output.LayerNorm"}}};

Tensor stored(const model::Safetensors& file, const std::string& name) {
  Tensor tensor = torch::empty(file.at(name).shape);
  copy_into(tensor, file, name);
  return tensor;
}

/// The position vectors behind that of [CLS], with the vector of segment 0: [1, positions - 1, d_model].
Tensor positions_of(const model::Safetensors& bert) {
  const Tensor positions = stored(bert, kEmbeddings + "position_embeddings.weight");  // [positions, d_model]
  const Tensor segment = stored(bert, kEmbeddings + "token_type_embeddings.weight").select(0, 0);
  const double scale = std::sqrt(static_cast<double>(segment.size(0)));
  return ((positions.narrow(0, 1, positions.size(0) - 1) + segment) * scale).unsqueeze(0);
}

}  // namespace

void load_encoder(nn::ModelImpl& model, const model::Safetensors& bert) {
  const torch::NoGradGuard no_grad;
  auto parameters = model.named_parameters();
  if (parameters.contains(kEmbeddings + "word_embeddings.weight")) {  // the encoder of a BERT, under the same names
    for (auto& parameter : parameters) {
      if (parameter.key().starts_with(kEncoder)) copy_into(parameter.value(), bert, parameter.key());
    }
    return;
  }
  const auto take = [&](const std::string& name, const std::string& from) {
    for (const char* part : {".weight", ".bias"}) copy_into(parameters[name + part], bert, from + part);
  };
  copy_into(parameters["src_embed.0.lut.weight"], bert, kEmbeddings + "word_embeddings.weight");
  parameters["src_embed.1.pe"].copy_(positions_of(bert));
  take("src_embed.1.norm", kEmbeddings + "LayerNorm");
  for (int64_t i = 0;; ++i) {
    const std::string layer = "encoder.layers." + std::to_string(i) + ".";
    if (!parameters.contains(layer + "feed_forward.w_1.weight")) break;
    const std::string from = "bert.encoder.layer." + std::to_string(i) + ".";
    for (const auto& [ours, theirs] : kParts) take(layer + ours, from + theirs);
  }
}

}  // namespace ventris::backend
