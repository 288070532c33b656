#include "support/man_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ventris::apps {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

CommandSummary documented_tool() {
  FlagSummary format{{"-f", "--format"}, "TEXT", ".gz or \\n", "text", "Printing", ValueKind::kText,
                     {"text", "json"},   1,      true};
  FlagSummary refs{{"refs"}, "REF...", "References", "", "", ValueKind::kFile, {}, 9};
  return {"ventris-tool", "Does something.", {format}, {refs}, {}};
}

TEST(ManPage, ItHasTheSectionsThatReadersLookFor) {
  const std::string page = man_page(documented_tool(), "ventris-tool a\n  ventris-tool --format json b");
  EXPECT_THAT(page, StartsWith(".TH \"VENTRIS-TOOL\" 1 "));
  EXPECT_THAT(page, HasSubstr(".SH NAME\nventris\\-tool \\- does something\n"));
  EXPECT_THAT(page, HasSubstr(".SH SYNOPSIS\n\\fBventris\\-tool\\fR [flags] [\\fIREF...\\fR]\n"));
  EXPECT_THAT(page, HasSubstr(".TP\n\\fB3\\fR\na corpus or another input is missing or wrong\n"));
  EXPECT_THAT(page, HasSubstr(".nf\nventris\\-tool a\nventris\\-tool \\-\\-format json b\n.fi\n"));
}

TEST(ManPage, TheSynopsisTellsWhatMustBeThereAndWhatMayBeThereOften) {
  CommandSummary program = documented_tool();
  program.positionals = {{{"figure"}, "FIGURE", "One of", "", "", ValueKind::kText, {}, 1, true},
                         {{"files"}, "FILE", "Texts", "", "", ValueKind::kFile, {}, 9}};
  EXPECT_THAT(man_page(program, ""), HasSubstr("[flags] \\fIFIGURE\\fR [\\fIFILE\\fR ...]\n"));
}

TEST(ManPage, AFlagStandsWithItsValuesUnderItsHeading) {
  EXPECT_THAT(man_page(documented_tool(), ""),
              HasSubstr(".SS \"Printing\"\n.TP\n\\fB\\-f\\fR, \\fB\\-\\-format\\fR \\fITEXT\\fR\n\\&.gz or \\en\n.br\n"
                        "Values: \\fBtext\\fR, \\fBjson\\fR.\n.br\nDefault: \\fBtext\\fR.\n.br\nRequired.\n"));
}

TEST(ManPage, CommandsHaveASectionOfTheirOwn) {
  CommandSummary program = documented_tool();
  program.commands.push_back({"list", "Lists", {{{"--ids"}, "", "Ids too", "", "", ValueKind::kText, {}}}, {}, {}});
  const std::string page = man_page(program, "");
  EXPECT_THAT(page, HasSubstr(".br\n\\fBventris\\-tool\\fR \\fBlist\\fR [flags]\n"));
  EXPECT_THAT(page, HasSubstr(".SH COMMANDS\n.SS list\nLists.\n.TP\n\\fB\\-\\-ids\\fR\nIds too\n"));
}

}  // namespace
}  // namespace ventris::apps
