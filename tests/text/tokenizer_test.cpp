#include "text/tokenizer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <thread>

#include "core/error.h"
#include "core/random.h"
#include "support/errors.h"
#include "support/model_writer.h"
#include "support/temp_folder.h"
#include "support/tiny_text.h"

namespace ventris::text {
namespace {

using Ids = std::vector<int32_t>;

struct Setting {
  TokenizerKind kind;
  bool byte_fallback;
};

class TokenizerTest : public testing::TestWithParam<Setting> {
 protected:
  const Tokenizer tokenizer = test::tiny_tokenizer(GetParam().kind, GetParam().byte_fallback);
};

INSTANTIATE_TEST_SUITE_P(Kinds, TokenizerTest,
                         testing::Values(Setting{TokenizerKind::kUnigram, false},
                                         Setting{TokenizerKind::kUnigram, true}, Setting{TokenizerKind::kBpe, false},
                                         Setting{TokenizerKind::kBpe, true}),
                         [](const auto& setting) {
                           return std::string(setting.param.kind == TokenizerKind::kBpe ? "Bpe" : "Unigram") +
                                  (setting.param.byte_fallback ? "WithBytes" : "");
                         });

TEST_P(TokenizerTest, LearntTextComesBack) {
  for (const std::string& line : test::tiny_text()) EXPECT_EQ(tokenizer.decode(tokenizer.encode(line)), line);
}

TEST_P(TokenizerTest, KindSizeAndSpecialPiecesAreAsLearnt) {
  EXPECT_EQ(tokenizer.kind(), GetParam().kind);
  EXPECT_LE(tokenizer.size(), GetParam().byte_fallback ? 400 : 150);
  EXPECT_EQ(tokenizer.piece(0), "<pad>");
  EXPECT_EQ(tokenizer.piece(1), "<unk>");
  EXPECT_EQ(tokenizer.piece(2), "<s>");
  EXPECT_EQ(tokenizer.piece(3), "</s>");
}

TEST_P(TokenizerTest, SpecialPiecesWrittenInTheTextAreText) {
  for (const char* text : {"</s>", "<s>", "<pad>", "<unk>", "The</s>old <pad> man<s>", "<0x41>"}) {
    for (const Ids& ids : {tokenizer.encode(text), tokenizer.sample(text, 0.3, 1)}) {
      for (const int32_t id : ids) EXPECT_TRUE(id == 1 || id > 3) << text << ' ' << id;
      EXPECT_FALSE(ids.empty());
    }
    if (GetParam().byte_fallback) {
      EXPECT_EQ(tokenizer.decode(tokenizer.encode(text)), text);
    }
  }
}

TEST_P(TokenizerTest, EmptyAndBlankTextHasNoIds) {
  for (const char* text : {"", " ", "\t \u3000", "\u0085\u2028", "\x01\x02"}) {
    EXPECT_EQ(tokenizer.encode(text), Ids{});
    EXPECT_EQ(tokenizer.sample(text, 0.3, 1), Ids{});
  }
  EXPECT_EQ(tokenizer.decode(Ids{}), "");
}

TEST_P(TokenizerTest, SpecialIdsAreLeftOutOfTheText) {
  Ids ids = tokenizer.encode("My sister sees bread.");
  ids.insert(ids.begin(), {2, 0});
  ids.insert(ids.end(), {3, 0, 0});
  EXPECT_EQ(tokenizer.decode(ids), "My sister sees bread.");
}

TEST_P(TokenizerTest, UnknownCharactersAreSpeltOrMarked) {
  const std::string decoded = tokenizer.decode(tokenizer.encode("The 😀 man"));
  if (GetParam().byte_fallback) {
    EXPECT_EQ(decoded, "The 😀 man");
  } else {
    EXPECT_NE(decoded.find("\u2047"), std::string::npos) << decoded;
  }
}

TEST_P(TokenizerTest, PlacesCoverTheTextInOrder) {
  for (const std::string text :
       {"My sister sees bread.", "  The \u00a0old  man ", "The \U0001F600 man", "\u00bd Zürich"}) {
    const auto ids = tokenizer.encode(text);
    const auto places = tokenizer.places(text);
    const auto pieces = tokenizer.pieces(text);
    ASSERT_EQ(places.size(), ids.size());
    ASSERT_EQ(pieces.size(), ids.size());
    for (size_t i = 0; i < places.size(); ++i) {
      if (ids[i] != core::SpecialIds{}.unk) {
        EXPECT_EQ(pieces[i], tokenizer.piece(ids[i]));
      }
      EXPECT_LE(places[i].begin, places[i].end);
      EXPECT_LE(places[i].end, text.size());
      EXPECT_GE(places[i].begin, places[i == 0 ? 0 : i - 1].begin);
    }
  }
  EXPECT_TRUE(tokenizer.pieces(" \t").empty());
  EXPECT_TRUE(tokenizer.places(" \t").empty());
}

TEST_P(TokenizerTest, PlacedTextIsTheDecodedTextAndItsPiecesStandThere) {
  for (const std::string& line : test::tiny_text()) {
    const auto ids = tokenizer.encode(line);
    const PlacedText placed = tokenizer.decode_placed(ids);
    EXPECT_EQ(placed.text, tokenizer.decode(ids));
    ASSERT_EQ(placed.places.size(), ids.size());
    EXPECT_EQ(placed.places.front().begin, 0U);
    EXPECT_EQ(placed.places.back().end, placed.text.size());
    for (size_t i = 1; i < ids.size(); ++i) EXPECT_EQ(placed.places[i].begin, placed.places[i - 1].end);
  }
  EXPECT_EQ(tokenizer.decode_placed({}).text, "");
  EXPECT_THROW(tokenizer.decode_placed(Ids{-1}), std::invalid_argument);
}

TEST_P(TokenizerTest, ATextMayStandForAnUnknownPiece) {
  const Ids ids = tokenizer.encode("The \u65e5\u672c man");
  std::vector<std::string> texts(ids.size());
  for (size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] == 1) texts[i] = "new";
  }
  const PlacedText placed = tokenizer.decode_placed(ids, texts);
  EXPECT_EQ(placed.text, GetParam().byte_fallback ? "The \u65e5\u672c man" : "The new man");
  EXPECT_EQ(placed.places.size(), ids.size());
  EXPECT_EQ(tokenizer.decode_placed(tokenizer.encode("bread"), {"no", "no", "no"}).text, "bread");
}

