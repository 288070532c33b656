#pragma once
#include <cstdint>
#include <vector>

#include "data/batch_plan.h"
#include "data/corpus.h"
#include "families/transformer.h"

namespace ventris::test {

/// Two layers on each side, 20 ids.
inline families::EncoderDecoder tiny_model(double dropout) {
  return families::make_model(nn::TransformerOptions{.src_vocab = 20,
                                                     .tgt_vocab = 20,
                                                     .encoder_layers = 2,
                                                     .decoder_layers = 2,
                                                     .d_model = 16,
                                                     .d_ff = 32,
                                                     .heads = 4,
                                                     .dropout = dropout,
                                                     .max_positions = 32,
                                                     .tying = nn::Tying::kAll});
}

/// 12 pairs of 1 to 5 of these ids.
inline data::ParallelCorpus tiny_pairs() {
  data::ParallelCorpus pairs;
  for (int32_t i = 0; i < 12; ++i) {
    std::vector<int32_t> source, target;
    for (int32_t j = 0; j <= i % 5; ++j) {
      source.push_back(4 + (i * 3 + j) % 16);
      target.push_back(4 + (i * 5 + j * 2) % 16);
    }
    pairs.add(source, target);
  }
  return pairs;
}

inline data::Batch tiny_batch() {
  const auto pairs = tiny_pairs();
  std::vector<uint32_t> all;
  for (uint32_t i = 0; i < pairs.size(); ++i) all.push_back(i);
  return data::PairBatchMaker().make(data::read_pairs(pairs, all));
}

}  // namespace ventris::test
