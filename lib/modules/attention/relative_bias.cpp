#include "attention/relative_bias.h"

namespace ventris::attention {

using torch::Tensor;

namespace {

constexpr double kFirstDeviation = 0.05;

}  // namespace

RelativeBiasImpl::RelativeBiasImpl(const architecture::RelativeBuckets& buckets, int64_t heads) : buckets_(buckets) {
  weight = register_parameter("weight", torch::randn({buckets.count, heads}) * kFirstDeviation);
  starts = register_buffer("starts", torch::tensor(buckets.starts(), torch::kLong));
}

/// distances [...] (long), key - query -> [..., heads].
Tensor RelativeBiasImpl::terms_of(const Tensor& distances) {
  const Tensor far = buckets_.both_directions ? distances.abs() : distances.neg().clamp_min(0);
  Tensor bucket = at::bucketize(far, starts, /*out_int32=*/false, /*right=*/true);
  if (buckets_.both_directions) bucket = bucket + distances.gt(0) * buckets_.of_direction();
  return at::embedding(weight, bucket);
}

Tensor RelativeBiasImpl::forward(int64_t len) {
  const Tensor terms = terms_of(torch::arange(1 - len, len, starts.options()));  // [2 len - 1, heads]
  // The distances of query i are those from -i on, so that windows of `len` terms are the rows from the last query up.
  return terms.t().unfold(1, len, 1).flip(1).unsqueeze(0);
}

Tensor RelativeBiasImpl::at(const Tensor& positions, int64_t count) {
  const Tensor distances = torch::arange(count, starts.options()) - positions.unsqueeze(1);  // [rows, count]
  return terms_of(distances).transpose(1, 2).unsqueeze(2);
}

void RelativeBiasImpl::pretty_print(std::ostream& out) const {
  out << "ventris::attention::RelativeBias(buckets=" << buckets_.count << ", max_distance=" << buckets_.most_distance
      << (buckets_.both_directions ? "" : ", causal") << ")";
}

}  // namespace ventris::attention
