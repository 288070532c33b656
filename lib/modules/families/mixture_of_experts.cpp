#include "families/mixture_of_experts.h"

#include <vector>

#include "nn/full_precision.h"

namespace ventris::families {

using torch::Tensor;

MixtureOfExpertsImpl::MixtureOfExpertsImpl(const nn::TransformerOptions& options)
    : experts_per_token_(options.experts_per_token) {
  router =
      register_module("router", nn::Linear(torch::nn::LinearOptions(options.d_model, options.experts).bias(false)));
  experts = register_module("experts", torch::nn::ModuleList());
  for (int64_t i = 0; i < options.experts; ++i) experts->push_back(PositionwiseFeedForward(options));
}

Tensor MixtureOfExpertsImpl::forward(const Tensor& x) {
  const Tensor tokens = x.flatten(0, -2);  // [tokens, d_model]
  const Tensor probabilities = nn::full_matmul(tokens, router->weight.t()).softmax(-1);  // [tokens, experts]
  if (Tensor* kept = nn::RouterWatch::place_for(*this)) {
    *kept = probabilities.view({x.size(0), x.size(1), probabilities.size(-1)});
  }
  if (tokens.size(0) == 0) return torch::zeros_like(x);
  auto [shares, chosen] = probabilities.topk(experts_per_token_, -1);  // [tokens, experts_per_token]
  if (experts_per_token_ > 1) shares = shares / shares.sum(-1, /*keepdim=*/true);

  // Each choice, sorted by expert, so that the inputs of an expert are next to each other.
  const Tensor order = chosen.flatten().argsort(/*stable=*/true);  // [choices]
  const Tensor counts = chosen.flatten().bincount(/*weights=*/{}, probabilities.size(-1)).cpu();
  const Tensor inputs = tokens.index_select(0, order.div(experts_per_token_, "floor"));
  std::vector<Tensor> outputs;
  for (int64_t expert = 0, first = 0; expert < counts.size(0); ++expert) {
    const auto count = counts[expert].item<int64_t>();
    if (count > 0) {
      outputs.push_back(experts->ptr<PositionwiseFeedForwardImpl>(expert)->forward(inputs.narrow(0, first, count)));
    }
    first += count;
  }
  const Tensor place = torch::empty_like(order).scatter_(0, order, torch::arange(order.size(0), order.options()));
  const Tensor results = torch::cat(outputs).index_select(0, place).view({tokens.size(0), experts_per_token_, -1});
  return (results * shares.unsqueeze(-1).to(results.scalar_type())).sum(1).view(x.sizes());
}

void MixtureOfExpertsImpl::pretty_print(std::ostream& out) const {
  out << "ventris::families::MixtureOfExperts(experts=" << experts->size()
      << ", experts_per_token=" << experts_per_token_ << ")";
}

}  // namespace ventris::families
