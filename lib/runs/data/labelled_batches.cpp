#include "data/labelled_batches.h"

#include <algorithm>

namespace ventris::data {

Batch LabelledBatchMaker::make(std::span<const SentencePair> texts, const BatchSource& /*source*/) const {
  Batch batch;
  batch.sentences = batch.target_tokens = static_cast<int64_t>(texts.size());
  for (const SentencePair& text : texts) {
    batch.src_len = std::max(batch.src_len, static_cast<int64_t>(text.source.size()) + 2);
  }
  batch.tgt_len = 1;
  batch.source.assign(static_cast<size_t>(batch.sentences * batch.src_len), ids_.pad);
  auto row = batch.source.begin();
  for (const SentencePair& text : texts) {
    *row = ids_.bos;
    *std::ranges::copy(text.source, row + 1).out = ids_.eos;
    row += batch.src_len;
    batch.classes.push_back(text.target.at(0));
    batch.target_weight += static_cast<double>(text.weight);
    batch.weights.push_back(text.weight);
  }
  if (std::ranges::all_of(batch.weights, [](float weight) { return weight == 1; })) batch.weights.clear();
  return batch;
}

}  // namespace ventris::data
