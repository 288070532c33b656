#pragma once
#include <string>
#include <vector>

#include "architecture/rnn_options.h"

namespace ventris::test {

/// Small recurrent models of every kind: both cells, one layer and two, every attention, fed and not.
inline std::vector<architecture::RnnOptions> rnn_kinds() {
  using architecture::RecurrentCell;
  using architecture::Scoring;
  std::vector<architecture::RnnOptions> all;
  for (const RecurrentCell cell : {RecurrentCell::kGru, RecurrentCell::kLstm}) {
    for (const Scoring attention : {Scoring::kNone, Scoring::kAdditive, Scoring::kDot, Scoring::kBilinear}) {
      for (const bool fed : {false, true}) {
        if (fed && attention == Scoring::kNone) continue;
        architecture::RnnOptions options{.src_vocab = 23, .tgt_vocab = 23, .cell = cell, .d_embedding = 12};
        options.d_hidden = 16;
        options.encoder_layers = cell == RecurrentCell::kLstm ? 2 : 1;
        options.decoder_layers = fed ? 2 : 1;
        options.attention = attention;
        options.input_feeding = fed;
        options.dropout = 0.3;
        options.max_length = 64;
        all.push_back(options);
      }
    }
  }
  return all;
}

/// "lstm_2_1_dot_fed": cell, layers of both sides, attention, whether it is fed.
inline std::string name_of(const architecture::RnnOptions& options) {
  const char* attention[] = {"none", "additive", "dot", "bilinear"};
  return std::string(options.cell == architecture::RecurrentCell::kGru ? "gru" : "lstm") + "_" +
         std::to_string(options.encoder_layers) + "_" + std::to_string(options.decoder_layers) + "_" +
         attention[static_cast<int>(options.attention)] + (options.input_feeding ? "_fed" : "");
}

}  // namespace ventris::test
