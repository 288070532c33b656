#include "decoding/decoder.h"

#include <stdexcept>
#include <utility>

#include "decoding/row_scorer.h"
#include "decoding/stream_search.h"

namespace ventris::decoding {
namespace {

class SearchDecoder : public Decoder {
 public:
  explicit SearchDecoder(std::unique_ptr<StepScorer> scorer) : scorer_(std::move(scorer)) {}

  int64_t max_length() const override { return scorer_->info().max_length; }
  MemoryNeeds memory() const override { return with_search(scorer_->info().memory); }

  std::vector<std::vector<Hypothesis>> decode(std::span<const Sentence> sentences,
                                              const SearchOptions& options) override {
    return search(*scorer_, sentences, options);
  }

  void translate(SentenceStream& stream, const SearchOptions& options, const DecodeLimits& limits) override {
    search_stream(*scorer_, stream, options, limits);
  }

 private:
  std::unique_ptr<StepScorer> scorer_;
};

}  // namespace

void Decoder::translate(SentenceStream& stream, const SearchOptions& options, const DecodeLimits& limits) {
  const MemoryNeeds needs = memory();
  for (;;) {
    std::vector<const Sentence*> taken;
    std::vector<Sentence> sentences;
    Load load;
    const auto fits_in = [&](const Sentence& next) {
      const Load grown = load.plus(load_of(next, options, max_length()));
      if (!taken.empty() && !fits(grown, needs, limits)) return false;
      load = grown;
      return true;
    };
    while (const Sentence* sentence = stream.take(fits_in)) {
      taken.push_back(sentence);
      sentences.push_back(*sentence);
    }
    if (taken.empty()) return;
    auto results = decode(sentences, options);
    for (size_t i = 0; i < taken.size(); ++i) stream.done(*taken[i], std::move(results[i]));
  }
}

std::unique_ptr<Decoder> make_search_decoder(std::unique_ptr<StepScorer> scorer) {
  return std::make_unique<SearchDecoder>(std::move(scorer));
}

std::unique_ptr<Decoder> ScorerFactory::make_decoder() const { return make_search_decoder(make()); }

std::unique_ptr<RowScorer> ScorerFactory::make_row_scorer() const {
  throw std::logic_error("ScorerFactory: this model cannot be part of an ensemble");
}

}  // namespace ventris::decoding
