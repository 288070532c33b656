#include "translation/finisher.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "support/copy_model.h"
#include "support/errors.h"

namespace ventris::translation {
namespace {

using test::Ids;

class FinisherTest : public testing::Test {
 protected:
  /// A line with hypotheses of these texts and scores.
  FoundLine found_line(const std::string& text, const std::vector<std::pair<std::string, double>>& found) {
    FoundLine line{text, tokenizer.encode(text), {}};
    line.source.push_back(3);
    for (const auto& [translation, score] : found) line.hypotheses.push_back(hypothesis(translation, score));
    return line;
  }
  decoding::Hypothesis hypothesis(const std::string& text, double score) {
    decoding::Hypothesis made;
    made.ids = tokenizer.encode(text);
    made.token_log_probs.assign(made.ids.size() + 1, -0.5F);
    made.score = score;
    return made;
  }
  std::vector<Candidate> finish(const FoundLine& line, int64_t n_best = 5) {
    const auto info = test::info_of(test::copying_package());
    test::TablePairScorer scorer(test::copy_table(info.vocab), info);
    Finisher finisher(tokenizer, tokenizer, {}, options, n_best);
    if (options.asks_attention()) finisher.choose_attention(scorer.attention_shape(), learnt);
    return finisher.finish({line}, &scorer).front();
  }
  std::string word_of_one_piece() const {
    for (int32_t id = 4; id < tokenizer.size(); ++id) {
      const std::string text = tokenizer.decode(Ids{id});
      if (text.size() > 1 && tokenizer.piece(id).starts_with("\u2581") && tokenizer.encode(text) == Ids{id})
        return text;
    }
    return "";
  }
  static std::vector<std::string> texts(const std::vector<Candidate>& candidates) {
    std::vector<std::string> all;
    for (const Candidate& candidate : candidates) all.push_back(candidate.text);
    return all;
  }

  text::Tokenizer tokenizer = source_tokenizer_of_tiny();
  FinishOptions options{.attention = {.layer = 1}};  // of two layers, the one that looks straight on
  model::GuidedAttention learnt;

 private:
  static text::Tokenizer source_tokenizer_of_tiny() { return {test::copying_package().source_spm, "tiny"}; }
};

TEST_F(FinisherTest, ACandidateSaysWhatItIsMadeOf) {
  const auto found = finish(found_line("bread", {{"Nobody sees bread.", -1}}));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].text, "Nobody sees bread.");
  EXPECT_EQ(found[0].pieces.size(), found[0].token_log_probs.size());
  EXPECT_EQ(found[0].pieces.back(), "</s>");
  EXPECT_EQ(found[0].tokens, static_cast<int64_t>(found[0].pieces.size()));
  EXPECT_FALSE(found[0].utility || found[0].repetitive || !found[0].links.empty());
}

TEST_F(FinisherTest, WhatWasAddedToTheSourceBelongsToTheWordBeforeIt) {
  options.alignment = true;
  const std::string text = "bread likes boats";  // "likes" was added, with the space before it
  FoundLine line = found_line(text, {{text, -1}});
  EXPECT_EQ(format_links(finish(line)[0].links), "0-0 1-1 2-2");
  line.added = {{text.find(" likes"), text.find(" boats")}};
  EXPECT_EQ(format_links(finish(line)[0].links), "0-0 0-1 1-2");
}

TEST_F(FinisherTest, ATranslationThatGoesRoundInCirclesIsMarked) {
  FoundLine line = found_line("bread", {{"bread", -1}});
  line.hypotheses[0].ids = Ids{9, 9, 9, 9, 9, 9};
  EXPECT_TRUE(finish(line)[0].repetitive);
}

TEST_F(FinisherTest, ACutTranslationHasNoEnd) {
  FoundLine line = found_line("bread", {{"bread", -1}});
  line.hypotheses[0].truncated = true;
  line.hypotheses[0].token_log_probs.pop_back();
  EXPECT_NE(finish(line)[0].pieces.back(), "</s>");
}

TEST_F(FinisherTest, WordsAreLinkedByTheChosenAttention) {
  options.alignment = true;
  const auto line = found_line("The driver likes bread.", {{"The driver likes bread.", -1}});
  EXPECT_EQ(format_links(finish(line)[0].links), "0-0 1-1 2-2 3-3");
  options.attention.layer = 0;  // the last layer: one token on; the last looks at eos, and at all words alike
  const std::string word = word_of_one_piece(), text = word + " " + word + " " + word;
  const auto short_words = found_line(text, {{text, -1}});
  ASSERT_EQ(short_words.source.size(), 4U);
  EXPECT_EQ(format_links(finish(short_words)[0].links), "0-2 1-0 2-1");
}

