#include <algorithm>
#include <iostream>

#include "backend/open_module.h"
#include "core/error.h"
#include "core/log.h"
#include "doctor/doctor.h"
#include "doctor/doctor_report.h"
#include "preparation/finetuning.h"
#include "settings/config_fields.h"
#include "settings/idle_settings.h"
#include "support/choices.h"
#include "support/run.h"
#include "support/settings.h"
#include "training/trainer.h"

namespace {

using ventris::apps::Settings;
using ventris::settings::RunConfig;
using Texts = std::vector<std::string>;
constexpr int kMany = 1 << 20;  // corpora

/// The corpora of a flag that takes two files each.
std::vector<Texts> pairs_of(const char* flag, const Texts& words) {
  // The parser takes two words, also if the second is a flag.
  const auto found = std::ranges::find_if(words, [](const std::string& w) { return w.size() > 1 && w.front() == '-'; });
  if (found != words.end()) {
    ventris::fail<ventris::ConfigError>(flag, ": expected pairs of a source and a target file, found ", *found,
                                        found == words.begin() ? "" : " after " + *(found - 1));
  }
  if (words.size() % 2 != 0) {
    std::string list;
    for (const std::string& word : words) list += ' ' + word;
    ventris::fail<ventris::ConfigError>(flag,
                                        ": expected pairs of a source and a target file, got an odd number:", list);
  }
  std::vector<Texts> corpora;
  for (size_t i = 0; i + 1 < words.size(); i += 2) corpora.push_back({words[i], words[i + 1]});
  return corpora;
}

std::vector<Texts> one_by_one(const Texts& words) {
  std::vector<Texts> corpora;
  for (const std::string& word : words) corpora.push_back({word});
  return corpora;
}

/// One corpus of two files sets data.train; all others set data.corpora, which says what they are. Both replace the
/// corpora of a settings file. `key` is that of a single file in data.corpora.
void add_training_corpora(Settings& settings) {
  const auto set = [&settings](const std::vector<Texts>& corpora, const std::string& key) {
    nlohmann::json several = nlohmann::json::array();
    for (const Texts& files : corpora) {
      several.push_back(files.size() == 2 ? nlohmann::json{{"source", files[0]}, {"target", files[1]}}
                                          : nlohmann::json{{key, files[0]}});
    }
    const bool one = corpora.size() == 1 && (key.empty() || corpora[0][0] == "-");
    settings.set("/data/train", one ? nlohmann::json(corpora[0]) : nlohmann::json::array());
    settings.set("/data/corpora", one ? nlohmann::json::array() : several);
  };
  const auto in_pairs = [set](const Texts& words) { set(pairs_of("--train", words), ""); };
  const auto alone = [set](const char* key) { return [set, key](const Texts& words) { set(one_by_one(words), key); }; };
  const Texts corpora{"/data/train", "/data/corpora"};
  auto* files = settings.flag<Texts>("--train", corpora, in_pairs,
                                     "Training corpus: source and target file (repeatable)", "Data");
  auto* tsv = settings.flag<Texts>(
      "--train-tsv", corpora, alone("tsv"),
      "Training corpus in one file, source TAB target (- = standard input), or a translation memory: "
      "FILE.tmx:en:de (repeatable)",
      "Data");
  files->type_size(2)->expected(1, kMany)->allow_extra_args(false)->type_name("SRC TGT")->excludes(tsv);
  tsv->expected(1, kMany)->allow_extra_args(false)->type_name("FILE");
  auto* text = settings.flag<Texts>(
      "--train-text", corpora, alone("text"),
      "Training corpus of running text, a sentence per line; empty lines end documents (repeatable)", "Data");
  text->expected(1, kMany)->allow_extra_args(false)->type_name("FILE")->excludes(files)->excludes(tsv);
  settings
      .flag<Texts>("--train-labels", corpora, alone("labels"),
                   "Training corpus of a classifier, label TAB text; - = standard input (repeatable)", "Data")
      ->expected(1, kMany)
      ->allow_extra_args(false)
      ->type_name("FILE")
      ->excludes(files)
      ->excludes(tsv)
      ->excludes(text);
}

/// The first corpus sets data.valid, the others data.further_valid. Both replace the corpora of a settings file.
void add_validation_corpora(Settings& settings) {
  const Texts pointers{"/data/valid", "/data/further_valid"};
  const auto set = [&settings](const std::vector<Texts>& corpora) {
    nlohmann::json further = nlohmann::json::array();
    for (size_t i = 1; i < corpora.size(); ++i) further.push_back({{"files", corpora[i]}});
    settings.set("/data/valid", corpora.front());
    settings.set("/data/further_valid", further);
  };
  const auto alone = [set](const Texts& words) { set(one_by_one(words)); };
  const auto flag = [&](const std::string& name, const std::function<void(const Texts&)>& take,
                        const std::string& help) {
    return settings.flag<Texts>(name, pointers, take, help, "Data")->type_name("FILE");
  };
  auto* files = flag(
      "--valid", [set](const Texts& words) { set(pairs_of("--valid", words)); },
      "Validation corpus: source and target file (repeatable; the first one decides which model is best)");
  auto* tsv =
      flag("--valid-tsv", alone, "Validation corpus in one file, source TAB target or FILE.tmx:en:de (repeatable)");
  auto* text = flag("--valid-text", alone, "Validation corpus of running text (repeatable)");
  auto* labels = flag("--valid-labels", alone, "Validation corpus of a classifier, label TAB text (repeatable)");
  files->expected(2, kMany)->type_name("SRC TGT")->option_text("SRC TGT");
  files->excludes(tsv)->excludes(text)->excludes(labels);
  tsv->expected(1, kMany)->allow_extra_args(false)->excludes(text)->excludes(labels);
  text->expected(1, kMany)->allow_extra_args(false)->excludes(labels);
  labels->expected(1, kMany)->allow_extra_args(false);
}

void add_data_flags(Settings& settings) {
  add_training_corpora(settings);
  add_validation_corpora(settings);
  settings
      .flag<std::string>("--source-language", "/data/source_language",
                         "Language of the sources, for a multilingual model to start from", "Data")
      ->type_name("CODE");
  settings.flag<std::string>("--target-language", "/data/target_language", "The same for the targets", "Data")
      ->type_name("CODE");
  settings
      .flag<std::string>("--cache", "/data/cache",
                         "Keep the tokenized corpus in this folder instead of memory; a resumed run reuses it", "Data")
      ->type_name("FOLDER");
  settings.flag<int64_t>("--max-length", "/data/max_length",
                         "Maximum length of each side of a training pair, in tokens", "Data");
  settings.flag<int64_t>("--vocab-size", "/tokenizer/vocab_size", "Pieces of the tokenizer that the run learns",
                         "Data");
  settings.flag<double>("--subword-sampling", "/tokenizer/sampling_alpha",
                        "Subword sampling: alpha (unigram) or merge dropout (BPE); 0 = off", "Data");
  settings
      .flag<std::string>("--source-tokenizer", "/tokenizer/source",
                         "SentencePiece model to use instead of learning one", "Data")
      ->type_name("FILE");
  settings
      .flag<std::string>("--target-tokenizer", "/tokenizer/target", "SentencePiece model of the target, if not shared",
                         "Data")
      ->type_name("FILE");
}

void add_model_flags(Settings& settings) {
  settings
      .flag<std::string>(
          "--finetune-from", "/training/finetune_from",
          "Start a new run from the weights and tokenizers of this bundle or export (TorchScript, packed in f32)",
          "Models")
      ->type_name("MODEL");
  settings
      .flag<std::string>(
          "--encoder-from", "/training/encoder_from",
          "Start the encoder of a new Transformer or classifier from this BERT, with its tokenizer for the source",
          "Models")
      ->type_name("BUNDLE");
  settings
      .flag<std::string>("--source-vectors", "/training/source_vectors",
                         "Start the source embedding from these word vectors (text of word2vec, GloVe or fastText)",
                         "Models")
      ->type_name("FILE");
  settings
      .flag<std::string>("--target-vectors", "/training/target_vectors",
                         "Start the target embedding from these word vectors", "Models")
      ->type_name("FILE");
  settings.flag<int64_t>("--keep-best", "/training/keep_best",
                         "Number of best models to keep; if over 1, they are kept in models/", "Models");
  auto* last = settings.flag<int64_t>("--average-last", "/training/average_last",
                                      "At the end, average this many newest models into averaged/", "Models");
  auto* best = settings.flag<int64_t>("--average-best", "/training/average_best",
                                      "Average this number of best models instead", "Models");
  last->excludes(best);
}

void add_training_flags(Settings& settings) {
  settings.flag<std::string>("--after", "/training/after",
                             "Length of the run: 10e (epochs), 500u (updates), 2.5Mt (target tokens) or 30m (minutes); "
                             "0 = until it is stopped",
                             "Training");
  settings.flag<int64_t>("--batch-tokens", "/training/batch_tokens", "Maximum padded tokens per batch", "Training");
  settings.flag<std::string>("--batch-memory", "/training/batch_memory",
                             "Memory that the run may take, such as 4G; the batches become as large as it allows",
                             "Training");
  settings.flag<int64_t>("--accumulate", "/training/accumulate", "Batches per update", "Training");
  settings.flag<double>("--learning-rate", "/training/schedule/learning_rate",
                        "Peak of the learning rate; for the schedule noam, the factor", "Training");
  settings.flag<int64_t>("--warmup", "/training/schedule/warmup_updates",
                         "Updates until the learning rate reaches its peak", "Training");
  settings.flag<double>("--label-smoothing", "/training/label_smoothing",
                        "Share of the correct token's probability that others get", "Training");
  settings.flag<double>("--dropout", "/model/dropout", "Dropout of the model", "Training");
  settings.flag<std::string>("--valid-freq", "/validation/every", "How often to validate, for example 1000u",
                             "Training");
  settings.flag<std::string>("--save-freq", "/training/save_every", "How often to save a checkpoint", "Training");
  settings.flag<std::string>("--disp-freq", "/training/report_every", "How often to report", "Training");
  settings
      .flag<std::string>(
          "--metric", "/validation/metric",
          "Metric that decides which model is best: bleu, chrf, loss or perplexity; accuracy for a classifier",
          "Training")
      ->check(ventris::apps::offers(ventris::core::names_of(ventris::settings::kMetrics)));
  settings.flag<int64_t>("--patience", "/validation/patience",
                         "Validations without a better value that end the run; 0 = never", "Training");
  settings.flag<int64_t>("--threads", "/training/threads", "Replicas of the model, one thread each", "Training");
  settings
      .flag<std::string>("--precision", "/training/precision",
                         "Matrix products in f32 or bf16; auto = bf16 if the device has it", "Training")
      ->check(ventris::apps::offers(ventris::core::names_of(ventris::settings::kPrecisions)));
  settings.flag<double>("--ema-decay", "/training/ema_decay", "Decay of the moving average of the weights; 0 = off",
                        "Training");
  settings.flag<double>("--r-drop", "/training/r_drop", "Weight of R-Drop; 0 = off", "Training");
  settings.flag<double>("--word-dropout", "/training/word_dropout", "Probability that a token is read as unk; 0 = off",
                        "Training");
  settings.flag<std::string>("--device", "/training/device", "Device: cpu, cuda or cuda:N", "Training")
      ->check(ventris::apps::offers(ventris::apps::kDevices));
  settings.flag<uint64_t>("--seed", "/training/seed", "Random seed of initialisation, order and dropout", "Training");
}

/// The flags of --doctor, which reports on a run instead of training.
struct DoctorFlags {
  bool on = false;
  std::string format = "text";
};

void add_doctor_flags(CLI::App& app, DoctorFlags& flags) {
  auto* doctor = app.add_flag("--doctor", flags.on,
                              "Do not train: read the corpora, do a few updates, and print the estimated cost of the "
                              "run and warnings; writes nothing")
                     ->group("Doctor");
  app.add_option("--format", flags.format, "Output format of --doctor: text or json")
      ->check(ventris::apps::one_of({"text", "json"}))
      ->needs(doctor)
      ->group("Doctor");
}

/// Whether the validation corpus is that of a settings file and the training corpus that of a flag, which may be of
/// another language.
bool mixes_corpora(const Settings& settings) {
  const nlohmann::json of_files = settings.of_files();
  const auto given = [&settings](const char* pointer) { return settings.of_flags(pointer); };
  const nlohmann::json::json_pointer one("/data/train"), several("/data/corpora");
  const nlohmann::json none = nlohmann::json::array();
  const bool same =
      of_files.value(one, none) == given("/data/train") && of_files.value(several, none) == given("/data/corpora");
  const bool trains = !given("/data/train").is_null(), validates = !given("/data/valid").is_null();
  return trains && !validates && !same;
}

Texts warnings_of(const Settings& settings, const RunConfig& config) {
  Texts warnings = ventris::settings::idle_settings(config);
  const std::string& validation = config.data.valid.source;
  if (!validation.empty() && mixes_corpora(settings)) {
    warnings.push_back("data.valid: the training corpus is that of a flag, but the validation corpus, " + validation +
                       ", is that of a settings file (-c); does it belong to this training corpus? --valid SOURCE "
                       "TARGET gives another");
  }
  return warnings;
}

void show_doctor(const RunConfig& config, const ventris::run::RunOptions& options, const std::string& format,
                 const Texts& warnings) {
  const nlohmann::ordered_json report = ventris::doctor::diagnose(config, options, warnings);
  constexpr auto kReplace = nlohmann::ordered_json::error_handler_t::replace;
  std::cout << (format == "json" ? report.dump(2, ' ', false, kReplace) + "\n" : ventris::doctor::doctor_text(report));
}

void train(const RunConfig& config, const Settings& settings, const ventris::run::RunOptions& options,
           const DoctorFlags& doctor) {
  if (options.folder.empty()) ventris::fail<ventris::ConfigError>("--model: the run folder is missing; give -m FOLDER");
  if (config.training.device != "cpu") ventris::backend::parse_device(config.training.device);
  const Texts warnings = warnings_of(settings, config);
  if (doctor.on) return show_doctor(config, options, doctor.format, warnings);
  for (const std::string& warning : warnings) ventris::core::log_warning(warning);
  ventris::training::train(config, options);
}

std::function<void()> set_up(CLI::App& app) {
  auto settings = std::make_shared<Settings>(app, RunConfig().to_json());
  auto options = std::make_shared<ventris::run::RunOptions>();
  auto dump = std::make_shared<bool>(false);
  auto doctor = std::make_shared<DoctorFlags>();
  app.add_option("-m,--model", options->folder, "Run folder: checkpoints and bundles go here")->type_name("FOLDER");
  app.add_flag("--overwrite", options->overwrite,
               "Start a new run if the folder already has one; otherwise that run is resumed");
  app.add_flag("--dump-config", *dump, "Print all settings and stop");
  add_data_flags(*settings);
  add_training_flags(*settings);
  add_model_flags(*settings);
  add_doctor_flags(app, *doctor);
  return [settings, options, dump, doctor] {
    settings->with_merged([&](const nlohmann::json& merged) {
      const auto all = ventris::preparation::complete_settings(merged, *options);
      if (*dump) {
        return ventris::apps::print_settings(RunConfig::parse(all, RunConfig::Corpora::kMayBeMissing).to_json());
      }
      train(RunConfig::parse(all), *settings, *options, *doctor);
    });
  };
}

}  // namespace

int main(int argc, char** argv) {
  const ventris::apps::Program program{
      "ventris-train",
      "Trains a translation model, BERT, or a classifier, from raw text.",
      "ventris-train -c configs/multi30k-tiny.json --train train.en train.de --valid val.en val.de -m run --after 60m",
      ventris::backend::describe_libraries,
      true,
      RunConfig::describe};
  return ventris::apps::run(argc, argv, program, set_up);
}
