#include "support/run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <filesystem>

#include <new>
#include <stdexcept>

#include "core/error.h"
#include "core/log.h"
#include "core/resources.h"
#include "support/choices.h"
#include "support/run_program.h"

namespace ventris::apps {
namespace {

using test::Outcome;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::StartsWith;

const Program kProgram{"tool", "Does something.", "tool --size 3"};

/// What run() leaves behind for these words of a command line.
Outcome call(std::vector<std::string> words, const Setup& setup, const Program& program = kProgram) {
  words.insert(words.begin(), program.name);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  Outcome outcome;
  outcome.code = run(static_cast<int>(argv.size()), argv.data(), program, setup);
  outcome.out = testing::internal::GetCapturedStdout();
  outcome.err = testing::internal::GetCapturedStderr();
  core::set_log_level("info");
  return outcome;
}

Outcome work(const std::function<void()>& body, const std::vector<std::string>& words = {}) {
  return call(words, [&](CLI::App&) { return body; });
}

template <typename E>
void expect_exit(const E& error, int code, const std::string& text) {
  const Outcome outcome = work([&] { throw error; });
  EXPECT_EQ(outcome.code, code);
  EXPECT_EQ(outcome.err, "tool: " + text + "\n");
  EXPECT_EQ(outcome.out, "");
}

TEST(Run, EveryKindOfErrorHasItsExitCode) {
  EXPECT_EQ(work([] {}).code, 0);
  expect_exit(ConfigError("why"), 2, "why");
  expect_exit(DataError("why"), 3, "why");
  expect_exit(ModelError("why"), 4, "why");
  expect_exit(DivergedError("why"), 6, "why");
  expect_exit(PeerError("why"), 69, "why");
  expect_exit(WriteError("why"), 74, "why");
  expect_exit(Interrupted(15, "why"), 143, "why");
}

TEST(Run, AReaderThatHasEnoughIsExit141WithoutAMessage) {
  const Outcome outcome = work([] { throw PipeClosed("standard output: its reader has closed it"); });
  EXPECT_EQ(outcome.code, 141);
  EXPECT_EQ(outcome.err, "");
}

TEST(Run, WhatAPathOfTheSystemRefusesIsNoBug) {
  const auto denied = std::make_error_code(std::errc::permission_denied);
  const Outcome outcome = work([&] { throw std::filesystem::filesystem_error("status", "/some/folder", denied); });
  EXPECT_EQ(outcome.code, 3);
  EXPECT_EQ(outcome.err, "tool: /some/folder: cannot be used: Permission denied\n");
}

TEST(Run, EveryWayToRunOutOfMemoryIsExit5) {
  const std::string text = "out of memory; use smaller batches, a smaller model or fewer threads";
  expect_exit(std::bad_alloc(), 5, text);
  expect_exit(std::runtime_error("DefaultCPUAllocator: can't allocate memory: you tried 1 TB"), 5, text);
  expect_exit(std::runtime_error("CUDA out of memory. Tried to allocate 2 GiB"), 5, text);
}

TEST(Run, ThreadsThatTheSystemRefusesAreExit5) {
  const Outcome outcome = work([] { throw std::system_error(EAGAIN, std::generic_category()); });
  EXPECT_EQ(outcome.code, 5);
  EXPECT_NE(outcome.err.find("tool: no more threads or processes can be started ("), std::string::npos) << outcome.err;
  expect_exit(ResourceError("why"), 5, "why");
}

TEST(Run, AnythingElseIsABugWithoutItsBacktrace) {
  expect_exit(std::logic_error("odd\nException raised from f at g.cpp:1"), 70,
              "internal error (please report it): odd");
}

TEST(Run, NoControlCharacterReachesTheTerminalRaw) {
  const std::string nasty("\x1b]0;x\a\n\r\0\x7f\u009b\u202e\xff", 16);
  const std::string shown = R"(\x1b]0;x\x07\n\r\x00\x7f\u009b\u202e\xff)";
  expect_exit(ModelError("key '" + nasty + "': unknown"), 4, "key '" + shown + "': unknown");
  EXPECT_EQ(work([] {}, {"--\x1b[2J\nflag"}).err,
            "tool: unknown argument '--\\x1b[2J\\nflag'\nRun tool --help for the flags.\n");
  EXPECT_EQ(work([] {}, {"--color=\x1b[2J"}).err.find('\x1b'), std::string::npos);
}

TEST(Run, TheLinesOfAnInternalErrorStay) {
  expect_exit(std::logic_error("odd\n  ~~~ \x1b[2J"), 70, "internal error (please report it): odd\n  ~~~ \\x1b[2J");
}

TEST(Run, WhatFailsBeforeTheWorkIsReportedTheSameWay) {
  EXPECT_EQ(call({}, [](CLI::App&) -> std::function<void()> { throw ConfigError("why"); }).code, 2);
  const apps::Setup picky = [](CLI::App& app) -> std::function<void()> {
    app.add_option_function<int>("--size", [](int) { throw DataError("why"); });
    return [] {};
  };
  EXPECT_EQ(call({"--size", "3"}, picky).code, 3);
  Program program = kProgram;
  program.libraries = []() -> std::string { throw ModelError("why"); };
  EXPECT_EQ(call({"--version"}, picky, program).code, 4);
}

TEST(Run, HelpAndVersionGoToStdoutAndDoNoWork) {
  const auto never = [] { ADD_FAILURE(); };
  const Outcome help = work(never, {"--help"}), version = work(never, {"--version"});
  EXPECT_EQ(help.code, 0);
  EXPECT_THAT(help.out, HasSubstr("tool --size 3"));
  EXPECT_EQ(version.code, 0);
  EXPECT_THAT(version.out, StartsWith("tool "));
  EXPECT_EQ(help.err + version.err, "");
}

TEST(Run, HelpShowsTheDefaultOfAListWithoutBracketsAndNoneForAnEmptyList) {
  std::vector<std::string> metrics{"bleu"}, files;
  const auto setup = [&](CLI::App& app) {
    app.add_option("--metrics", metrics, "Metrics");
    app.add_subcommand("learn", "Learns")->add_option("--files", files, "Files");
    return [] {};
  };
  EXPECT_THAT(call({"--help"}, setup).out, ContainsRegex("--metrics TEXT(=bleu| \\[bleu\\])"))
      << "CLI11 to 2.3, from 2.4";
  const std::string inner = call({"learn", "--help"}, setup).out;
  EXPECT_THAT(inner, HasSubstr("--files TEXT ..."));
  EXPECT_THAT(inner, HasSubstr("Show this help"));
}

TEST(Run, UnknownFlagsGetASuggestion) {
  const auto never = [] { ADD_FAILURE(); };
  const Outcome outcome = work(never, {"--quite"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.err,
            "tool: unknown argument '--quite' (did you mean '--quiet'?)\nRun tool --help for the flags.\n");
  EXPECT_THAT(work(never, {"--log-levle=debug"}).err,
              StartsWith("tool: unknown argument '--log-levle=debug' (did you mean '--log-level'?)\n"));
  EXPECT_THAT(work(never, {"--generat"}).err, StartsWith("tool: unknown argument '--generat'\n"));
}

TEST(Run, AMistypedFlagIsNamedBeforeWhatIsMissingForIt) {
  const apps::Setup picky = [](CLI::App& app) -> std::function<void()> {
    app.add_option_function<std::string>("--model", [](const std::string&) {})->required();
    return [] {};
  };
  const Outcome outcome = call({"--modle", "x"}, picky);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, StartsWith("tool: unknown argument '--modle' (did you mean '--model'?)\n"));
  EXPECT_THAT(call({}, picky).err, StartsWith("tool: --model is required\n"));
}

TEST(Run, UnknownCommandsAndTheirFlagsGetASuggestion) {
  const apps::Setup commands = [](CLI::App& app) -> std::function<void()> {
    CLI::App* list = app.add_subcommand("encode", "Text to ids");
    list->fallthrough();
    list->add_flag_function("--sample", [](int64_t) {});
    return [] {};
  };
  EXPECT_THAT(call({"encdoe"}, commands).err, StartsWith("tool: unknown argument 'encdoe' (did you mean 'encode'?)\n"));
  EXPECT_THAT(call({"encode", "--smaple"}, commands).err, HasSubstr("(did you mean '--sample'?)\n"));
  EXPECT_THAT(call({"--smaple"}, commands).err, StartsWith("tool: unknown argument '--smaple'\n"));
}

TEST(Run, AMistypedValueGetsASuggestionToo) {
  const apps::Setup picky = [](CLI::App& app) -> std::function<void()> {
    app.add_option_function<std::string>("--format", [](const std::string&) {})->check(one_of({"text", "json"}));
    return [] {};
  };
  EXPECT_EQ(call({"--format", "json"}, picky).code, 0);
  const Outcome outcome = call({"--format", "jsno"}, picky);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err,
              StartsWith("tool: --format: expected one of text, json; got 'jsno' (did you mean 'json'?)\n"));
}

TEST(Run, WhatAProgramSaysOfItselfNeedsNoOtherFlag) {
  const apps::Setup picky = [](CLI::App& app) -> std::function<void()> {
    app.add_option_function<std::string>("--model", [](const std::string&) {})->required();
    return [] { ADD_FAILURE(); };
  };
  const Outcome outcome = call({"--generate", "completion-bash"}, picky);
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("--model"));
  EXPECT_THAT(call({"--generate", "man"}, picky).out, HasSubstr("tool \\-\\-size 3\n"));
  EXPECT_EQ(call({"--generate", "html"}, picky).code, 2);
  EXPECT_EQ(call({"--generate", "settings"}, picky).code, 2) << "it has no settings";
  Program with_settings = kProgram;
  with_settings.settings = [] {
    return std::vector<core::SettingsSection>{{"", "", {{.path = "x", .type = "text", .meaning = "X"}}}};
  };
  EXPECT_THAT(call({"--generate", "settings"}, picky, with_settings).out, HasSubstr("## tool\n"));
}

