#pragma once
#include "core/special_ids.h"
#include "data/batch_plan.h"

namespace ventris::data {

/// Makes batches from labelled texts (data/labels.h), for a classifier over [CLS]:
///   source   [CLS] text [SEP], padding; [CLS] is bos, [SEP] is eos
///   classes  the number of the label
/// Each text counts as one target token. `target_in`, `target_out` and `segments` are empty.
class LabelledBatchMaker : public BatchMaker {
 public:
  explicit LabelledBatchMaker(const core::SpecialIds& ids = {}) : ids_(ids) {}
  Batch make(std::span<const SentencePair> texts, const BatchSource& source) const override;

 private:
  core::SpecialIds ids_;
};

}  // namespace ventris::data
