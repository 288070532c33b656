#include "training/replicas.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/autocast_mode.h>

#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include "core/random.h"
#include "nn/loss.h"
#include "nn/masks.h"
#include "nn/random_scope.h"
#include "text/tokenizer.h"

namespace ventris::training {
namespace {

torch::Tensor to_tensor(const std::vector<int32_t>& ids, int64_t rows, int64_t columns, torch::Device device) {
  auto tensor = torch::from_blob(const_cast<int32_t*>(ids.data()), {rows, columns}, torch::kInt);
  return tensor.to(torch::kLong).to(device);  // [sentences, len]
}

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

at::Generator seeded_generator(torch::Device device, uint64_t seed) {
  if (device.is_cpu()) return at::detail::createCPUGenerator(seed);
  auto generator = at::globalContext().defaultGenerator(device);
  const std::lock_guard lock(generator.mutex());
  generator.set_current_seed(seed);
  return generator;
}

/// The sentences' weights for each of the positions `wanted` of [sentences * tgt_len]; undefined if all are 1.
torch::Tensor token_weights(const data::Batch& batch, const torch::Tensor& wanted, torch::Device device) {
  if (batch.weights.empty()) return {};
  const auto of_sentences = torch::tensor(batch.weights).to(device).unsqueeze(1);  // [sentences, 1]
  return of_sentences.expand({batch.sentences, batch.tgt_len}).flatten().index_select(0, wanted);  // [tokens]
}

}  // namespace

torch::Tensor drop_words(const torch::Tensor& ids, const PassOptions& options) {
  if (options.word_dropout <= 0) return ids;
  const auto drawn = torch::empty(ids.sizes(), ids.options().dtype(torch::kFloat))
                         .uniform_(0, 1, nn::RandomScope::current());  // [sentences, len]
  const int64_t last_special = text::SpecialIds{}.eos;
  return ids.masked_fill(drawn.lt(options.word_dropout).logical_and_(ids.gt(last_special)), options.unk);
}

PassResult run_batch(nn::EncoderDecoder& model, const data::Batch& batch, const PassOptions& options, bool learn) {
  PassResult result;
  if (batch.sentences == 0) return result;
  auto source = to_tensor(batch.source, batch.sentences, batch.src_len, options.device);
  auto target_in = to_tensor(batch.target_in, batch.sentences, batch.tgt_len, options.device);
  const auto target_out = to_tensor(batch.target_out, batch.sentences, batch.tgt_len, options.device).flatten();
  const int64_t passes = learn && options.r_drop > 0 ? 2 : 1;
  if (passes > 1) {  // both at once, as one batch of twice the size: each sentence gets two draws of dropout
    source = source.repeat({passes, 1});
    target_in = target_in.repeat({passes, 1});
  }
  if (learn) {
    source = drop_words(source, options);
    target_in = drop_words(target_in, options);
  }
  nn::LossResult loss;
  {
    const Autocast autocast(options.device, options.bf16);
    const auto hidden =
        model->forward(source, target_in, nn::padding_mask(source, options.pad),
                       nn::target_mask(target_in, options.pad));  // [passes * sentences, tgt_len, d_model]
    // Positions that are padding teach nothing: the largest product of a step is done without them.
    const auto wanted = target_out.ne(options.pad).nonzero().squeeze(1);  // [tokens]
    const auto states = hidden.view({passes, target_out.size(0), -1}).index_select(1, wanted).flatten(0, 1);
    const auto& proj = model->generator->proj;
    loss = nn::generator_loss(states, proj->weight, proj->bias, target_out.index_select(0, wanted),
                              options.label_smoothing, options.pad, passes > 1 ? options.r_drop : 0,
                              token_weights(batch, wanted, options.device));
  }
  if (learn) (passes > 1 ? loss.loss / passes : loss.loss).backward();
  result.loss = loss.loss.item<double>() / static_cast<double>(passes);
  result.nll = loss.nll.item<double>() / static_cast<double>(passes);
  result.target_tokens = batch.target_tokens;
  result.target_weight = batch.target_weight;
  return result;
}

/// One replica and its thread. The thread sleeps until it is handed a batch.
struct Replicas::Worker {
  /// `buckets` may be null: nobody waits for one then.
  Worker(nn::EncoderDecoder module, const PassOptions& pass, const GradientBuckets* buckets)
      : model(std::move(module)), parameters(distinct_named_parameters(*model)), options(pass) {
    if (buckets != nullptr) watch(*buckets);
    thread = std::thread([this] { loop(); });
  }

  ~Worker() {
    {
      const std::lock_guard lock(mutex);
      quit = true;
    }
    wake.notify_all();
    thread.join();
    if (members.empty()) return;
    for (const auto& parameter : parameters) torch::autograd::impl::set_post_acc_grad_hooks(parameter.value, nullptr);
  }

  /// Counts from now on which gradients of a pass are complete.
  void watch(const GradientBuckets& buckets) {
    for (size_t b = 0; b < buckets.size(); ++b) {
      members.push_back(buckets.members(b).size());
      for (const size_t p : buckets.members(b))
        torch::autograd::impl::set_post_acc_grad_hooks(parameters[p].value, std::make_unique<Completion>(*this, b));
    }
  }

  void start(const data::Batch& work, uint64_t work_seed) {
    const std::lock_guard lock(mutex);
    batch = &work;
    seed = work_seed;
    missing = members;
    wake.notify_all();
  }

  PassResult wait() {
    std::unique_lock lock(mutex);
    wake.wait(lock, [this] { return batch == nullptr; });
    if (error) std::rethrow_exception(std::exchange(error, nullptr));
    return result;
  }

