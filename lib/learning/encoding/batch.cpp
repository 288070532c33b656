#include "encoding/batch.h"

#include <span>

#include "backend/scorer_tools.h"

namespace ventris::encoding {

PaddedBatch pad(const std::vector<const Input*>& batch, const core::SpecialIds& ids, torch::Device device) {
  std::vector<std::span<const int32_t>> rows;
  for (const Input* input : batch) rows.emplace_back(input->ids);
  backend::ScorerOptions options;
  options.device = device;
  options.ids = ids;
  const backend::PaddedSources padded = backend::pad_sources(rows, options);
  return {padded.ids, padded.mask};
}

}  // namespace ventris::encoding