TEST_P(TokenizerTest, ATextForAnUnknownPieceMayBeWrittenLikeASpecialOne) {
  for (const std::string text : {"</s>", "<pad>", "<unk>", "<0x41>"}) {
    const Ids ids{tokenizer.encode("The").front(), 1, tokenizer.encode("man").front()};
    const PlacedText plain = tokenizer.decode_placed(ids, {"", "new", ""});
    const PlacedText placed = tokenizer.decode_placed(ids, {"", text, ""});
    std::string expected = plain.text;
    EXPECT_EQ(placed.text, expected.replace(expected.find("new"), 3, text));
    ASSERT_EQ(placed.places.size(), 3U);
    EXPECT_EQ(placed.text.substr(placed.places[1].begin, placed.places[1].end - placed.places[1].begin), text);
  }
}

TEST_P(TokenizerTest, SamplesAreDecidedByTheirSeedAndSpellTheSameText) {
  for (const char* text : {"The old man sees two wooden boats.", "The 😀😀 dog </s>", "Zürich"}) {
    std::set<Ids> seen;
    for (uint64_t seed = 0; seed < 50; ++seed) {
      const Ids ids = tokenizer.sample(text, 0.3, seed);
      EXPECT_EQ(ids, tokenizer.sample(text, 0.3, seed));
      EXPECT_EQ(tokenizer.decode(ids), tokenizer.decode(tokenizer.encode(text)));
      seen.insert(ids);
    }
    EXPECT_GT(seen.size(), 1U) << text;
  }
}

