#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/fields.h"
#include "decoding/search.h"
#include "settings/corpus_files.h"
#include "settings/run_config.h"

/// How values of settings are read, written and described, for core/fields.h.
namespace ventris::core {

/// A value that is written as its text.
template <typename T>
struct TextFieldType {
  static void read(JsonReader& reader, const std::string& key, T& value) {
    std::string text = value.text();
    reader.optional(key, text);
    value = T::parse(text, reader.path_of(key));
  }
  static nlohmann::json write(const T& value) { return value.text(); }
};

template <>
struct FieldType<settings::Period> : TextFieldType<settings::Period> {
  static constexpr const char* kDescription = "amount";
};

template <>
struct FieldType<settings::MemorySize> : TextFieldType<settings::MemorySize> {
  static constexpr const char* kDescription = "memory";
};

template <>
struct FieldType<model::LanguageMap> {
  static constexpr const char* kDescription = "object, by language code";
  static void read(JsonReader& reader, const std::string& key, model::LanguageMap& languages) {
    if (reader.has(key)) languages = model::read_languages(reader.section(key));
  }
  static nlohmann::json write(const model::LanguageMap& languages) { return model::to_json(languages); }
};

template <>
struct FieldType<std::vector<settings::CorpusConfig>> {
  static constexpr const char* kDescription = "list of objects";
  static void read(JsonReader& reader, const std::string& key, std::vector<settings::CorpusConfig>& value) {
    value.clear();
    for (JsonReader& entry : reader.sections(key)) value.push_back(settings::parse_corpus(entry));
  }
  static nlohmann::json write(const std::vector<settings::CorpusConfig>& value) {
    auto corpora = nlohmann::json::array();
    for (const settings::CorpusConfig& corpus : value) corpora.push_back(settings::to_json(corpus));
    return corpora;
  }
};

template <>
struct FieldType<std::vector<settings::FurtherCorpus>> {
  static constexpr const char* kDescription = "list of objects";
  static void read(JsonReader& reader, const std::string& key, std::vector<settings::FurtherCorpus>& value) {
    value = settings::parse_further_corpora(reader, key);
  }
  static nlohmann::json write(const std::vector<settings::FurtherCorpus>& value) { return settings::to_json(value); }
};

template <>
struct FieldType<std::vector<modifiers::Modifier>> {
  static constexpr const char* kDescription = "list of objects";
  static void read(JsonReader& reader, const std::string& key, std::vector<modifiers::Modifier>& value) {
    value = settings::parse_modifiers(reader, key);
  }
  static nlohmann::json write(const std::vector<modifiers::Modifier>& value) { return settings::to_json(value); }
};

}  // namespace ventris::core

