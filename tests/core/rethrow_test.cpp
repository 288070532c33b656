#include "core/rethrow.h"

#include <gtest/gtest.h>

#include <new>

#include "core/error.h"
#include "core/resources.h"
#include "support/errors.h"

namespace ventris::core {
namespace {

/// Throws an error, and once more where it is handled.
template <typename E>
void throw_twice(const E& error) {
  try {
    throw error;
  } catch (...) {
    rethrow_with("; more");
  }
}

TEST(Rethrow, AnErrorStaysOfItsKind) {
  EXPECT_FAILS(throw_twice(ConfigError("why")), ConfigError, "why; more");
  EXPECT_FAILS(throw_twice(DataError("why")), DataError, "why; more");
  EXPECT_FAILS(throw_twice(ModelError("why")), ModelError, "why; more");
  EXPECT_FAILS(throw_twice(UnreadableError("why")), UnreadableError, "why; more");
  EXPECT_FAILS(throw_twice(ResourceError("why")), ResourceError, "why; more");
  EXPECT_FAILS(throw_twice(DivergedError("why")), DivergedError, "why; more");
  EXPECT_FAILS(throw_twice(WriteError("why")), WriteError, "why; more");
  EXPECT_FAILS(throw_twice(PeerError("why")), PeerError, "why; more");
  try {
    throw_twice(Interrupted(15, "why"));
    FAIL();
  } catch (const Interrupted& stop) {
    EXPECT_EQ(stop.signal, 15);
    EXPECT_STREQ(stop.what(), "why; more");
  }
}

TEST(Rethrow, OtherExceptionsAreMemoryOrBugs) {
  EXPECT_FAILS(throw_twice(std::bad_alloc()), ResourceError, "out of memory; use smaller batches");
  EXPECT_FAILS(throw_twice(std::runtime_error("CUDA out of memory")), ResourceError, "fewer threads; more");
  EXPECT_FAILS(throw_twice(std::logic_error("odd\nException raised from f")), std::runtime_error, "odd; more");
  EXPECT_THROW(throw_twice(7), int);
}

TEST(Rethrow, WhatIsHandledIsKnown) {
  try {
    fail<UnreadableError>("why");
  } catch (...) {
    EXPECT_TRUE(handles<ModelError>());
    EXPECT_FALSE(handles<DataError>());
  }
}

}  // namespace
}  // namespace ventris::core
