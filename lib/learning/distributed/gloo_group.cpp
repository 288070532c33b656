#include "distributed/gloo_group.h"

#include <c10/util/Logging.h>
#include <fmt/format.h>
#include <unistd.h>

#ifndef USE_C10D_GLOO  // LibTorch's own CMake files say it too
#define USE_C10D_GLOO
#endif
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>
#ifdef VENTRIS_NCCL
#ifndef USE_C10D_NCCL
#define USE_C10D_NCCL
#endif
#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>
#endif

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <thread>

#include "core/error.h"
#include "core/log.h"
#include "core/process.h"
#include "core/resources.h"
#include "distributed/peer_watch.h"
#include "distributed/sockets.h"
#include "distributed/store_gate.h"

namespace ventris::distributed {
namespace {

using std::chrono::milliseconds;
using StorePtr = c10::intrusive_ptr<c10d::Store>;
using WorkPtr = c10::intrusive_ptr<c10d::Work>;

constexpr milliseconds kStorePoll{50};
constexpr milliseconds kFarewell{1000};
constexpr std::chrono::microseconds kDevicePoll{100};
constexpr milliseconds kLook{500};               // while waiting: time between checks for lost processes
constexpr milliseconds kGroupTimeout{30L * 86'400'000};  // allows long validations; PeerWatch finds lost processes

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

milliseconds milliseconds_of(double seconds) { return milliseconds(static_cast<int64_t>(seconds * 1000)); }

/// If `gate` is not null, the store of this run is in this process, behind it.
StorePtr open_store(const Ranks& ranks, StoreGate* gate) {
  c10d::TCPStoreOptions options;
  options.port = gate != nullptr ? gate->store_port() : ranks.port;
  options.isServer = gate != nullptr;
  if (gate != nullptr) options.masterListenFd = gate->store_socket();
  options.waitWorkers = false;
  options.timeout = milliseconds_of(ranks.join_seconds);
  const std::string host = gate != nullptr ? "127.0.0.1" : ranks.host;
  return c10::make_intrusive<c10d::PrefixStore>("ventris " + ranks.attempt,
                                                c10::make_intrusive<c10d::TCPStore>(host, options));
}

[[noreturn]] void fail_to_listen(const Ranks& ranks, const std::string& reason) {
  const bool taken = reason == std::strerror(EADDRINUSE);
  fail<ConfigError>("MASTER_ADDR, MASTER_PORT: rank 0 cannot listen at ", ranks.host, ":", ranks.port, ": ",
                    taken ? "the port is in use; give all processes another one" : reason);
}

/// If threads or memory were refused, that is the error, and not what the caller makes of it.
void fail_for_resources(const std::exception& error) {
  if (dynamic_cast<const ResourceError*>(&error) != nullptr) throw ResourceError(error.what());
  if (const auto problem = core::resource_problem(error)) throw ResourceError(*problem);
}

/// Opens the store of this run in this process, and the gate to it.
StorePtr listen(const Ranks& ranks, std::unique_ptr<StoreGate>& gate) {
  try {
    gate = std::make_unique<StoreGate>(ranks.port);
    StorePtr store = open_store(ranks, gate.get());
    gate->open();
    return store;
  } catch (const PortError& error) {
    fail_to_listen(ranks, error.what());
  } catch (const std::exception& error) {
    fail_for_resources(error);
    fail_to_listen(ranks, first_line(error.what()));
  }
}

/// Opens a connection to the store, in this or another process.
StorePtr connect_store(const Ranks& ranks) {
  std::string why = wait_for_listener(ranks.host, ranks.port, ranks.join_seconds);
  try {
    if (why.empty()) return open_store(ranks, nullptr);
  } catch (const std::exception& error) {
    fail_for_resources(error);
    why = first_line(error.what());
  }
  fail<ConfigError>("MASTER_ADDR, MASTER_PORT: rank ", ranks.rank, " could not reach rank 0 at ", ranks.host, ":",
                    ranks.port, " within ", ranks.join_seconds, " seconds (VENTRIS_JOIN_SECONDS): ", why);
}

/// The store ends with rank 0. Therefore rank 0 waits before it fails, so that the others can read what they need.
void farewell(const Ranks& ranks) {
  if (ranks.rank == 0) std::this_thread::sleep_for(kFarewell);
}

/// What a process tells the others about itself on arrival.
struct Arrival {
  std::string machine;
  std::string address;  // where the others can reach it; empty for rank 0, which chooses its own later
  int size = 0;

