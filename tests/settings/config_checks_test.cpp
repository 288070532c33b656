#include "settings/config_checks.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "support/errors.h"

namespace ventris::settings {
namespace {

using nlohmann::json;

RunConfig of_family(const std::string& family) {
  return RunConfig::parse({{"architecture", family}, {"validation", {{"metric", "loss"}}}});
}

/// The message about a configuration that `change` has changed; empty: it is accepted.
template <typename Change>
std::string problem(RunConfig config, const Change& change) {
  change(config);
  try {
    check(config);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST(CheckConfig, TheDefaultsOfEachFamilyPass) {
  for (const char* family : {"transformer", "rnn", "transformer-nat", "bert", "bert-classifier"}) {
    EXPECT_NO_THROW(check(of_family(family))) << family;
  }
}

TEST(CheckConfig, ATokenizerOfPiecesTakesWordsAsTheyAre) {
  const auto with = [](const std::string& family, const auto& change) {
    return problem(of_family(family), [&](RunConfig& config) {
      config.tokenizer.learning.kind = text::TokenizerKind::kPieces;
      change(config.tokenizer);
    });
  };
  EXPECT_EQ(with("transformer", [](auto&) {}), "");
  EXPECT_EQ(with("transformer", [](auto& tokenizer) { tokenizer.sampling_alpha = 0.1; }),
            "tokenizer.sampling_alpha: a tokenizer of kind 'pieces' divides no words; leave it out");
  EXPECT_EQ(with("transformer", [](auto& tokenizer) { tokenizer.learning.byte_fallback = true; }),
            "tokenizer.byte_fallback: a tokenizer of kind 'pieces' takes words as they are; leave it out");
  EXPECT_EQ(with("bert", [](auto&) {}),
            "tokenizer.kind: expected unigram or bpe for a model of the family 'bert', which needs the piece [MASK], "
            "found 'pieces'");
}

TEST(CheckConfig, GuidedAlignmentNeedsALayerAndAHeadThatLookAtTheSource) {
  const auto with = [](const std::string& family, int64_t layer, int64_t head) {
    return problem(of_family(family), [&](RunConfig& config) {
      config.training.guided_alignment = {.links = kLearntLinks, .layer = layer, .head = head};
    });
  };
  EXPECT_EQ(with("transformer", 6, 8), "");
  EXPECT_EQ(with("transformer", 7, 1), "training.guided_alignment.layer: the model has 6 decoder layers, got 7");
  EXPECT_EQ(with("transformer", 0, 9), "training.guided_alignment.head: the model has 8 heads, got 9");
  for (const char* family : {"rnn", "transformer-nat", "bert", "bert-classifier"}) {
    EXPECT_EQ(with(family, 0, 1),
              "training.guided_alignment: is only for models of the family 'transformer', which write token by token "
              "with attention to the source in each layer; '" +
                  std::string(family) + "' is another family, so leave the setting out");
  }
}

TEST(CheckConfig, TagsNeedLinks) {
  const auto with = [](const std::string& links) {
    return problem(RunConfig(), [&](RunConfig& config) {
      config.data.modifiers = {{.kind = modifiers::ModifierKind::kTags, .share = 0.1}};
      config.training.guided_alignment.links = links;
    });
  };
  EXPECT_EQ(with("train"), "");
  EXPECT_EQ(
      with(""),
      "data.modifiers: the kind 'tags' needs links between words; set training.guided_alignment.links, to 'train' "
      "for example (and its weight to 0 if no attention should learn them)");
}

TEST(CheckConfig, LinksBelongToTheCorporaThatAreGiven) {
  const auto with = [](const std::string& links, const json& data) {
    try {
      const auto config = RunConfig::parse({{"data", data}, {"training", {{"guided_alignment", {{"links", links}}}}}});
      return "accepted " + (config.data.training().empty() ? "" : config.data.training().back().links);
    } catch (const ConfigError& error) {
      return std::string(error.what());
    }
  };
  const json one{{"train", {"a", "b"}}}, two{{"corpora", {{{"source", "a"}, {"target", "b"}}}}},
      linked{{"corpora", {{{"source", "a"}, {"target", "b"}, {"links", "c"}}}}},
      several{{"corpora", {{{"tsv", "a"}}, {{"tsv", "b"}}}}};
  EXPECT_EQ(with("l", one), "accepted l");
  EXPECT_EQ(with("train", one), "accepted ");
  EXPECT_EQ(with("train", two), "accepted ");
  EXPECT_EQ(with("corpora", linked), "accepted c");
  EXPECT_EQ(with("corpora", two),
            "training.guided_alignment.links: is 'corpora', but no entry of data.corpora has links; add \"links\": "
            "FILE to one");
  EXPECT_EQ(with("train", linked),
            "data.corpora: links have an effect only with 'corpora' in training.guided_alignment.links; set it");
  EXPECT_EQ(with("l", two), "accepted l");
  EXPECT_EQ(with("l", several),
            "training.guided_alignment.links: a file has the links of one corpus, but the run has several "
            "(data.corpora); give each entry its \"links\", and set this to 'corpora'");
}

TEST(CheckConfig, ARunStartsFromOneThing) {
  const auto two = [](std::string TrainingConfig::* one, std::string TrainingConfig::* other) {
    return problem(RunConfig(), [&](RunConfig& config) {
      config.training.*one = "a";
      config.training.*other = "b";
    });
  };
  using T = TrainingConfig;
  EXPECT_EQ(two(&T::encoder_from, &T::finetune_from),
            "training.encoder_from, training.finetune_from: expected only one of them, got a and b; leave one of them "
            "out");
  EXPECT_NE(two(&T::source_vectors, &T::finetune_from).find("training.source_vectors, training.finetune_from: "),
            std::string::npos);
  EXPECT_NE(two(&T::target_vectors, &T::finetune_from).find("training.target_vectors, training.finetune_from: "),
            std::string::npos);
  EXPECT_NE(two(&T::source_vectors, &T::encoder_from).find("training.source_vectors, training.encoder_from: "),
            std::string::npos);
  EXPECT_EQ(two(&T::target_vectors, &T::encoder_from), "") << "the encoder has no target vectors";
  EXPECT_EQ(two(&T::source_vectors, &T::target_vectors), "");
}

TEST(CheckConfig, AMetricFitsWhatTheModelMakes) {
  const auto with = [](const std::string& family, Metric metric) {
    return problem(of_family(family), [&](RunConfig& config) { config.validation.metric = metric; });
  };
  EXPECT_EQ(with("bert", Metric::kBleu),
            "validation.metric: bleu needs translations, which a model of the family 'bert' does not make; use loss or "
            "perplexity");
  EXPECT_NE(with("bert-classifier", Metric::kChrf).find("use accuracy, loss or perplexity"), std::string::npos);
  EXPECT_NE(with("bert", Metric::kAccuracy).find("'bert' is none; use loss or perplexity"), std::string::npos);
  EXPECT_NE(with("transformer", Metric::kAccuracy).find("use bleu, chrf, loss or perplexity"), std::string::npos);
  EXPECT_EQ(with("bert-classifier", Metric::kAccuracy), "");
  EXPECT_EQ(with("rnn", Metric::kChrf), "");
}

TEST(CheckConfig, WhatOnlyTranslatingNeedsIsRefusedWithoutIt) {
  const auto of_bert = [](const auto& change) { return problem(of_family("bert"), change); };
  EXPECT_EQ(of_bert([](RunConfig& config) { config.training.r_drop = 1; }),
            "training.r_drop: is only for models that translate; leave it out");
  EXPECT_EQ(of_bert([](RunConfig& config) { config.training.word_dropout = 0.1; }),
            "training.word_dropout: is only for models that translate; leave it out");
  EXPECT_NE(of_bert([](RunConfig& config) {
              config.tokenizer.sampling_alpha = 0.1;
            }).find("tokenizer.sampling_alpha: subword sampling is for sentence pairs"),
            std::string::npos);
  EXPECT_NE(of_bert([](RunConfig& config) { config.tokenizer.shared = false; }).find("tokenizer.shared: "),
            std::string::npos);
}

TEST(CheckConfig, ASearchThatWouldFailAtAValidationIsRefusedAtOnce) {
  const auto with = [](int64_t decoding, int64_t validation) {
    return problem(RunConfig(), [&](RunConfig& config) {
      config.decoding.beam_size = decoding;
      config.validation.beam_size = validation;
    });
  };
  EXPECT_EQ(with(5, 0), "");
  EXPECT_NE(with(257, 0).find("decoding: beam_size: "), std::string::npos);
  EXPECT_NE(with(5, 257).find("validation: beam_size: "), std::string::npos);
  EXPECT_NE(with(std::numeric_limits<int64_t>::max(), 0).find("decoding: beam_size: "), std::string::npos)
      << "it does not become a small number";
}

TEST(CheckConfig, SentencesAndEosFitIntoTheModel) {
  RunConfig config;
  const int64_t most = config.model->max_length() - 1;
  config.data.filter.max_length = most;
  EXPECT_NO_THROW(check(config));
  config.data.filter.max_length = most + 1;
  EXPECT_FAILS(check(config), ConfigError,
               "tokens and eos are over the maximum length of the model (" + std::to_string(most + 1) + ")");
  config.tokenizer.languages = {{"de", {.to_prefix = {"a"}, .target_prefix = {"b"}}}};
  config.data.filter.max_length = std::numeric_limits<int64_t>::max();
  EXPECT_FAILS(check(config), ConfigError, "tokens, 1 of languages and eos are over the maximum length of the model");
}

TEST(CheckConfig, OneModelIsNoAverage) {
  const auto with = [](int64_t last, int64_t best) {
    return problem(RunConfig(), [&](RunConfig& config) {
      config.training.average_last = last;
      config.training.average_best = best;
    });
  };
  EXPECT_EQ(with(0, 1), "training.average_best: expected 0 (none) or at least 2 models, got 1");
  EXPECT_EQ(with(2, 0), "");
  EXPECT_NE(with(2, 2).find("expected only one of them, got 2 and 2"), std::string::npos);
}

TEST(CheckNeededCorpora, TheBestModelsNeedAValidationCorpus) {
  RunConfig config;
  EXPECT_NO_THROW(check_needed_corpora(config)) << "one best model is kept only if there is one";
  config.training.keep_best = 2;
  EXPECT_FAILS(check_needed_corpora(config), ConfigError, "training.keep_best: needs a validation corpus");
  config.data.valid.source = "valid.en";
  EXPECT_NO_THROW(check_needed_corpora(config));
}

TEST(CheckConfig, ContextBelongsToPairsAndOnlyAWriterOfTokensWritesIt) {
  const auto with = [](const char* family, data::ContextSides sides) {
    RunConfig config = RunConfig::parse({{"architecture", family}});
    config.data.context = {.sentences = 1, .sides = sides};
    try {
      check(config);
    } catch (const ConfigError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(with("transformer", data::ContextSides::kBoth), "");
  EXPECT_EQ(with("transformer-nat", data::ContextSides::kSource), "");
  EXPECT_EQ(with("transformer-nat", data::ContextSides::kBoth),
            "data.context.sides: a model of the family 'transformer-nat' writes all tokens at once, so it cannot write "
            "the sentences before; use 'source'");
  EXPECT_EQ(with("bert", data::ContextSides::kSource),
            "data.context: belongs to sentence pairs, and a model of the family 'bert' learns from other text; leave "
            "the setting out");
}

TEST(CheckConfig, TheSeparatorOfSentencesIsNoPieceThatModifiersWrite) {
  RunConfig config;
  config.training.guided_alignment.links = kLearntLinks;
  config.data.context = {.sentences = 1, .separator = "</term>"};
  EXPECT_NO_THROW(check(config)) << "no modifier writes it";
  config.data.modifiers = {{modifiers::ModifierKind::kTerms, 0.1}};
  EXPECT_FAILS(check(config), ConfigError,
               "data.context.separator: the kind 'terms' of data.modifiers writes the piece </term> into sentences");
  config.data.context.separator = "<ph2>";
  EXPECT_NO_THROW(check(config));
  config.data.modifiers.push_back({modifiers::ModifierKind::kTags, 0.1});
  EXPECT_FAILS(check(config), ConfigError, "the kind 'tags' of data.modifiers writes the piece <ph2>");
}

TEST(CheckConfig, ScheduledSamplingIsForTransformers) {
  RunConfig config = RunConfig::parse({{"architecture", "rnn"}});
  config.training.scheduled_sampling.share = 0.2;
  EXPECT_FAILS(check(config), ConfigError,
               "training.scheduled_sampling: is only for models of the family 'transformer'; 'rnn' is another family");
}

}  // namespace
}  // namespace ventris::settings
