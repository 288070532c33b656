#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/log.h"
#include "fuzz/targets.h"

/// What libFuzzer calls. VENTRIS_FUZZ_TARGET is the name of the target, and may be missing if the program has only one.
/// With VENTRIS_WRITE_SEEDS=FOLDER, the program writes the seeds that the target makes into this folder, and ends.
namespace {

using namespace ventris;

const fuzz::Target& chosen_target() {
  const char* name = std::getenv("VENTRIS_FUZZ_TARGET");
  for (const fuzz::Target& target : fuzz::targets()) {
    if (name == nullptr || target.name == name) return target;
  }
  std::fprintf(stderr, "VENTRIS_FUZZ_TARGET: this program has no target '%s'\n", name);
  std::exit(2);
}

void write_seeds(const std::filesystem::path& folder) {
  const fuzz::Target& target = chosen_target();
  if (target.seeds == nullptr) return;
  int number = 0;
  for (const std::string& seed : target.seeds()) {
    std::ofstream(folder / ("made-" + std::to_string(number++)), std::ios::binary) << seed;
  }
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* /*count*/, char*** /*arguments*/) {
  core::set_log_level("off");
  setenv("VENTRIS_KERNELS", "portable",
         0);  // the same on every machine, and clang 16 breaks those of AVX-512 with bf16
  if (const char* folder = std::getenv("VENTRIS_WRITE_SEEDS")) {
    write_seeds(folder);
    std::exit(0);
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  static const fuzz::Target& target = chosen_target();
  fuzz::accepts(target, {reinterpret_cast<const char*>(bytes), size});
  return 0;
}
