#include <torch/script.h>

#include "architecture/rnn_options.h"
#include "backend/families.h"
#include "families/rnn.h"
#include "scripting/rnn_script.h"

namespace ventris::backend {
namespace {

const architecture::RnnOptions& rnn_options(const architecture::Architecture& architecture) {
  return dynamic_cast<const architecture::RnnArchitecture&>(architecture).options;
}

nn::Seq2Seq make_rnn(const architecture::Architecture& architecture) {
  return families::RnnEncoderDecoder(rnn_options(architecture));
}

torch::jit::Module rnn_to_script(nn::ModelImpl& model, const core::SpecialIds& ids) {
  auto& rnn = dynamic_cast<families::RnnEncoderDecoderImpl&>(model);
  return scripting::RnnScript(rnn.options, ids).encoder_decoder(rnn);
}

ModelSizes sizes_of_rnn(const architecture::Architecture& architecture) {
  const architecture::RnnOptions& options = rnn_options(architecture);
  ModelSizes sizes = assumed_sizes(architecture);
  sizes.hidden = 4 * (options.d_hidden + options.decoder_input());
  sizes.encoder_layers = options.encoder_layers;
  sizes.decoder_layers = options.decoder_layers;
  return sizes;
}

}  // namespace

Family rnn_family() {
  Family row{make_rnn, rnn_to_script};
  row.sizes = sizes_of_rnn;
  return row;
}

}  // namespace ventris::backend
