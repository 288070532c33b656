#include "nat/scorer.h"

#include <stdexcept>
#include <utility>

#include "nat/ctc.h"
#include "nat/nat_decoder.h"
#include "nat/nat_pair_scorer.h"

namespace ventris::nat {
namespace {

using decoding::Decoder;
using decoding::PairScorer;
using decoding::ScorerFactory;
using decoding::StepScorer;

class NatFactory : public ScorerFactory {
 public:
  explicit NatFactory(std::function<std::unique_ptr<NatScorer>()> make) : make_(std::move(make)) {}

  std::unique_ptr<Decoder> make_decoder() const override { return make_nat_decoder(make_()); }
  std::unique_ptr<StepScorer> make() const override {
    throw std::logic_error("ScorerFactory: this model does not write token by token");
  }
  std::unique_ptr<PairScorer> make_pair_scorer() const override { return make_nat_pair_scorer(make_()); }

 private:
  std::function<std::unique_ptr<NatScorer>()> make_;
};

}  // namespace

std::vector<int32_t> excluded_symbols(const NatInfo& info) {
  std::vector<int32_t> excluded;
  for (const int32_t id : info.never) {
    if (!info.options.ctc() || id != info.ids.pad) excluded.push_back(id);
  }
  if (info.options.ctc() || info.options.predicts_length()) excluded.push_back(info.ids.eos);
  return excluded;
}

std::vector<float> ctc_log_probs(NatOutput& output, std::span<const int32_t> tokens, int32_t blank) {
  std::vector<int32_t> symbols{blank};
  symbols.insert(symbols.end(), tokens.begin(), tokens.end());
  return ctc_token_log_probs(output.log_probs_of(symbols), tokens);
}

std::unique_ptr<ScorerFactory> make_nat_factory(std::function<std::unique_ptr<NatScorer>()> make) {
  return std::make_unique<NatFactory>(std::move(make));
}

}  // namespace ventris::nat
