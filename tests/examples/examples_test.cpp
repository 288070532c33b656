#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "support/copy_model.h"
#include "support/run_program.h"
#include "support/temp_folder.h"
#include "support/toy_corpus.h"

/// The projects of examples/ find Ventris where it was installed, are built, and do what they say. The folders are the
/// same at each run, so that ccache knows the files.
namespace ventris::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const fs::path kRoot = fs::path(VENTRIS_BUILD) / "examples_test";
const fs::path kPrefix = kRoot / "prefix";
const std::string kBackend = std::string(VENTRIS_LIBDIR) + "/libventris_backend.so";

/// Runs a shell's command line; `err` is empty.
Outcome shell(const std::string& command, const std::string& input = "") {
  const TempFolder folder;
  const std::string out = folder.path("out");
  const int status =
      std::system((command + " < '" + folder.file("in", input) + "' > '" + out + "' 2>&1").c_str());  // NOLINT
  return {WEXITSTATUS(status), file_bytes(out), ""};
}

/// What CMake says, without the line ends that it puts into messages.
std::string said(const std::string& command) {
  std::istringstream words(shell(command).out);
  std::string text;
  for (std::string word; words >> word;) text += word + " ";
  return text;
}

std::string configuring(const std::string& example, const std::string& build, const std::string& more = "") {
  const std::string launcher =
      *VENTRIS_CCACHE == '\0' ? "" : std::string(" -DCMAKE_CXX_COMPILER_LAUNCHER='") + VENTRIS_CCACHE + "'";
  return std::string(VENTRIS_CMAKE) + " -S '" + VENTRIS_SOURCE + "/examples/" + example + "' -B '" +
         (kRoot / build).string() + "' -G '" + VENTRIS_GENERATOR + "' -DCMAKE_CXX_COMPILER='" + VENTRIS_COMPILER +
         "' -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS='" + VENTRIS_FLAGS + "' -DCMAKE_PREFIX_PATH='" +
         kPrefix.string() + "'" + launcher + " " + more;
}

/// Builds an example and returns its program.
std::string built(const std::string& example, const std::string& more = "") {
  const Outcome configured = shell(configuring(example, example, more));
  EXPECT_EQ(configured.code, 0) << configured.out;
  const Outcome compiled = shell(std::string(VENTRIS_CMAKE) + " --build '" + (kRoot / example).string() + "'");
  EXPECT_EQ(compiled.code, 0) << compiled.out;
  return (kRoot / example / example).string();
}

class Examples : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    setenv("VENTRIS_LIBTORCH", VENTRIS_TORCH_ROOT, 1);  // an installed backend looks for LibTorch
    fs::remove_all(kRoot);
    const Outcome installed =
        shell(std::string(VENTRIS_CMAKE) + " --install '" + VENTRIS_BUILD + "' --prefix '" + kPrefix.string() + "'");
    ASSERT_EQ(installed.code, 0) << installed.out;
    if (VENTRIS_LEARNING == 0) fs::copy(COPYING_BACKEND, kPrefix / kBackend);
  }

  TempFolder folder;
};

TEST_F(Examples, TranslateDoesWhatTheProgramDoesAndNeedsNoLibTorch) {
  const std::string program = built("translate", "-DVENTRIS_TORCH_ROOT=/none -DCMAKE_DISABLE_FIND_PACKAGE_Torch=ON");
  const std::string bundle = write_copying_bundle(folder.path("bundle"));
  const std::string lines = "The driver likes bread.\n\nNobody sees the bridge.\n";
  const std::string command = "'" + program + "' '" + bundle + "'";

  setenv("VENTRIS_BACKEND", COPYING_BACKEND, 1);
  EXPECT_EQ(shell(command, lines).out, lines);
  unsetenv("VENTRIS_BACKEND");
  const Outcome expected = run_program("ventris-translate", {"-m", bundle, "-b", "4"}, lines);
  const Outcome found = shell(command, lines);
  EXPECT_EQ(found.code, 0) << found.out;
  EXPECT_EQ(found.out, expected.out) << expected.err;

  EXPECT_THAT(shell("'" + program + "' '" + folder.path("none") + "'").out, HasSubstr(folder.path("none")));
  EXPECT_THAT(shell("'" + program + "'").out, HasSubstr("usage: translate MODEL"));
  const std::string libraries = shell("ldd '" + program + "'").out;
  EXPECT_THAT(libraries, HasSubstr("libsentencepiece"));
  EXPECT_THAT(libraries, testing::Not(HasSubstr("libtorch")));
}

