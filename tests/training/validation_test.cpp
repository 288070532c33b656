#include "training/validation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "backend/families.h"
#include "backend/module_scorer.h"
#include "backend/open_module.h"
#include "core/error.h"
#include "data/batch_plan.h"
#include "metrics/bleu.h"
#include "metrics/chrf.h"
#include "preparation/run_tokenizers.h"
#include "support/errors.h"
#include "support/loaded_corpus.h"
#include "support/shape_of.h"
#include "support/toy_run.h"
#include "training/translation_objective.h"
#include "translation/translator.h"

namespace ventris::training {
namespace {

using Lines = std::vector<std::string>;

std::string joined(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

/// A corpus and settings whose models get so many sentences before a sentence.
settings::RunConfig config_with(test::TempFolder& folder, int64_t context) {
  settings::RunConfig config = test::toy_config(test::write_toy_corpus(folder, "train", 100, 1));
  config.data.context.sentences = context;
  return config;
}

class ValidatorTest : public testing::Test {
 protected:
  explicit ValidatorTest(int64_t sentences = 0) : context(sentences) {
    set_corpus(sources, references);
    torch::manual_seed(1);
    const auto package = preparation::package_of(config, tokenizers);
    const auto& architecture = *package.config.architecture;
    model = backend::as_seq2seq(backend::make_model(architecture), architecture, "test");
    model->eval();
  }

  void set_corpus(const Lines& left, const Lines& right) {
    config.data.valid = {folder.file("valid.src", joined(left)), folder.file("valid.tgt", joined(right))};
  }

  run::ValidationResult run() { return Validator(config, tokenizers).run(model); }

  const int64_t context;
  test::TempFolder folder;
  settings::RunConfig config = config_with(folder, context);
  preparation::Tokenizers tokenizers = preparation::prepare_tokenizers(config, {});
  const Lines sources{"red tree", "blue river sings", "house", "small green house runs"};
  const Lines references{"tree red", "sings river blue", "house", "runs house green small"};
  nn::Seq2Seq model;
};

TEST_F(ValidatorTest, TheLossIsTheMeanOverTheTargetTokens) {
  data::CorpusCounts counts;
  const auto corpus = test::load_corpus(config.data.valid, tokenizers.source, tokenizers.target, {}, 1, counts);
  std::vector<uint32_t> all(corpus.size());
  std::iota(all.begin(), all.end(), 0U);
  const torch::NoGradGuard no_grad;
  TranslationOptions options;
  options.label_smoothing = config.training.label_smoothing;
  const data::Batch batch = data::PairBatchMaker().make(data::read_pairs(corpus, all));
  const auto whole = run_batch(TranslationObjective(options), *model, batch, {}, /*learn=*/false);
  const auto found = run();
  EXPECT_NEAR(found.loss, whole.loss / static_cast<double>(whole.target_tokens), 1e-5);
  EXPECT_NEAR(found.nll, whole.nll / static_cast<double>(whole.target_tokens), 1e-5);
  EXPECT_DOUBLE_EQ(found.perplexity, std::exp(found.nll));
  EXPECT_NE(found.loss, found.nll);
}

TEST_F(ValidatorTest, TheScoresAreThoseOfRealTranslationsAgainstTheRawReferences) {
  const auto package = preparation::package_of(config, tokenizers);
  translation::TranslatorOptions options;
  options.search.beam_size = 2;
  translation::Translator translator(
      package, backend::make_module_factory(model, backend::scorer_options(package.config, torch::kCPU, false)),
      options);
  Lines expected;
  for (const auto& translation : translator.translate(sources)) expected.push_back(translation.text());
  const auto found = run();
  EXPECT_EQ(found.measured("bleu"), metrics::corpus_bleu(expected, {references}).score);
  EXPECT_EQ(found.measured("chrf"), metrics::corpus_chrf(expected, {references}).score);
  ASSERT_EQ(found.samples.size(), 3U);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(found.samples[i].source, sources[i]);
    EXPECT_EQ(found.samples[i].reference, references[i]);
    EXPECT_EQ(found.samples[i].translation, expected[i]);
  }
}

class ValidatorOfContext : public ValidatorTest {
 protected:
  ValidatorOfContext() : ValidatorTest(1) {
    set_corpus({"red tree", "blue river sings", "", "house"}, {"tree red", "sings river blue", "", "house"});
  }
};

TEST_F(ValidatorOfContext, TheLossIsThatOfPairsWithTheSentencesBefore) {
  std::vector<data::SentencePair> pairs(3);
  const auto add = [&](size_t i, const std::string& source, const std::string& target) {
    const auto ids = tokenizers.source.encode(source), out = tokenizers.target.encode(target);
    pairs[i].source.insert(pairs[i].source.end(), ids.begin(), ids.end());
    pairs[i].target.insert(pairs[i].target.end(), out.begin(), out.end());
  };
  add(0, "red tree", "tree red");
  add(1, "red tree", "");
  pairs[1].source.push_back(tokenizers.source.id_of("<sep>"));
  add(1, "blue river sings", "sings river blue");
  add(2, "house", "house");
  TranslationOptions options;
  options.label_smoothing = config.training.label_smoothing;
  const torch::NoGradGuard no_grad;
  const data::Batch batch = data::PairBatchMaker().make(pairs);
  const auto expected = run_batch(TranslationObjective(options), *model, batch, {}, /*learn=*/false);
  EXPECT_NEAR(run().loss, expected.loss / static_cast<double>(expected.target_tokens), 1e-5);
}

TEST_F(ValidatorOfContext, TranslationsAreThoseWithTheSentencesBefore) {
  const auto package = preparation::package_of(config, tokenizers);
  translation::TranslatorOptions options;
  options.search.beam_size = 2;
  options.context = 1;
  translation::Translator translator(
      package, backend::make_module_factory(model, backend::scorer_options(package.config, torch::kCPU, false)),
      options);
  std::vector<translation::Request> requests(3);
  requests[0].text = "red tree";
  requests[1].text = "blue river sings";
  requests[1].context = {"red tree"};
  requests[2].text = "house";
  Lines expected;
  auto next = requests.begin();
  translator.run([&](translation::Request& request) { return next != requests.end() && (request = *next++, true); },
                 [] { return true; }, [&](const auto& translation) { expected.push_back(translation.text()); });
  const auto found = run();
  ASSERT_EQ(found.samples.size(), 3U);
  for (size_t i = 0; i < 3; ++i) EXPECT_EQ(found.samples[i].translation, expected[i]) << i;
}

TEST_F(ValidatorTest, ThreadsChangeNothing) {
  config.training.batch_tokens = 12;  // several batches
  test::shape_of(config.model).max_positions = 12;
  config.validation.batch_sentences = 1;
  const auto one = run();
  config.training.threads = 3;
  const auto three = run();
  EXPECT_EQ(one.loss, three.loss);
  EXPECT_EQ(one.nll, three.nll);
  EXPECT_EQ(one.measured("chrf"), three.measured("chrf"));
}

TEST_F(ValidatorTest, TwoColumnsAreTwoFiles) {
  const auto files = run();
  Lines both;
  for (size_t i = 0; i < sources.size(); ++i) both.push_back(sources[i] + "\t" + references[i]);
  config.data.valid = {folder.file("valid.tsv", joined(both)), ""};
  const auto columns = run();
  EXPECT_EQ(columns.loss, files.loss);
  EXPECT_EQ(columns.measured("chrf"), files.measured("chrf"));
  EXPECT_EQ(columns.samples[1].reference, references[1]);
}

TEST_F(ValidatorTest, OnlyTheFirstSentencesAreTranslatedIfSoWishedAndAllAreMeasured) {
  const auto all = run();
  config.validation.max_sentences = 2;
  const auto two = run();
  EXPECT_EQ(two.loss, all.loss);
  EXPECT_EQ(two.samples.size(), 2U);
}

TEST_F(ValidatorTest, APairThatTheModelCannotHoldIsLeftOutOfTheLossOnly) {
  const auto before = run();
  Lines left = sources, right = references;
  std::string endless = "red";
  for (int i = 0; i < 200; ++i) endless += " red";
  left.insert(left.begin(), endless);
  right.insert(right.begin(), "red");
  set_corpus(left, right);
  const auto after = run();
  EXPECT_NEAR(after.loss, before.loss, 1e-9);
  EXPECT_EQ(after.samples[0].source, endless);
}

TEST_F(ValidatorTest, PairsThatDoNotCountInTheLossAreSaid) {
  const auto warning = [&] {
    testing::internal::CaptureStderr();
    static_cast<void>(Validator(config, tokenizers));
    return testing::internal::GetCapturedStderr();
  };
  EXPECT_EQ(warning(), "");
  set_corpus({"red tree", "", "blue"}, {"tree red", "blue", "  "});
  const std::string said = warning();
  EXPECT_NE(said.find("3 lines, 1 kept, 2 with an empty side"), std::string::npos) << said;
  EXPECT_NE(said.find("pairs that are left out count for BLEU and chrF, but not for the loss"), std::string::npos);
}

TEST_F(ValidatorTest, LabelledLinesThatDoNotCountAreSaid) {
  const auto classifier =
      settings::RunConfig::parse({{"architecture", "bert-classifier"},
                                  {"model", {{"labels", {"a", "b"}}}},
                                  {"data",
                                   {{"valid", {folder.file("valid.tsv", "a\tred tree\nb\t\n")}},
                                    {"further_valid",
                                     {{{"name", "whole"}, {"files", {folder.file("whole.tsv", "a\tred\n")}}},
                                      {{"name", "half"}, {"files", {folder.file("half.tsv", "b\t\na\tred\n")}}}}}}}});
  testing::internal::CaptureStderr();
  static_cast<void>(Validator(classifier, tokenizers));
  const std::string said = testing::internal::GetCapturedStderr();
  for (const char* part : {"data.valid: ", "data.further_valid: ", "valid.tsv: 2 lines, 1 text with ",
                           "half.tsv: 2 lines, 1 ", "; lines that are left out do not count"}) {
    EXPECT_NE(said.find(part), std::string::npos) << part << "\n" << said;
  }
  EXPECT_EQ(said.find("whole.tsv"), std::string::npos) << said;
}

TEST_F(ValidatorTest, TheNameOfACorpusIsThatOfItsLines) {
  const auto name = [&] { return Validator(config, tokenizers).corpus(); };
  const std::string before = name();
  EXPECT_EQ(before.substr(0, 15), "4 pairs, crc32 ");
  EXPECT_EQ(name(), before);
  Lines other = references;
  other[2] = "houses";
  set_corpus(sources, other);
  EXPECT_NE(name(), before);
}

TEST_F(ValidatorTest, ALineTooLongToReadIsLeftOutOfTwoColumns) {
  const std::string endless(2 << 20, 'x');  // cut before its TAB
  config.data.valid = {folder.file("valid.tsv", endless + "\tred\nred tree\ttree red\n"), ""};
  const auto found = run();
  ASSERT_EQ(found.samples.size(), 1U);
  EXPECT_EQ(found.samples[0].source, "red tree");
}

TEST_F(ValidatorTest, FurtherCorporaAreMeasuredAsIfTheyWereAlone) {
  const auto alone = run();
  const data::CorpusFiles first = config.data.valid;
  const std::string name = Validator(config, tokenizers).corpus();
  config.data.valid = {folder.file("other.src", "red house\n"), folder.file("other.tgt", "house red\n")};
  const auto other = run();
  config.data.further_valid = {{"first", first}, {"again", config.data.valid}};
  const auto all = run();
  EXPECT_EQ(all.loss, other.loss);
  EXPECT_EQ(all.corpus, "");
  ASSERT_EQ(all.further.size(), 2U);
  EXPECT_EQ(all.further[0].corpus, "first");
  EXPECT_EQ(all.further[0].loss, alone.loss);
  EXPECT_EQ(all.further[0].measured("bleu"), alone.measured("bleu"));
  EXPECT_EQ(all.further[0].measured("chrf"), alone.measured("chrf"));
  EXPECT_TRUE(all.further[0].samples.empty());
  EXPECT_FALSE(all.further[0].attention);
  EXPECT_EQ(all.further[1].loss, other.loss);
  EXPECT_NE(Validator(config, tokenizers).corpus(), name);  // only the corpus that decides has a part in it
}

TEST_F(ValidatorTest, AWarningAboutAFurtherCorpusNamesItsSetting) {
  config.data.further_valid = {
      {"other", {folder.file("other.src", "red\n\n"), folder.file("other.tgt", "red\nred\n")}}};
  testing::internal::CaptureStderr();
  static_cast<void>(Validator(config, tokenizers));
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("data.further_valid: "), std::string::npos) << said;
}

TEST_F(ValidatorTest, BleuIsThatOfTheTokenizationOfTheRun) {
  const auto words = run();
  EXPECT_THAT(words.bleu_signature, testing::HasSubstr("|tok:13a|"));
  config.validation.tokenize = settings::BleuTokenize::kChar;
  const auto characters = run();
  EXPECT_THAT(characters.bleu_signature, testing::HasSubstr("nrefs:1|case:mixed|eff:no|tok:char|smooth:exp|"));
  EXPECT_NE(characters.measured("bleu"), words.measured("bleu"));
}

TEST_F(ValidatorTest, WithoutAChoiceTheScriptOfTheReferencesDecides) {
  set_corpus({"red tree"}, {"两只狗在草地上玩。"});
  testing::internal::CaptureStderr();
  EXPECT_THAT(run().bleu_signature, testing::HasSubstr("|tok:zh|"));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST_F(ValidatorTest, ATokenizationThatFindsNoWordsIsSaid) {
  set_corpus({"red tree"}, {"二匹の犬が草の上で遊んでいる。"});
  config.data.further_valid = {
      {"other", {folder.file("other.src", "red\n"), folder.file("other.tgt", "两只狗在草地上玩。\n")}}};
  config.validation.tokenize = settings::BleuTokenize::k13a;
  testing::internal::CaptureStderr();
  static_cast<void>(Validator(config, tokenizers));
  const std::string said = testing::internal::GetCapturedStderr();
  for (const char* part :
       {"validation.tokenize: 13a finds hardly any words in the validation corpus, which is Japanese", "char suits it",
        "hardly any words in other, which is Chinese", "zh suits it"}) {
    EXPECT_NE(said.find(part), std::string::npos) << part << "\n" << said;
  }
}

TEST_F(ValidatorTest, LeavesTheModelAsItWas) {
  const auto first = run(), second = run();
  EXPECT_EQ(first.loss, second.loss);
  EXPECT_EQ(first.measured("chrf"), second.measured("chrf"));
  EXPECT_FALSE(model->is_training());
  for (const auto& parameter : model->parameters()) EXPECT_FALSE(parameter.grad().defined());
}

TEST_F(ValidatorTest, WeightsThatAreNotNumbersAreTheModelsFault) {
  {
    const torch::NoGradGuard no_grad;
    model->generator->proj->bias.fill_(std::nan(""));
  }
  EXPECT_FAILS(run(), ModelError, "a score that is not a number");
}

TEST_F(ValidatorTest, ACorpusThatCannotBeUsedIsRefused) {
  set_corpus(sources, {"one line"});
  EXPECT_FAILS(run(), DataError, "line counts differ");
  set_corpus({"", " "}, {"a", "b"});
  EXPECT_FAILS(run(), DataError, "no sentence pair is left");
  config.data.valid.source = folder.path("none");
  EXPECT_FAILS(run(), DataError, "none: cannot be read");
}

TEST(ValidationResult, HasAValueForEveryMetric) {
  run::ValidationResult result;
  result.loss = 1;
  result.perplexity = 2;
  result.measures.emplace_back("bleu", 3);
  result.measures.emplace_back("chrf", 4);
  EXPECT_EQ(result.value(settings::Metric::kLoss), 1);
  EXPECT_EQ(result.value(settings::Metric::kPerplexity), 2);
  EXPECT_EQ(result.value(settings::Metric::kBleu), 3);
  EXPECT_EQ(result.value(settings::Metric::kChrf), 4);
}

}  // namespace
}  // namespace ventris::training
