// Times the kernels of the engine on one core, for one instruction set (VENTRIS_KERNELS).
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <functional>
#include <vector>

#include "arithmetic/kernels.h"
#include "arithmetic/matrix.h"

namespace {

using namespace ventris::arithmetic;

constexpr double kSeconds = 0.2;  // of each measurement
constexpr int kMeasurements = 5;

struct Shape {
  int64_t rows, k, n;
  Activation activation = Activation::kNone;
};
const std::vector<Shape> kShapes{{128, 512, 2048},  {128, 2048, 512},
                                 {160, 128, 256},   {32, 128, 256},
                                 {1, 512, 2048},    {5, 32, 10},
                                 {5, 10, 32},       {128, 768, 2304},
                                 {128, 768, 3072},  {128, 768, 3072, Activation::kGelu},
                                 {128, 3072, 768},  {2048, 768, 768},
                                 {2048, 768, 3072}, {2048, 768, 3072, Activation::kGelu},
                                 {2048, 3072, 768}};

size_t at(int64_t index) { return static_cast<size_t>(index); }

/// Numbers between -1 and 1.
std::vector<float> numbers(int64_t count) {
  std::vector<float> all(at(count));
  for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<float>(i * 7919 % 2001) / 1000.0F - 1.0F;
  return all;
}

/// The least time of a call, in seconds of processor time.
double time_of(const std::function<void()>& call) {
  double least = 1e9;
  for (int i = 0; i < kMeasurements; ++i) {
    int64_t calls = 0;
    const std::clock_t start = std::clock();
    double passed = 0;
    for (; passed < kSeconds; passed = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC) {
      call();
      ++calls;
    }
    least = std::min(least, passed / static_cast<double>(calls));
  }
  return least;
}

/// A product without the conversion of its inputs.
void time_product(const Shape& shape, Precision precision, const char* name) {
  const std::vector<float> weights = numbers(shape.n * shape.k), x = numbers(shape.rows * shape.k);
  std::vector<float> out(at(shape.rows * shape.n));
  const Matrix matrix(weights.data(), nullptr, shape.n, shape.k, precision);
  Inputs inputs;
  const InputRows from{x.data(), shape.k, shape.rows};
  matrix.prepare(kernels(), from, inputs);
  const double seconds = time_of([&] {
    matrix.multiply_panels(kernels(), from, {0, panels_of(shape.n)}, {out.data(), shape.n}, inputs,
                           {.activation = shape.activation});
  });
  const double operations = 2.0 * static_cast<double>(shape.rows * shape.k * shape.n);
  fmt::print("| {}, {} x {} x {}{} | {:.3f} | {:.1f} |\n", name, shape.rows, shape.k, shape.n,
             shape.activation == Activation::kGelu ? ", GELU" : "", seconds * 1e6, operations / seconds / 1e9);
}

void print_time(const char* name, const std::function<void()>& call) {
  fmt::print("| {} | {:.3f} | |\n", name, time_of(call) * 1e6);
}

void time_rows() {
  std::vector<float> row = numbers(256), rows = numbers(100 * 16), out(512);
  const std::vector<float> ones(256, 1.0F);
  std::vector<uint8_t> bytes(512);
  float scale = 0;
  volatile float sink = 0;
  std::vector<float> scores(at(packed_scores_size(8))), means(5 * 128);
  print_time("sum of exponentials of 256 logits", [&] {
    RunningSum sum{-1e30F, 0};
    kernels().add_logits({row.data(), 256, 1, 256}, &sum, &scale);
    sink = scale;
  });
  std::vector<int32_t> places(256);
  print_time("search for a logit among 256",
             [&] { sink = static_cast<float>(kernels().places_above(row.data(), 256, 2, places.data())); });
  print_time("softmax of 100 rows of 15", [&] { kernels().softmax(rows.data(), 16, 100, 15); });
  print_time("layer norm of 256",
             [&] { kernels().layer_norm(row.data(), 1, 256, ones.data(), ones.data(), 1e-5F, out.data()); });
  print_time("conversion of 256 inputs to 8 bits",
             [&] { kernels().quantise(row.data(), 256, 1, 256, bytes.data(), &scale); });
  const std::vector<float> packed = numbers(4 * (16 + 8) * 32);
  for (const int64_t queries : {1, 5}) {
    print_time(queries == 1 ? "attention of 1 row to 8 packed positions, 4 heads of 32"
                            : "attention of 5 rows to 8 packed positions, 4 heads of 32",
               [&] {
                 kernels().packed_attention({rows.data(), 128, queries, packed.data(), nullptr, packed.data() + 16 * 32,
                                             (16 + 8) * 32, 8, 4, 32, 32, scores.data(), means.data(), nullptr});
               });
  }
  const std::vector<float> entry = numbers(256);
  const std::vector<const float*> positions(10, entry.data());
  print_time("step of attention to 10 positions, 4 heads of 32",
             [&] { kernels().step_attention({row.data(), positions.data(), 10, 4, 32, 32, rows.data(), out.data()}); });
}

}  // namespace

int main() {
  fmt::print("Kernels: {}\n\n| kernel (products: rows x inputs x outputs) | microseconds | GOP/s |\n|-|-|-|\n",
             kernels().name);
  for (const Shape& shape : kShapes) time_product(shape, Precision::kF32, "f32");
  for (const Shape& shape : kShapes) time_product(shape, Precision::kBf16, "bf16");
  for (const Shape& shape : kShapes) time_product(shape, Precision::kInt8, "int8");
  time_rows();
}
