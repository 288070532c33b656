#include <torch/script.h>

#include "architecture/transformer_options.h"
#include "backend/families.h"
#include "backend/transformer_sizes.h"
#include "families/transformer.h"
#include "scripting/transformer_script.h"

namespace ventris::backend {
namespace {

const architecture::TransformerOptions& transformer_options(const architecture::Architecture& architecture) {
  return dynamic_cast<const architecture::TransformerArchitecture&>(architecture).options;
}

nn::Seq2Seq make_transformer(const architecture::Architecture& architecture) {
  return families::EncoderDecoder(transformer_options(architecture));
}

torch::jit::Module transformer_to_script(nn::ModelImpl& model, const core::SpecialIds& ids) {
  auto& transformer = dynamic_cast<families::EncoderDecoderImpl&>(model);
  return scripting::TransformerScript(transformer.options, ids).encoder_decoder(transformer);
}

ModelSizes sizes_of_transformer(const architecture::Architecture& architecture) {
  return transformer_sizes(transformer_options(architecture));
}

}  // namespace

Family transformer_family() {
  Family row{make_transformer, transformer_to_script};
  row.sizes = sizes_of_transformer;
  return row;
}

}  // namespace ventris::backend
