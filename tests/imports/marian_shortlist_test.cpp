#include "imports/marian_shortlist.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "core/error.h"
#include "exports/shortlist_file.h"
#include "files/files.h"
#include "imports/marian_model.h"
#include "imports/marian_writer.h"
#include "support/errors.h"
#include "support/temp_folder.h"
#include "text/tokenizer.h"

namespace ventris::imports {
namespace {

using testing::ElementsAre;

const std::string kFilesOfMarian = VENTRIS_SOURCE "/tests/imports/data/marian/";

/// Shortlists for the model with 26 tokens on each side.
class MarianShortlistFile : public testing::Test {
 protected:
  model::Lexicon read(const std::string& bytes) const {
    const Imported imported = import_with(bytes);
    return model::Lexicon::parse(imported.lexicon, "lexicon");
  }
  Imported import_with(const std::string& bytes) const {
    return from_marian_file(kFilesOfMarian + "post.npz", {{}, {kFilesOfMarian + "both.yml"}},
                            folder.file("lex.bin", bytes));
  }
  static std::vector<std::vector<uint32_t>> lists() {
    std::vector<std::vector<uint32_t>> lists(26);
    lists[0] = {0};       // </s>
    lists[2] = {14, 15};  // ka: KA LO
    lists[25] = {3};
    return lists;
  }

  test::TempFolder folder;
};

TEST_F(MarianShortlistFile, BecomesALexiconWithOurIds) {
  for (const bool with_end : {false, true}) {
    const model::Lexicon lexicon = read(marian_shortlist(lists(), 3, with_end));
    EXPECT_THAT(lexicon.frequent(), ElementsAre(3, 1, 4)) << "</s>, <unk>, ka";
    EXPECT_THAT(lexicon.pieces(3), ElementsAre(3));
    EXPECT_THAT(lexicon.pieces(4), ElementsAre(16, 17));
    EXPECT_THAT(lexicon.pieces(27), ElementsAre(5));
    EXPECT_THAT(lexicon.pieces(0), ElementsAre());
  }
}

TEST_F(MarianShortlistFile, FitsTheBundle) {
  const Imported imported = import_with(marian_shortlist(lists(), 3, true));
  const model::Package& package = imported.package;
  const auto tokenizers = model::lexicon_tokenizers(package.source_spm, package.config.architecture->src_vocab(),
                                                    package.target_spm, package.config.architecture->tgt_vocab());
  EXPECT_NO_THROW(model::Lexicon::parse(imported.lexicon, "lexicon").check_tokenizers(tokenizers, "lexicon", "model"));
}

TEST_F(MarianShortlistFile, ComesInAndGoesOutTheSameToTheBit) {
  for (const uint64_t first : {2, 3, 26}) {
    const std::string bytes = marian_shortlist(lists(), first, true);
    EXPECT_EQ(exports::marian_shortlist(read(bytes), {}, 1), bytes) << first;
  }
  const model::Lexicon lexicon = read(marian_shortlist(lists(), 3, false));
  EXPECT_EQ(read(exports::marian_shortlist(lexicon, {}, 1)).bytes(), lexicon.bytes());
}

TEST_F(MarianShortlistFile, FrequentTokensOfOursComeBack) {
  const Imported imported = import_with(marian_shortlist(lists(), 3, true));
  const model::Lexicon known = model::Lexicon::parse(imported.lexicon, "lexicon");
  std::vector<std::vector<int32_t>> pieces(known.tokenizers().source_vocab);
  pieces[4] = {5};
  const model::Lexicon ours(known.tokenizers(), {9, 8, 7}, pieces);
  const std::string written = exports::marian_shortlist(ours, {.best = 2}, 1);
  const model::Lexicon back = read(written);
  EXPECT_THAT(back.frequent(), ElementsAre(7, 8, 9));
  EXPECT_THAT(back.pieces(4), ElementsAre(5));
  EXPECT_THAT(back.pieces(3), ElementsAre());
  EXPECT_EQ(exports::marian_shortlist(back, {.best = 2}, 1), written);
}

/// That of a published model, which is not part of this repository.
TEST(PublishedShortlist, BecomesALexicon) {
  const char* given = std::getenv("VENTRIS_FIXTURES");
  const std::string folder =
      (given != nullptr ? given : VENTRIS_SOURCE "/../shared/fixtures") + std::string("/bergamot/");
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << folder << ": does not exist; VENTRIS_FIXTURES names the folder";
  Sides sides;
  sides.source_rows = sides.target_rows = 32000;
  model::Package package;
  std::vector<std::string> notes;
  read_marian_vocabularies({{folder + "enes.vocab.esen.spm"}, {}}, sides, package, notes);
  const std::string path = folder + "enes.lex.50.50.enes.s2t.bin";
  const model::Lexicon lexicon = read_marian_shortlist(files::read_file(path), path, sides, package);
  EXPECT_EQ(lexicon.frequent().size(), 50U);
  const std::string again = exports::marian_shortlist(lexicon, {}, 1);
  EXPECT_EQ(read_marian_shortlist(again, "again", sides, package).bytes(), lexicon.bytes());
  const text::Tokenizer tokenizer(package.source_spm, "source");
  const auto translations = [&](const std::string& piece) {
    std::vector<std::string> texts;
    for (const int32_t id : lexicon.pieces(tokenizer.id_of("\u2581" + piece))) texts.push_back(tokenizer.piece(id));
    return texts;
  };
  EXPECT_THAT(translations("house"), testing::Contains("\u2581casa"));
  EXPECT_THAT(translations("water"), testing::Contains("\u2581agua"));
  EXPECT_LE(translations("house").size(), 50U);
}

TEST_F(MarianShortlistFile, WhatIsWrongIsSaid) {
  const std::string good = marian_shortlist(lists(), 3, true);
  EXPECT_FAILS(read("x"), ModelError, "lex.bin: damaged, or no binary shortlist of Bergamot: it ends too early");
  EXPECT_FAILS(read("x" + good), ModelError, "it does not begin like one");
  EXPECT_FAILS(read(good + "x"), ModelError, "it has another size than it says");
  std::string changed = good;
  changed.back() ^= 1;
  EXPECT_FAILS(read(changed), ModelError, "it has a wrong checksum");
  EXPECT_FAILS(read(marian_shortlist({{1}, {2}}, 3, true)), ModelError,
               "lex.bin: expected lists for the 26 tokens of the source, found 3; it is of another model");
  auto wrong = lists();
  wrong[3] = {26};
  EXPECT_FAILS(read(marian_shortlist(wrong, 3, true)), ModelError, "expected target tokens under 26, found 26");
  wrong[3] = std::vector<uint32_t>(1001, 1);
  EXPECT_FAILS(read(marian_shortlist(wrong, 3, true)), ModelError, "token 3 has 1001 translations; expected at most");
}

}  // namespace
}  // namespace ventris::imports
