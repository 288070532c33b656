#include "distributed/process_group.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "support/errors.h"
#include "support/two_processes.h"

namespace ventris::distributed {
namespace {

TEST(ProcessGroup, OneAloneChangesNothing) {
  const auto group = join_processes({});
  EXPECT_EQ(group->size(), 1);
  EXPECT_TRUE(group->leads());
  const auto tensor = torch::ones({3});
  group->start_sum(tensor)->wait();
  EXPECT_TRUE(torch::equal(tensor, torch::ones({3})));
  EXPECT_EQ(group->broadcast("text"), "text");
  EXPECT_EQ(group->gather_values(2.5), std::vector<double>{2.5});
  group->leave();
}

TEST(ProcessGroup, ValuesAreSharedByRank) {
  test::as_two_processes([](const std::shared_ptr<ProcessGroup>& group) {
    EXPECT_EQ(group->gather_values(group->rank() + 0.5), (std::vector<double>{0.5, 1.5}));
    EXPECT_EQ(group->broadcast_value(group->rank() + 7), 7);
  });
}

TEST(ProcessGroup, AProblemOfOneIsThatOfAll) {
  test::as_two_processes([](const std::shared_ptr<ProcessGroup>& group) {
    EXPECT_NO_THROW(fail_together(*group, ""));
    EXPECT_FAILS(fail_together(*group, group->leads() ? "" : "rank 1 has one"), ConfigError, "rank 1 has one");
    EXPECT_FAILS(fail_together(*group, "of " + std::to_string(group->rank())), ConfigError, "of 0");
    EXPECT_FAILS(fail_together(*group, std::string(5000, 'x')), ConfigError, std::string(900, 'x'));
  });
}

}  // namespace
}  // namespace ventris::distributed
