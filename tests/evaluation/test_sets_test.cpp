#include "evaluation/test_sets.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "core/error.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace ventris::evaluation {
namespace {

using Names = std::vector<std::string>;

class TestSets : public testing::Test {
 protected:
  void add(const std::string& set, const Names& files) {
    std::filesystem::create_directories(folder.path(set));
    for (const std::string& file : files) folder.file(set + "/" + file, "a line\n");
  }
  TestSetChoice choice(const std::string& name, const std::string& languages, const Names& references = {}) const {
    return {folder.path(), name, languages, references};
  }
  test::TempFolder folder;
};

TEST_F(TestSets, FilesHaveTheNamesThatSacrebleuGivesThem) {
  add("wmt17", {"wmt17.en-de.src", "wmt17.en-de.ref"});
  const TestSet set = find_test_set(choice("wmt17", "en-de"));
  EXPECT_EQ(set.source, folder.path("wmt17/wmt17.en-de.src"));
  EXPECT_EQ(set.references, Names{folder.path("wmt17/wmt17.en-de.ref")});
  add("wmt21/systems", {"wmt21_systems.en-de.ref.gz"});
  const TestSet packed = find_test_set(choice("wmt21/systems", "en-de"));
  EXPECT_EQ(packed.source, "");
  EXPECT_EQ(packed.references, Names{folder.path("wmt21/systems/wmt21_systems.en-de.ref.gz")});
}

TEST_F(TestSets, OfSeveralReferencesSomeAreChosen) {
  add("wmt22", {"wmt22.en-de.src", "wmt22.en-de.ref-refA", "wmt22.en-de.ref-refB.gz", "wmt22.de-en.ref-refA"});
  EXPECT_FAILS(find_test_set(choice("wmt22", "en-de")), ConfigError,
               "has several references of en-de; choose from "
               "refA, refB");
  EXPECT_EQ(find_test_set(choice("wmt22", "en-de", {"refB", "refA"})).references,
            (Names{folder.path("wmt22/wmt22.en-de.ref-refB.gz"), folder.path("wmt22/wmt22.en-de.ref-refA")}));
  EXPECT_EQ(find_test_set(choice("wmt22", "de-en")).references, Names{folder.path("wmt22/wmt22.de-en.ref-refA")});
  EXPECT_FAILS(find_test_set(choice("wmt22", "en-de", {"refC"})), DataError, "wmt22.en-de.ref-refC: there is no such");
}

TEST_F(TestSets, AReferenceThatIsThereAlsoPackedCountsOnce) {
  add("wmt22", {"wmt22.en-de.src", "wmt22.en-de.ref-refA", "wmt22.en-de.ref-refA.gz"});
  EXPECT_EQ(find_test_set(choice("wmt22", "en-de")).references, Names{folder.path("wmt22/wmt22.en-de.ref-refA")});
}

TEST_F(TestSets, WhatIsMissingIsNamed) {
  add("wmt22", {"wmt22.en-de.src"});
  EXPECT_FAILS(find_test_set(choice("wmt22", "en-de")), DataError, "wmt22/wmt22.en-de.ref: there is no such file");
  EXPECT_FAILS(find_test_set(choice("wmt2", "en-de")), DataError, "no test set 'wmt2' (did you mean 'wmt22'?)");
  EXPECT_FAILS(find_test_set(choice("../x", "en-de")), ConfigError, "--test-set: expected a name like wmt22");
  EXPECT_FAILS(find_test_set(choice("wmt22", "")), ConfigError, "--language-pair: expected source and target");
  for (const char* pair : {"en", "-de", "en-", "en-de/x"}) {
    EXPECT_FAILS(find_test_set(choice("wmt22", pair)), ConfigError, "--language-pair: expected source and target");
  }
  EXPECT_FAILS(find_test_set({"", "wmt22", "en-de"}), ConfigError, "give --test-sets FOLDER, or set VENTRIS_TEST_SETS");
}

}  // namespace
}  // namespace ventris::evaluation
