#include "serving/admission.h"

#include <gtest/gtest.h>

#include "serving/http_message.h"
#include "support/errors.h"

namespace ventris::serving {
namespace {

TEST(Admission, OneClientCannotTakeTheShareOfTheOthers) {
  Admission admission(100, 40);
  admission.enter("a", 40);
  EXPECT_FAILS(admission.enter("a", 1), RequestError, "Slowdown: 40 characters of yours wait already");
  admission.enter("b", 40);
  EXPECT_FAILS(admission.enter("c", 21), RequestError, "The server has too much to do at the moment");
  admission.enter("c", 20);
  EXPECT_EQ(admission.characters(), 100);
}

TEST(Admission, WhatIsAnsweredMakesRoom) {
  Admission admission(100, 40);
  admission.enter("a", 40);
  admission.leave("a", 15);
  admission.enter("a", 15);
  admission.leave("a", 40);
  EXPECT_EQ(admission.characters(), 0);
  admission.leave("unknown", 0);
}

TEST(Admission, RefusalsSayWhenToTryAgain) {
  Admission admission(5, 3);
  const auto status_of = [&](const char* client, int64_t characters) {
    try {
      admission.enter(client, characters);
    } catch (const RequestError& error) {
      EXPECT_TRUE(error.retry_after.has_value());
      return error.status;
    }
    return 200;
  };
  EXPECT_EQ(status_of("a", 3), 200);
  EXPECT_EQ(status_of("a", 1), 429);
  EXPECT_EQ(status_of("b", 3), 503);
}

}  // namespace
}  // namespace ventris::serving