TEST(Run, ColourIsForTerminalsUnlessItIsAskedFor) {
  const auto fails = [] { throw DataError("why"); };
  EXPECT_EQ(work(fails, {"--color", "always"}).err, "\033[31mtool:\033[m why\n");
  EXPECT_EQ(work(fails, {"--color", "never"}).err, "tool: why\n");
  EXPECT_EQ(work(fails, {"--color", "auto"}).err, "tool: why\n");
}

TEST(Run, AnAliasStandsForItsFlag) {
  Program program = kProgram;
  program.aliases = {{"-siz", "--size"}};
  std::string size;
  const apps::Setup sized = [&](CLI::App& app) {
    app.add_option("-s,--size", size)->check(one_of({"iz", "one"}));
    return std::function<void()>([] {});
  };
  EXPECT_EQ(call({"-siz", "one"}, sized, program).code, 0);
  EXPECT_EQ(size, "one");
  EXPECT_EQ(call({"-siz"}, sized).code, 0);  // without the alias: a letter and its value
  EXPECT_EQ(size, "iz");
  EXPECT_THAT(call({"--generate", "completion-bash"}, sized, program).out, HasSubstr(":-s | :-siz | :--size) left=1"));
}

TEST(Run, QuietShowsWarningsOnlyAndHidesNoWrongLevel) {
  const auto speak = [] {
    core::log_info("whisper");
    core::log_warning("shout");
  };
  EXPECT_THAT(work(speak).err, HasSubstr("whisper"));
  const std::string quiet = work(speak, {"--quiet"}).err;
  EXPECT_THAT(quiet, testing::Not(HasSubstr("whisper")));
  EXPECT_THAT(quiet, HasSubstr("shout"));
  const Outcome wrong = work(speak, {"--quiet", "--log-level", "bogus"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("--log-level: expected debug, info, warning, error or off, got 'bogus'"));
}

}  // namespace
}  // namespace ventris::apps
