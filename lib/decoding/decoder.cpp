#include "decoding/decoder.h"

#include <stdexcept>
#include <utility>

#include "decoding/row_scorer.h"

namespace ventris::decoding {
namespace {

class SearchDecoder : public Decoder {
 public:
  explicit SearchDecoder(std::unique_ptr<StepScorer> scorer) : scorer_(std::move(scorer)) {}

  int64_t max_length() const override { return scorer_->info().max_length; }

  std::vector<std::vector<Hypothesis>> decode(std::span<const Sentence> sentences,
                                              const SearchOptions& options) override {
    return search(*scorer_, sentences, options);
  }

 private:
  std::unique_ptr<StepScorer> scorer_;
};

}  // namespace

std::unique_ptr<Decoder> make_search_decoder(std::unique_ptr<StepScorer> scorer) {
  return std::make_unique<SearchDecoder>(std::move(scorer));
}

std::unique_ptr<Decoder> ScorerFactory::make_decoder() const { return make_search_decoder(make()); }

std::unique_ptr<RowScorer> ScorerFactory::make_row_scorer() const {
  throw std::logic_error("ScorerFactory: this model cannot be part of an ensemble");
}

}  // namespace ventris::decoding
