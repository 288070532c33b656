#pragma once
#include <gmock/gmock.h>

/// The statement throws exactly this type of error, and its text contains `part`.
#define EXPECT_FAILS(statement, type, part) \
  EXPECT_THAT([&] { statement; },           \
              testing::Throws<type>(testing::Property(&std::exception::what, testing::HasSubstr(part))))
