#include "preparation/run_tokenizers.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <iostream>

#include "core/error.h"
#include "core/process.h"
#include "support/errors.h"
#include "support/shape_of.h"
#include "support/toy_run.h"
#include "text/placeholder_words.h"
#include "text/term_marks.h"

namespace ventris::preparation {
namespace {

class PreparedTokenizers : public testing::Test {
 protected:
  test::TempFolder folder;
  settings::RunConfig config = test::toy_config(test::write_toy_corpus(folder, "train", 60, 1));
};

TEST_F(PreparedTokenizers, OneTokenizerIsLearntFromBothSidesIfItIsShared) {
  config.data.train = {folder.file("left", "aaa bab\n"), folder.file("right", "ccc dcd\n")};
  const auto both = prepare_tokenizers(config, {});
  EXPECT_EQ(both.source.bytes(), both.target.bytes());
  for (const char* text : {"aba", "dcd"}) EXPECT_EQ(both.source.decode(both.source.encode(text)), text);
}

TEST_F(PreparedTokenizers,
       ATokenizerDoesNotDependOnTheNumberOfReplicas) {  // one process of two is to give the bytes of two
  config.data.train = {folder.file("left", "aaa bab\n"), folder.file("right", "ccc dcd\n")};
  config.training.threads = 1;
  const auto one = prepare_tokenizers(config, {});
  config.training.threads = 2;
  EXPECT_EQ(prepare_tokenizers(config, {}).source.bytes(), one.source.bytes());
}

TEST_F(PreparedTokenizers, AStopSignalEndsTheReadingForATokenizer) {
  EXPECT_EXIT(
      {
        core::install_stop_handlers();
        std::raise(SIGTERM);
        try {
          prepare_tokenizers(config, {});
        } catch (const Interrupted& stop) {
          std::cerr << stop.what();
          _exit(stop.signal);
        }
        _exit(0);
      },
      testing::ExitedWithCode(SIGTERM), "stopped by a signal while reading for the tokenizer");
}

TEST_F(PreparedTokenizers, OneForEachSideIsLearntFromItsOwn) {
  config.tokenizer.shared = false;
  config.data.train = {folder.file("left", "aaa bab\n"), folder.file("right", "ccc dcd\n")};
  const auto two = prepare_tokenizers(config, {});
  EXPECT_EQ(two.source.decode(two.source.encode("aba")), "aba");
  EXPECT_EQ(two.target.decode(two.target.encode("cdc")), "cdc");
  EXPECT_NE(two.target.decode(two.target.encode("aba")), "aba");  // it has never seen these letters
}

TEST_F(PreparedTokenizers, EveryCorpusTeachesAndTagsBecomePiecesOfTheSource) {
  config.tokenizer.shared = false;
  config.data.train = {};
  settings::CorpusConfig first, second;
  first.spec.files = {folder.file("left", "aaa bab\n"), folder.file("right", "ccc dcd\n")};
  second.spec = {{folder.file("both.tsv", "eee fef\tghg\n"), ""}, "<bt>"};
  config.data.corpora = {first, second, second};
  const auto two = prepare_tokenizers(config, {});
  EXPECT_EQ(two.source.decode(two.source.encode("fab")), "fab");
  EXPECT_EQ(two.target.decode(two.target.encode("hgc")), "hgc");
  EXPECT_FALSE(data::tag_ids(two.source, "<bt>").empty());
  EXPECT_FAILS(data::tag_ids(two.target, "<bt>"), ConfigError, "the tag '<bt>' is not a single piece");
}

TEST_F(PreparedTokenizers, PlaceholdersOfChangedPairsArePieces) {
  const auto without = prepare_tokenizers(config, {});
  config.data.modifiers = {{.kind = modifiers::ModifierKind::kTags, .share = 0.1}};
  config.tokenizer.shared = false;
  const auto with = prepare_tokenizers(config, {});
  for (const std::string_view word : text::kPlaceholderWords) {
    EXPECT_GE(with.source.id_of(word), 0) << word;
    EXPECT_GE(with.target.id_of(word), 0) << word;
  }
  EXPECT_NO_THROW(package_of(config, with));
  EXPECT_FAILS(
      package_of(config, without), ConfigError,
      "data.modifiers: the kind 'tags' needs the pieces <ph1> to <ph8>, but the tokenizer of the source has no "
      "piece <ph1>");
}

TEST_F(PreparedTokenizers, MarksOfTermsArePiecesOfTheSource) {
  const auto without = prepare_tokenizers(config, {});
  config.data.modifiers = {{.kind = modifiers::ModifierKind::kTerms, .share = 0.1}};
  config.tokenizer.shared = false;
  const auto with = prepare_tokenizers(config, {});
  for (const std::string_view mark : {text::kTermBegin, text::kTermEnd}) {
    EXPECT_GE(with.source.id_of(mark), 0);
    EXPECT_LT(with.target.id_of(mark), 0);
  }
  EXPECT_NO_THROW(package_of(config, with));
  EXPECT_FAILS(package_of(config, without), ConfigError,
               "data.modifiers: the kind 'terms' needs the pieces <term> and </term>, but the tokenizer of the source "
               "has no piece <term>");
}

TEST_F(PreparedTokenizers, APackageSaysWhichHeadLearnsLinks) {
  const auto tokenizers = prepare_tokenizers(config, {});
  const auto guided = [&] { return package_of(config, tokenizers).config.guided_attention; };
  EXPECT_EQ(guided(), model::GuidedAttention());
  settings::GuidedAlignmentConfig& settings = config.training.guided_alignment;
  settings.links = settings::kLearntLinks;
  test::shape_of(config.model).decoder_layers = 4;
  EXPECT_EQ(guided(), (model::GuidedAttention{.layer = 3, .head = 1, .reading = true}));
  settings.layer = 4;
  settings.head = 2;
  settings.step = settings::GuidedStep::kWriting;
  EXPECT_EQ(guided(), (model::GuidedAttention{.layer = 4, .head = 2, .reading = false}));
  settings.weight = 0;
  EXPECT_EQ(guided(), model::GuidedAttention());
}

TEST_F(PreparedTokenizers, ATagThatTellsALanguageIsInTheBundle) {
  settings::CorpusConfig to_x, to_y;
  to_x.spec = {{folder.file("x.tsv", "aaa bab\tccc dcd\n"), ""}, "<2x>", "", "x"};
  to_y.spec = {{folder.file("y.tsv", "aaa bab\tddd dcd\n"), ""}, "<2y>", "", "y"};
  config.data.train = {};
  config.data.corpora = {to_x, to_y, to_x};
  const Tokenizers two = prepare_tokenizers(config, {});
  const auto languages = package_of(config, two).config.tokenizer.languages;
  ASSERT_EQ(languages.size(), 2U);
  EXPECT_EQ(languages.at("x").to_prefix.back(), "<2x>");
  EXPECT_TRUE(languages.at("x").target_prefix.empty());
  config.data.corpora[2].spec.tag = "<2y>";
  EXPECT_FAILS(package_of(config, two), ConfigError, "the language 'x' already has another tag");
}

TEST_F(PreparedTokenizers, TwoColumnsTeachWhatTwoFilesDo) {
  config.data.train = {folder.file("left", "aaa bab\nab b\n"), folder.file("right", "ccc dcd\ncd\n")};
  const auto files = prepare_tokenizers(config, {});
  config.data.train = {folder.file("both.tsv", "aaa bab\tccc dcd\nab b\tcd\n"), ""};
  EXPECT_EQ(prepare_tokenizers(config, {}).source.bytes(), files.source.bytes());
  folder.file("both.tsv", "aaa bab\tccc dcd\nab b\n");
  EXPECT_FAILS(prepare_tokenizers(config, {}), DataError, "both.tsv:2: expected 2 columns separated by TABs, found 1");
}

TEST_F(PreparedTokenizers, ALineTooLongToReadTeachesNothingInTwoColumns) {
  const std::string endless(2 << 20, 'x');  // cut before its TAB
  config.data.train = {folder.file("both.tsv", endless + "\tred\naaa bab\tccc dcd\n"), ""};
  const auto tokenizer = prepare_tokenizers(config, {}).source;
  EXPECT_EQ(tokenizer.decode(tokenizer.encode("dab")), "dab");
  EXPECT_NE(tokenizer.decode(tokenizer.encode("x")), "x");
}

TEST_F(PreparedTokenizers, AGivenTokenizerIsTakenAsItIs) {
  const std::string given = prepare_tokenizers(config, {}).source.bytes();
  config.tokenizer.source = folder.file("given.spm", given);
  config.data.train = {"none", "none"};
  EXPECT_EQ(prepare_tokenizers(config, {}).target.bytes(), given);
  config.tokenizer.source = folder.file("broken.spm", "no tokenizer");
  EXPECT_FAILS(prepare_tokenizers(config, {}), ModelError, "broken.spm");
}

TEST_F(PreparedTokenizers, ASecondTokenizerNeedsThemNotToBeShared) {
  config.tokenizer.target = "other.spm";
  EXPECT_FAILS(prepare_tokenizers(config, {}), ConfigError,
               "tokenizer.target: a second tokenizer (other.spm) needs \"shared\": false");
}

TEST_F(PreparedTokenizers, ARunThatGoesOnKeepsTheTokenizersOfItsCheckpoint) {
  config.tokenizer.shared = false;
  config.data.train = {folder.file("left", "aaa bab\n"), folder.file("right", "ccc dcd\n")};
  const auto begun = prepare_tokenizers(config, {});
  OpenedRun opened;
  opened.checkpoint.emplace();
  opened.checkpoint->source_spm = begun.source.bytes();
  opened.checkpoint->target_spm = begun.target.bytes();
  config.data.train = {"none", "none"};  // nothing is learnt anew
  config.tokenizer.source = folder.file("same.spm", begun.source.bytes());
  config.tokenizer.target = folder.path("gone.spm");
  const auto kept = prepare_tokenizers(config, opened);
  EXPECT_EQ(kept.source.bytes(), begun.source.bytes());
  EXPECT_EQ(kept.target.bytes(), begun.target.bytes());
  config.tokenizer.target = config.tokenizer.source;
  EXPECT_FAILS(prepare_tokenizers(config, opened), ConfigError,
               "tokenizer.target: " + config.tokenizer.target + " is not the tokenizer that this run was begun with");
}

TEST_F(PreparedTokenizers, APackageHoldsTheTokenizersAndTheirSizes) {
  config.tokenizer.shared = false;
  config.decoding.beam_size = 7;
  const auto tokenizers = prepare_tokenizers(config, {});
  const auto package = package_of(config, tokenizers);
  EXPECT_EQ(package.config.architecture->src_vocab(), tokenizers.source.size());
  EXPECT_EQ(package.config.architecture->tgt_vocab(), tokenizers.target.size());
  EXPECT_EQ(test::shape_of(package.config).d_model, 32);
  EXPECT_EQ(package.config.decoding.beam_size, 7);
  EXPECT_FALSE(package.config.tokenizer.shared);
  EXPECT_EQ(package.source_spm, tokenizers.source.bytes());
  EXPECT_EQ(package.target_spm, tokenizers.target.bytes());
}

TEST_F(PreparedTokenizers, TheSeparatorOfContextIsAPieceAndInTheBundle) {
  const auto without = prepare_tokenizers(config, {});
  EXPECT_EQ(package_of(config, without).config.context, model::ContextPolicy());
  config.data.context = {.sentences = 2, .sides = data::ContextSides::kBoth, .separator = "<br>"};
  config.tokenizer.shared = false;
  const auto with = prepare_tokenizers(config, {});
  EXPECT_GE(with.source.id_of("<br>"), 0);
  EXPECT_GE(with.target.id_of("<br>"), 0);
  EXPECT_EQ(package_of(config, with).config.context, (model::ContextPolicy{2, true, "<br>"}));
  EXPECT_FAILS(
      package_of(config, without), ConfigError,
      "data.context.separator: the tokenizer of the source has no piece <br>; let the run learn its tokenizer");
  config.tokenizer.learning.kind = text::TokenizerKind::kPieces;
  EXPECT_EQ(package_of(config, prepare_tokenizers(config, {})).config.context, (model::ContextPolicy{2, true, "<br>"}));
}

}  // namespace
}  // namespace ventris::preparation
