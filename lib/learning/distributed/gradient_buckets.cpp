#include "distributed/gradient_buckets.h"

#include <utility>

namespace ventris::distributed {

GradientBuckets::GradientBuckets(const std::vector<nn::NamedParameter>& parameters, int64_t first_bytes, int64_t bytes)
    : gradients_(parameters.size()) {
  std::vector<size_t> members;
  int64_t filled = 0;
  for (size_t p = parameters.size(); p-- > 0;) {
    members.push_back(p);
    filled += static_cast<int64_t>(parameters[p].value.nbytes());
    if (filled < (buckets_.empty() ? first_bytes : bytes)) continue;
    allot(parameters, std::exchange(members, {}));
    filled = 0;
  }
  if (!members.empty()) allot(parameters, std::move(members));
}

void GradientBuckets::allot(const std::vector<nn::NamedParameter>& parameters, std::vector<size_t> members) {
  int64_t elements = 0;
  for (const size_t p : members) elements += parameters[p].value.numel();
  const auto flat = torch::zeros({elements}, parameters[members.front()].value.options().requires_grad(false));
  int64_t start = 0;
  for (const size_t p : members) {
    const auto& value = parameters[p].value;
    gradients_[p] = flat.narrow(0, start, value.numel()).view(value.sizes());
    start += value.numel();
  }
  buckets_.push_back({std::move(members), flat});
}

}  // namespace ventris::distributed
