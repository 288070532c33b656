#include "gpu/gpu_program.h"

#include <c10/core/DeviceGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <dlfcn.h>

#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <vector>

#include "core/log.h"
#include "gpu/gpu_source.h"

namespace ventris::gpu {
namespace {

/// The few functions of CUDA's driver and of NVRTC that are needed, with their C types; 0 is success. They come from a
/// library of LibTorch's CUDA build, which links to both. Therefore nothing here needs their headers, and the same
/// build runs where there is no GPU. Source: CUDA Driver API and NVRTC, version 11 and later.
struct Functions {
  Functions();
  int (*init)(unsigned);
  int (*device_attribute)(int* value, int attribute, int device);
  int (*load_module)(void** module, const void* image);
  int (*module_function)(void** function, void* module, const char* name);
  int (*launch)(void* function, unsigned blocks_x, unsigned blocks_y, unsigned blocks_z, unsigned threads_x,
                unsigned threads_y, unsigned threads_z, unsigned shared_bytes, void* stream, void** arguments,
                void** extra);
  int (*error_text)(int error, const char** text);
  int (*current_context)(void** context);
  int (*retain_context)(void** context, int device);
  int (*set_context)(void* context);
  int (*create)(void** program, const char* source, const char* name, int headers, const char* const* texts,
                const char* const* names);
  int (*add_name)(void* program, const char* name);
  int (*compile)(void* program, int count, const char* const* options);
  int (*log_size)(void* program, size_t* size);
  int (*log)(void* program, char* text);
  int (*lowered_name)(void* program, const char* name, const char** lowered);
  int (*code_size)(void* program, size_t* size);
  int (*code)(void* program, char* image);
  int (*destroy)(void** program);
};

Functions::Functions() {
  void* library = dlopen("libcaffe2_nvrtc.so", RTLD_NOW);
  if (library == nullptr) throw std::runtime_error(dlerror());
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
    if (function == nullptr) throw std::runtime_error(std::string("no function ") + name);
  };
  find(init, "cuInit");
  find(device_attribute, "cuDeviceGetAttribute");
  find(load_module, "cuModuleLoadData");
  find(module_function, "cuModuleGetFunction");
  find(launch, "cuLaunchKernel");
  find(error_text, "cuGetErrorString");
  find(current_context, "cuCtxGetCurrent");
  find(retain_context, "cuDevicePrimaryCtxRetain");
  find(set_context, "cuCtxSetCurrent");
  find(create, "nvrtcCreateProgram");
  find(add_name, "nvrtcAddNameExpression");
  find(compile, "nvrtcCompileProgram");
  find(log_size, "nvrtcGetProgramLogSize");
  find(log, "nvrtcGetProgramLog");
  find(lowered_name, "nvrtcGetLoweredName");
  find(code_size, "nvrtcGetCUBINSize");
  find(code, "nvrtcGetCUBIN");
  find(destroy, "nvrtcDestroyProgram");
}

const Functions& functions() {
  static const Functions all;
  return all;
}

void check(int error, const char* what) {
  if (error == 0) return;
  const char* text = nullptr;
  functions().error_text(error, &text);
  TORCH_CHECK(false, what, ": ", text != nullptr ? text : "unknown error");
}

/// The kernels' source, compiled for one kind of GPU.
class Compiled {
 public:
  explicit Compiled(const std::string& architecture) {
    const Functions& f = functions();
    require(f.create(&program_, kSource, "kernels.cu", 0, nullptr, nullptr));
    const auto names = kernel_names();
    for (const std::string& name : names) require(f.add_name(program_, name.c_str()));
    const std::string option = "--gpu-architecture=" + architecture;
    const std::vector<const char*> options{option.c_str(), "--std=c++17"};
    if (f.compile(program_, static_cast<int>(options.size()), options.data()) != 0) {
      throw std::runtime_error(first_message());
    }
    for (const std::string& name : names) {
      const char* lowered = nullptr;
      require(f.lowered_name(program_, name.c_str(), &lowered));
      lowered_[name] = lowered;
    }
    size_t size = 0;
    require(f.code_size(program_, &size));
    image_.resize(size);
    require(f.code(program_, image_.data()));
  }
  ~Compiled() { functions().destroy(&program_); }
  Compiled(const Compiled&) = delete;
  Compiled& operator=(const Compiled&) = delete;

