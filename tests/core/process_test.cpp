#include "core/process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <string>
#include <thread>
#include <vector>

#include "core/error.h"
#include "core/parallel.h"

namespace ventris::core {
namespace {

TEST(Signals, AStopIsRememberedAndTheProcessGoesOn) {
  for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGUSR2}) {
    EXPECT_EXIT(
        {
          install_stop_handlers();
          if (stop_signal() != 0) _exit(99);
          raise(signal);
          _exit(stop_signal());
        },
        testing::ExitedWithCode(signal), "");
  }
}

TEST(Signals, OnesThatTheParentHasTheProcessIgnoreStayIgnored) {
  for (const int signal : {SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGUSR2}) {
    EXPECT_EXIT(
        {
          EXPECT_FALSE(is_ignored(signal));
          std::signal(signal, SIG_IGN);
          install_stop_handlers();
          raise(signal);
          _exit(stop_signal() == 0 && is_ignored(signal) ? 42 : 1);
        },
        testing::ExitedWithCode(42), "");
  }
}

TEST(Signals, AStopIsThrownWhereItIsLookedFor) {
  EXPECT_EXIT(
      {
        install_stop_handlers();
        throw_if_stopped("early");  // there was none
        raise(SIGTERM);
        try {
          throw_if_stopped("in.txt");
        } catch (const Interrupted& stop) {
          _exit(stop.signal == SIGTERM && std::string(stop.what()) == "in.txt: stopped by a signal" ? 42 : 1);
        }
      },
      testing::ExitedWithCode(42), "");
}

TEST(Signals, ASecondInterruptEndsTheProcess) {
  EXPECT_EXIT(
      {
        install_stop_handlers();
        raise(SIGINT);
        raise(SIGINT);
        _exit(0);
      },
      testing::KilledBySignal(SIGINT), "");
}

TEST(Signals, EndTheProcessAtOnceWhileWorkIsDoneThatCannotBeStopped) {
  for (const int signal : {SIGTERM, SIGINT}) {
    EXPECT_EXIT(
        {
          install_stop_handlers();
          const StopsAtOnce at_once;
          raise(signal);
          _exit(0);
        },
        testing::KilledBySignal(signal), "");
  }
  EXPECT_EXIT(
      {
        install_stop_handlers();
        {
          const StopsAtOnce at_once;
        }
        raise(SIGTERM);
        _exit(stop_signal());
      },
      testing::ExitedWithCode(SIGTERM), "");
}

TEST(StopScope, StopsItsThreadAndThoseOfItsParallelLoopsButNoOther) {
  StopFlag flag = 0;
  {
    const StopScope scope(&flag);
    EXPECT_EQ(stop_signal(), 0);
    flag = SIGINT;
    EXPECT_EQ(stop_signal(), SIGINT);
    EXPECT_THROW(throw_if_stopped("here"), Interrupted);
    parallel_for(8, 4, [](size_t, int) { EXPECT_EQ(stop_signal(), SIGINT); });
    std::jthread other([] { EXPECT_EQ(stop_signal(), 0); });
    other.join();
    {
      const StopScope inner(nullptr);
      EXPECT_EQ(stop_signal(), 0);
    }
    EXPECT_EQ(stop_signal(), SIGINT);
  }
  EXPECT_EQ(stop_signal(), 0);
}

TEST(Signals, AClosedPipeIsAnErrorNotADeath) {
  EXPECT_EXIT(
      {
        ignore_write_signals();
        int ends[2];
        if (pipe(ends) != 0) _exit(1);
        close(ends[0]);
        const bool failed = write(ends[1], "x", 1) < 0 && errno == EPIPE;
        _exit(failed ? 42 : 1);
      },
      testing::ExitedWithCode(42), "");
}

TEST(Process, ClosedStandardStreamsAreNobodyElses) {
  EXPECT_EXIT(
      {
        for (const int descriptor : {0, 1, 2}) close(descriptor);
        fill_standard_streams();
        const int file = open("/dev/null", O_RDWR);
        const bool silent = write(2, "x", 1) == 1;
        char letter = 0;
        const bool failing = read(0, &letter, 1) < 0 && write(1, "x", 1) < 0;
        _exit(file > 2 && silent && failing ? 42 : 1);
      },
      testing::ExitedWithCode(42), "");
}

TEST(Process, ReportsAreSensible) {
  EXPECT_FALSE(instruction_set().empty());
  const double before = peak_memory_mib();
  const std::vector<char> block(64 << 20, 'x');
  EXPECT_GE(peak_memory_mib(), before);
  EXPECT_GT(peak_memory_mib(), 60);
  const double start = seconds_now();
  usleep(2000);
  EXPECT_GT(seconds_now(), start);
  EXPECT_EQ(block.back(), 'x');
}

TEST(Process, APeakCanBeForgotten) {
  {
    const std::vector<char> block(200 << 20, 'x');
  }
  const int64_t before = resident_memory().peak;
  forget_peak_memory();
  if (resident_memory().peak == before) GTEST_SKIP() << "this system keeps the peak";
  EXPECT_LT(resident_memory().peak, before);
  EXPECT_GE(resident_memory().peak, resident_memory().now / 2);
}

TEST(Process, ResidentMemoryGrowsWithWhatIsWritten) {
  const ResidentMemory before = resident_memory();
  const std::vector<char> block(64 << 20, 'x');
  const ResidentMemory after = resident_memory();
  EXPECT_GT(before.now, 1 << 20);
  EXPECT_GE(after.now, before.now + (60 << 20));
  EXPECT_GE(after.peak, after.now);
  EXPECT_EQ(block.back(), 'x');
}

}  // namespace
}  // namespace ventris::core
