#include "files/mapped_ranges.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <thread>
#include <vector>

#include "core/error.h"
#include "files/mapped_file.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace ventris::files {
namespace {

namespace fs = std::filesystem;

class MappedRanges : public testing::Test {
 protected:
  core::SharedBytes map() const { return MappedFile(path).map(); }
  /// Reads beyond the new end of the file, as a program does that explains it.
  static char read_last(const core::SharedBytes& bytes) {
    return *static_cast<const volatile char*>(&bytes.view().back());
  }

  const test::TempFolder folder;
  const std::string path = folder.file("model.packed", std::string(100'000, 'x'));
};

TEST_F(MappedRanges, KnowTheFilesThatAreMappedNow) {
  core::SharedBytes first = map();
  const char *begin = first.view().data(), *end = begin + first.view().size();
  ASSERT_NE(mapping_at(begin), nullptr);
  EXPECT_NE(std::string(mapping_at(end - 1)).find("model.packed: the file became shorter"), std::string::npos);
  EXPECT_EQ(mapping_at(end), nullptr);
  EXPECT_EQ(mapping_at(begin - 1), nullptr);
  EXPECT_EQ(mapping_at(nullptr), nullptr);
  const core::SharedBytes copy = first;
  first = {};
  EXPECT_NE(mapping_at(begin), nullptr);
}

TEST_F(MappedRanges, ForgetFilesThatAreNoLongerMappedAndUseTheirPlacesAgain) {
  const char* begin = map().view().data();
  EXPECT_EQ(mapping_at(begin), nullptr);
  for (int i = 0; i < 1000; ++i) map();
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int j = 0; j < 200; ++j) {
        const core::SharedBytes bytes = map();
        EXPECT_NE(mapping_at(bytes.view().data()), nullptr);
        check_mapping(bytes.view().data());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_F(MappedRanges, AFileThatBecameShorterIsNamed) {
  const core::SharedBytes bytes = map();
  check_mapping(bytes.view().data());
  fs::resize_file(path, 99'999);
  EXPECT_FAILS(
      check_mapping(bytes.view().data() + 5), ModelError,
      "model.packed: the file became shorter, or can no longer be read, while it was in use; put a new version");
  EXPECT_NO_THROW(check_mapping(nullptr));
  EXPECT_NO_THROW(check_mapping(&bytes));
}

TEST_F(MappedRanges, AFileThatBecomesShorterBetweenOpeningAndMappingIsRefused) {
  const MappedFile file(path);
  fs::resize_file(path, 10);
  EXPECT_FAILS(file.map(), ModelError, "model.packed: the file became shorter");
}

TEST_F(MappedRanges, AProgramExplainsAFileThatBecameShorterAndEndsWith4) {
  const auto read_shorter = [this](int readers) {
    explain_shortened_files("ventris-name");
    const core::SharedBytes bytes = map();
    fs::resize_file(path, 0);
    std::vector<std::thread> threads;
    for (int i = 0; i < readers; ++i) threads.emplace_back([&] { read_last(bytes); });
    for (std::thread& thread : threads) thread.join();
    read_last(bytes);
  };
  const std::string message =
      "^ventris-name: .*model.packed: the file became shorter, .*, and run the program again\n$";
  EXPECT_EXIT(read_shorter(0), testing::ExitedWithCode(4), message);
  folder.file("model.packed", std::string(100'000, 'x'));
  EXPECT_EXIT(read_shorter(4), testing::ExitedWithCode(4), message);
}

TEST_F(MappedRanges, OtherBusErrorsHaveTheirUsualEffect) {
  const auto raise_after = [](void (*handler)(int)) {
    signal(SIGBUS, handler);
    explain_shortened_files("ventris-name");
    raise(SIGBUS);
  };
  EXPECT_EXIT(raise_after(SIG_DFL), testing::KilledBySignal(SIGBUS), "^$");
  EXPECT_EXIT(raise_after([](int) { _exit(77); }), testing::ExitedWithCode(77), "^$");
  const auto read_unknown = [this] {
    signal(SIGBUS, SIG_DFL);
    explain_shortened_files("ventris-name");
    const core::SharedBytes ours = map();
    FILE* file = fopen(folder.file("other", std::string(100'000, 'x')).c_str(), "rb");
    const void* bytes = mmap(nullptr, 100'000, PROT_READ, MAP_PRIVATE, fileno(file), 0);
    fs::resize_file(folder.path("other"), 0);
    read_last(core::SharedBytes::of_mapping({}, {static_cast<const char*>(bytes), 100'000}));
  };
  EXPECT_EXIT(read_unknown(), testing::KilledBySignal(SIGBUS), "^$");
}

}  // namespace
}  // namespace ventris::files