TEST_F(Examples, TranslateFindsTheBackendForModelsThatNeedLibTorch) {
  const std::string program = built("translate", "-DVENTRIS_TORCH_ROOT=/none -DCMAKE_DISABLE_FIND_PACKAGE_Torch=ON");
  const std::string bundle = write_recurrent_bundle(folder.path("bundle"));
  const std::string lines = "The driver likes bread.\n\nNobody sees the bridge.\n";
  const std::string command = "'" + program + "' '" + bundle + "'";
  if (VENTRIS_LEARNING == 0) setenv("VENTRIS_BACKEND", COPYING_BACKEND, 1);
  const Outcome expected = run_program("ventris-translate", {"-m", bundle, "-b", "4"}, lines);
  unsetenv("VENTRIS_BACKEND");
  EXPECT_EQ(shell(command, lines).out, expected.out) << expected.err;

  const fs::path moved = kRoot / "moved";
  fs::rename(kPrefix, moved);
  const Outcome lost = shell(command, lines);
  EXPECT_EQ(lost.code, 1);
  EXPECT_THAT(lost.out,
              HasSubstr("the translation backend was not found (looked at " + (kRoot / "translate").string()));
  EXPECT_THAT(lost.out, HasSubstr("the run path of the program and the system's libraries); build it with LibTorch, or "
                                  "name it in the environment variable VENTRIS_BACKEND"));
  setenv("VENTRIS_BACKEND", (moved / kBackend).c_str(), 1);
  EXPECT_EQ(shell(command, lines).out, expected.out);
  unsetenv("VENTRIS_BACKEND");
  fs::rename(moved, kPrefix);
}

TEST_F(Examples, TorchScriptTranslatesAnExportWithoutVentris) {
  if (VENTRIS_LEARNING == 0) GTEST_SKIP() << "without LibTorch, nothing can be exported";
  const std::string program = built("torchscript", "-DTorch_DIR='" VENTRIS_TORCH_ROOT "/share/cmake/Torch'");
  const std::string golden = std::string(VENTRIS_SOURCE) + "/tests/golden/version-0.1.tar.gz";
  ASSERT_EQ(shell("tar -xzf '" + golden + "' -C '" + folder.path() + "'").code, 0);
  const std::string bundle = folder.path("bundle"), exported = folder.path("model.pt");
  ASSERT_EQ(run_program("ventris-export", {"-m", bundle, "-o", exported}).code, 0);
  const std::string lines = file_bytes(folder.path("test.src"));
  const Outcome found = shell("sh -c \"'" + program + "' '" + exported + "' | cut -f 1\"", lines);
  EXPECT_EQ(found.out, run_program("ventris-translate", {"-m", bundle, "-b", "1"}, lines).out);
  EXPECT_THAT(shell("'" + program + "'").out, HasSubstr("usage: torchscript MODEL"));
}

