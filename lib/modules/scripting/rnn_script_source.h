#pragma once
#include <string>

#include "architecture/rnn_options.h"
#include "text/tokenizer.h"

/// The TorchScript source of each class of an exported recurrent model. Loops over layers are unrolled. The memory that
/// `encode` returns has the output of the encoder and, after it at every position, the first states of the decoder, so
/// that one tensor [batch, src_len, width] is all that `decode` needs.
namespace ventris::scripting {

/// One source text per class, which contains the sizes and other settings.
struct RnnScriptSource {
  const architecture::RnnOptions& options;
  core::SpecialIds ids = {};

  std::string encoder_rnn() const;  ///< the recurrent layers of the encoder
  std::string decoder_rnn() const;
  std::string attention() const;
  std::string encoder() const;
  std::string decoder() const;
  std::string encoder_decoder() const;

 private:
  bool has_cells() const { return options.cell == architecture::RecurrentCell::kLstm; }
  int64_t kinds() const { return has_cells() ? 2 : 1; }  // of states per layer
  /// The parameters of a layer, as the kernels take them.
  std::string weights(int64_t layer, bool both_directions) const;
  std::string first_states() const;
  std::string pre_output() const;
  std::string run() const;
  std::string run_fed() const;
};

}  // namespace ventris::scripting
