// Times one layer on one sequence, forward and backward, and measures its memory: the program behind complexity.py.
#include <fmt/format.h>
#include <torch/torch.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <ctime>
#include <fstream>
#include <functional>
#include <map>
#include <string>

#include "attention/linear_attention.h"
#include "attention/low_rank_attention.h"
#include "attention/segment_attention.h"
#include "attention/windowed_attention.h"
#include "nn/recurrent.h"

namespace {

using torch::Tensor;
namespace attention = ventris::attention;
namespace nn = ventris::nn;

struct Request {
  std::string kind;
  int64_t n = 512, d = 512;   // length and width of the sequence
  int64_t kernel = 3;         // width of the convolution
  int64_t window = 64;        // positions to each side
  int64_t low_rank_size = 128;
  int64_t segment = 64, memory = 64;  // positions of a segment and of its memory
  int64_t head = 64;          // features of a head
  double seconds = 0.3;       // at least this long for each measurement
};

using Layer = std::function<Tensor(const Tensor&)>;  // x [1, n, d] -> [1, n, d]

Layer self_attention(const std::shared_ptr<attention::MultiHeadAttentionImpl>& block) {
  return [block](const Tensor& x) { return block->forward(x, x, x); };
}

Layer recurrent(const Request& request) {
  nn::Recurrent layer(nn::RecurrentOptions(request.d, request.d));
  return [layer](const Tensor& x) mutable { return layer->run(x, {{torch::zeros({1, x.size(2)}), {}}}); };
}

Layer convolution(const Request& request) {
  torch::nn::Conv1d layer(torch::nn::Conv1dOptions(request.d, request.d, request.kernel).padding(request.kernel / 2));
  return [layer](const Tensor& x) mutable { return layer(x.transpose(1, 2)).transpose(1, 2); };
}

/// A layer of the kind; it keeps its parameters, whose gradients are computed, too.
Layer make_layer(const Request& request) {
  const auto block =
      attention::MultiHeadAttentionOptions(request.d, std::max<int64_t>(1, request.d / request.head)).dropout(0);
  const std::map<std::string, std::function<Layer()>> makers{
      {"recurrent", [&] { return recurrent(request); }},
      {"convolution", [&] { return convolution(request); }},
      {"full", [&] { return self_attention(std::make_shared<attention::MultiHeadAttentionImpl>(block)); }},
      {"window",
       [&] {
         return self_attention(
             std::make_shared<attention::WindowedAttentionImpl>(block, attention::Window{request.window}));
       }},
      {"linear",
       [&] { return self_attention(std::make_shared<attention::LinearAttentionImpl>(block, /*causal=*/false)); }},
      {"causal_linear",
       [&] { return self_attention(std::make_shared<attention::LinearAttentionImpl>(block, /*causal=*/true)); }},
      {"segment",
       [&] {
         return self_attention(std::make_shared<attention::SegmentAttentionImpl>(
             block, attention::Segments{request.segment, request.memory}));
       }},
      {"causal_segment",
       [&] {
         return self_attention(std::make_shared<attention::SegmentAttentionImpl>(
             block, attention::Segments{request.segment, request.memory, /*causal=*/true}));
       }},
      {"low_rank", [&] {
         const int64_t size = std::min(request.low_rank_size, request.n);
         return self_attention(std::make_shared<attention::LowRankAttentionImpl>(block, size, request.n));
       }}};
  return makers.at(request.kind)();
}

/// A line of /proc/self/status in KiB.
int64_t status_kib(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(name + ":")) return std::stoll(line.substr(name.size() + 1));
  }
  throw std::runtime_error("/proc/self/status has no line " + name);
}

/// The memory in MiB by which `work` exceeds what was in use before.
double peak_mib(const std::function<void()>& work) {
  std::ofstream("/proc/self/clear_refs") << 5;  // forget the peak so far
  const int64_t before = status_kib("VmRSS");
  work();
  return static_cast<double>(std::max<int64_t>(0, status_kib("VmHWM") - before)) / 1024;
}

struct Times {
  double forward, backward;  // CPU seconds
};

/// The time that the processor has worked for this process: with one thread, other work on the machine hardly changes
/// it.
double cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

Times run_once(const Layer& layer, const Tensor& x) {
  const double start = cpu_seconds();
  const Tensor y = layer(x);
  const double middle = cpu_seconds();
  y.backward(torch::ones_like(y));
  return {middle - start, cpu_seconds() - middle};
}

/// The shortest times of at least three runs, and of as many as fit.
Times shortest(const Layer& layer, const Tensor& x, double seconds) {
  Times best = run_once(layer, x);
  double total = best.forward + best.backward;
  for (int runs = 1; runs < 3 || total < seconds; ++runs) {
    if (total > 20 * seconds) break;  // a slow one is measured precisely by one run
    const Times times = run_once(layer, x);
    best = {std::min(best.forward, times.forward), std::min(best.backward, times.backward)};
    total += times.forward + times.backward;
  }
  return best;
}

void measure(const Request& request) {
  torch::set_num_threads(1);
  torch::manual_seed(1);
  const Layer layer = make_layer(request);
  const Tensor warm_up = torch::randn({1, std::min<int64_t>(request.n, 16), request.d}, torch::requires_grad());
  run_once(layer, warm_up);  // libraries load their code and make their tables
  const Tensor x = torch::randn({1, request.n, request.d}, torch::requires_grad());
  const double mib = peak_mib([&] { run_once(layer, x); });
  const Times times = shortest(layer, x, request.seconds);
  fmt::print(R"({{"kind": "{}", "n": {}, "d": {}, "forward": {:.4g}, "backward": {:.4g}, "mib": {:.4g}}})"
             "\n",
             request.kind, request.n, request.d, times.forward, times.backward, mib);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Times one layer on one sequence, on one thread; prints CPU seconds and MiB as JSON.");
  Request request;
  app.add_option("kind", request.kind, "Kind of layer")
      ->required()
      ->check(CLI::IsMember({"recurrent", "convolution", "full", "window", "linear", "causal_linear", "low_rank",
                             "segment", "causal_segment"}));
  app.add_option("n", request.n, "Length of the sequence")->check(CLI::PositiveNumber);
  app.add_option("d", request.d, "Features of a position")->check(CLI::PositiveNumber);
  app.add_option("--kernel", request.kernel, "Width of the convolution, an odd number")->check(CLI::PositiveNumber);
  app.add_option("--window", request.window, "Positions to each side that windowed attention sees");
  app.add_option("--low-rank-size", request.low_rank_size, "Mixtures of low-rank attention");
  app.add_option("--segment", request.segment, "Positions of a segment");
  app.add_option("--memory", request.memory, "Positions before a segment that it sees");
  app.add_option("--seconds", request.seconds, "Repeat for at least this long");
  CLI11_PARSE(app, argc, argv);
  try {
    measure(request);
    return 0;
  } catch (const std::exception& error) {
    const bool memory = dynamic_cast<const std::bad_alloc*>(&error) != nullptr ||
                        std::string(error.what()).find("allocate memory") != std::string::npos;
    fmt::print(stderr, "time_layer: {}\n", error.what());
    return memory ? 5 : 70;
  }
}