  std::string text() const { return machine + "\n" + address + "\n" + std::to_string(size); }
  static Arrival parse(const std::string& text) {
    Arrival arrival;
    std::istringstream lines(text);
    std::getline(lines, arrival.machine);
    std::getline(lines, arrival.address);
    lines >> arrival.size;
    return arrival;
  }
};

std::string machine_name() {
  std::string name(256, '\0');
  gethostname(name.data(), name.size() - 1);
  name.resize(name.find('\0'));
  return name;
}

/// The processes find each other: each claims its rank, says who it is, and waits for all others.
class Meeting {
 public:
  Meeting(StorePtr store, const Ranks& ranks) : store_(std::move(store)), ranks_(ranks) {
    until_ = core::seconds_now() + ranks_.join_seconds;
  }

  std::vector<Arrival> arrivals() {
    try {
      return meet();
    } catch (const ConfigError&) {
      farewell(ranks_);
      throw;
    } catch (const c10::Error&) {
      fail<ConfigError>("MASTER_ADDR, MASTER_PORT: rank 0 at ", ranks_.host, ":", ranks_.port,
                        " ended before all processes had connected; see its own message");
    }
  }

 private:
  std::vector<Arrival> meet() {
    PeerWatch::give_sign(*store_, ranks_.rank, 0);
    if (store_->add(fmt::format("claims of {}", ranks_.rank), 1) > 1) {
      refuse(fmt::format("RANK: two processes were started as rank {}", ranks_.rank));
    }
    const std::string address = ranks_.rank == 0 ? "" : local_address_towards(ranks_.host, ranks_.port);
    store_->set(key(ranks_.rank), store_value(Arrival{machine_name(), address, ranks_.size}.text()));
    std::vector<Arrival> all;
    for (int rank = 0; rank < ranks_.size; ++rank) {
      all.push_back(arrival_of(rank));
      if (all.back().size == ranks_.size) continue;
      refuse(fmt::format("WORLD_SIZE: is {} for rank {}, but {} for rank {}", ranks_.size, ranks_.rank, all.back().size,
                         rank));
    }
    return all;
  }

  static std::string key(int rank) { return fmt::format("arrival of {}", rank); }

  Arrival arrival_of(int rank) {
    while (!store_->check({key(rank)})) {
      if (store_->check({kRefusal})) fail<ConfigError>(text_of(kRefusal));
      if (core::stop_signal() != 0)
        throw Interrupted(core::stop_signal(), "stopped while waiting for the other processes");
      if (core::seconds_now() > until_) {
        fail<ConfigError>("RANK: no process arrived as rank ", rank, " (of WORLD_SIZE ", ranks_.size, ") within ",
                          ranks_.join_seconds, " seconds (VENTRIS_JOIN_SECONDS); start one for every rank");
      }
      std::this_thread::sleep_for(kStorePoll);
    }
    return Arrival::parse(text_of(key(rank)));
  }

  std::string text_of(const std::string& name) {
    const auto bytes = store_->get(name);
    return {bytes.begin(), bytes.end()};
  }

  [[noreturn]] void refuse(const std::string& problem) {
    store_->set(kRefusal, store_value(problem));
    fail<ConfigError>(problem);
  }

  static constexpr const char* kRefusal = "refusal";

