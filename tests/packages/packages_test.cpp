#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "support/copy_model.h"
#include "support/elf_file.h"
#include "support/fake_libtorch.h"
#include "support/shell.h"
#include "support/temp_folder.h"

/// What is installed or packed runs where it is moved to, with an empty environment. LibTorch is hidden, unless a case
/// names it.
namespace ventris::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const std::string kHidden = "PATH=/none";  // no Python
const std::string kLines = "The driver likes bread.\n\nNobody sees the bridge.\n";

/// Runs a program of an installation with an environment of only these variables.
Outcome start(const fs::path& root, const std::string& program, const std::string& arguments,
              const std::string& variables = kHidden) {
  return run_shell("env -i " + variables + " '" + (root / "bin" / program).string() + "' " + arguments + " 2>&1");
}

/// The names in a folder, sorted.
std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  if (!fs::exists(folder)) return names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

/// Each program runs, or says in one sentence that LibTorch is missing.
void expect_answers(const fs::path& root) {
  const auto linked = names_in(root / VENTRIS_LIBEXECDIR), all = names_in(root / "bin");
  EXPECT_EQ(linked.empty(), VENTRIS_LEARNING == 0);
  EXPECT_GT(all.size(), linked.size());
  EXPECT_EQ(all.size(), names_in(root / "share/man/man1").size());
  for (const std::string& name : all) {
    const Outcome outcome = start(root, name, "--version");
    if (!std::ranges::binary_search(linked, name)) {
      EXPECT_EQ(outcome.code, 0) << outcome.out;
      EXPECT_THAT(outcome.out, StartsWith(name + " "));
      continue;
    }
    EXPECT_EQ(outcome.code, 2) << outcome.out;
    EXPECT_THAT(outcome.out, StartsWith(name + ": LibTorch " VENTRIS_TORCH_VERSION " was not found (looked at "));
    EXPECT_EQ(std::ranges::count(outcome.out, '\n'), 1) << outcome.out;
  }
}

void expect_no_run_path(const fs::path& root) {
  const auto files = elf_files_in(root);
  EXPECT_GT(files.size(), 5U);
  for (const auto& [path, file] : files) {
    EXPECT_THAT(file.run_paths, testing::IsEmpty()) << path;
    EXPECT_FALSE(file.needed.empty()) << path;
  }
}

/// Documents, settings, manual pages and completion.
void expect_files(const fs::path& root) {
  for (const char* file :
       {"share/doc/ventris/README.md", "share/doc/ventris/LICENSE", "share/doc/ventris/docs/packages.md",
        "share/doc/ventris/lib/README.md", "share/ventris/configs/multi30k-tiny.json",
        "share/man/man1/ventris-translate.1", "share/bash-completion/completions/ventris-translate",
        "share/zsh/site-functions/_ventris-translate", "share/fish/vendor_completions.d/ventris-translate.fish"}) {
    EXPECT_TRUE(fs::exists(root / file)) << file;
  }
}

class Installed : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    suite_folder = new TempFolder();
    const std::string first = suite_folder->path("first");
    const Outcome installed =
        run_shell(std::string(VENTRIS_CMAKE) + " --install " VENTRIS_BUILD " --prefix '" + first + "' 2>&1");
    ASSERT_EQ(installed.code, 0) << installed.out;
    fs::rename(first, root());
  }
  static void TearDownTestSuite() { delete suite_folder; }
  static fs::path root() { return suite_folder->path("moved here"); }

  /// Expects the translations of the program in the build tree.
  void expect_translates(const std::string& bundle, const std::string& variables) const {
    const Outcome expected = run_program("ventris-translate", {"-m", bundle, "--log-level", "error"}, kLines);
    const Outcome found =
        start(root(), "ventris-translate",
              "--log-level error -m '" + bundle + "' < '" + folder.file("in", kLines) + "'", variables);
    EXPECT_EQ(found.code, 0) << found.out;
    EXPECT_EQ(found.out, expected.out);
  }

  TempFolder folder;
  inline static TempFolder* suite_folder = nullptr;
};

TEST_F(Installed, EachProgramRunsOrSaysThatLibTorchIsMissing) {
  expect_answers(root());
  expect_files(root());
  expect_no_run_path(root());
}

TEST_F(Installed, WorkThatNeedsNoLibTorchIsDone) {
  const std::string bundle = write_copying_bundle(folder.path("bundle")), text = folder.file("text", kLines);
  expect_translates(bundle, kHidden);
  const Outcome score =
      start(root(), "ventris-score", "--log-level error -m '" + bundle + "' '" + text + "' '" + text + "'");
  EXPECT_EQ(score.code, 0) << score.out;
  EXPECT_EQ(std::ranges::count(score.out, '\n'), 3) << score.out;
  const Outcome bleu = start(root(), "ventris-evaluate", "'" + text + "' -i '" + text + "' -b");
  EXPECT_EQ(bleu.out, "100.0\n");
  const Outcome shown = start(root(), "ventris-inspect", "'" + bundle + "'");
  EXPECT_EQ(shown.code, 0) << shown.out;
}

