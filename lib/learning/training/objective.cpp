#include "training/objective.h"

#include <ATen/autocast_mode.h>

#include <algorithm>

namespace ventris::training {
namespace {

/// bf16 arithmetic where it is safe, for as long as the object lives; per thread.
class Autocast {
 public:
  Autocast(torch::Device device, bool enabled)
      : type_(device.type()), before_(at::autocast::is_autocast_enabled(type_)) {
    at::autocast::set_autocast_enabled(type_, enabled);
    if (enabled) at::autocast::set_autocast_dtype(type_, torch::kBFloat16);
    at::autocast::increment_nesting();
  }
  ~Autocast() {
    if (at::autocast::decrement_nesting() == 0) at::autocast::clear_cache();
    at::autocast::set_autocast_enabled(type_, before_);
  }
  Autocast(const Autocast&) = delete;
  Autocast& operator=(const Autocast&) = delete;

 private:
  at::DeviceType type_;
  bool before_;
};

}  // namespace

PassResult& PassResult::operator+=(const PassResult& other) {
  loss += other.loss;
  nll += other.nll;
  target_tokens += other.target_tokens;
  target_weight += other.target_weight;
  return *this;
}

void add_measures(const std::vector<Measure>& measures, std::vector<Measure>& sum) {
  sum.resize(std::max(sum.size(), measures.size()));
  for (size_t i = 0; i < measures.size(); ++i) {
    sum[i].name = measures[i].name;
    sum[i].sum += measures[i].sum;
    sum[i].count += measures[i].count;
  }
}

torch::Tensor to_tensor(const std::vector<int32_t>& ids, int64_t rows, int64_t columns, torch::Device device) {
  const auto tensor = torch::from_blob(const_cast<int32_t*>(ids.data()), {rows, columns}, torch::kInt);
  return tensor.to(torch::kLong).to(device);
}

PassResult run_batch(const Objective& objective, nn::ModelImpl& model, const data::Batch& batch,
                     const PassOptions& options, bool learn, std::vector<Measure>* measures) {
  PassResult result;
  if (batch.sentences == 0) return result;
  BatchLoss found;
  {
    const Autocast autocast(options.device, options.bf16);
    found = objective.loss(model, batch, learn);
  }
  if (learn) found.loss.backward();
  result.loss = found.loss.item<double>();
  result.nll = found.nll.item<double>();
  result.target_tokens = batch.target_tokens;
  result.target_weight = batch.target_weight;
  if (measures != nullptr) add_measures(found.measures, *measures);
  return result;
}

}  // namespace ventris::training
