#pragma once
#include <cstddef>
#include <cstdint>

/// This test program can have operator new refuse memory.
namespace ventris::test {

/// Whether it can; not under a sanitizer, which has operators of its own.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kRefusesMemory = false;
#else
inline constexpr bool kRefusesMemory = true;
#endif

/// Which calls of operator new are refused.
struct Refusals {
  int64_t calls = INT64_MAX;  ///< how many in a row
  size_t least = 0;           ///< only those for so many bytes or more; others are not counted either
};

/// While it exists, operator new gives this thread memory for so many calls, and then refuses it.
class RefusedMemory {
 public:
  RefusedMemory(int64_t given, Refusals refusals);
  ~RefusedMemory();
  RefusedMemory(const RefusedMemory&) = delete;
  RefusedMemory& operator=(const RefusedMemory&) = delete;

  bool has_refused() const;
};

/// Calls work() with memory for one more call of operator new each time, until all of it had memory. `check` is called
/// after each time.
template <typename Work, typename Check>
void with_refused_memory(Refusals refusals, const Work& work, const Check& check) {
  bool again = kRefusesMemory;
  for (int64_t given = 0; again; ++given) {
    {
      const RefusedMemory memory(given, refusals);
      work();
      again = memory.has_refused();
    }
    check(given);
  }
}

}  // namespace ventris::test
