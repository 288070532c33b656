#include "core/shared_bytes.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

namespace ventris::core {
namespace {

TEST(SharedBytes, AreNoneUntilTheyAreMade) {
  EXPECT_FALSE(SharedBytes());
  EXPECT_EQ(SharedBytes().view(), "");
  EXPECT_TRUE(SharedBytes(""));
}

TEST(SharedBytes, OfATextLiveAsLongAsACopy) {
  SharedBytes copy;
  const char* place = nullptr;
  {
    const SharedBytes first(std::string(1000, 'x'));  // longer than what a std::string keeps inside
    place = first.view().data();
    copy = first;
  }
  EXPECT_EQ(copy.view(), std::string(1000, 'x'));
  EXPECT_EQ(copy.view().data(), place) << "a copy shares the bytes";
  EXPECT_FALSE(copy.mapped());
}

TEST(SharedBytes, OfAShortTextStayWhereTheyAre) {
  SharedBytes first("ab");
  const SharedBytes moved = std::move(first);
  EXPECT_EQ(moved.view(), "ab");
}

TEST(SharedBytes, OfAMappingKeepItsOwner) {
  auto owner = std::make_shared<const int>(7);
  const std::string bytes = "abc";
  {
    const SharedBytes mapped = SharedBytes::of_mapping(owner, bytes);
    EXPECT_TRUE(mapped.mapped());
    EXPECT_EQ(mapped.owner(), owner);
    EXPECT_EQ(owner.use_count(), 2);
  }
  EXPECT_EQ(owner.use_count(), 1);
}

TEST(SharedBytes, ReleasingDropsThePagesOfAPartOnly) {
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const size_t size = 3 * page;
  void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  auto* const text = static_cast<char*>(memory);
  std::fill(text, text + size, 'x');
  const SharedBytes mapped = SharedBytes::of_mapping(std::make_shared<const int>(0), {text, size});
  mapped.release({});
  EXPECT_EQ(text[0], 'x') << "no part, no page";
  mapped.release(mapped.view().substr(page + 10, 5));  // inside the second page
  EXPECT_EQ(text[page - 1], 'x');
  EXPECT_EQ(text[page], '\0') << "an anonymous page that was dropped is read as zeros";
  EXPECT_EQ(text[2 * page], 'x');
  munmap(memory, size);
}

TEST(SharedBytes, ReleasingATextDoesNothing) {
  const SharedBytes text(std::string(100'000, 'x'));
  text.release(text.view());
  EXPECT_EQ(text.view(), std::string(100'000, 'x'));
}

}  // namespace
}  // namespace ventris::core
