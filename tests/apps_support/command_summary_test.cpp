#include "support/command_summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>

#include "support/choices.h"
#include "support/run.h"

namespace ventris::apps {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(CommandSummary, AFlagIsWhatTheHelpSaysOfIt) {
  CLI::App app("Does something.", "tool");
  std::string format = "text";
  app.add_option("-f,--format", format, "How it looks")
      ->check(one_of({"text", "json"}))
      ->group("Printing")
      ->default_str("text");
  const CommandSummary tool = summarize(app);
  EXPECT_EQ(tool.name + ": " + tool.purpose, "tool: Does something.");
  ASSERT_EQ(tool.flags.size(), 2U);  // --help is the first
  const FlagSummary& flag = tool.flags.back();
  EXPECT_THAT(flag.names, ElementsAre("-f", "--format"));
  EXPECT_THAT(flag.choices, ElementsAre("text", "json"));
  EXPECT_EQ(flag.value + "|" + flag.help + "|" + flag.fallback + "|" + flag.group, "TEXT|How it looks|text|Printing");
  EXPECT_EQ(flag.most_values, 1);
  EXPECT_FALSE(flag.required);
}

TEST(CommandSummary, TheNameOfAValueSaysWhetherItIsAFile) {
  CLI::App app("", "tool");
  std::string text;
  std::vector<std::string> texts;
  app.add_option("--plain", text);
  app.add_option("--file", text)->type_name("FILE");
  app.add_option("--folder", text)->type_name("FOLDER");
  app.add_option("--pair", texts)->type_size(2)->expected(1, 9)->allow_extra_args(false)->type_name("SRC TGT");
  app.add_option("refs", texts)->type_name("REF...");
  const CommandSummary tool = summarize(app);
  EXPECT_EQ(tool.flags[1].kind, ValueKind::kText);
  EXPECT_EQ(tool.flags[2].kind, ValueKind::kFile);
  EXPECT_EQ(tool.flags[3].kind, ValueKind::kFolder);
  EXPECT_EQ(tool.flags[4].kind, ValueKind::kFile);
  EXPECT_EQ(tool.flags[4].most_values, 2);
  ASSERT_EQ(tool.positionals.size(), 1U);
  EXPECT_EQ(tool.positionals[0].kind, ValueKind::kFile);
  EXPECT_GT(tool.positionals[0].most_values, 2);
}

TEST(CommandSummary, AnArgumentMayHaveAFlagToo) {
  CLI::App app("", "tool");
  std::string path;
  app.add_option("path,-m,--model", path)->type_name("PATH");
  const CommandSummary tool = summarize(app);
  EXPECT_THAT(tool.flags.back().names, ElementsAre("-m", "--model"));
  ASSERT_EQ(tool.positionals.size(), 1U);
  EXPECT_EQ(tool.positionals[0].value, "PATH");
}

TEST(CommandSummary, FlagsWithoutAValueTakeNone) {
  CLI::App app("", "tool");
  bool on = false;
  app.add_flag("--on", on);
  EXPECT_EQ(summarize(app).flags.back().value, "");
  EXPECT_EQ(summarize(app).flags.back().most_values, 0);
}

TEST(CommandSummary, AnAliasIsOneMoreNameOfItsFlag) {
  CommandSummary command{"tool", "", {{{"-s", "--size"}, "", "", "", ""}, {{"--other"}, "", "", "", ""}}, {}, {}};
  command = with_aliases(command, {{"-siz", "--size"}, {"-x", "--none"}});
  EXPECT_EQ(command.flags[0].names, (std::vector<std::string>{"-s", "-siz", "--size"}));
  EXPECT_EQ(command.flags[1].names, (std::vector<std::string>{"--other"}));
}

TEST(CommandSummary, ACommandHasTheCommonFlagsToo) {
  CLI::App app("", "tool");
  bool on = false;
  app.add_flag("--quiet", on)->group(kCommonGroup);
  app.add_flag("--own", on);
  app.add_flag("--hidden", on)->group("");
  app.add_subcommand("list", "Lists")->add_flag("--ids", on);
  const CommandSummary tool = summarize(app);
  ASSERT_EQ(tool.commands.size(), 1U);
  ASSERT_EQ(tool.commands[0].flags.size(), 2U);
  EXPECT_THAT(tool.commands[0].flags[0].names, ElementsAre("--ids"));
  EXPECT_THAT(tool.commands[0].flags[1].names, ElementsAre("--quiet"));
  EXPECT_EQ(tool.flags.size(), 3U);
  EXPECT_THAT(tool.commands[0].commands, IsEmpty());
}

}  // namespace
}  // namespace ventris::apps
