#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "exports/seq2seq_folder.h"
#include "files/folders.h"
#include "imports/huggingface_marian.h"
#include "imports/import_model.h"
#include "support/temp_folder.h"
#include "text/tokenizer.h"

/// Models of transformers that come in, go out and come in again.
namespace ventris::imports {
namespace {

class Seq2SeqRoundTrip : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Models, Seq2SeqRoundTrip, testing::Values("marian_shared", "marian_separate", "marian_sides"),
                         [](const auto& name) { return std::string(name.param); });

/// Writes a bundle of it, and the folder that transformers opens; imports that.
Imported once_more(const Imported& imported, const test::TempFolder& folder) {
  model::write_bundle(folder.path("bundle"), imported.package, imported.weights);
  files::write_folder(folder.path("out"), exports::to_seq2seq_folder(model::read_bundle(folder.path("bundle"))));
  return import_model({folder.path("out")});
}

TEST_P(Seq2SeqRoundTrip, WeightsAndTokenizersAreTheSameToTheBit) {
  const test::TempFolder folder;
  const Imported first = from_marian_folder(std::string(VENTRIS_SOURCE "/tests/imports/data/") + GetParam());
  const Imported second = once_more(first, folder);
  EXPECT_EQ(second.weights, first.weights);
  EXPECT_EQ(second.package.config.architecture->to_json(), first.package.config.architecture->to_json());
  EXPECT_EQ(second.package.config.tokenizer.common_ids, first.package.config.tokenizer.common_ids);
  EXPECT_EQ(second.package.config.decoding.beam_size, first.package.config.decoding.beam_size);
  const text::Tokenizer one(first.package.source_spm, "one"), two(second.package.source_spm, "two");
  for (const char* line : {"the old man", "жж the ßüö", "  two   spaces ", "schwester ä", ""}) {
    EXPECT_EQ(one.encode(line), two.encode(line)) << line;
  }
}

}  // namespace
}  // namespace ventris::imports
