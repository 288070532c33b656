#include "training/replicas.h"

#include <ATen/CPUGeneratorImpl.h>

#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include "core/random.h"
#include "core/resources.h"
#include "nn/random_scope.h"

namespace ventris::training {
namespace {

at::Generator seeded_generator(torch::Device device, uint64_t seed) {
  if (device.is_cpu()) return at::detail::createCPUGenerator(seed);
  auto generator = at::globalContext().defaultGenerator(device);
  const std::lock_guard lock(generator.mutex());
  generator.set_current_seed(seed);
  return generator;
}

}  // namespace

void share_parameters(const std::vector<NamedParameter>& from, const std::vector<NamedParameter>& to) {
  for (size_t i = 0; i < to.size(); ++i) to[i].value.set_data(from[i].value.detach());
}

/// One replica and its thread, which sleeps until it gets a batch.
struct Replicas::Worker {
  /// `buckets` may be null if there is only one process.
  Worker(nn::Model module, const Objective& taught, const PassOptions& pass,
         const distributed::GradientBuckets* buckets)
      : model(std::move(module)), objective(taught), parameters(distinct_named_parameters(*model)), options(pass) {
    if (buckets != nullptr) watch(*buckets);
    thread = core::start_thread([this] { loop(); });
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

  /// Begins to count which gradients of a pass are complete.
  void watch(const distributed::GradientBuckets& buckets) {
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

  /// Waits until this pass no longer changes the gradients of the bucket.
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
      result = run_batch(objective, *model, *batch, options, /*learn=*/true);
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

  nn::Model model;
  const Objective& objective;
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

Replicas::Replicas(nn::Model model, int count, const std::function<nn::Model()>& make,
                   std::shared_ptr<const Objective> objective, const PassOptions& options,
                   std::shared_ptr<distributed::ProcessGroup> group, int64_t bucket_bytes)
    : group_(std::move(group)), objective_(std::move(objective)), options_(options) {
  model->to(options.device);
  const auto originals = distinct_named_parameters(*model);
  if (group_->size() > 1) {
    buckets_ = bucket_bytes > 0 ? std::make_unique<distributed::GradientBuckets>(originals, bucket_bytes, bucket_bytes)
                                : std::make_unique<distributed::GradientBuckets>(originals);
  }
  for (int i = 0; i < count; ++i) {
    nn::Model copy = i == 0 ? model : make();
    copy->to(options.device);
    if (i > 0) share_parameters(originals, distinct_named_parameters(*copy));
    copy->train();
    workers_.push_back(std::make_unique<Worker>(std::move(copy), *objective_, options, buckets_.get()));
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
      sum += worker->wait();
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

/// Takes the gradient of one parameter, summed over the replicas; undefined if there is none.
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
