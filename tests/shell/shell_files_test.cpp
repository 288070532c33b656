#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <sstream>

#include "support/shell.h"
#include "support/temp_folder.h"

/// Completion scripts and manual pages of all programs, as they are installed.
namespace ventris::test {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

using Words = std::vector<std::string>;

/// Where they are in the build tree.
std::string share(const std::string& path) { return std::string(VENTRIS_BUILD) + "/share/" + path; }

Words programs() {
  Words names;
  for (const auto& entry : fs::directory_iterator(share("man/man1"))) names.push_back(entry.path().stem().string());
  return names;
}

/// What bash would offer for the last of these words, sorted.
Words complete(const Words& words, const std::string& folder = "/") {
  std::string function = "_" + words.front(), list;
  std::replace(function.begin(), function.end(), '-', '_');
  for (const std::string& word : words) list += " '" + word + "'";
  const Outcome outcome =
      run_shell("source " + share("bash-completion/completions/" + words.front()) + " && cd " + folder +
                " && COMP_WORDS=(" + list + ") COMP_CWORD=" + std::to_string(words.size() - 1) + " && " + function +
                "; printf '%s\\n' \"${COMPREPLY[@]}\"");
  EXPECT_EQ(outcome.code, 0);
  std::istringstream lines(outcome.out);
  Words offered;
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty()) offered.push_back(line);
  }
  std::sort(offered.begin(), offered.end());
  return offered;
}

TEST(Completion, BashCompletesFlagsAndTheWordsTheyTake) {
  EXPECT_THAT(complete({"ventris-evaluate", "--chrf-w"}), ElementsAre("--chrf-whitespace", "--chrf-word-order"));
  EXPECT_THAT(complete({"ventris-evaluate", "--tokenize", ""}), Contains("13a"));
  EXPECT_THAT(complete({"ventris-evaluate", "--tokenize", "=", "13"}), ElementsAre("13a"));
  EXPECT_THAT(complete({"ventris-evaluate", "-tok", "1"}), ElementsAre("13a"));
  EXPECT_THAT(complete({"ventris-evaluate", "-to"}), ElementsAre("-tok"));
  EXPECT_THAT(complete({"ventris-evaluate", "--tokenize", "="}), Contains("none"));
  EXPECT_THAT(complete({"ventris-evaluate", "-m", "bleu", "ch"}), Contains("chrf"));
  EXPECT_THAT(complete({"ventris-inspect", "--log-level", "w"}), ElementsAre("warning"));
  EXPECT_THAT(complete({"ventris-translate", "--beam-size", ""}), IsEmpty());
  for (const char* program : {"ventris-score", "ventris-translate"}) {
    EXPECT_THAT(complete({program, "--precision", "f"}), ElementsAre("f32", "fast"));
  }
}

TEST(Completion, BashCompletesFilesAndFoldersAsSuch) {
  const TempFolder folder;
  folder.file("text one.en", "");
  fs::create_directory(folder.path("tests"));
  EXPECT_THAT(complete({"ventris-translate", "-i", "te"}, folder.path()), ElementsAre("tests", "text one.en"));
  EXPECT_THAT(complete({"ventris-average", "-m", "x", "te"}, folder.path()), ElementsAre("tests"));
  EXPECT_THAT(complete({"ventris-evaluate", "te"}, folder.path()), ElementsAre("tests", "text one.en"));
  EXPECT_THAT(complete({"ventris-inspect", "te"}, folder.path()), ElementsAre("tests", "text one.en"));
  EXPECT_THAT(complete({"ventris-translate", "--quiet", "te"}, folder.path()), IsEmpty());
  EXPECT_THAT(complete({"ventris-align", "--train", "te"}, folder.path()), ElementsAre("tests", "text one.en"));
  EXPECT_THAT(complete({"ventris-evaluate", "-tok", "te"}, folder.path()), IsEmpty());
}

