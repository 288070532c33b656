#include "support/completion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// tests/shell asks bash itself.
namespace ventris::apps {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

CommandSummary tool() {
  FlagSummary model{{"-m", "--model"}, "BUNDLE", "It's [the] model: \\o/", "", "", ValueKind::kFolder, {}, 1};
  FlagSummary format{{"--format"}, "TEXT", "How", "", "", ValueKind::kText, {"text", "json"}, 1};
  FlagSummary quiet{{"--quiet"}, "", "Less", "", "", ValueKind::kText, {}, 0};
  return {"ventris-tool", "Does something.", {model, format, quiet}, {}, {}};
}

CommandSummary tool_with_command() {
  CommandSummary program = tool();
  program.commands.push_back({"list", "Lists", {program.flags[2]}, {}, {}});
  return program;
}

TEST(Completion, BashKnowsEachFlagOfEachCommand) {
  const std::string script = bash_completion(tool_with_command());
  EXPECT_THAT(script, HasSubstr("    :-m | :--model) left=1 kind=folder choices='' ;;\n"));
  EXPECT_THAT(script, HasSubstr("    :--format) left=1 kind=text choices='text json' ;;\n"));
  EXPECT_THAT(script, HasSubstr("    list:--quiet) left=0 kind=text choices='' ;;\n"));
  EXPECT_THAT(script, HasSubstr("\ncomplete -F _ventris_tool ventris-tool\n"));
}

TEST(Completion, ZshTextIsEscapedForItsSpecifications) {
  const std::string script = zsh_completion(tool());
  EXPECT_THAT(script, StartsWith("#compdef ventris-tool\n"));
  EXPECT_THAT(script,
              HasSubstr("'(-m --model)'{-m,--model}'[It'\\''s \\[the\\] model\\: \\\\o/]:BUNDLE:_files -/' \\\n"));
  EXPECT_THAT(script, HasSubstr("'*'--format'[How]:TEXT:(text json)' \\\n"));
  EXPECT_THAT(zsh_completion(tool_with_command()), HasSubstr("    list)\n      _arguments -s -S \\\n"));
}

TEST(Completion, FishOffersFilesOnlyWhereTheyMayStand) {
  const std::string script = fish_completion(tool());
  EXPECT_THAT(script, HasSubstr("complete -c ventris-tool -f\n"));
  EXPECT_THAT(script, HasSubstr("complete -c ventris-tool -s m -l model -d 'It\\'s [the] model: \\\\o/' -x -a "
                                "'(__fish_complete_directories)'\n"));
  EXPECT_THAT(script, HasSubstr(" -l format -d 'How' -x -a 'text json'\n"));
  CommandSummary with_alias = tool();
  with_alias.flags[1].names = {"-fmt", "--format"};
  EXPECT_THAT(fish_completion(with_alias), HasSubstr(" -o fmt -l format -d 'How' -x -a 'text json'\n"));
  CommandSummary taking_files = tool();
  taking_files.positionals.push_back({{"refs"}, "REF", "References", "", "", ValueKind::kFile, {}, 9});
  EXPECT_THAT(fish_completion(taking_files), Not(HasSubstr("ventris-tool -f\n")));
  EXPECT_THAT(fish_completion(tool_with_command()),
              HasSubstr("complete -c ventris-tool -n '__fish_seen_subcommand_from list' -l quiet -d 'Less'\n"));
}

TEST(Completion, AWordThatComesFirstIsOfferedAndFilesBehindIt) {
  CommandSummary drawing = tool();
  drawing.positionals = {{{"figure"}, "FIGURE", "One of", "", "", ValueKind::kText, {"mask", "lengths"}, 1, true},
                         {{"files"}, "FILE", "Texts", "", "", ValueKind::kFile, {}, 9}};
  EXPECT_THAT(bash_completion(drawing), HasSubstr(" kind=file choices='mask lengths' ;;\n"));
  EXPECT_THAT(zsh_completion(drawing), HasSubstr("':FIGURE:(mask lengths)' \\\n    '*:FILE:_files'\n"));
  EXPECT_THAT(fish_completion(drawing), HasSubstr("complete -c ventris-tool -a 'mask lengths'\n"));
}

}  // namespace
}  // namespace ventris::apps
