#include "core/resources.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <new>

#include "support/errors.h"

namespace ventris::core {
namespace {

using testing::HasSubstr;

/// While it lives, no thread can be started: its stack would need more than there are addresses.
class NoThreads {
 public:
  NoThreads() {
    pthread_attr_t endless;
    pthread_getattr_default_np(&before_);
    pthread_attr_init(&endless);
    pthread_attr_setstacksize(&endless, size_t{1} << 50);
    pthread_setattr_default_np(&endless);
    pthread_attr_destroy(&endless);
  }
  ~NoThreads() { pthread_setattr_default_np(&before_); }
  NoThreads(const NoThreads&) = delete;
  NoThreads& operator=(const NoThreads&) = delete;

 private:
  pthread_attr_t before_{};
};

TEST(Resources, AThreadThatIsRefusedIsAnErrorThatSaysWhatToDo) {
  int done = 0;
  start_thread([&] { ++done; }).join();
  EXPECT_EQ(done, 1);
  const NoThreads refused;
  EXPECT_FAILS(start_thread([] {}), ResourceError,
               "no more threads or processes can be started (Resource temporarily unavailable); the limits here are: ");
  EXPECT_FAILS(start_thread<std::jthread>([] {}), ResourceError,
               "; use fewer --threads, end other programs, or raise the limit");
}

TEST(Resources, TheLimitsAreNamed) {
  const auto child = [] {
    const rlimit processes{1234, 1234};
    setrlimit(RLIMIT_NPROC, &processes);
    fputs(no_more_threads("why").c_str(), stderr);
    _exit(0);
  };
  EXPECT_EXIT(child(), testing::ExitedWithCode(0), "1,234 processes and threads of one user .ulimit -u.");
}

TEST(Resources, OnlyTheRefusalOfMemoryAndThreadsIsOne) {
  const auto problem = [](const std::exception& error) { return resource_problem(error).value_or(""); };
  const std::string memory = "out of memory; use smaller batches, a smaller model or fewer threads";
  EXPECT_EQ(problem(std::bad_alloc()), memory);
  EXPECT_EQ(problem(std::runtime_error("cannot allocate memory: you tried 1 TB")), memory);
  EXPECT_THAT(problem(std::system_error(EAGAIN, std::generic_category())), HasSubstr("no more threads or processes"));
  EXPECT_EQ(problem(std::system_error(EPERM, std::generic_category())), "");
  EXPECT_EQ(problem(std::runtime_error("odd")), "");
}

TEST(Resources, AProgramOfAUserWithTooManyThreadsEndsWithThisError) {
  if (geteuid() != 0) GTEST_SKIP() << "only the superuser can become another user, for whom the limit holds";
  const auto child = [] {
    const rlimit one{1, 1};
    setrlimit(RLIMIT_NPROC, &one);
    if (setgid(65534) != 0 || setuid(65534) != 0) _exit(2);
    try {
      start_thread([] {}).join();
    } catch (const ResourceError& error) {
      fputs(error.what(), stderr);
      _exit(7);
    }
    _exit(0);
  };
  EXPECT_EXIT(child(), testing::ExitedWithCode(7), "no more threads or processes can be started .Resource temporar");
}

}  // namespace
}  // namespace ventris::core