TEST(Completion, BashCompletesCommandsAndTheirFlags) {
  EXPECT_THAT(complete({"ventris-vocab", "en"}), ElementsAre("encode"));
  EXPECT_THAT(complete({"ventris-vocab", "encode", "--sa"}), ElementsAre("--sample"));
  EXPECT_THAT(complete({"ventris-vocab", "list", "--sa"}), IsEmpty());
  EXPECT_THAT(complete({"ventris-vocab", "list", "--qu"}), ElementsAre("--quiet"));
  EXPECT_THAT(complete({"ventris-vocab", "--si"}), ElementsAre("--size"));
  EXPECT_THAT(complete({"ventris-vocab", "-o", "encode", "dec"}), ElementsAre("decode"));
}

TEST(Completion, EveryScriptIsSoundForItsShell) {
  ASSERT_THAT(programs(), Contains("ventris-translate"));
  for (const std::string& name : programs()) {
    EXPECT_EQ(run_shell("bash -n " + share("bash-completion/completions/" + name)).code, 0) << name;
    EXPECT_THAT(complete({name, "--hel"}), ElementsAre("--help"));
  }
  for (const std::string shell : {"zsh", "fish"}) {
    if (!has_command(shell)) {
      std::cout << shell << " is not installed: its scripts are not looked at\n";
      continue;
    }
    const std::string folder = shell == "zsh" ? share("zsh/site-functions") : share("fish/vendor_completions.d");
    for (const auto& entry : fs::directory_iterator(folder)) {
      EXPECT_EQ(run_shell(shell + " -n " + entry.path().string()).code, 0) << entry.path();
    }
  }
}

TEST(ManPage, EveryPageFormatsWithoutAWarning) {
  if (!has_command("groff")) GTEST_SKIP() << "groff is not installed";
  for (const std::string& name : programs()) {
    const Outcome complaints = run_shell("groff -man -Tutf8 -ww -z " + share("man/man1/" + name + ".1") + " 2>&1");
    EXPECT_EQ(complaints.code, 0) << name;
    EXPECT_EQ(complaints.out, "") << name;
  }
}

TEST(ManPage, EachFlagOfTheHelpIsInIt) {
  for (const std::string& name : programs()) {
    const std::string page = file_bytes(share("man/man1/" + name + ".1"));
    EXPECT_THAT(page, HasSubstr(".SH EXIT STATUS\n")) << name;
    EXPECT_THAT(page, HasSubstr("\\fB\\-\\-quiet\\fR")) << name;
    EXPECT_THAT(page, Not(HasSubstr("\\-\\-generate"))) << name;
  }
  EXPECT_THAT(
      file_bytes(share("man/man1/ventris-evaluate.1")),
      HasSubstr(".TP\n\\fB\\-w\\fR, \\fB\\-\\-width\\fR \\fIINT\\fR\nDigits after the decimal point\n.br\nDefault: "
                "\\fB1\\fR.\n"));
}

TEST(Install, ShellsAndManFindTheFilesWhereTheyLook) {
  const TempFolder folder;
  const Outcome outcome = run_shell(std::string(VENTRIS_CMAKE) + " --install " + VENTRIS_BUILD +
                                    " --component shell --prefix " + folder.path("usr") + " 2>&1");
  ASSERT_EQ(outcome.code, 0) << outcome.out;
  const std::string root = folder.path("usr") + "/" + VENTRIS_DATADIR + "/";
  for (const std::string& name : programs()) {
    for (const std::string& file : {"bash-completion/completions/" + name, "zsh/site-functions/_" + name,
                                    "fish/vendor_completions.d/" + name + ".fish", "man/man1/" + name + ".1"}) {
      EXPECT_TRUE(fs::file_size(root + file) > 100) << file;
    }
  }
}

TEST(Install, InstalledProgramsStart) {
  const TempFolder folder;
  const Outcome outcome = run_shell(std::string(VENTRIS_CMAKE) + " --install " + VENTRIS_BUILD + " --prefix " +
                                    folder.path("usr") + " 2>&1");
  ASSERT_EQ(outcome.code, 0) << outcome.out;
  for (const std::string& name : programs()) {
    const Outcome version = run_shell("env -u LD_LIBRARY_PATH VENTRIS_LIBTORCH='" VENTRIS_TORCH_ROOT "' " +
                                      folder.path("usr/bin/") + name + " --version 2>&1");
    EXPECT_EQ(version.code, 0) << version.out;
    EXPECT_THAT(version.out, testing::StartsWith(name + " "));
  }
}

}  // namespace
}  // namespace ventris::test