TEST_P(TokenizerTest, SamplesKeepUserPiecesWhole) {
  TokenizerTraining training;
  training.kind = GetParam().kind;
  training.byte_fallback = GetParam().byte_fallback;
  training.vocab_size = 400;
  training.user_pieces = {"<2de>"};
  const Tokenizer tagged(learn_tokenizer(test::source_of(test::tiny_text()), training), "tagged");
  const auto count = [&](const Ids& ids) {
    return std::ranges::count_if(ids, [&](int32_t id) { return tagged.piece(id) == "<2de>"; });
  };
  for (const char* text : {"<2de> The old man", "The <2de>old<2de> man", "<2de>"}) {
    std::set<Ids> seen;
    for (uint64_t seed = 0; seed < 50; ++seed) {
      const Ids ids = tagged.sample(text, 0.1, seed);
      EXPECT_EQ(count(ids), count(tagged.encode(text))) << text;
      EXPECT_EQ(tagged.decode(ids), tagged.decode(tagged.encode(text)));
      seen.insert(ids);
    }
    EXPECT_EQ(seen.size() > 1, std::string(text).size() > 5) << text;
  }
}

TEST_P(TokenizerTest, TheLimitOfTheSamplesIsTheEncoding) {
  const bool bpe = GetParam().kind == TokenizerKind::kBpe;
  const double alpha = bpe ? 1e-12 : 200.0;  // nothing is dropped; only the most probable segmentation is left
  for (const std::string& line : test::tiny_text())
    EXPECT_EQ(tokenizer.sample(line, alpha, 5), tokenizer.encode(line)) << line;
}

TEST_P(TokenizerTest, ThreadsMayShareIt) {
  const auto lines = test::tiny_text();
  const Tokenizer fresh(tokenizer.bytes(), "again");
  std::vector<std::thread> threads;
  std::vector<std::vector<Ids>> results(4);
  for (auto& result : results) {
    threads.emplace_back([&] {
      for (const auto& line : lines) result.push_back(fresh.sample(line, 0.2, 9));
    });
  }
  for (auto& thread : threads) thread.join();
  for (const auto& result : results) EXPECT_EQ(result, results[0]);
}

TEST_P(TokenizerTest, IdsOutsideTheVocabularyAreMisuse) {
  EXPECT_THROW(tokenizer.decode(Ids{tokenizer.size()}), std::invalid_argument);
  EXPECT_THROW(tokenizer.decode(Ids{-1}), std::invalid_argument);
  EXPECT_THROW(tokenizer.piece(tokenizer.size()), std::invalid_argument);
}

TEST_P(TokenizerTest, ItsBytesMakeTheSameTokenizerAgain) {
  const test::TempFolder folder;
  const Tokenizer again = Tokenizer::from_file(folder.file("t.spm", tokenizer.bytes()));
  EXPECT_EQ(again.bytes(), tokenizer.bytes());
  EXPECT_EQ(again.encode("The driver carries bread."), tokenizer.encode("The driver carries bread."));
}

TEST(Tokenizer, OtherFilesAreRefusedByName) {
  const test::TempFolder folder;
  EXPECT_FAILS(Tokenizer::from_file(folder.path("none.spm")), DataError, "none.spm: cannot be read");
  const std::string text = folder.file("text.spm", "<pad>\n<unk>\n");
  EXPECT_FAILS(Tokenizer::from_file(text), ModelError, "text.spm: not a SentencePiece model");
  EXPECT_FAILS(Tokenizer("", "empty.spm"), ModelError, "empty.spm: not a SentencePiece model");
}

TEST(Tokenizer, TruncatedModelsAreRefused) {
  const std::string bytes = test::tiny_tokenizer(TokenizerKind::kUnigram).bytes();
  const core::RandomStream random(4, 0);
  for (uint64_t i = 0; i < 200; ++i) {
    const std::string cut = bytes.substr(0, random.below(i, bytes.size()));
    EXPECT_THROW(Tokenizer(cut, "cut.spm"), ModelError) << cut.size();
  }
}

