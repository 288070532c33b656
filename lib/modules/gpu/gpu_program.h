#pragma once
#include <torch/torch.h>

#include <array>
#include <cstdint>
#include <string>

namespace ventris::gpu {

/// Whether launch() works with x: it is on a GPU, in f32 or bf16, and the GPU's driver and compiler can be loaded. The
/// first question about a GPU compiles the kernels for it, which takes about a second. Where they cannot be compiled,
/// the log says once why, and LibTorch's own operations are to be used.
bool has_kernels(const torch::Tensor& x);

/// Blocks and threads of a launch; one block has threads_x * threads_y threads.
struct Grid {
  int64_t blocks_x = 1, blocks_y = 1;
  int threads_x = 1, threads_y = 1;
};

/// Starts a kernel of kernel_names() on this GPU, on its current stream. `arguments` point to the kernel's arguments.
/// Throws c10::Error if the driver refuses. Nothing happens for a grid without blocks.
void launch_with(const c10::Device& device, const std::string& kernel, const Grid& grid, void** arguments);

/// The same; the arguments must have the kernel's types exactly.
template <typename... Arguments>
void launch(const c10::Device& device, const std::string& kernel, const Grid& grid, Arguments... arguments) {
  std::array<void*, sizeof...(Arguments)> places{&arguments...};
  launch_with(device, kernel, grid, places.data());
}

/// The name of x's element type in kernel_names().
inline const char* type_name(const torch::Tensor& x) {
  return x.scalar_type() == torch::kFloat ? "float" : "unsigned short";
}

}  // namespace ventris::gpu
