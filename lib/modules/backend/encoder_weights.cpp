#include "backend/encoder_weights.h"

#include <cmath>
#include <string>

#include "architecture/bert_layers.h"
#include "backend/module_weights.h"

namespace ventris::backend {
namespace {

using torch::Tensor;

const std::string kEncoder = "bert.", kEmbeddings = kEncoder + "embeddings.";

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
  for (int64_t i = 0; parameters.contains("encoder.layers." + std::to_string(i) + ".feed_forward.w_1.weight"); ++i) {
    const std::string ours = "encoder.layers." + std::to_string(i) + ".";
    const std::string theirs = "bert.encoder.layer." + std::to_string(i) + ".";
    for (const auto& [our_part, their_part] : architecture::bert_layer_parts())
      take(ours + our_part, theirs + their_part);
  }
}

}  // namespace ventris::backend
