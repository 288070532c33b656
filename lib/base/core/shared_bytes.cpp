#include "core/shared_bytes.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <utility>

namespace ventris::core {

SharedBytes::SharedBytes(std::string text) {
  const auto kept = std::make_shared<const std::string>(std::move(text));
  bytes_ = *kept;
  owner_ = kept;
}

SharedBytes SharedBytes::of_mapping(std::shared_ptr<const void> owner, std::string_view bytes) {
  SharedBytes made;
  made.owner_ = std::move(owner);
  made.bytes_ = bytes;
  made.mapped_ = true;
  return made;
}

void SharedBytes::release(std::string_view part) const {
  if (!mapped_ || part.empty()) return;
  // Whole pages, also those that begin before the part: others read them again.
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const uintptr_t before = reinterpret_cast<uintptr_t>(part.data()) % page;
  madvise(const_cast<char*>(part.data()) - before, before + part.size(), MADV_DONTNEED);
}

}  // namespace ventris::core
