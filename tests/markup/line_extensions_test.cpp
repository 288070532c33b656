#include "markup/line_extensions.h"

#include <gtest/gtest.h>

#include "markup/extension_texts.h"

namespace ventris::markup {
namespace {

TEST(LineExtensions, BoxesHaveLinesAndInMystOptions) {
  EXPECT_EQ(extensions(":::tip\na\n:::"), (Texts{":::tip", ":::"}));
  EXPECT_EQ(extensions(":::{note}\n:class: tip\n:name: a\nThe dog.\n:::"),
            (Texts{":::{note}", ":class: tip", ":name: a", ":::"}));
  EXPECT_EQ(extensions("> :::{note} Title\n> :open:\n> The dog."), (Texts{":::{note}", ":open:"}));
  for (const std::string text : {"The dog.\n:class: tip", ":class: tip"}) {
    EXPECT_LT(extensions(text).size(), 2U) << text;
  }
}

TEST(LineExtensions, BoxesWithValuesAreWholeLines) {
  for (const std::string line :
       {":::image source=\"a.png\" alt-text=\"A b.\":::", "::: zone pivot=\"c\"",
        ":::column:::", "::: {.tip title=\"Use `x`\"}", ":::note[Use `a` b]", "::: moniker range=\">= a-8.0\""}) {
    EXPECT_EQ(extensions(line + "\nThe dog"), Texts{line});
  }
  for (const std::string text : {" the=\"x\" dog", " The dog = \"x\"", " a=\"b", " Read this :::", " a=\"b\" dog:::"}) {
    EXPECT_EQ(extensions("::: tip" + text), Texts{"::: tip"}) << text;
  }
  EXPECT_EQ(extensions(":::{"), Texts{":::{"});
}

TEST(LineExtensions, BlocksOfPymdownHaveOptionsAndATitle) {
  EXPECT_EQ(extensions("/// note | The dog\n    type: warning\nA cat\n///"),
            (Texts{"/// note |", "type: warning", "///"}));
  EXPECT_EQ(extensions("/// details"), Texts{"/// details"});
  EXPECT_EQ(extensions("/// The dog ran\n//// a"), Texts{});
  EXPECT_EQ(extensions("/// note | The dog\nimportant: a cat"), Texts{"/// note |"}) << "options are indented";
  EXPECT_EQ(extensions("/// The dog ran\n    example: a cat"), Texts{}) << "no block";
  EXPECT_EQ(extensions(":::{note}\nimportant: the dog"), Texts{":::{note}"}) << "options of MyST begin with a colon";
}

TEST(LineExtensions, ComponentsCardsAndCodesOfForumsFillLines) {
  for (const std::string line : {"::alert{type=\"info\"}", "::video[The dog]{#a}", "::note", ".pull-left[", ".a.b[",
                                 "^^^", "+++", "+++ {\"tags\": [\"a\"]}", "[quote=\"a, post:1\"]", "[/quote]",
                                 "[details=The dog]", "[poll type=regular]", "/label ~bug", "/confidential"}) {
    EXPECT_EQ(extensions(line + "\nThe dog"), Texts{line});
  }
  for (const std::string line : {":: note", "::a b", ".a b[", "^^^^", "+++ a", "[quote a]", "[dog]", "[/dog]",
                                 "[quote] a", "/dog ~a", "/labelled a", "/type/a b"}) {
    EXPECT_EQ(extensions(line + "\nThe dog"), Texts{}) << line;
  }
  EXPECT_EQ(end_of_component("::alert"), "::");
  EXPECT_EQ(extensions("::right::\nThe dog"), Texts{"::right::"});
  for (const char* alone : {"::video[a]{#b}", "::right::"}) EXPECT_EQ(end_of_component(alone), "") << alone;
  EXPECT_EQ(end_of_component(".left["), "]");
  EXPECT_EQ(end_of_component(":::tip"), "");
}

TEST(LineExtensions, WordsOfCaptionsAndPartsAreSigns) {
  EXPECT_EQ(extensions("| a |\n|---|\n| b |\n\nTable: The dog"), Texts{"Table:"});
  EXPECT_EQ(extensions("Table: The dog"), Texts{}) << "without a table";
  EXPECT_EQ(extensions("# (PART) The dog {-}"), (Texts{"(PART)", "{-}"}));
  EXPECT_EQ(extensions("# (PART\\*) The dog"), Texts{"(PART\\*)"});
  EXPECT_EQ(extensions("# (APPENDIX) The dog"), Texts{"(APPENDIX)"});
  for (const std::string text : {"The dog\nTable: a cat", "Tables: a", "(PART) a", "# A (PART)", "Table:"}) {
    EXPECT_EQ(extensions(text), Texts{}) << text;
  }
}

TEST(LineExtensions, ModulesOfMkdocstringsHaveOptions) {
  EXPECT_EQ(extensions("::: a.b.C\n    options:\n      c: true\nThe dog"),
            (Texts{"::: a.b.C\n    options:\n      c: true"}));
  EXPECT_EQ(extensions("## ::: a.b\n\n- ::: c:d\n      e\n"), (Texts{"::: a.b", "::: c:d\n      e"}));
  EXPECT_EQ(extensions("::: a\n    handler: python"), (Texts{"::: a\n    handler: python"}));
  EXPECT_EQ(extensions("::: tip\n    The dog\n:::"), (Texts{"::: tip", ":::"}));
  EXPECT_EQ(extensions("::: a.b and more"), Texts{"::: a"});
}

TEST(LineExtensions, PlacesAndAbbreviationsHaveNames) {
  EXPECT_EQ(extensions("(my-label)=\n# Title\n\n(a.b:c)=\nThe dog"), (Texts{"(my-label)=", "(a.b:c)="}));
  EXPECT_EQ(extensions("*[AB]: One\n*[C d]: Two"), (Texts{"*[AB]:", "*[C d]:"}));
  for (const std::string text : {"(the dog)=", "()=", "(a)= b", "a (b)=", "*[a]:b"}) {
    EXPECT_EQ(extensions(text), Texts{}) << text;
  }
}

TEST(LineExtensions, FilesAreIncluded) {
  for (const std::string line : {"--8<-- \"a.md\"", "<<< @/a.js{1,2}", "@[code](./a.js)"}) {
    EXPECT_EQ(extensions(line + "\nThe dog"), Texts{line});
  }
}

TEST(LineExtensions, JavaScriptOfMdxIsNoText) {
  const std::string imports = "import Tabs from '@theme/Tabs';", plain = "import \"./a.css\"";
  const std::string meta = "export const meta = {\n  title: 'The dog',\n  tags: [1,\n  2]\n};";
  EXPECT_EQ(extensions(imports + "\n" + plain + "\n\nThe dog"), (Texts{imports, plain}));
  EXPECT_EQ(extensions(meta + "\nThe dog"), Texts{meta});
  EXPECT_EQ(extensions("export default ({a}) => (\n  <b>{a}</b>)\n{/* a\nb */}\nThe dog"),
            (Texts{"export default ({a}) => (\n  <b>{a}</b>)", "{/* a\nb */}"}));
  EXPECT_EQ(extensions("import A, {b as c} from './a'\nimport * as d from \"d\";\nexport {a} from 'b';").size(), 3U);
  for (const std::string text :
       {"import goods from France", "export default settings", "imports 'a'", "import it", "a import 'b'",
        "export default values as CSV; see (the dog :(\nThe cat", "export default (the dog",
        "export const the dog = (a", "import the dog from \"the house\"", "export const a = {\nThe dog",
        "export to a file (or to a pipe)"}) {
    EXPECT_EQ(extensions(text), Texts{}) << text;
  }
}

TEST(LineExtensions, ImportsMayHaveSeveralLines) {
  for (const std::string import : {"import {\n  Card,\n  Grid as G,\n} from \"b\";", "import A, {\n  b\n} from 'c'"}) {
    EXPECT_EQ(extensions(import + "\n\n# title\n"), Texts{import});
  }
  EXPECT_EQ(extensions("import the goods {\nfrom here\n}\n"), Texts{});
}

}  // namespace
}  // namespace ventris::markup