/// The settings of a run: fields() visits each setting of a section, with its name, description and limits.
namespace ventris::settings {

inline const core::Choices<OptimizerKind> kOptimizers{{"adam", OptimizerKind::kAdam}, {"adamw", OptimizerKind::kAdamW}};
inline const core::Choices<ScheduleKind> kSchedules{{"inverse_sqrt", ScheduleKind::kInverseSqrt},
                                                    {"noam", ScheduleKind::kNoam},
                                                    {"linear", ScheduleKind::kLinear},
                                                    {"constant", ScheduleKind::kConstant}};
inline const core::Choices<GuidedStep> kGuidedSteps{{"writing", GuidedStep::kWriting},
                                                    {"reading", GuidedStep::kReading}};
inline const core::Choices<Precision> kPrecisions{
    {"auto", Precision::kAuto}, {"f32", Precision::kF32}, {"bf16", Precision::kBf16}};
inline const core::Choices<Metric> kMetrics = [] {
  core::Choices<Metric> choices;
  for (const metrics::MetricFacts& facts : metrics::all_metric_facts()) choices.emplace_back(facts.name, facts.metric);
  return choices;
}();
inline const core::Choices<BleuTokenize> kBleuTokenize{{"auto", BleuTokenize::kAuto}, {"13a", BleuTokenize::k13a},
                                                       {"intl", BleuTokenize::kIntl}, {"zh", BleuTokenize::kZh},
                                                       {"char", BleuTokenize::kChar}, {"none", BleuTokenize::kNone}};
inline const core::Choices<data::ContextSides> kContextSides{{"source", data::ContextSides::kSource},
                                                             {"both", data::ContextSides::kBoth}};
inline const core::Choices<SampledSides> kSampledSides{
    {"both", SampledSides::kBoth}, {"source", SampledSides::kSource}, {"target", SampledSides::kTarget}};
inline const core::Choices<text::TokenizerKind> kTokenizers{{"unigram", text::TokenizerKind::kUnigram},
                                                            {"bpe", text::TokenizerKind::kBpe},
                                                            {"pieces", text::TokenizerKind::kPieces}};

template <typename V>
void fields(V& visit, data::ContextOptions& config) {
  visit({"sentences",
         "Most sentences that are put before that of a pair: those of the lines right before it in its document. 0: "
         "off."},
        config.sentences, {.least = 0, .most = model::kMostContext});
  visit({"sides",
         "Sides that get them: the source alone, or both, so that the model also translates the sentences before."},
        config.sides, kContextSides);
  visit({"separator",
         "Word without spaces and commas that is put after each sentence of the context. It becomes a piece of a "
         "tokenizer that the run learns."},
        config.separator);
  visit({"single",
         "Probability with which a pair gets no context, so that the model translates single sentences, too; less than "
         "1. It is drawn again in each epoch."},
        config.single, {.least = 0, .under = 1});
}

template <typename V>
void fields(V& visit, DataConfig& config) {
  visit({"train",
         "Training corpus: two files with a sentence per line, one with two TAB-separated columns (`-` is standard "
         "input), or a translation memory (TMX) with its languages: `FILE.tmx:en:de`. For families that learn from "
         "running text: one file with a sentence per line, in which empty lines end documents. For families that learn "
         "from labelled text: one file with a label, a TAB and a text on each line. For several corpora, use "
         "`data.corpora` instead."},
        config.train);
  visit({"corpora", "Training corpora, if there are several or if one has a weight, a tag or line weights."},
        config.corpora);
  visit({"temperature",
         "Shares of corpora without weights: a corpus of n pairs has a share proportional to n^(1 / temperature). 1 "
         "means by size; a higher value makes the shares more equal."},
        config.temperature, {.least = 0.01});
  visit({"cache",
         "Folder for a file with the tokenized training corpus, if the corpus does not fit into memory. Empty: the "
         "corpus "
         "is in memory."},
        config.cache);
  visit(
      {"valid",
       "Validation corpus, as in `data.train`. It decides which model is best and when the run stops early. Empty: no "
       "validation."},
      config.valid);
  visit({"further_valid", "More validation corpora, which are measured at each validation, too. They decide nothing."},
        config.further_valid);
  visit({"source_language",
         "Code of the language of the sources, for a multilingual model (`tokenizer.languages`): of the validation "
         "corpora, and of training corpora that name none. Empty: the text itself has the tokens that tell it."},
        config.source_language);
  visit({"target_language", "The same for the language of the targets."}, config.target_language);
  visit({"max_length",
         "Longest side of a training pair, in tokens without eos. Longer pairs are left out. Running text is cut into "
         "passages of at most this length, and the ends of longer labelled texts are cut off. It must be less than the "
         "longest sequence of the model."},
        config.filter.max_length, {.least = 1});
  visit({"max_ratio",
         "Greatest ratio of the longer to the shorter side of a training pair, in tokens. It is checked only for pairs "
         "in which a side has more than 10 tokens."},
        config.filter.max_ratio, {.least = 1});
  visit({"modifiers",
         "[Changes of the training text](training.md#changing-the-training-text), such as capitals and typing errors: "
         "each changes a share of the pairs, drawn again in each epoch. Only for models that translate."},
        config.modifiers);
  visit.section({"context",
                 "[The sentences before](training.md#the-sentences-before) a sentence of a document as its context "
                 "(Tiedemann and Scherrer 2017). Only for models that translate."},
                [&](auto& inner) { fields(inner, config.context); });
}

template <typename V>
void fields(V& visit, TokenizerConfig& config) {
  visit({"source", "SentencePiece model of the source, or of both sides. Empty: the run learns a tokenizer."},
        config.source);
  visit({"target",
         "SentencePiece model of the target. Empty: that of the source if `shared` is true, otherwise the run learns "
         "one."},
        config.target);
  visit({"shared", "One tokenizer for both sides."}, config.shared);
  visit(
      {"common_ids",
       "Of two tokenizers: both give a piece of the same text the same id, so that `model.tying` can be `all`. Models "
       "of Marian are like this."},
      config.common_ids);
  visit({"languages",
         "What tells a multilingual model its languages, which is stored in its bundles: by language code, an object "
         "with lists of pieces. `source_prefix` and `source_suffix` are put around a source in this language, "
         "`to_prefix` before a source that is translated into it; `target_prefix` is what the decoder starts with. A "
         "run that starts from a bundle has those of the bundle; `data.corpora[].target_language` adds languages."},
        config.languages);
  visit({"kind",
         "Algorithm of a tokenizer that the run learns. `pieces` takes the words between spaces as they are, for texts "
         "that another program has divided: their most frequent words become the vocabulary. See "
         "[training.md](training.md#texts-that-are-tokenized-already)."},
        config.learning.kind, kTokenizers);
  visit({"vocab_size",
         "Pieces of a tokenizer that the run learns, special tokens included; an upper limit unless `exact_size` is "
         "true."},
        config.learning.vocab_size, {.least = 8});
  visit({"exact_size",
         "If the text is too short for `vocab_size` pieces: end with an error (true), or learn fewer pieces (false)."},
        config.learning.exact_size);
  visit({"drop_invisible",
         "Ignore [invisible characters](training.md#invisible-characters) that carry no meaning, such as soft hyphens. "
         "This is a rule of a tokenizer that the run learns, so that its models ignore them, too."},
        config.learning.drop_invisible);
  visit({"byte_fallback",
         "Write unknown characters as bytes instead of unk. This adds 256 pieces to a tokenizer that the run learns."},
        config.learning.byte_fallback);
  visit({"character_coverage",
         "Share of the characters of the corpus that get a piece in a tokenizer that the run learns; over 0.9 and "
         "at most 1."},
        config.learning.character_coverage, {.least = 0.9, .over = 0.9});
  visit({"max_sentences",
         "Greatest number of sentences that a tokenizer is learnt from. From a larger corpus, this many sentences are "
         "drawn at random."},
        config.learning.max_sentences, {.least = 1});
  visit(
      {"sampling_alpha",
       "Subword sampling. Unigram tokenizers: alpha; a smaller value gives more random segmentations. BPE tokenizers: "
       "the probability of skipping a merge. 0: off."},
      config.sampling_alpha, {.least = 0, .most = 1});
  visit({"sample", "Sides that subword sampling applies to."}, config.sample, kSampledSides);
}

template <typename V>
void fields(V& visit, OptimizerConfig& config) {
  visit({"kind",
         "Adam, or AdamW, which applies weight decay to the weights and not to the gradients (Loshchilov and Hutter "
         "2019)."},
        config.kind, kOptimizers);
  visit({"beta1", "Decay of the mean of the gradients; less than 1."}, config.beta1, {.least = 0});
  visit({"beta2", "Decay of the mean of the squared gradients; less than 1."}, config.beta2, {.least = 0});
  // With 0, the update of a parameter whose gradients were all 0 would be 0 / 0.
  visit({"epsilon", "Small number that keeps the divisor of an update above 0."}, config.epsilon,
        {.least = 0, .over = 0});
  visit({"weight_decay", "Strength of weight decay. 0: none."}, config.weight_decay, {.least = 0});
}

template <typename V>
void fields(V& visit, ScheduleConfig& config) {
  visit({"kind",
         "Learning rate after the warm-up: peak × sqrt(warm-up / update) (`inverse_sqrt`), that of Vaswani et al. 2017 "
         "(`noam`), falling to 0 at `total_updates` (`linear`), or the peak (`constant`)."},
        config.kind, kSchedules);
  visit({"learning_rate", "Peak of the learning rate. For `noam`, a factor, which is 1 in the paper."},
        config.learning_rate, {.least = 0});
  visit({"warmup_updates", "Updates in which the learning rate rises to its peak. 0: no warm-up."},
        config.warmup_updates, {.least = 0});
  visit({"total_updates",
         "Update at which the learning rate is 0; only for `linear`, where it must be more than `warmup_updates`."},
        config.total_updates, {.least = 0});
}

template <typename V>
void fields(V& visit, GuidedAlignmentConfig& config) {
  visit({"links",
         "Where the links between words come from: `train` (learnt from the training corpora before the first update), "
         "`corpora` (the files `links` of `data.corpora`), or a file with a line of links, such as `0-0 1-2`, for each "
         "line of `data.train`. Empty: off."},
        config.links);
  visit({"tokenized",
         "Whether links count what is between white space, as `ventris-align --tokenized`. Otherwise they count words "
         "as `ventris-align` finds them."},
        config.tokenized);
  visit({"weight", "Weight of the cross-entropy between the attention of a target token and its links."}, config.weight,
        {.least = 0});
  visit({"step",
         "Step of the decoder whose attention learns the links of a token: the one that writes the token (`writing`), "
         "or the one after it, which knows the token (`reading`)."},
        config.step, kGuidedSteps);
  visit({"layer", "Decoder layer, counted from 1. 0: the second-to-last of three or more, otherwise the last."},
        config.layer, {.least = 0});
  visit({"head", "Attention head of that layer, counted from 1."}, config.head, {.least = 1});
}

template <typename V>
void fields(V& visit, ScheduledSamplingConfig& config) {
  visit({"share",
         "Greatest probability with which the decoder reads its own prediction in place of a target token. 0: off; "
         "otherwise an update takes about a third more time."},
        config.share, {.least = 0, .most = 1});
  visit({"start_update", "Update from which on it does."}, config.start_update, {.least = 0});
  visit({"rising_updates", "Updates in which the probability rises linearly from 0 to `share`. 0: at once."},
        config.rising_updates, {.least = 0});
}

/// What a new run starts from.
template <typename V>
void start_fields(V& visit, TrainingConfig& config) {
  visit(
      {"finetune_from",
       "A new run starts from the weights, shape and tokenizers of this bundle, or of this TorchScript file or packed "
       "model (f32) of ventris-export. Empty: from random weights."},
      config.finetune_from);
  visit({"encoder_from",
         "Bundle of a BERT or of a classifier. The encoder of a new model of the family `transformer` or "
         "`bert-classifier` starts from its weights, with its shape and tokenizer. Empty: from random weights."},
        config.encoder_from);
  visit({"source_vectors",
         "File of word vectors from which the source embedding of a new run starts, in the text format of word2vec, "
         "GloVe and fastText. Empty: from random vectors."},
        config.source_vectors);
  visit({"target_vectors", "The same as `source_vectors`, for the target embedding."}, config.target_vectors);
}

/// What a run keeps and reports, and what it starts from.
template <typename V>
void kept_fields(V& visit, TrainingConfig& config) {
  visit({"keep_checkpoints", "Number of newest checkpoints to keep."}, config.keep_checkpoints, {.least = 1});
  visit({"keep_best",
         "Number of models with the best validations that are kept. 1: `best/` alone; a greater number keeps them in "
         "`models/` too, and needs a validation corpus."},
        config.keep_best, {.least = 1});
  visit({"average_last",
         "Number of newest validated models that are averaged into `averaged/` at the end of the run; at least 2. "
         "Without "
         "a validation corpus, the newest saved models. 0: no average."},
        config.average_last, {.least = 0});
  visit({"average_best",
         "The same for the models with the best validations, instead of `average_last`; needs a validation corpus. 0: "
         "no average."},
        config.average_best, {.least = 0});
  start_fields(visit, config);
  visit({"save_every",
         "Time between checkpoints. `0`: only after the first validation, at the end, and when the run is stopped."},
        config.save_every);
  visit({"report_every", "Time between reports in the log and in `metrics.jsonl`. `0`: never."}, config.report_every);
  visit({"report", "Write `report.html` into the run folder."}, config.report);
  visit({"tensorboard", "Write events for TensorBoard into the run folder."}, config.tensorboard);
}

/// How large batches are.
template <typename V>
void batch_fields(V& visit, TrainingConfig& config) {
  visit({"batch_tokens", "Padded tokens per batch: sentences × longest side."}, config.batch_tokens, {.least = 1});
  visit({"length_cost",
         "Further cost of long sentences: one whose longest side has n tokens counts as n × (1 + `length_cost` × n) in "
         "`batch_tokens`."},
        config.length_cost, {.least = 0});
  visit({"batch_memory",
         "Memory of the whole run at its largest batches, such as `4G`: of the process, or on a GPU of its tensors. A "
         "new run measures what batches of short and long sentences take, and sets `batch_tokens` and `length_cost`; a "
         "resumed run keeps them. `0`: they are as given."},
        config.batch_memory);
  visit({"accumulate", "Batches whose gradients are summed for one update (gradient accumulation)."}, config.accumulate,
        {.least = 1});
  visit({"max_sentences", "Pairs per batch at most. 0: no limit."}, config.max_sentences, {.least = 0});
}

template <typename V>
void fields(V& visit, TrainingConfig& config) {
  visit({"after", "Length of the run. `0`: until it is stopped."}, config.after);
  batch_fields(visit, config);
  visit({"label_smoothing",
         "Share of the probability that label smoothing takes from the correct token and gives to all others. 0: off, "
         "which is the default of families that do not translate, and of CTC."},
        config.label_smoothing, {.least = 0, .under = 1});
  visit({"word_dropout",
         "Probability that an input token of the source or of the target is read as unk; in `transformer-nat`, this "
         "applies only to the source. 0: off."},
        config.word_dropout, {.least = 0, .under = 1});
  visit({"r_drop",
         "Weight of R-Drop: the divergence of two passes with different dropout (Wu et al. 2021). 0: off; otherwise an "
         "update takes twice the time. Only for models that write token by token."},
        config.r_drop, {.least = 0});
  visit({"ema_decay",
         "Decay per update of a moving average of the weights. The average is then validated and kept instead of the "
         "weights. 0: none."},
        config.ema_decay, {.least = 0, .under = 1});
  visit({"clip_norm",
         "Greatest norm of the gradient of the mean loss; a gradient with a greater norm is scaled down. 0: no "
         "clipping."},
        config.clip_norm, {.least = 0});
  visit({"threads",
         "Replicas of the model, each on one CPU thread with its part of every batch. On a GPU there is one replica."},
        config.threads, {.least = 1, .most = 1024});
  visit({"seed",
         "Seed of initialisation, order of the pairs, dropout, subword sampling, `data.modifiers` and `data.context`."},
        config.seed);
  visit({"device", "`cpu`, `cuda`, or `cuda:N` for the GPU with number N."}, config.device);
  visit({"precision",
         "Arithmetic of matrix products. `auto`: bf16 where the device has instructions for it, otherwise f32."},
        config.precision, kPrecisions);
  visit(
      {"max_bad_updates",
       "An update is skipped if its loss or gradient is not finite. After this number of skipped updates in a row, the "
       "run ends with exit code 6."},
      config.max_bad_updates, {.least = 1});
  kept_fields(visit, config);
  visit.section({"optimizer", ""}, [&](auto& inner) { fields(inner, config.optimizer); });
  visit.section({"schedule", "The learning rate as a function of the update. Skipped updates do not count."},
                [&](auto& inner) { fields(inner, config.schedule); });
  visit.section({"guided_alignment",
                 "[Guided alignment](training.md#guided-alignment): one head of the decoder's attention to the source "
                 "learns given links between words. Only for the family `transformer`."},
                [&](auto& inner) { fields(inner, config.guided_alignment); });
  visit.section(
      {"scheduled_sampling",
       "[Scheduled sampling](training.md#scheduled-sampling) in two passes (Mihaylova and Martins 2019). Only "
       "for the family `transformer`."},
      [&](auto& inner) { fields(inner, config.scheduled_sampling); });
}

template <typename V>
void fields(V& visit, ValidationConfig& config) {
  visit({"every", "Time between validations. `0`: never, except at the end."}, config.every);
  visit({"metric",
         "Metric that decides which model is best. `patience` uses it, too. If it is not given, it is `loss` for a "
         "BERT, and `accuracy` for a classifier. `accuracy` is measured only for classifiers."},
        config.metric, kMetrics);
  visit({"patience", "Number of validations in a row without a better value after which the run ends. 0: never."},
        config.patience, {.least = 0});
  visit({"beam_size", "Beam size of the translations. 0: `decoding.beam_size`."}, config.beam_size, {.least = 0});
  visit({"batch_sentences", "Sentences that are translated together."}, config.batch_sentences, {.least = 1});
  visit({"max_sentences", "Sentences that are translated, from the beginning of the corpus. 0: all."},
        config.max_sentences, {.least = 0});
  visit({"tokenize",
         "Tokenization of BLEU, as `-tok` of `ventris-evaluate`. `auto`: the one that suits the script of the target "
         "side of the validation corpus (without one, of the training corpus): `zh` for Chinese, `char` for Japanese, "
         "Korean, Thai, Lao, Khmer, Burmese and other scripts without spaces between words, `13a` for all others."},
        config.tokenize, kBleuTokenize);
}

template <typename V>
void fields(V& visit, model::DecodingDefaults& config) {
  visit({"beam_size",
         "Hypotheses that the search keeps for a sentence; at most " + std::to_string(decoding::kLargestBeam) +
             ". 1: greedy search, or the best path of CTC. Without this setting, 1 for a model that writes "
             "all tokens at once; of these models, only those with CTC take more."},
        config.beam_size, {.least = 1});
  visit({"length_alpha", "Normalisation alpha: score = log-probability / length^alpha. 0: no normalisation."},
        config.length_alpha, {.least = 0, .most = 10});
  visit({"max_length_factor", "Longest translation, in tokens: factor × source tokens + 10."}, config.max_length_factor,
        {.least = 0});
  visit(
      {"iterations",
       "How many times a model that learns `mask_predict` writes each translation. Without this setting, 10 for such a "
       "model; for all others it must be 1."},
      config.iterations, {.least = 1, .most = decoding::kMostIterations});
  visit({"length_candidates",
         "How many lengths are tried for each translation by a model that predicts the length. Without this setting, 5 "
         "for such a model; for all others it must be 1."},
        config.length_candidates, {.least = 1, .most = decoding::kLargestBeam});
}

template <typename V>
void sections(V& visit, RunConfig& config) {
  visit.section({"data", "Pairs with an empty side are always left out."},
                [&](auto& inner) { fields(inner, config.data); });
  visit.section({"tokenizer", ""}, [&](auto& inner) { fields(inner, config.tokenizer); });
  visit.section({"training", ""}, [&](auto& inner) { fields(inner, config.training); });
  visit.section({"validation", "What happens at a validation, if there is a validation corpus (`data.valid`)."},
                [&](auto& inner) { fields(inner, config.validation); });
  visit.section({"decoding",
                 "What `ventris-translate` does with the models of this run unless it is told otherwise. Validations "
                 "translate in the same way."},
                [&](auto& inner) { fields(inner, config.decoding); });
}

}  // namespace ventris::settings
