#pragma once
#include <gtest/gtest.h>

#include <string>

#include "arithmetic/kernels.h"

namespace ventris::test {

/// A test that runs with each set of kernels that this processor has.
class EveryKernelSet : public testing::TestWithParam<const arithmetic::Kernels*> {
 protected:
  const arithmetic::Kernels& kernels() const { return *GetParam(); }
};

inline std::string set_name(const testing::TestParamInfo<const arithmetic::Kernels*>& info) { return info.param->name; }

#define INSTANTIATE_EVERY_KERNEL_SET(suite) \
  INSTANTIATE_TEST_SUITE_P(Sets, suite, testing::ValuesIn(arithmetic::available_kernels()), test::set_name)

}  // namespace ventris::test