TEST_F(FinisherTest, LinksOfAModelThatHasLearntThemAreThoseOfTheStepsThatReadTokens) {
  options = {};
  options.alignment = true;
  learnt = {.layer = 1, .head = 1, .reading = true};
  const std::string word = word_of_one_piece(), text = word + " " + word + " " + word;
  const auto line = found_line(text, {{text, -1}});
  EXPECT_EQ(format_links(finish(line)[0].links), "1-0 2-1");  // the step after the last word looks at eos
  learnt.reading = false;
  EXPECT_EQ(format_links(finish(line)[0].links), "0-0 1-1 2-2");
  learnt.reading = true;
  options.attention.layer = 1;  // chosen, so its steps that write
  EXPECT_EQ(format_links(finish(line)[0].links), "0-0 1-1 2-2");
}

TEST_F(FinisherTest, AnUnknownTokenBecomesTheUnknownPartOfTheSource) {
  options.replace_unk = options.alignment = true;
  const auto line = found_line("The \u65e5\u672c likes bread.", {{"The \u65e5\u672c likes bread.", -1}});
  ASSERT_GT(std::count(line.source.begin(), line.source.end(), 1), 0);
  EXPECT_EQ(finish(line)[0].text, "The \u65e5\u672c likes bread.");
  EXPECT_EQ(format_links(finish(line)[0].links), "0-0 1-1 2-2 3-3");
}

TEST_F(FinisherTest, AnUnknownTokenBecomesTheWordItLooksAtIfAllAreKnown) {
  options.replace_unk = true;
  FoundLine line = found_line("bread", {{"bread", -1}});
  line.source = tokenizer.encode("Nobody sees bread.");
  line.text = "Nobody sees bread.";
  line.source.push_back(3);
  const Ids space = tokenizer.encode("\u65e5");  // a space, and <unk>
  line.hypotheses[0].ids = space;
  const auto words = words_of(line.text, tokenizer.places(line.text));
  const std::string expected = words[1] == 0 ? "Nobody" : "sees";  // <unk> is the second token
  EXPECT_EQ(finish(line)[0].text, expected);
}

TEST_F(FinisherTest, MbrChoosesWhatIsMostLikeTheOthers) {
  options.mbr = Utility::kChrf;
  const auto line = found_line("bread", {{"two wooden boats", -1},
                                         {"Nobody sees the bridge", -2},
                                         {"Nobody likes the bridge", -3},
                                         {"Nobody sees bread", -4}});
  const auto found = finish(line, 2);
  EXPECT_EQ(texts(found), (std::vector<std::string>{"Nobody sees the bridge", "Nobody likes the bridge"}));
  EXPECT_GT(*found[0].utility, *found[1].utility);
  EXPECT_EQ(found[0].score, -2);  // stays the model's
}

TEST_F(FinisherTest, CoverageLowersWhatLeavesTheSourceUnattended) {
  const auto line = found_line("The driver likes bread.", {{"The driver", -1.0}, {"The driver likes bread.", -1.1}});
  EXPECT_EQ(finish(line)[0].text, "The driver");
  options.coverage_penalty = 0.5;
  const auto found = finish(line);
  EXPECT_EQ(found[0].text, "The driver likes bread.");
  // Each token of the table's model gives 0.2 / width to all and 0.8 to the token it looks at.
  const auto width = static_cast<double>(line.source.size());
  const auto expected = [&](const decoding::Hypothesis& hypothesis) {
    const auto tokens = hypothesis.ids.size() + 1;
    double sum = 0;
    for (size_t i = 0; i + 1 < line.source.size(); ++i) {
      const double attended = 0.2 / width * static_cast<double>(tokens) + (i < tokens ? 0.8 : 0.0);
      sum += std::log(std::min(attended, 1.0));
    }
    return hypothesis.score + 0.5 * sum;
  };
  EXPECT_NEAR(found[0].score, expected(line.hypotheses[1]), 1e-4);
  EXPECT_NEAR(found[1].score, expected(line.hypotheses[0]), 1e-4);
}

TEST(Widened, WhatIsChosenAmongIsSearchedFor) {
  decoding::SearchOptions search;
  search.beam_size = 6;
  search.n_best = 2;
  FinishOptions options;
  EXPECT_EQ(widened(search, options).n_best, 2);
  options.mbr = Utility::kBleu;
  EXPECT_EQ(widened(search, options).n_best, 6);
  options.candidates = 4;
  EXPECT_EQ(widened(search, options).n_best, 4);
  options.candidates = 0;
  search.sampling.enabled = true;
  EXPECT_EQ(widened(search, options).n_best, 16);
  search.n_best = 20;
  EXPECT_EQ(widened(search, options).n_best, 20);
}

