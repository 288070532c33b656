#include "run/saver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <memory>
#include <new>
#include <thread>

#include "core/error.h"
#include "support/errors.h"

namespace ventris::run {
namespace {

using testing::HasSubstr;
using testing::Not;

/// A save that lasts until it is let go.
class SlowSave {
 public:
  Saver::Save save() {
    return [this] {
      gate_.get_future().wait();
      done = true;
    };
  }
  void let_go() { gate_.set_value(); }
  std::thread let_go_soon() {
    return std::thread([this] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      let_go();
    });
  }
  std::atomic<bool> done = false;

 private:
  std::promise<void> gate_;
};

[[noreturn]] void full_disk() { fail<WriteError>("disk: full"); }

TEST(Saver, TrainingGoesOnWhileASaveIsInFlight) {
  SlowSave slow;
  Saver saver;
  saver.begin(slow.save());
  EXPECT_FALSE(slow.done);  // and yet begin() has returned
  slow.let_go();
  saver.wait();
  EXPECT_TRUE(slow.done);
}

TEST(Saver, ASaveWaitsForTheOneBefore) {
  for (const bool now : {false, true}) {
    SlowSave slow;
    Saver saver;
    saver.begin(slow.save());
    std::thread helper = slow.let_go_soon();
    bool after = false;
    const auto second = [&] { after = slow.done; };
    now ? saver.save_now(second) : saver.begin(second);
    EXPECT_TRUE(slow.done);
    saver.wait();
    EXPECT_TRUE(after);
    helper.join();
  }
}

TEST(Saver, IsNotDestroyedWhileASaveIsInFlight) {
  SlowSave slow;
  auto saver = std::make_unique<Saver>();
  saver->begin(slow.save());
  std::thread helper = slow.let_go_soon();
  saver.reset();
  EXPECT_TRUE(slow.done);
  helper.join();
}

TEST(Saver, ASaveThatCannotWriteIsSaidOnceAndTheNextIsTried) {
  Saver saver;
  testing::internal::CaptureStderr();
  saver.begin(full_disk);
  saver.wait();
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              HasSubstr("this checkpoint could not be saved (disk: full); training continues and tries again"));
  testing::internal::CaptureStderr();
  bool saved = false;
  saver.begin([&] { saved = true; });
  saver.wait();
  EXPECT_TRUE(saved);
  EXPECT_THAT(testing::internal::GetCapturedStderr(), Not(HasSubstr("could not be saved")));
}

TEST(Saver, ASaveThatIsWaitedForFailsWithItsError) {
  Saver saver;
  EXPECT_FAILS(saver.save_now(full_disk), WriteError, "disk: full");
}

TEST(Saver, KnowsWhetherTheLastSaveCouldWrite) {
  SlowSave slow;
  Saver saver;
  EXPECT_FALSE(saver.failed());
  saver.begin(full_disk);
  saver.wait();
  EXPECT_TRUE(saver.failed());
  saver.begin(slow.save());
  EXPECT_FALSE(saver.failed()) << "it is not over yet, and not waited for";
  slow.let_go();
  saver.wait();
  EXPECT_FALSE(saver.failed());
}

TEST(Saver, WhatIsNoWriteErrorReachesTheTrainingThread) {
  Saver saver;
  saver.begin([] { throw std::bad_alloc(); });
  EXPECT_THROW(saver.begin([] {}), std::bad_alloc);
  EXPECT_NO_THROW(saver.wait());  // it was told already
}

}  // namespace
}  // namespace ventris::run