  /// Until this pass will change the bucket's gradients no more.
  void wait_for(size_t bucket) {
    std::unique_lock lock(mutex);
    wake.wait(lock, [&] { return batch == nullptr || missing[bucket] == 0; });
  }

  void completed(size_t bucket) {
    const std::lock_guard lock(mutex);
    if (--missing[bucket] == 0) wake.notify_all();
  }

  void loop() {
    at::set_num_threads(1);
    std::unique_lock lock(mutex);
    while (true) {
      wake.wait(lock, [this] { return quit || batch != nullptr; });
      if (quit) return;
      lock.unlock();
      work();
      lock.lock();
      batch = nullptr;
      wake.notify_all();
    }
  }

  void work() {
    try {
      const nn::RandomScope random(seeded_generator(options.device, seed));
      result = run_batch(model, *batch, options, /*learn=*/true);
    } catch (...) {
      error = std::current_exception();
    }
  }

  /// Called by a backward pass when a parameter's gradient is complete.
  struct Completion final : torch::autograd::PostAccumulateGradHook {
    Completion(Worker& owner, size_t its_bucket) : worker(owner), bucket(its_bucket) {}
    void operator()(const torch::Tensor&) override { worker.completed(bucket); }
    Worker& worker;
    size_t bucket;
  };

  nn::EncoderDecoder model;
  std::vector<NamedParameter> parameters;
  PassOptions options;
  std::vector<size_t> members;  // how many parameters each bucket has
  std::mutex mutex;
  std::condition_variable wake;
  const data::Batch* batch = nullptr;  // null = idle
  uint64_t seed = 0;
  std::vector<size_t> missing;  // how many gradients each bucket waits for
  bool quit = false;
  PassResult result;
  std::exception_ptr error;
  std::thread thread;
};

Replicas::Replicas(nn::EncoderDecoder model, int count, const std::function<nn::EncoderDecoder()>& make,
                   const PassOptions& options, std::shared_ptr<ProcessGroup> group, int64_t bucket_bytes)
    : group_(std::move(group)), options_(options) {
  model->to(options.device);
  const auto originals = distinct_named_parameters(*model);
  if (group_->size() > 1) {
    buckets_ = bucket_bytes > 0 ? std::make_unique<GradientBuckets>(originals, bucket_bytes, bucket_bytes)
                                : std::make_unique<GradientBuckets>(originals);
  }
  for (int i = 0; i < count; ++i) {
    nn::EncoderDecoder copy = i == 0 ? model : make();
    copy->to(options.device);
    if (i > 0) {
      const auto copies = distinct_named_parameters(*copy);
      for (size_t p = 0; p < copies.size(); ++p)
        copies[p].value.set_data(originals[p].value.detach());  // shared memory
    }
    copy->train();
    workers_.push_back(std::make_unique<Worker>(std::move(copy), options, buckets_.get()));
  }
}

Replicas::~Replicas() = default;

PassResult Replicas::run(const std::vector<data::Batch>& parts, uint64_t seed, Pass pass) {
  const size_t first = static_cast<size_t>(group_->rank()) * workers_.size();
  for (size_t i = 0; i < workers_.size(); ++i) workers_[i]->start(parts.at(i), core::derive_seed(seed, first + i));
  std::exception_ptr error;
  try {
    if (buckets_ && pass == Pass::kLast) start_sums();
  } catch (...) {
    error = std::current_exception();
  }
  PassResult sum;
  for (const auto& worker : workers_) {
    try {
      const PassResult part = worker->wait();
      sum.loss += part.loss;
      sum.nll += part.nll;
      sum.target_tokens += part.target_tokens;
      sum.target_weight += part.target_weight;
    } catch (...) {
      if (!error) error = std::current_exception();
    }
  }
  if (error) std::rethrow_exception(error);
  return sum;
}

/// Sums each bucket as soon as all replicas have it, in the one order that all processes share.
void Replicas::start_sums() {
  const torch::NoGradGuard no_grad;
  for (size_t b = 0; b < buckets_->size(); ++b) {
    for (const auto& worker : workers_) worker->wait_for(b);
    for (const size_t p : buckets_->members(b)) {
      const auto sum = take_gradient(p);
      const auto& room = buckets_->gradients()[p];
      sum.defined() ? room.copy_(sum) : room.zero_();
    }
    sums_.push_back(group_->start_sum(buckets_->flat(b)));
  }
}

/// Takes one parameter's gradient, summed over the replicas; undefined if none arose.
torch::Tensor Replicas::take_gradient(size_t parameter) {
  torch::Tensor sum;
  for (const auto& worker : workers_) {
    auto& gradient = worker->parameters[parameter].value.mutable_grad();
    if (!gradient.defined()) continue;
    sum = sum.defined() ? sum.add_(gradient) : gradient;
    gradient = torch::Tensor();
  }
  return sum;
}

std::vector<torch::Tensor> Replicas::take_gradients(double scale) {
  const torch::NoGradGuard no_grad;
  std::vector<torch::Tensor> sums;
  if (buckets_) {
    for (const auto& sum : std::exchange(sums_, {})) sum->wait();
    sums = buckets_->gradients();
  } else {
    for (size_t p = 0; p < workers_.front()->parameters.size(); ++p) {
      const auto sum = take_gradient(p);
      sums.push_back(sum.defined() ? sum : torch::zeros_like(workers_.front()->parameters[p].value));
    }
  }
  at::_foreach_mul_(sums, scale);
  return sums;
}

}  // namespace ventris::training