TEST(CheckFinishing, SenselessOptionsAreNamed) {
  const auto expect_named = [](const char* part, const std::function<void(FinishOptions&)>& change) {
    FinishOptions options;
    decoding::SearchOptions search;
    search.beam_size = 4;
    search.n_best = 2;
    change(options);
    EXPECT_FAILS(check(options, search), ConfigError, part);
  };
  expect_named("coverage_penalty: must be from 0 (none) to 100, got -1", [](auto& o) { o.coverage_penalty = -1; });
  expect_named("alignment_layer: must be 0 (default) or more, got -1", [](auto& o) { o.attention.layer = -1; });
  expect_named("candidates: has an effect only with --mbr", [](auto& o) { o.candidates = 3; });
  const auto mbr = [](int64_t count) {
    return [count](FinishOptions& o) {
      o.mbr = Utility::kChrf;
      o.candidates = count;
    };
  };
  expect_named("candidates: must be from n_best (2) to beam_size, 4, got 5", mbr(5));
  expect_named("candidates: must be from n_best (2) to beam_size, 4, got 1", mbr(1));
  expect_named("alignment_layer, alignment_head: have an effect only with", [](auto& o) { o.attention.head = 2; });
}

TEST(CheckFinishing, ThereMustBeSomethingToChooseAmongAndNotTooMuch) {
  FinishOptions options;
  options.mbr = Utility::kChrf;
  decoding::SearchOptions search;
  search.beam_size = 1;
  EXPECT_FAILS(check(options, search), ConfigError, "need more than one candidate; give a larger --beam-size");
  search.sampling.enabled = true;
  EXPECT_NO_THROW(check(options, search));
  options.candidates = 1;
  EXPECT_FAILS(check(options, search), ConfigError, "give a larger --candidates");
  options.candidates = 2000;
  EXPECT_FAILS(check(options, search), ConfigError, "candidates: must be from n_best (1) to 1024, got 2000");
}

TEST_F(FinisherTest, WhatStandsBeforeTheLastSeparatorIsNotPartOfACandidate) {
  const std::string word = word_of_one_piece();
  const int32_t separator = tokenizer.encode(word).front();
  options.alignment = true;
  FoundLine line = found_line("Nobody sees Zürich.", {{"The bridge " + word + " Nobody sees Zürich.", -1}});
  const size_t before = tokenizer.encode("The bridge " + word).size();
  const auto plain = finish(found_line("Nobody sees Zürich.", {{"Nobody sees Zürich.", -1}}));
  const auto context = tokenizer.encode("The bridge " + word);
  line.source.insert(line.source.begin(), context.begin(), context.end());
  line.marks.before = before;
  line.hypotheses[0].log_prob = -0.5 * static_cast<double>(line.hypotheses[0].token_log_probs.size());
  line.separator = separator;
  const auto found = finish(line);
  EXPECT_EQ(found[0].text, "Nobody sees Zürich.");
  EXPECT_EQ(found[0].tokens, plain[0].tokens);
  EXPECT_EQ(found[0].pieces, plain[0].pieces);
  EXPECT_DOUBLE_EQ(found[0].log_prob, -0.5 * static_cast<double>(found[0].tokens));
  EXPECT_EQ(format_links(found[0].links), format_links(plain[0].links));
  line.separator = kNoSeparator;
  EXPECT_EQ(finish(line)[0].text, "The bridge " + word + " Nobody sees Zürich.");
}

TEST(FinisherOfPlaceholders, ThoseThatTheSourceDoesNotHaveAreNotPartOfACandidate) {
  text::TokenizerTraining training;
  training.vocab_size = 150;
  training.user_pieces = {"<ph1>", "<ph2>"};
  const text::Tokenizer tokenizer(text::learn_tokenizer(test::source_of(test::tiny_text()), training), "tiny");
  const auto text_of = [&](const std::string& source, const std::string& target, const std::string& prefix = "") {
    FoundLine line{source, tokenizer.encode(source), {}};
    line.prefix_tokens = tokenizer.encode(prefix).size();
    line.prefix_pieces = tokenizer.pieces(prefix);
    line.hypotheses.emplace_back();
    line.hypotheses[0].ids = tokenizer.encode(target);
    line.hypotheses[0].token_log_probs.assign(line.hypotheses[0].ids.size() + 1, -0.5F);
    line.hypotheses[0].log_prob = -0.5 * static_cast<double>(line.hypotheses[0].ids.size() + 1);
    const Candidate found = Finisher(tokenizer, tokenizer, {}, {}, 1).finish({line}, nullptr).front().front();
    EXPECT_EQ(found.pieces.size(), found.token_log_probs.size());
    EXPECT_DOUBLE_EQ(found.log_prob, -0.5 * static_cast<double>(found.tokens));
    return found.text;
  };
  EXPECT_EQ(text_of("Nobody sees", "<ph1> Nobody <ph2> sees <ph1><ph2>."), "Nobody sees.");
  EXPECT_EQ(text_of("Nobody <ph1> sees", "<ph1> Nobody <ph2> sees <ph1>"), "<ph1> Nobody sees <ph1>");
  EXPECT_EQ(text_of("Nobody sees", "Nobody <ph1> \u4e2d sees <ph2>.", "Nobody <ph1> \u4e2d"),
            "Nobody <ph1> \u4e2d sees.")
      << "a forced prefix stays as it is";
}

}  // namespace
}  // namespace ventris::translation
