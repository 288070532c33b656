#include "serving/refused_memory.h"

#include <cstdlib>
#include <new>

namespace ventris::test {
namespace {

struct Plan {
  int64_t given = -1;  // -1 = all
  Refusals refusals = {};
  bool has_refused = false;
};
thread_local constinit Plan plan;

/// Whether the next call is refused.
[[maybe_unused]] bool refuses(std::size_t bytes) {
  if (plan.given < 0 || bytes < plan.refusals.least) return false;
  if (plan.given > 0) {
    --plan.given;
    return false;
  }
  if (plan.refusals.calls == 0) return false;
  --plan.refusals.calls;
  return plan.has_refused = true;
}

}  // namespace

RefusedMemory::RefusedMemory(int64_t given, Refusals refusals) { plan = {given, refusals}; }
RefusedMemory::~RefusedMemory() { plan = {}; }
bool RefusedMemory::has_refused() const { return plan.has_refused; }

}  // namespace ventris::test

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // they have operators of their own
void* operator new(std::size_t size) {
  void* const memory = ventris::test::refuses(size) ? nullptr : std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
#endif
