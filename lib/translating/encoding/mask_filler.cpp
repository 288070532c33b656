#include "encoding/mask_filler.h"

#include <algorithm>
#include <cmath>

#include "architecture/bert_options.h"
#include "core/error.h"
#include "encoding/expected_family.h"

namespace ventris::encoding {
namespace {

constexpr std::string_view kWordStart = "\u2581";

}  // namespace

MaskFiller::MaskFiller(const EncoderPool& encoders, int64_t most) : encoders_(encoders), inputs_(encoders.package()) {
  expect_family(encoders.package(), "bert");
  if (inputs_.mask_id() < 0) {
    fail<ModelError>(encoders.package().path, ": the tokenizer has no piece ", architecture::BertArchitecture::kMask);
  }
  const core::SpecialIds& ids = inputs_.ids();
  for (int32_t id = 0; id < inputs_.tokenizer().size(); ++id) {
    const bool special = id == ids.pad || id == ids.unk || id == ids.bos || id == ids.eos || id == inputs_.mask_id();
    if (!special) candidates_.push_back(id);
  }
  most_ = std::min(static_cast<size_t>(most), candidates_.size());
}

bool MaskFiller::has_mask(const Input& input) const {
  return std::ranges::find(input.ids, inputs_.mask_id()) != input.ids.end();
}

FilledWord MaskFiller::filled_word(int32_t id, float probability) const {
  const std::string& piece = inputs_.tokenizer().piece(id);
  return {piece, piece.starts_with(kWordStart) ? piece.substr(kWordStart.size()) : piece,
          static_cast<double>(probability)};
}

std::vector<FilledWord> MaskFiller::best(std::span<const float> probabilities) const {
  if (!std::isfinite(probabilities.front())) {
    fail<ModelError>(encoders_.package().path, ": gave a probability that is not finite; its weights are not usable");
  }
  const auto more_probable = [&](int32_t a, int32_t b) {
    const float of_a = probabilities[static_cast<size_t>(a)], of_b = probabilities[static_cast<size_t>(b)];
    return of_a > of_b || (of_a == of_b && a < b);
  };
  std::vector<int32_t> ids(most_);
  std::ranges::partial_sort_copy(candidates_, ids, more_probable);
  std::vector<FilledWord> words;
  for (const int32_t id : ids) words.push_back(filled_word(id, probabilities[static_cast<size_t>(id)]));
  return words;
}

std::vector<FilledLine> MaskFiller::fill(const std::vector<const Input*>& batch) const {
  std::vector<size_t> places;
  size_t first = 0;  // token of an input
  for (const Input* input : batch) {
    for (size_t i = 0; i < input->ids.size(); ++i) {
      if (input->ids[i] == inputs_.mask_id()) places.push_back(first + i);
    }
    first += input->ids.size();
  }
  const auto texts = texts_of(batch);
  const auto encoder = encoders_.lend();
  std::span<const float> probabilities = (*encoder)->token_probabilities(texts, places);  // [places, vocab]
  const auto vocab = static_cast<size_t>(inputs_.tokenizer().size());
  std::vector<FilledLine> lines;
  for (const Input* input : batch) {
    FilledLine line;
    for (auto masks = std::ranges::count(input->ids, inputs_.mask_id()); masks > 0; --masks) {
      line.push_back(best(probabilities.first(vocab)));
      probabilities = probabilities.subspan(vocab);
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace ventris::encoding
