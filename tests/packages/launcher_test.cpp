#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "support/fake_libtorch.h"
#include "support/shell.h"
#include "support/temp_folder.h"

/// The launcher of installed programs, with a shell script in place of the program that it starts and with empty files
/// in place of LibTorch.
namespace ventris::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::StartsWith;

class Launcher : public testing::Test {
 protected:
  void SetUp() override {
    if (VENTRIS_LEARNING == 0) GTEST_SKIP() << "this build has no programs that need LibTorch";
    fs::create_directories(root + "/bin");
    fs::create_directories(root + "/" VENTRIS_LIBEXECDIR);
    fs::copy(VENTRIS_BUILD "/libexec/ventris-launcher", root + "/bin/ventris-train");
    libtorch("libtorch", VENTRIS_TORCH_VERSION ".0");
  }

  std::string libtorch(const std::string& name, const std::string& version) const {
    std::istringstream words(VENTRIS_TORCH_LIBRARIES);
    return fake_libtorch(root + "/" + name, version, {std::istream_iterator<std::string>(words), {}});
  }

  /// Writes the program that the launcher starts.
  void program(const std::string& script) const {
    std::ofstream(real) << "#!/bin/sh\n" << script << '\n';
    fs::permissions(real, fs::perms::owner_all);
  }

  /// Runs the launcher with an environment of only these variables.
  Outcome start(const std::string& rest = "", const std::string& variables = "PATH=/bin:/usr/bin") const {
    return run_shell("env -i " + variables + " '" + launcher + "' " + rest + " 2>&1");
  }

  TempFolder folder;
  const std::string root = folder.path("with blank"), launcher = root + "/bin/ventris-train",
                    real = root + "/" VENTRIS_LIBEXECDIR "/ventris-train";
};

TEST_F(Launcher, ArgumentsStandardInputAndTheExitCodeAreThoseOfTheProgram) {
  program("printf '<%s>' \"$@\"; cat; exit 37");
  const Outcome outcome = start("--help 'two words' '' < <(printf 'a line')");
  EXPECT_EQ(outcome.out, "<--help><two words><>a line");
  EXPECT_EQ(outcome.code, 37);
}

TEST_F(Launcher, TheProcessStaysTheSameSoThatSignalsReachTheProgram) {
  program("echo $$; kill -TERM $$");
  const Outcome outcome = run_shell("echo $$; exec env -i PATH=/bin:/usr/bin '" + launcher + "'");
  EXPECT_EQ(outcome.code, 128 + 15);
  std::istringstream numbers(outcome.out);
  std::string shell, started;
  numbers >> shell >> started;
  EXPECT_EQ(shell, started);
}

TEST_F(Launcher, AnIgnoredSignalStaysIgnored) {
  program("kill -INT $$; echo still here");
  EXPECT_THAT(run_shell("trap '' INT; '" + launcher + "'").out, HasSubstr("still here"));
}

TEST_F(Launcher, LibTorchComesFirstInTheLibraryPathAndTheOthersStay) {
  program("printf %s \"$LD_LIBRARY_PATH\"");
  EXPECT_EQ(start().out, root + "/libtorch/lib");
  EXPECT_EQ(start("", "LD_LIBRARY_PATH=/some:/other").out, root + "/libtorch/lib:/some:/other");
}

TEST_F(Launcher, ALinkToItInAnotherFolderFindsTheInstallation) {
  program("printf %s \"$LD_LIBRARY_PATH\"");
  fs::create_symlink(launcher, folder.path("train"));
  EXPECT_EQ(run_shell("env -i '" + folder.path("train") + "'").out, root + "/libtorch/lib");
}

TEST_F(Launcher, TheNamedLibTorchComesBeforeTheOneBesideTheProgram) {
  program("printf %s \"$LD_LIBRARY_PATH\"");
  const std::string named = libtorch("named", VENTRIS_TORCH_VERSION ".1");
  EXPECT_EQ(start("", "VENTRIS_LIBTORCH='" + named + "'").out, named + "/lib");
  const std::string old = libtorch("old", "1.13.1");
  const Outcome refused = start("", "VENTRIS_LIBTORCH='" + old + "'");
  EXPECT_EQ(refused.code, 2);
  EXPECT_EQ(refused.out,
            "ventris-train: VENTRIS_LIBTORCH: expected the folder of a LibTorch " VENTRIS_TORCH_VERSION ", but " + old +
                " has version 1.13.1; name an unpacked LibTorch or the folder of the Python "
                "package torch\n");
}

TEST_F(Launcher, ThePythonInUseIsAskedLast) {
  program("printf %s \"$LD_LIBRARY_PATH\"; cat");
  fs::rename(root + "/libtorch", root + "/torch");
  fake_python(folder.path(), root + "/torch");
  EXPECT_EQ(start("< <(printf ' input')", "PATH='" + folder.path() + ":/bin:/usr/bin'").out, root + "/torch/lib input");
}

TEST_F(Launcher, WithoutLibTorchItSaysSoInOneSentence) {
  program("echo started");
  fs::remove_all(root + "/libtorch");
  const Outcome outcome = start("--version", "PATH=/none");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.out, StartsWith("ventris-train: LibTorch " VENTRIS_TORCH_VERSION " was not found (looked at " +
                                      root + "/bin/libtorch, " + root + "/libtorch, "));
  EXPECT_EQ(outcome.out.find('\n'), outcome.out.size() - 1);
}

TEST_F(Launcher, AnIncompleteInstallationIsNamed) {
  const Outcome outcome = start();
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.out, "ventris-train: " + real +
                             ": No such file or directory; this installation of Ventris is not "
                             "complete\n");
}

TEST_F(Launcher, AFolderThatCannotBeInALibraryPathIsRefused) {
  program("echo started");
  const std::string odd = libtorch("a:b", VENTRIS_TORCH_VERSION ".0");
  const Outcome outcome = start("", "VENTRIS_LIBTORCH='" + odd + "'");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.out, HasSubstr(odd + "/lib: expected a folder of LibTorch without ':' and ';' in its path"));
}

}  // namespace
}  // namespace ventris::test
