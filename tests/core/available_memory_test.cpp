#include "core/available_memory.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace ventris::core {
namespace {

TEST(AvailableMemory, IsAPartOfTheMemoryOfTheMachine) {
  EXPECT_GT(available_memory(), 0);
  EXPECT_LE(available_memory(), int64_t{sysconf(_SC_PHYS_PAGES)} * sysconf(_SC_PAGESIZE));
}

}  // namespace
}  // namespace ventris::core
