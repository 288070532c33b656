#include "gpu/gpu_source.h"

namespace ventris::gpu {

// bf16 is stored as unsigned short. N is the number of neighbouring elements that a thread reads at once: 4, or 1 where
// their number or place does not allow it.
const char* const kSource = R"cuda(
typedef unsigned int Word;
typedef unsigned short BFloat16;
typedef long long Index;

__device__ inline float load(float x) { return x; }
__device__ inline float load(BFloat16 x) { return __uint_as_float(static_cast<Word>(x) << 16); }
__device__ inline void store(float x, float& place) { place = x; }
__device__ inline void store(float x, BFloat16& place) {  // rounds to the nearest even value; NaN stays NaN
  const Word bits = __float_as_uint(x);
  const bool nan = (bits & 0x7fffffffU) > 0x7f800000U;
  place = static_cast<BFloat16>(nan ? 0x7fc0U : (bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16);
}

template <typename T, int N>
struct alignas(N * sizeof(T)) Pack {
  T at[N];
};

template <int N, typename T>
__device__ inline Pack<T, N> load_pack(const T* x, Index first) {
  return *reinterpret_cast<const Pack<T, N>*>(x + first);
}

template <int N, typename T>
__device__ inline void store_pack(const Pack<T, N>& pack, T* out, Index first) {
  *reinterpret_cast<Pack<T, N>*>(out + first) = pack;
}

// As kernels::DropDraw and drop_factors() on a CPU: the same elements are dropped.
struct Draw {
  Word low, high;
  int lowest_kept;
  float scale;
};

__device__ inline float drop_factor(Index index, const Draw& draw) {
  Word bits = static_cast<Word>(index) * 0x9e3779b9U + draw.low;
  bits ^= bits >> 16;
  bits *= 0x7feb352dU;
  bits = bits ^ (bits >> 15) ^ draw.high;
  bits *= 0x846ca68bU;
  bits ^= bits >> 16;
  return static_cast<int>(bits) < draw.lowest_kept ? 0.0f : draw.scale;
}

__device__ inline Index first_element(int n) {
  return (static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x) * n;
}

template <typename From, typename To, int N>
__global__ void drop(const From* x, To* out, Index count, Draw draw) {
  const Index first = first_element(N);
  if (first >= count) return;
  const Pack<From, N> in = load_pack<N>(x, first);
  Pack<To, N> result;
  for (int i = 0; i < N; ++i) store(load(in.at[i]) * drop_factor(first + i, draw), result.at[i]);
  store_pack<N>(result, out, first);
}

template <typename T, int N>
__global__ void add_dropped(const float* x, const T* y, float* out, Index count, Draw draw) {
  const Index first = first_element(N);
  if (first >= count) return;
  const Pack<float, N> base = load_pack<N>(x, first);
  const Pack<T, N> in = load_pack<N>(y, first);
  Pack<float, N> result;
  for (int i = 0; i < N; ++i) result.at[i] = base.at[i] + load(in.at[i]) * drop_factor(first + i, draw);
  store_pack<N>(result, out, first);
}

template <typename T, int N>
__global__ void relu_dropped(const T* x, T* out, Index count, Draw draw) {
  const Index first = first_element(N);
  if (first >= count) return;
  const Pack<T, N> in = load_pack<N>(x, first);
  Pack<T, N> result;
  for (int i = 0; i < N; ++i) {
    const float value = load(in.at[i]);
    store((value < 0 ? 0.0f : value) * drop_factor(first + i, draw), result.at[i]);
  }
  store_pack<N>(result, out, first);
}

template <typename T, int N>
__global__ void relu_dropped_gradient(const T* gradient, const T* result, T* out, Index count, float scale) {
  const Index first = first_element(N);
  if (first >= count) return;
  const Pack<T, N> of_result = load_pack<N>(gradient, first), kept = load_pack<N>(result, first);
  Pack<T, N> of_x;
  for (int i = 0; i < N; ++i) store(load(kept.at[i]) != 0 ? load(of_result.at[i]) * scale : 0.0f, of_x.at[i]);
  store_pack<N>(of_x, out, first);
}

__device__ inline float warp_sum(float x) {
  for (int step = 16; step > 0; step /= 2) x += __shfl_xor_sync(0xffffffffU, x, step);
  return x;
}

constexpr int kRowsPerBlock = 4;  // a warp for each row

__device__ inline Index row_of_warp() { return static_cast<Index>(blockIdx.x) * kRowsPerBlock + threadIdx.x / 32; }

template <typename T, int N>
__global__ void norm(const float* x, const float* gain, const float* bias, T* out, float* moments, Index rows,
                     int width, float epsilon) {
  const Index row = row_of_warp();
  if (row >= rows) return;
  const int lane = threadIdx.x % 32;
  const float* mine = x + row * width;
  float sum = 0;
  for (int i = lane * N; i < width; i += 32 * N) {
    const Pack<float, N> in = load_pack<N>(mine, i);
    for (int k = 0; k < N; ++k) sum += in.at[k];
  }
  const float mean = warp_sum(sum) / width;
  float squares = 0;
  for (int i = lane * N; i < width; i += 32 * N) {
    const Pack<float, N> in = load_pack<N>(mine, i);
    for (int k = 0; k < N; ++k) squares += (in.at[k] - mean) * (in.at[k] - mean);
  }
  const float inverse = rsqrtf(warp_sum(squares) / width + epsilon);
  for (int i = lane * N; i < width; i += 32 * N) {
    const Pack<float, N> in = load_pack<N>(mine, i), factor = load_pack<N>(gain, i), addend = load_pack<N>(bias, i);
    Pack<T, N> result;
    for (int k = 0; k < N; ++k) {
      store((in.at[k] - mean) * inverse * factor.at[k] + addend.at[k], result.at[k]);
    }
    store_pack<N>(result, out + row * width, i);
  }
  if (lane == 0) {
    moments[row] = mean;
    moments[rows + row] = inverse;
  }
}

template <typename T, int N>
__global__ void norm_gradient(const float* x, const float* gain, const float* moments, const T* of_out,
                              const float* residual, float* of_x, Index rows, int width) {
  const Index row = row_of_warp();
  if (row >= rows) return;
  const int lane = threadIdx.x % 32;
  const Index begin = row * width;
  const float mean = moments[row], inverse = moments[rows + row];
  float sum = 0, product = 0;
  for (int i = lane * N; i < width; i += 32 * N) {
    const Pack<float, N> in = load_pack<N>(x + begin, i), factor = load_pack<N>(gain, i);
    const Pack<T, N> outer = load_pack<N>(of_out + begin, i);
    for (int k = 0; k < N; ++k) {
      const float scaled = load(outer.at[k]) * factor.at[k];
      sum += scaled;
      product += scaled * (in.at[k] - mean) * inverse;
    }
  }
  const float mean_sum = warp_sum(sum) / width, mean_product = warp_sum(product) / width;
  for (int i = lane * N; i < width; i += 32 * N) {
    const Pack<float, N> in = load_pack<N>(x + begin, i), factor = load_pack<N>(gain, i);
    const Pack<T, N> outer = load_pack<N>(of_out + begin, i);
    Pack<float, N> result;
    for (int k = 0; k < N; ++k) {
      const float normal = (in.at[k] - mean) * inverse;
      result.at[k] = inverse * (load(outer.at[k]) * factor.at[k] - mean_sum - normal * mean_product);
    }
    if (residual != nullptr) {
      const Pack<float, N> more = load_pack<N>(residual + begin, i);
      for (int k = 0; k < N; ++k) result.at[k] += more.at[k];
    }
    store_pack<N>(result, of_x + begin, i);
  }
}

// Blocks of 32 packs of columns and 8 rows at a time add up the rows of their share. shares: [gridDim.y, width].
constexpr int kPacks = 32, kRowsAtOnce = 8;

template <int N>
__device__ inline void write_share(const Pack<float, N>& sum, float* shares, int width) {
  __shared__ Pack<float, N> sums[kRowsAtOnce][kPacks];
  sums[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  const int column = (blockIdx.x * kPacks + threadIdx.x) * N;
  if (threadIdx.y == 0 && column < width) {
    Pack<float, N> whole = sum;
    for (int i = 1; i < kRowsAtOnce; ++i) {
      for (int k = 0; k < N; ++k) whole.at[k] += sums[i][threadIdx.x].at[k];
    }
    store_pack<N>(whole, shares + static_cast<Index>(blockIdx.y) * width, column);
  }
  __syncthreads();
}

template <typename T, int N>
__global__ void column_sums(const T* x, float* shares, Index rows, int width, Index rows_per_block) {
  const int column = (blockIdx.x * kPacks + threadIdx.x) * N;
  const Index begin = blockIdx.y * rows_per_block, end = min(begin + rows_per_block, rows);
  Pack<float, N> sum{};
  if (column < width) {
    for (Index row = begin + threadIdx.y; row < end; row += kRowsAtOnce) {
      const Pack<T, N> in = load_pack<N>(x + row * width, column);
      for (int k = 0; k < N; ++k) sum.at[k] += load(in.at[k]);
    }
  }
  write_share<N>(sum, shares, width);
}

template <typename T, int N>
__global__ void norm_column_sums(const float* x, const float* moments, const T* of_out, float* gain_shares,
                                 float* bias_shares, Index rows, int width, Index rows_per_block) {
  const int column = (blockIdx.x * kPacks + threadIdx.x) * N;
  const Index begin = blockIdx.y * rows_per_block, end = min(begin + rows_per_block, rows);
  Pack<float, N> of_gain{}, of_bias{};
  if (column < width) {
    for (Index row = begin + threadIdx.y; row < end; row += kRowsAtOnce) {
      const float mean = moments[row], inverse = moments[rows + row];
      const Pack<float, N> in = load_pack<N>(x + row * width, column);
      const Pack<T, N> outer = load_pack<N>(of_out + row * width, column);
      for (int k = 0; k < N; ++k) {
        of_gain.at[k] += load(outer.at[k]) * (in.at[k] - mean) * inverse;
        of_bias.at[k] += load(outer.at[k]);
      }
    }
  }
  write_share<N>(of_gain, gain_shares, width);
  write_share<N>(of_bias, bias_shares, width);
}

// exp(largest) * exps is the sum of exp(x) over the x seen so far.
struct LogSum {
  float largest, exps;
};

__device__ inline LogSum merged(const LogSum& a, const LogSum& b) {
  const float largest = fmaxf(a.largest, b.largest);
  return {largest, a.exps * __expf(a.largest - largest) + b.exps * __expf(b.largest - largest)};
}

struct Target {  // as kernels::SmoothedTarget
  float on_target, elsewhere, constant;
  int pad;
};

constexpr int kLossThreads = 256;

// kLeastCountedLogit of kernels/smoothed_loss.h. A NaN stays one.
__device__ float counted(float logit) { return logit < -1000.0f ? -1000.0f : logit; }

// A block for each row of logits [rows, vocab].
template <typename T, int N>
__global__ void smoothed_loss(const T* logits, const Index* targets, const float* weights, float* log_sums,
                              float* losses, float* nlls, int vocab, Target target) {
  const T* mine = logits + static_cast<Index>(blockIdx.x) * vocab;
  LogSum found{-3e38f, 0};
  float sum = 0;
  for (int i = threadIdx.x * N; i < vocab; i += kLossThreads * N) {
    const Pack<T, N> in = load_pack<N>(mine, i);
    float largest = found.largest;
    for (int k = 0; k < N; ++k) largest = fmaxf(largest, load(in.at[k]));
    found.exps *= __expf(found.largest - largest);
    found.largest = largest;
    for (int k = 0; k < N; ++k) {
      found.exps += __expf(load(in.at[k]) - largest);
      sum += counted(load(in.at[k]));
    }
  }
  __shared__ LogSum parts[kLossThreads];
  __shared__ float sums[kLossThreads];
  parts[threadIdx.x] = found;
  sums[threadIdx.x] = sum;
  for (int half = kLossThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) {
      parts[threadIdx.x] = merged(parts[threadIdx.x], parts[threadIdx.x + half]);
      sums[threadIdx.x] += sums[threadIdx.x + half];
    }
  }
  if (threadIdx.x != 0) return;
  const Index wanted = targets[blockIdx.x];
  const bool counts = wanted != target.pad;
  const float weight = !counts ? 0.0f : weights != nullptr ? weights[blockIdx.x] : 1.0f;
  const float log_sum = parts[0].largest + logf(parts[0].exps);
  const float of_target = load(mine[wanted]) - log_sum;
  const float target_counted = counted(load(mine[wanted])) - log_sum, pad_counted = counted(load(mine[target.pad])) - log_sum;
  float loss = target.constant - target.on_target * of_target;
  if (target.elsewhere > 0) loss -= target.elsewhere * (sums[0] - log_sum * vocab - target_counted - pad_counted);
  log_sums[blockIdx.x] = log_sum;
  losses[blockIdx.x] = counts ? weight * loss : 0.0f;
  nlls[blockIdx.x] = counts ? -weight * of_target : 0.0f;
}

template <typename T, int N>
__global__ void smoothed_loss_gradient(const T* logits, const Index* targets, const float* weights,
                                       const float* log_sums, const float* outer, T* out, int vocab, Target target) {
  const Index begin = static_cast<Index>(blockIdx.x) * vocab, wanted = targets[blockIdx.x];
  const float weight = weights != nullptr ? weights[blockIdx.x] : 1.0f;
  const float scale = wanted != target.pad ? *outer * weight : 0.0f;
  const float log_sum = log_sums[blockIdx.x];
  for (int i = threadIdx.x * N; i < vocab; i += kLossThreads * N) {
    const Pack<T, N> in = load_pack<N>(logits + begin, i);
    Pack<T, N> result;
    for (int k = 0; k < N; ++k) {
      const float wished = i + k == wanted ? target.on_target : i + k == target.pad ? 0.0f : target.elsewhere;
      store(scale * (__expf(load(in.at[k]) - log_sum) - wished), result.at[k]);
    }
    store_pack<N>(result, out + begin, i);
  }
}
)cuda";

std::vector<std::string> kernel_names() {
  std::vector<std::string> names;
  for (const std::string type : {"float", "unsigned short"}) {
    for (const std::string n : {"4", "1"}) {
      names.push_back("drop<float, " + type + ", " + n + ">");
      if (type != "float") names.push_back("drop<" + type + ", " + type + ", " + n + ">");
      for (const char* kernel : {"add_dropped", "relu_dropped", "relu_dropped_gradient", "norm", "norm_gradient",
                                 "column_sums", "norm_column_sums", "smoothed_loss", "smoothed_loss_gradient"}) {
        names.push_back(std::string(kernel) + "<" + type + ", " + n + ">");
      }
    }
  }
  return names;
}

}  // namespace ventris::gpu
