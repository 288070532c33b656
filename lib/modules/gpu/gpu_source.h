#pragma once
#include <string>
#include <vector>

namespace ventris::gpu {

/// The text of all kernels, in CUDA C++. NVRTC compiles it for the GPU at run time, so the build needs no CUDA toolkit.
extern const char* const kSource;

/// The kernels that launch() can start, as C++ names: "drop<float, unsigned short, 4>".
std::vector<std::string> kernel_names();

}  // namespace ventris::gpu