TEST_F(Examples, WhatIsMissingIsNamedAsTheProjectIsConfigured) {
  fs::create_directories(kRoot / "other");
  std::ofstream(kRoot / "other" / "CMakeLists.txt") << "cmake_minimum_required(VERSION 3.25)\nproject(Other CXX)\n"
                                                       "find_package(Ventris REQUIRED COMPONENTS core kitchen)\n";
  const std::string other = std::string(VENTRIS_CMAKE) + " -S '" + (kRoot / "other").string() + "' -B '" +
                            folder.path("other") + "' -DCMAKE_PREFIX_PATH='" + kPrefix.string() + "'";
  EXPECT_THAT(said(other), HasSubstr("has no component \"kitchen\""));
  EXPECT_THAT(said("PKG_CONFIG_LIBDIR=/none " + configuring("translate", "nothing")),
              HasSubstr("Ventris needs sentencepiece, which pkg-config does not find"));
  if (VENTRIS_LEARNING == 0) return;
  EXPECT_THAT(said(configuring("train", "none", "-DVENTRIS_TORCH_ROOT=/none")), HasSubstr("Ventris needs LibTorch"));
  const fs::path version = fs::path(folder.path("torch")) / "include/torch/headeronly/version.h";
  fs::create_directories(version.parent_path());
  std::ofstream(version) << "#define TORCH_VERSION_MAJOR 2\n#define TORCH_VERSION_MINOR 9\n";
  EXPECT_THAT(said(configuring("train", "older", "-DVENTRIS_TORCH_ROOT='" + folder.path("torch") + "'")),
              HasSubstr("Ventris was built with LibTorch"));
}

TEST_F(Examples, TheHeadersOfOneRoomIncludeThoseOfAnotherByTheirInstalledNames) {
  int headers = 0;
  for (const auto& entry : fs::recursive_directory_iterator(kPrefix / "include/ventris")) {
    if (!entry.is_regular_file()) continue;
    ++headers;
    std::istringstream lines(file_bytes(entry.path()));
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with("#include \"")) continue;
      EXPECT_THAT(line, testing::StartsWith("#include \"ventris/")) << entry.path();
    }
  }
  EXPECT_GT(headers, 100);
}

TEST_F(Examples, TrainPrintsALossThatFalls) {
  if (VENTRIS_LEARNING == 0) GTEST_SKIP() << "this build has no half that learns";
  const Outcome trained = shell("'" + built("train") + "'");
  ASSERT_EQ(trained.code, 0) << trained.out;
  std::vector<double> losses;
  std::istringstream lines(trained.out);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("update")) losses.push_back(std::stod(line.substr(line.find(':') + 1)));
  }
  ASSERT_EQ(losses.size(), 9U) << trained.out;
  EXPECT_LT(losses.back(), losses.front() / 4) << trained.out;
  EXPECT_THAT(trained.out, HasSubstr("copied without a mistake: "));
}

TEST_F(Examples, FamilyTrainsAndTranslatesWithAModelThatTheLibraryDoesNotKnow) {
  if (VENTRIS_LEARNING == 0) GTEST_SKIP() << "this build has no half that learns";
  const std::string program = built("family");
  const ToyCorpus text = write_toy_corpus(folder, "train", 100, 1);
  const std::string command = "'" + program + "' '" + VENTRIS_SOURCE + "/examples/family/settings.json' '" +
                              text.source + "' '" + text.target + "' '" + folder.path("run") + "' 2> '" +
                              folder.path("log") + "'";
  const Outcome trained = shell("(" + command + ")", "red house\nblue tree\n");
  ASSERT_EQ(trained.code, 0) << trained.out << file_bytes(folder.path("log"));
  EXPECT_EQ(std::ranges::count(trained.out, '\n'), 2) << trained.out;
  EXPECT_THAT(file_bytes(folder.path("run/best/config.json")), HasSubstr("bag-of-words"));

  const std::string needed = shell("readelf -d '" + program + "'").out;  // design.md, section 8
  ASSERT_THAT(needed, HasSubstr("[libsentencepiece.so"));
  ASSERT_THAT(needed, HasSubstr("[libc10.so"));
  EXPECT_LT(needed.find("[libsentencepiece.so"), std::min(needed.find("[libc10.so"), needed.find("[libtorch")));
}

}  // namespace
}  // namespace ventris::test
