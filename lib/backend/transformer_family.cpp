#include <torch/script.h>

#include "architecture/transformer.h"
#include "backend/families.h"
#include "scripting/transformer_script.h"
#include "families/transformer.h"

namespace ventris::backend {
namespace {

nn::Seq2Seq make_transformer(const architecture::Architecture& architecture) {
  const auto& settings = dynamic_cast<const architecture::TransformerArchitecture&>(architecture);
  return families::EncoderDecoder(settings.options);
}

torch::jit::Module transformer_to_script(nn::ModelImpl& model, const text::SpecialIds& ids) {
  auto& transformer = dynamic_cast<families::EncoderDecoderImpl&>(model);
  return scripting::TransformerScript(transformer.options, ids).encoder_decoder(transformer);
}

}  // namespace

Family transformer_family() { return {make_transformer, transformer_to_script}; }

}  // namespace ventris::backend