  const std::string& image() const { return image_; }
  const std::map<std::string, std::string>& lowered() const { return lowered_; }

 private:
  static void require(int error) {
    if (error != 0) throw std::runtime_error("NVRTC error " + std::to_string(error));
  }
  /// The first line of the compiler's messages.
  std::string first_message() const {
    size_t size = 0;
    require(functions().log_size(program_, &size));
    std::string text(size, '\0');
    require(functions().log(program_, text.data()));
    return text.substr(0, text.find('\n'));
  }

  void* program_ = nullptr;
  std::string image_;
  std::map<std::string, std::string> lowered_;
};

using Kernels = std::map<std::string, void*>;

/// The architecture of a GPU for the compiler: "sm_90".
std::string architecture_of(int device) {
  constexpr int kMajor = 75, kMinor = 76;  // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR and _MINOR
  int major = 0, minor = 0;
  check(functions().init(0), "cuInit");
  check(functions().device_attribute(&major, kMajor, device), "cuDeviceGetAttribute");
  check(functions().device_attribute(&minor, kMinor, device), "cuDeviceGetAttribute");
  return "sm_" + std::to_string(major) + std::to_string(minor);
}

/// The number of a tensor's GPU, which is not negative.
int number_of(const c10::Device& gpu) { return static_cast<unsigned char>(gpu.index()); }

/// A thread that has not used the GPU yet, such as one of a backward pass, has no context.
void use_context(int device) {
  void* context = nullptr;
  check(functions().current_context(&context), "cuCtxGetCurrent");
  if (context != nullptr) return;
  check(functions().retain_context(&context, device), "cuDevicePrimaryCtxRetain");
  check(functions().set_context(context), "cuCtxSetCurrent");
}

Kernels load_kernels(const c10::Device& gpu) {
  const c10::DeviceGuard guard(gpu);
  const int device = number_of(gpu);
  at::empty({1}, gpu);  // makes the GPU's context
  const Compiled compiled(architecture_of(device));
  use_context(device);
  void* module = nullptr;
  check(functions().load_module(&module, compiled.image().data()), "cuModuleLoadData");
  Kernels kernels;
  for (const auto& [name, lowered] : compiled.lowered()) {
    check(functions().module_function(&kernels[name], module, lowered.c_str()), "cuModuleGetFunction");
  }
  return kernels;
}

/// The kernels of a GPU; null if they cannot be compiled.
const Kernels* kernels_of(const c10::Device& device) {
  static std::mutex mutex;
  static std::map<int, std::unique_ptr<Kernels>> of_devices;
  const std::lock_guard lock(mutex);
  const auto [place, is_new] = of_devices.try_emplace(number_of(device));
  if (!is_new) return place->second.get();
  try {
    place->second = std::make_unique<Kernels>(load_kernels(device));
  } catch (const std::exception& error) {
    core::log_warning(std::string("the GPU's kernels cannot be compiled, so training is slower: ") + error.what());
  }
  return place->second.get();
}

}  // namespace

bool has_kernels(const torch::Tensor& x) {
  if (!x.is_cuda() || (x.scalar_type() != torch::kFloat && x.scalar_type() != torch::kBFloat16)) return false;
  return kernels_of(x.device()) != nullptr;
}

void launch_with(const c10::Device& device, const std::string& kernel, const Grid& grid, void** arguments) {
  if (grid.blocks_x == 0 || grid.blocks_y == 0) return;
  TORCH_CHECK(device.is_cuda(), "kernel ", kernel, ": expected a GPU, got ", device);
  const Kernels* kernels = kernels_of(device);
  TORCH_CHECK(kernels != nullptr && kernels->contains(kernel), "the GPU has no kernel ", kernel);
  const c10::DeviceGuard guard(device);
  use_context(number_of(device));
  const c10::Stream stream = c10::impl::VirtualGuardImpl(c10::kCUDA).getStream(device);
  check(functions().launch(kernels->at(kernel), static_cast<unsigned>(grid.blocks_x),
                           static_cast<unsigned>(grid.blocks_y), 1, static_cast<unsigned>(grid.threads_x),
                           static_cast<unsigned>(grid.threads_y), 1, 0, stream.native_handle(), arguments, nullptr),
        kernel.c_str());
}

}  // namespace ventris::gpu
