#include "engine/counted_memory.h"

#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>

namespace ventris::test {
namespace {

std::atomic<int64_t> calls = 0, in_use = 0, peak = 0;

[[maybe_unused]] void* counted(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  ++calls;
  const int64_t now = in_use += static_cast<int64_t>(malloc_usable_size(memory));
  int64_t before = peak;
  while (before < now && !peak.compare_exchange_weak(before, now)) {
  }
  return memory;
}

[[maybe_unused]] void freed(void* memory) {
  if (memory != nullptr) in_use -= static_cast<int64_t>(malloc_usable_size(memory));
  std::free(memory);
}

}  // namespace

int64_t allocations() { return calls; }
int64_t bytes_in_use() { return in_use; }
int64_t peak_bytes() { return peak; }
void reset_peak() { peak = in_use.load(); }

}  // namespace ventris::test

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // they have operators of their own
void* operator new(std::size_t size) { return ventris::test::counted(std::malloc(size)); }
void* operator new[](std::size_t size) { return ventris::test::counted(std::malloc(size)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  const auto step = static_cast<std::size_t>(alignment);
  return ventris::test::counted(std::aligned_alloc(step, (size + step - 1) / step * step));
}
void* operator new[](std::size_t size, std::align_val_t alignment) { return operator new(size, alignment); }
void operator delete(void* memory) noexcept { ventris::test::freed(memory); }
void operator delete[](void* memory) noexcept { ventris::test::freed(memory); }
void operator delete(void* memory, std::size_t) noexcept { ventris::test::freed(memory); }
void operator delete[](void* memory, std::size_t) noexcept { ventris::test::freed(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { ventris::test::freed(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { ventris::test::freed(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { ventris::test::freed(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { ventris::test::freed(memory); }
#endif
