#include "core/available_memory.h"

#include <fstream>
#include <string>

namespace ventris::core {

int64_t available_memory() {
  constexpr int64_t kKib = 1024;
  std::ifstream file("/proc/meminfo");
  for (std::string name, unit; file >> name;) {
    int64_t kib = 0;
    file >> kib >> unit;
    if (name == "MemAvailable:") return kKib * kib;
  }
  return 0;
}

}  // namespace ventris::core