/// The serialised model with one field of its trainer_spec appended: the last value of a protobuf field counts.
std::string with_trainer_field(const std::string& bytes, const std::string& field) {
  return bytes + '\x12' + static_cast<char>(field.size()) + field;
}

TEST(Tokenizer, OtherSpecialIdsAreRefusedWithBothNamed) {
  std::string bytes = test::tiny_tokenizer(TokenizerKind::kUnigram).bytes();
  const size_t bos = bytes.find("<s>");
  ASSERT_NE(bos, std::string::npos);
  bytes.replace(bos, 3, "<x>");
  EXPECT_FAILS(Tokenizer(bytes, "other.spm"), ModelError,
               "expected the special ids pad 0, unk 1, bos 2, eos 3; found pad 0, unk 1, bos -1, eos 3");
}

TEST(Tokenizer, ModelsThatTheLibraryCannotUseAreRefused) {
  const std::string groups = test::written_model() + test::trainer_field("\x0B\x0C");  // a group, which we pass over
  EXPECT_FAILS(Tokenizer(groups, "odd.spm"), ModelError, "odd.spm: not a SentencePiece model");
  const std::string extension = test::written_model() + test::bytes_field(4, "x");  // a self-test that is none
  EXPECT_NO_THROW(Tokenizer(extension, "odd.spm"));
}

TEST(Tokenizer, WordModelsAreRefused) {
  const std::string bytes = test::tiny_tokenizer(TokenizerKind::kUnigram).bytes();
  EXPECT_FAILS(Tokenizer(with_trainer_field(bytes, "\x18\x03"), "word.spm"), ModelError,
               "found a word or character model");
}

TEST(Tokenizer, ALongTextIsEncodedAsItsWordsAre) {
  const auto tokenizer = test::tiny_tokenizer(TokenizerKind::kUnigram);
  const std::string sentence = test::tiny_text().front();
  std::string text;
  std::vector<int32_t> expected;
  std::vector<std::string> pieces;
  while (text.size() < 100'000) {
    text += (text.empty() ? "" : " ") + sentence;
    for (const int32_t id : tokenizer.encode(sentence)) expected.push_back(id);
    for (const std::string& piece : tokenizer.pieces(sentence)) pieces.push_back(piece);
  }
  EXPECT_EQ(tokenizer.encode(text), expected);
  EXPECT_EQ(tokenizer.pieces(text), pieces);
  const auto places = tokenizer.places(text);
  ASSERT_EQ(places.size(), expected.size());
  EXPECT_EQ(places.back().end, text.size());
  for (size_t i = 1; i < places.size(); ++i) EXPECT_GE(places[i].begin, places[i - 1].begin);
}

TEST(Tokenizer, TheRestOfALongTextMayBeLeftOut) {
  const Tokenizer tokenizer = test::tiny_tokenizer(TokenizerKind::kUnigram);
  std::string text;
  while (text.size() < 200'000) text += "the driver likes bread ";
  const auto whole = tokenizer.encode(text);
  for (const size_t most : {size_t{1}, size_t{5000}, whole.size(), whole.size() + 1}) {
    const auto ids = tokenizer.encode(text, most);
    ASSERT_GE(ids.size(), std::min(most, whole.size()));
    EXPECT_TRUE(std::equal(ids.begin(), ids.end(), whole.begin()));
    EXPECT_EQ(tokenizer.places(text, most).size(), ids.size());
  }
  EXPECT_LT(tokenizer.encode(text, 1).size(), whole.size() / 2);
}

TEST(Tokenizer, ARunOfUnknownCharactersIsATokenForEachBlock) {
  const auto tokenizer = test::tiny_tokenizer(TokenizerKind::kUnigram);
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += "\u6f22";
  EXPECT_LT(tokenizer.encode(text).size(), 200U);  // SentencePiece alone would take a minute for the one it finds
}

}  // namespace
}  // namespace ventris::text
