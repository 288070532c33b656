#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "support/run_program.h"
#include "support/running_trainer.h"
#include "support/temp_folder.h"

namespace ventris {
namespace {

using test::run_program;
using testing::HasSubstr;

class Align : public testing::Test {
 protected:
  Align() {
    std::string english, german;
    for (const char* thing : {"house", "book", "dog", "tree"}) {
      for (const char* is : {"big", "old", "new"}) english += std::string("The ") + thing + " is " + is + ".\n";
    }
    for (const char* thing : {"Haus", "Buch", "Hund", "Baum"}) {
      for (const char* is : {"groß", "alt", "neu"}) german += std::string("Das ") + thing + " ist " + is + ".\n";
    }
    folder_.file("en", english);
    folder_.file("de", german);
  }

  std::string at(const std::string& name) const { return folder_.path(name); }

  test::TempFolder folder_;
};

TEST_F(Align, LinksGoToStandardOutput) {
  const auto done = run_program("ventris-align", {"--train", at("en"), at("de"), "--quiet"});
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(done.err, "");
  EXPECT_EQ(done.out.substr(0, done.out.find('\n')), "0-0 1-1 2-2 3-3 4-4");
}

TEST_F(Align, ASavedModelAlignsOtherText) {
  const auto saved =
      run_program("ventris-align", {"--train", at("en"), at("de"), "-o", at("links.gz"), "--save", at("model.gz")});
  EXPECT_EQ(saved.code, 0) << saved.err;
  folder_.file("new", "The tree is new.\tDas Buch ist neu.\nThe new house\tDas neue Haus\n");
  const auto done = run_program("ventris-align", {"--model", at("model.gz"), "--tsv", at("new"), "--quiet"});
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_THAT(done.out, HasSubstr("0-0 1-1 2-2\n"));
}

TEST_F(Align, TheErrorRateOfItsLinksCanBeComputed) {
  std::string gold;
  for (int i = 0; i < 12; ++i) gold += "0-0 1-1 2-2 3-3 4-4\n";
  run_program("ventris-align", {"--train", at("en"), at("de"), "-o", at("links"), "--threads", "3"});
  const auto done = run_program("ventris-evaluate", {"--aer", folder_.file("gold", gold), "-i", at("links"), "-b"});
  EXPECT_EQ(done.out, "0.0\n");
}

TEST_F(Align, EveryMistakeHasItsExitCodeAndOneSentence) {
  const auto fails = [&](const std::vector<std::string>& arguments, int code, const std::string& message) {
    const auto done = run_program("ventris-align", arguments);
    EXPECT_EQ(done.code, code) << done.err;
    EXPECT_THAT(done.err, HasSubstr(message));
    EXPECT_EQ(done.out, "");
  };
  fails({}, 2, "--train: missing; give a source and a target file");
  fails({"--train", at("en")}, 2, "--train");
  fails({"--train", at("en"), at("de"), "--symmetrize", "grow"}, 2, "expected one of grow-diag-final-and");
  fails({"--train", at("en"), at("de"), at("en")}, 2, "TGT: missing; expected two files");
  fails({"--train", at("en"), at("de"), at("en"), at("de"), "--tsv", at("en")}, 2, "--tsv: cannot be used with");
  fails({"--train", at("en"), at("none")}, 3, "none");
  fails({"--train", at("en"), folder_.file("short", "one\n")}, 3, "line counts differ");
  fails({"--train", folder_.file("e1", ""), folder_.file("e2", "")}, 3, "empty");
  fails({"--train", folder_.file("b1", "\n"), folder_.file("b2", "\n")}, 3, "no line pair can be aligned");
  fails({"--model", at("en"), at("en"), at("de")}, 4, "is not a model of ventris-align");
  fails({"--model", at("en"), "--seed", "1", at("en"), at("de")}, 2,
        "--seed: has an effect only while a model is learnt");
  fails({"--train", at("en"), at("de"), "-o", at("no-folder/links")}, 74, "no-folder");
}

TEST_F(Align, AStopLeavesNothing) {
  std::string english, german;
  for (int i = 0; i < 400; ++i) {
    english += test::file_bytes(at("en"));
    german += test::file_bytes(at("de"));
  }
  const std::string folder = at("out");
  std::filesystem::create_directory(folder);
  folder_.file("en", english);
  folder_.file("de", german);
  const std::string program = test::program_path("ventris-align"), source = at("en"), target = at("de"),
                    links = folder + "/links", model = folder + "/model", iterations = "100";
  const pid_t child = fork();
  if (child == 0) {
    dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
    execl(program.c_str(), program.c_str(), "--train", source.c_str(), target.c_str(), "-o", links.c_str(), "--save",
          model.c_str(), "--model1-iterations", iterations.c_str(), "--hmm-iterations", iterations.c_str(),
          static_cast<char*>(nullptr));
    _exit(127);
  }
  EXPECT_TRUE(test::wait_until([&] { return test::catches(child, SIGINT); }));
  kill(child, SIGINT);
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 130);
  EXPECT_TRUE(std::filesystem::is_empty(folder));
}

}  // namespace
}  // namespace ventris
