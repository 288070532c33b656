#include "lexicon/lexicon_file.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "files/paths.h"
#include "support/copy_model.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace ventris::lexicon {
namespace {

class MakeLexicon : public testing::Test {
 protected:
  MakeLexicon() {
    test::write_copying_bundle(bundle);
    job.model = bundle;
    job.output = folder.path("lexicon");
    job.options.corpora = {
        {folder.file("train.a", "bread\nthe bridge\n"), folder.file("train.b", "bread\nthe bridge\n")}};
  }

  test::TempFolder folder;
  const std::string bundle = folder.path("bundle");
  LexiconJob job;
};

TEST_F(MakeLexicon, OfABundleIsThatOfItsTokenizers) {
  make_lexicon(job);
  const std::string of_bundle = test::file_bytes(job.output);
  job.model = bundle + "/source.spm";
  make_lexicon(job);
  EXPECT_EQ(test::file_bytes(job.output), of_bundle);
  job.target_model = job.model;
  make_lexicon(job);
  EXPECT_EQ(test::file_bytes(job.output), of_bundle);
  EXPECT_GT(model::Lexicon::from_file(job.output).frequent().size(), 1U);
}

TEST_F(MakeLexicon, NothingIsWrittenAfterAnError) {
  job.options.corpora.front().target = folder.path("nothing");
  EXPECT_FAILS(make_lexicon(job), DataError, "nothing");
  EXPECT_FALSE(files::exists(job.output));
}

TEST_F(MakeLexicon, NeedsACorpus) {
  job.options.corpora.clear();
  EXPECT_FAILS(make_lexicon(job), ConfigError, "--train: missing; give a source and a target file, or --train-tsv");
}

TEST_F(MakeLexicon, ABundleNeedsNoOtherTokenizer) {
  job.target_model = bundle + "/source.spm";
  EXPECT_FAILS(make_lexicon(job), ConfigError, "is a bundle, which has both tokenizers; leave it out");
}

TEST_F(MakeLexicon, InputsAreNotReplaced) {
  job.output = folder.path("./train.b");
  EXPECT_FAILS(make_lexicon(job), ConfigError, "train.b is also an input; give another file");
  job.output = bundle + "/lexicon";
  EXPECT_FAILS(make_lexicon(job), ConfigError, "is a file of the model");
  job.model = job.output = bundle + "/source.spm";
  EXPECT_FAILS(make_lexicon(job), ConfigError, "is a file of the model");
}

TEST_F(MakeLexicon, FilesThatAreNotModelsAndPlacesThatCannotBeWrittenAreRefused) {
  job.model = folder.file("text", "no tokenizer");
  EXPECT_FAILS(make_lexicon(job), ModelError, "text");
  job.model = bundle;
  job.output = folder.path("none/lexicon");
  EXPECT_FAILS(make_lexicon(job), WriteError, "none/lexicon");
}

}  // namespace
}  // namespace ventris::lexicon
