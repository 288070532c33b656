#include "training/shared_update.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "support/errors.h"
#include "support/toy_run.h"
#include "support/two_processes.h"

namespace ventris::training {
namespace {

using Group = std::shared_ptr<distributed::ProcessGroup>;

TEST(SharedUpdate, AnUpdateIsTheSumOfItsPartsOnRank0sClock) {
  test::as_two_processes([](const Group& group) {
    const bool first = group->leads();
    const SharedUpdate all = share_update(*group, {{1.5, 1, first ? 10 : 20}, first ? 3.0 : 99.0, first ? 0 : 15});
    EXPECT_EQ(all.pass.loss, 3.0);
    EXPECT_EQ(all.pass.nll, 2.0);
    EXPECT_EQ(all.pass.target_tokens, 30);
    EXPECT_EQ(all.minutes, 3.0);
    EXPECT_EQ(all.signal, 15);
  });
}

TEST(SharedUpdate, AScoreIsMeasuredOnceAndAStopStopsAll) {
  test::as_two_processes([](const Group& group) {
    int measured = 0;
    const run::ValidationScore shared =
        share_score(*group, [&] { return run::ValidationScore{++measured * 2.5, 4.5}; });
    EXPECT_EQ(shared.value, 2.5);
    EXPECT_EQ(shared.loss, 4.5);
    EXPECT_EQ(measured, group->leads() ? 1 : 0);
    EXPECT_THROW(share_score(*group, []() -> run::ValidationScore { throw Interrupted(15, "stopped"); }), Interrupted);
  });
}

}  // namespace
}  // namespace ventris::training
