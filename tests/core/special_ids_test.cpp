#include "core/special_ids.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ventris::core {
namespace {

using testing::UnorderedElementsAre;

TEST(SpecialIds, UnkIsGeneratedOnlyIfItIsAllowed) {
  const SpecialIds ids{10, 11, 12, 13};  // pad, unk, bos, eos
  EXPECT_THAT(ids.never(/*allow_unk=*/true), UnorderedElementsAre(10, 12));
  EXPECT_THAT(ids.never(/*allow_unk=*/false), UnorderedElementsAre(10, 11, 12));
}

}  // namespace
}  // namespace ventris::core
