#include <gtest/gtest.h>

#include <csignal>

#ifdef __SANITIZE_ADDRESS__
/// Options of the address sanitizer. Up to GCC 13, it takes memory of a thread for a header that glibc has not had
/// since version 2.25, if the memory happens to begin at a certain place of its page. Then the search for leaks at the
/// end of a program crashes ("Tracer caught signal 11"). Without this interception it does not look there.
extern "C" const char* __asan_default_options() {  // NOLINT(bugprone-reserved-identifier)
  return "intercept_tls_get_addr=0";
}
#endif

/// The main function of all test programs. If a case was skipped and none failed, the exit code is 77, so that ctest
/// says "Skipped" (SKIP_RETURN_CODE in tests/CMakeLists.txt); gtest's own main function would say that all is well.
int main(int argc, char** argv) {
  constexpr int kSkipped = 77;
  // nohup, or a shell that runs the tests in the background, would let the programs they start ignore these.
  for (const int signal : {SIGHUP, SIGINT}) std::signal(signal, SIG_DFL);
  testing::InitGoogleTest(&argc, argv);
  const int failed = RUN_ALL_TESTS();
  return failed == 0 && testing::UnitTest::GetInstance()->skipped_test_count() > 0 ? kSkipped : failed;
}
