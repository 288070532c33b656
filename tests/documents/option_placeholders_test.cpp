#include "documents/option_placeholders.h"

#include <gtest/gtest.h>

#include "support/found_placeholders.h"

namespace ventris::documents {
namespace {

using Options = std::vector<std::string>;

TEST(OptionPlaceholders, ShortAndLongOptions) {
  EXPECT_EQ(found_in("  -h, --help     show this help"), (Options{"-h", "--help"}));
  EXPECT_EQ(found_in("cannot use --all with -n"), (Options{"--all", "-n"}));
  EXPECT_EQ(found_in("[-a | --interactive | --patch] [-m text]"), (Options{"-a", "--interactive", "--patch", "-m"}));
  EXPECT_EQ(found_in("give '--dry-run'."), Options{"--dry-run"});
  EXPECT_EQ(found_in("\u201c--all\u201d is missing"), Options{"--all"});
}

TEST(OptionPlaceholders, SeveralShortOptionsInOneWordHaveNoVowelOrACapitalInside) {
  EXPECT_EQ(found_in("run rm -rf here, tar -xvf a or -vET"), (Options{"-rf", "-xvf", "-vET"}));
  EXPECT_EQ(found_in("-ing, -ed, -Hm, the -Html, -gggggg"), Options{});
  EXPECT_EQ(found_in("-vlk a koza"), Options{}) << "the speech of someone";
}

TEST(OptionPlaceholders, AnOptionHasItsValue) {
  EXPECT_EQ(found_in("  -o, --output=FILE   write"), (Options{"-o", "--output=FILE"}));
  EXPECT_EQ(found_in("use --color[=WHEN] or --ab=c."), (Options{"--color[=WHEN]", "--ab=c"}));
  EXPECT_EQ(found_in("Set LC_ALL=C first, LANG=de_DE.UTF-8."), (Options{"LC_ALL=C", "LANG=de_DE.UTF-8"}));
}

TEST(OptionPlaceholders, HyphensOfTextAreNone) {
  for (const char* text : {"a well-known dog",
                           "a dog - and a cat",
                           "a dog -- and a cat",
                           "-5 degrees",
                           "x--y",
                           "the Anti-A and pre- and post-war",
                           "-ish",
                           "He said -I do.",
                           "-A list of things",
                           "ein/-e Bild",
                           "file(-s)",
                           "He came --finally-- home",
                           "Hello --World",
                           "NA=not available; CO=carbon",
                           "PV=nRT",
                           "--",
                           "-",
                           "--5",
                           "A=",
                           "a=b",
                           "-- all",
                           "E=mc",
                           "dog-"}) {
    EXPECT_EQ(found_in(text), Options{}) << text;
  }
}

}  // namespace
}  // namespace ventris::documents