  StorePtr store_;
  Ranks ranks_;
  double until_ = 0;
};

std::shared_ptr<::gloo::transport::Device> device_of_interface(const std::string& name) {
  try {
    return c10d::ProcessGroupGloo::createDeviceForInterface(name);
  } catch (const std::exception& error) {
    fail<ConfigError>("GLOO_SOCKET_IFNAME: expected a network interface of this machine that has an address, got '",
                      name, "': ", first_line(error.what()));
  }
}

/// The address at which the others reach this process: the one on the network by which it reaches them.
std::shared_ptr<::gloo::transport::Device> device_for(const Ranks& ranks, const std::vector<Arrival>& all) {
  if (!ranks.interface.empty()) return device_of_interface(ranks.interface);
  const Arrival& self = all[static_cast<size_t>(ranks.rank)];
  const Arrival* elsewhere = nullptr;
  for (const Arrival& other : all) {
    if (elsewhere == nullptr && other.machine != self.machine) elsewhere = &other;
  }
  std::string address = self.address;
  if (ranks.rank == 0)
    address = local_address_towards((elsewhere != nullptr ? *elsewhere : all[1]).address, ranks.port);
  if (elsewhere != nullptr && (address.starts_with("127.") || address == "::1")) {
    core::log_warning(
        fmt::format("{} offers {}, which other machines cannot reach; give MASTER_ADDR as an address "
                    "in the network, or GLOO_SOCKET_IFNAME",
                    self.machine, address));
  }
  return c10d::ProcessGroupGloo::createDeviceForHostname(address);
}

class GlooGroup final : public ProcessGroup {
 public:
  explicit GlooGroup(const Ranks& ranks)
      : ranks_(ranks),
        store_(ranks.rank == 0 && !ranks.launcher_listens ? listen(ranks, gate_) : connect_store(ranks)) {
    const auto all = Meeting(store_, ranks_).arrivals();
    std::vector<std::string> machines;
    for (const Arrival& arrival : all) machines.push_back(arrival.machine);
    auto options = c10d::ProcessGroupGloo::Options::create(milliseconds_of(ranks_.join_seconds));
    try {
      options->devices.push_back(device_for(ranks_, all));
      gloo_ = c10::make_intrusive<c10d::ProcessGroupGloo>(store_, ranks_.rank, ranks_.size, options);
    } catch (const ConfigError&) {
      farewell(ranks_);
      throw;
    } catch (const std::exception& error) {
      farewell(ranks_);
      fail_for_resources(error);
      ventris::fail<ConfigError>("rank ", ranks_.rank,
                                 " cannot connect to the other processes: ", first_line(error.what()),
                                 "; does a firewall block ports between the machines?");
    }
    watch_ = std::make_unique<PeerWatch>(connect_store(ranks_), ranks_, machines);
  }

  /// If a process was lost, c10d's threads may wait for it for ever, so they are not joined.
  ~GlooGroup() override {
    if (whole_) return;
    gloo_.release();
#ifdef VENTRIS_NCCL
    nccl_.release();
#endif
  }

  int rank() const override { return ranks_.rank; }
  int size() const override { return ranks_.size; }
  std::unique_ptr<Sum> start_sum(torch::Tensor tensor) override;
  std::string broadcast(std::string bytes) override;
  std::vector<std::string> gather(const std::string& bytes) override;
  void leave() override;
  void fail(const std::string& reason) noexcept override;

 private:
  class StartedSum;
  template <typename Start>
  WorkPtr start(const Start& begin);
  void finish(const WorkPtr& work);
  void finish_on_device(const WorkPtr& work);
  void broadcast_tensor(torch::Tensor tensor);
  [[noreturn]] void lose(const std::string& problem);

  Ranks ranks_;
  std::unique_ptr<StoreGate> gate_;  // of rank 0, unless the launcher listens
  StorePtr store_;
  c10::intrusive_ptr<c10d::ProcessGroupGloo> gloo_;
#ifdef VENTRIS_NCCL
  c10::intrusive_ptr<c10d::ProcessGroupNCCL> nccl_;  // made for the first sum on a GPU
#endif
  std::unique_ptr<PeerWatch> watch_;
  bool whole_ = true;  // no process is lost
  bool left_ = false;
};

void GlooGroup::lose(const std::string& problem) {
  whole_ = false;
  ventris::fail<PeerError>(problem);
}

template <typename Start>
WorkPtr GlooGroup::start(const Start& begin) {
  try {
    return begin();
  } catch (const std::bad_alloc&) {  // this process has no memory; no other process failed
    throw;
  } catch (const std::exception& error) {
    lose(watch_->reason_of(first_line(error.what())));
  }
}

void GlooGroup::finish(const WorkPtr& work) {
  while (true) {
    try {
      work->wait(kLook);
      return;
    } catch (const std::exception& error) {
      if (work->exception()) lose(watch_->reason_of(first_line(error.what())));
    }
    if (const std::string problem = watch_->problem(); !problem.empty()) lose(problem);  // otherwise wait on
  }
}

/// Does not use NCCL's wait(), which would give up the sum after its time limit.
void GlooGroup::finish_on_device(const WorkPtr& work) {
  while (!work->isCompleted()) {
    if (const std::string problem = watch_->problem(); !problem.empty()) lose(problem);
    std::this_thread::sleep_for(kDevicePoll);
  }
  if (work->exception()) lose(watch_->reason_of("a sum on a GPU failed"));
  work->synchronize();
}

class GlooGroup::StartedSum final : public Sum {
 public:
  StartedSum(GlooGroup& group, torch::Tensor result, torch::Tensor summed, WorkPtr work)
      : group_(group), result_(std::move(result)), summed_(std::move(summed)), work_(std::move(work)) {}
  void wait() override {
    if (summed_.is_cpu()) {
      group_.finish(work_);
    } else {
      group_.finish_on_device(work_);
    }
    if (!summed_.is_same(result_)) result_.copy_(summed_);
  }