TEST_F(Installed, AModelThatNeedsLibTorchIsRefusedInOneSentenceWithoutIt) {
  if (VENTRIS_LEARNING == 0) GTEST_SKIP() << "this build has no backend";
  const std::string bundle = write_recurrent_bundle(folder.path("bundle"));
  const Outcome outcome = start(root(), "ventris-translate", "-m '" + bundle + "' < /dev/null");
  EXPECT_EQ(outcome.code, 2) << outcome.out;
  EXPECT_THAT(outcome.out, AllOf(StartsWith("ventris-translate: LibTorch is needed ("),
                                 HasSubstr("), but LibTorch " VENTRIS_TORCH_VERSION " was not found (looked at " +
                                           (root() / "bin/libtorch").string())));
  EXPECT_EQ(std::ranges::count(outcome.out, '\n'), 1) << outcome.out;
}

TEST_F(Installed, LibTorchIsTakenFromTheVariableFromTheInstallationAndFromPython) {
  if (VENTRIS_LEARNING == 0) GTEST_SKIP() << "this build has no programs that need LibTorch";
  const std::string bundle = write_recurrent_bundle(folder.path("bundle"));
  const std::string named = "VENTRIS_LIBTORCH='" VENTRIS_TORCH_ROOT "'";
  expect_translates(bundle, named);
  const Outcome wrong = start(root(), "ventris-train", "--no-such-flag", named);
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.out, StartsWith("ventris-train: unknown argument '--no-such-flag'"));

  fs::create_directory_symlink(VENTRIS_TORCH_ROOT, root() / "libtorch");
  expect_translates(bundle, kHidden);
  const Outcome version = start(root(), "ventris-train", "--version");
  EXPECT_THAT(version.out, HasSubstr("\nLibTorch " VENTRIS_TORCH_VERSION));
  fs::remove(root() / "libtorch");

  fake_python(folder.path(), VENTRIS_TORCH_ROOT);
  expect_translates(bundle, "PATH='" + folder.path() + ":/bin:/usr/bin'");
}

class Packed : public testing::Test {
 protected:
  /// Makes a package with a generator of cpack and returns its file.
  std::string packed(const std::string& generator, const std::string& ending) const {
    const std::string fast = " -D CPACK_DEBIAN_COMPRESSION_TYPE=gzip";  // xz takes ten times as long
    const Outcome made =
        run_shell(std::string(VENTRIS_CPACK) + " -G " + generator + fast +
                  " --config " VENTRIS_BUILD "/CPackConfig.cmake -B '" + folder.path(generator) + "' 2>&1");
    EXPECT_EQ(made.code, 0) << made.out;
    for (const auto& entry : fs::directory_iterator(folder.path(generator))) {
      if (entry.path().string().ends_with(ending)) return entry.path().string();
    }
    ADD_FAILURE() << "no file " << ending << " in:\n" << made.out;
    return "";
  }

  TempFolder folder;
};

TEST_F(Packed, TheArchiveRunsWhereItIsUnpacked) {
  const std::string archive = packed("TGZ", ".tar.gz");
  fs::create_directory(folder.path("unpacked"));
  ASSERT_EQ(run_shell("tar -xzf '" + archive + "' -C '" + folder.path("unpacked") + "' --strip-components 1").code, 0);
  fs::remove_all(folder.path("TGZ"));
  const fs::path root = folder.path("unpacked");
  expect_answers(root);
  expect_files(root);
  expect_no_run_path(root);
  EXPECT_FALSE(fs::exists(root / "include")) << "headers are only for who builds programs";
  const std::string bundle = write_copying_bundle(folder.path("bundle"));
  const Outcome translated =
      start(root, "ventris-translate", "--log-level error -m '" + bundle + "' < '" + folder.file("in", kLines) + "'");
  EXPECT_EQ(translated.out, run_program("ventris-translate", {"-m", bundle, "--log-level", "error"}, kLines).out);
}

TEST_F(Packed, TheDebianPackageDependsOnTheLibrariesOfDebianAndNotOnLibTorch) {
  if (!has_command("dpkg-shlibdeps") || !has_command("file")) GTEST_SKIP() << "dpkg-dev or file is not installed";
  const std::string package = packed("DEB", ".deb");
  const std::string depends = run_shell("dpkg-deb -f '" + package + "' Depends").out;
  // Without their versions, which later releases have others of.
  for (const char* name : {"libc6 (>=", "libsentencepiece", "libicu", "libzip", "libfmt", "libgumbo", "libmd4c0",
                           "libmicrohttpd12", "libyaml-0-2"}) {
    EXPECT_THAT(depends, HasSubstr(name));
  }
  EXPECT_THAT(depends, Not(HasSubstr("torch")));
  ASSERT_EQ(run_shell("dpkg-deb -x '" + package + "' '" + folder.path("root") + "'").code, 0);
  expect_answers(folder.path("root/usr"));
  expect_files(folder.path("root/usr"));
  expect_no_run_path(folder.path("root/usr"));
}

}  // namespace
}  // namespace ventris::test