 private:
  GlooGroup& group_;
  torch::Tensor result_, summed_;  // two tensors if gradients of a GPU are summed on the CPU
  WorkPtr work_;
};

std::unique_ptr<ProcessGroup::Sum> GlooGroup::start_sum(torch::Tensor tensor) {
  c10d::AllreduceOptions options;
  options.timeout = kGroupTimeout;
#ifdef VENTRIS_NCCL
  if (tensor.is_cuda()) {
    auto work = start([&] {
      const StorePtr store = c10::make_intrusive<c10d::PrefixStore>("nccl", store_);
      if (!nccl_) nccl_ = c10::make_intrusive<c10d::ProcessGroupNCCL>(store, ranks_.rank, ranks_.size);
      std::vector<torch::Tensor> tensors{tensor};
      return nccl_->allreduce(tensors);
    });
    return std::make_unique<StartedSum>(*this, tensor, tensor, std::move(work));
  }
#endif
  const torch::Tensor summed = tensor.cpu();  // the same tensor if it is on the CPU already
  std::vector<torch::Tensor> tensors{summed};
  auto work = start([&] { return gloo_->allreduce(tensors, options); });
  return std::make_unique<StartedSum>(*this, tensor, summed, std::move(work));
}

void GlooGroup::broadcast_tensor(torch::Tensor tensor) {
  c10d::BroadcastOptions options;
  options.timeout = kGroupTimeout;
  std::vector<torch::Tensor> tensors{tensor};
  finish(start([&] { return gloo_->broadcast(tensors, options); }));
}

std::string GlooGroup::broadcast(std::string bytes) {
  auto length = torch::tensor(static_cast<int64_t>(bytes.size()));
  broadcast_tensor(length);
  bytes.resize(static_cast<size_t>(length.item<int64_t>()));
  if (!bytes.empty())
    broadcast_tensor(torch::from_blob(bytes.data(), static_cast<int64_t>(bytes.size()), torch::kByte));
  return bytes;
}

std::vector<std::string> GlooGroup::gather(const std::string& bytes) {
  c10d::AllgatherOptions options;
  options.timeout = kGroupTimeout;
  const auto length = static_cast<int64_t>(bytes.size());
  std::vector<torch::Tensor> own{torch::from_blob(const_cast<char*>(bytes.data()), length, torch::kByte)};
  std::vector<std::vector<torch::Tensor>> all(1);
  for (int i = 0; i < ranks_.size; ++i) all[0].push_back(torch::empty(length, torch::kByte));
  finish(start([&] { return gloo_->allgather(all, own, options); }));
  std::vector<std::string> texts;
  for (const auto& part : all[0]) texts.emplace_back(static_cast<const char*>(part.data_ptr()), bytes.size());
  return texts;
}

void GlooGroup::leave() {
  try {
    watch_->leave();
  } catch (const std::exception& error) {
    lose(watch_->reason_of(first_line(error.what())));
  }
  if (const std::string problem = watch_->problem(); !problem.empty()) lose(problem);
  left_ = true;
}

void GlooGroup::fail(const std::string& reason) noexcept {
  if (std::exchange(left_, true)) return;
  whole_ = false;
  try {
    if (watch_->problem().empty()) watch_->report(reason);
    watch_->end();
  } catch (const std::exception&) {  // the store is gone, so nobody could read the message
  }
}

}  // namespace

std::unique_ptr<ProcessGroup> join_with_gloo(const Ranks& ranks) {
  // c10d's warnings have a backtrace; our errors say the same in one sentence.
  if (std::getenv("TORCH_CPP_LOG_LEVEL") == nullptr) FLAGS_caffe2_log_level = c10::GLOG_FATAL;
  return std::make_unique<GlooGroup>(ranks);
}

}  // namespace ventris::distributed
