#include "training/run_setup.h"

#include <fmt/format.h>
#include <torch/version.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/files.h"
#include "core/folders.h"
#include "core/json_reader.h"
#include "core/log.h"
#include "core/paths.h"
#include "core/process.h"
#include "core/progress.h"
#include "core/replacing.h"
#include "data/batches.h"
#include "model/finite.h"
#include "text/line_reader.h"
#include "training/finetuning.h"
#include "training/resumable.h"

namespace ventris::training {
namespace fs = std::filesystem;
namespace {

/// Whether the run of a bundle had saved a checkpoint before it. (Until a checkpoint is saved, a run that starts again
/// makes the same bundle.)
bool was_checkpointed(const std::string& bundle) {
  if (!core::exists(bundle + "/MANIFEST")) return false;
  try {
    const auto provenance = nlohmann::json::parse(model::open_package(bundle).config.provenance);
    return provenance.value("checkpointed", false);
  } catch (const ModelError&) {  // damaged
    return false;
  } catch (const nlohmann::json::exception&) {
    return false;
  }
}

/// Refuses to replace a finished model without --overwrite, even if the checkpoints of its run are gone.
void refuse_finished_model(const RunFolder& run) {
  std::error_code ignored;
  const bool saved = fs::is_symlink(run.latest(), ignored) || core::exists(run.final());
  if (core::exists(run.config()) && !saved && !was_checkpointed(run.best()))
    return;  // killed before its first checkpoint
  for (const std::string& path : {run.best(), run.final(), run.averaged()}) {
    if (!core::exists(path)) continue;
    fail<ConfigError>(
        path,
        ": is a finished model, but there is no checkpoint to resume from; give another --model folder, or "
        "--overwrite to replace it");
  }
}

/// Whether a corpus is the run's copy of standard input, which a new run that reads it keeps.
bool is_kept_input(const data::CorpusSpec& corpus, const RunFolder& run) {
  return core::resolved(corpus.files.source) == core::resolved(run.standard_input());
}

/// Checks that a new run does not remove files that it reads.
void refuse_replaced_inputs(const RunConfig& config, const RunFolder& run) {
  const auto check = [&run](const char* setting, const std::string& path) {
    refuse_replaced_input(run, setting, path);
  };
  for (const data::CorpusSpec& corpus : config.data.training()) {
    if (!is_kept_input(corpus, run)) check("data.train", corpus.files.source);
    for (const std::string& path : {corpus.files.target, corpus.line_weights}) check("data.train", path);
  }
  for (const std::string& path : {config.data.valid.source, config.data.valid.target}) check("data.valid", path);
  check("tokenizer.source", config.tokenizer.source);
  check("tokenizer.target", config.tokenizer.target);
  check("training.finetune_from", config.training.finetune_from);
}

/// Lines of a corpus column: source (0) or target (1).
class ColumnReader {
 public:
  ColumnReader(const data::CorpusFiles& files, size_t column)
      : tsv_(files.target.empty()), column_(column), reader_(column == 0 || tsv_ ? files.source : files.target) {}

  bool next(std::string& line) {
    const auto& counts = reader_.counts();
    int64_t cut = 0;
    do {
      cut = counts.too_long;
      if (!reader_.next(line)) return false;
    } while (tsv_ && counts.too_long > cut);  // of a line that was cut the columns are unknown
    if (tsv_) line = text::split_columns(line, 2, reader_.path(), counts.lines)[column_];
    return true;
  }

 private:
  bool tsv_;
  size_t column_;
  text::LineReader reader_;
};

void add_once(const std::string& piece, std::vector<std::string>& pieces) {
  if (std::find(pieces.begin(), pieces.end(), piece) == pieces.end()) pieces.push_back(piece);
}

std::string learn(const RunConfig& config, std::initializer_list<size_t> columns) {
  std::vector<std::pair<data::CorpusFiles, size_t>> turns;  // each file is opened when its turn comes
  text::TokenizerTraining learning = config.tokenizer.learning;
  for (const size_t column : columns) {
    for (const data::CorpusSpec& corpus : config.data.training()) {
      turns.emplace_back(corpus.files, column);
      if (column == 0 && !corpus.tag.empty()) add_once(corpus.tag, learning.user_pieces);
    }
  }
  size_t turn = 0;
  std::optional<ColumnReader> reader;
  core::Progress progress("reading for the tokenizer", "lines");
  const text::LineSource lines = [&](std::string& line) {
    while (turn < turns.size()) {
      if (!reader) reader.emplace(turns[turn].first, turns[turn].second);
      progress.add();
      if (const int signal = core::stop_signal(); signal != 0) {
        throw Interrupted(signal, "stopped by a signal while reading for the tokenizer");
      }
      if (reader->next(line)) return true;
      reader.reset();
      ++turn;
    }
    progress.phase("learning a tokenizer");
    return false;
  };
  core::log_info(fmt::format("learning a tokenizer of at most {} pieces", learning.vocab_size));
  return text::learn_tokenizer(lines, learning);
}

text::Tokenizer given_or_learnt(const RunConfig& config, const std::string& given,
                                std::initializer_list<size_t> columns) {
  if (!given.empty()) return text::Tokenizer::from_file(given);
  return {learn(config, columns), "the learnt tokenizer"};
}

/// The tokenizer of a resumed run. If the settings name a file, it must have the same tokenizer.
text::Tokenizer tokenizer_of(const Checkpoint& checkpoint, const std::string& bytes, const std::string& given,
                             const char* setting) {
  if (!given.empty() && core::exists(given) && core::read_file(given) != bytes) {
    fail<ConfigError>(setting, ": ", given,
                      " is not the tokenizer that this run was begun with; leave it out, use another ",
                      "--model folder, or --overwrite to start a new run");
  }
  return {bytes, checkpoint.path + ": tokenizer"};
}

/// Completes settings of an older version with settings that it did not have.
nlohmann::json settings_of(const Checkpoint& checkpoint) {
  try {
    return RunConfig::parse(nlohmann::json::parse(checkpoint.config)).to_json();
  } catch (const ConfigError& error) {
    fail<UnreadableError>(checkpoint.path, "/state.json: ", error.what(),
                          "; was it written by a newer version of ventris-train?");
  }
}

/// The part of the conditions on which weights depend. Two replicas give the same sums in one process or in two; with
/// more replicas, rounding depends on how they are divided among processes; on a GPU, a process is one replica. A
/// checkpoint without a number of processes was written by a single one.
nlohmann::json deciding(nlohmann::json conditions) {
  const int64_t processes = conditions.value("processes", int64_t{1}),
                threads = conditions.value("device", "cpu") == "cpu" ? conditions.value("threads", int64_t{1}) : 1;
  const bool split_matters = processes * threads > 2;
  conditions["processes"] = split_matters ? processes : 1;
  conditions["threads"] = split_matters ? threads : processes * threads;
  return conditions;
}

}  // namespace

const std::string& make_folder(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) fail<WriteError>(path, ": cannot create the run folder: ", error.message());
  return path;
}

OpenedRun look_at_run(const RunConfig& config, const RunOptions& options) {
  OpenedRun run;
  run.folder.path = options.folder;
  refuse_foreign_files(run.folder);
  run.begun = !options.overwrite && core::exists(run.folder.config());
  if (!options.overwrite) run.checkpoint = load_newest_checkpoint(run.folder);
  if (run.checkpoint) {
    run.changes = check_resumable(settings_of(*run.checkpoint), config.to_json());
    return run;
  }
  refuse_foreign_kinds(run.folder);
  if (!options.overwrite) refuse_finished_model(run.folder);
  refuse_replaced_inputs(config, run.folder);
  if (!config.training.finetune_from.empty()) {
    run.base = model::open_bundle(config.training.finetune_from);
    model::check_finite(run.base->weights);
    check_base(config, run.base->package);
  }
  return run;
}

OpenedRun open_run(const RunConfig& config, const RunOptions& options) {
  const RunFolder folder{options.folder};
  if (!is_run_folder(folder)) return look_at_run(config, options);  // what lies there is not ours
  remove_leftovers(folder);
  return look_at_run(config, options);
}

void begin_run(const RunConfig& config, const OpenedRun& run) {
  if (run.checkpoint) {
    prune_models(run.folder, run.checkpoint->state);
  } else {
    const auto corpora = config.data.training();
    const std::string input = run.folder.standard_input();
    const bool reads_input =
        std::ranges::any_of(corpora, [&](const data::CorpusSpec& corpus) { return is_kept_input(corpus, run.folder); });
    if (!reads_input) core::remove_file(input);
    core::remove_file(run.folder.older_standard_input());
    remove_run(run.folder);
  }
  mark_run_folder(run.folder);
  core::write_file(run.folder.config(), config.to_json().dump(2) + "\n");
}

Tokenizers prepare_tokenizers(const RunConfig& config, const OpenedRun& run) {
  const TokenizerConfig& wanted = config.tokenizer;
  if (wanted.shared && !wanted.target.empty() && wanted.target != wanted.source) {
    fail<ConfigError>("tokenizer.target: a second tokenizer (", wanted.target, ") needs \"shared\": false");
  }
  if (run.checkpoint) {
    const Checkpoint& checkpoint = *run.checkpoint;
    const auto source = tokenizer_of(checkpoint, checkpoint.source_spm, wanted.source, "tokenizer.source");
    if (wanted.shared) return {source, source};
    return {source, tokenizer_of(checkpoint, checkpoint.target_spm, wanted.target, "tokenizer.target")};
  }
  if (run.base) {
    const model::Package& base = run.base->package;
    return {{base.source_spm, base.path + ": source.spm"}, {base.target_spm, base.path + ": target.spm"}};
  }
  if (wanted.shared) {
    const auto both = given_or_learnt(config, wanted.source, {0, 1});
    return {both, both};
  }
  return {given_or_learnt(config, wanted.source, {0}), given_or_learnt(config, wanted.target, {1})};
}

std::string conditions(const RunConfig& config, const data::PairStore& pairs, int processes) {
  return nlohmann::json({{"processes", processes},
                         {"threads", config.training.threads},
                         {"corpus", fmt::format("{} pairs, crc32 {:08x}", pairs.size(), pairs.summary().checksum())},
                         {"data_order", data::kOrderVersion},
                         {"ventris", core::version()},
                         {"libtorch", TORCH_VERSION},
                         {"sentencepiece", VENTRIS_SENTENCEPIECE_VERSION},
                         {"instruction_set", core::instruction_set()},
                         {"device", config.training.device}})
      .dump();
}

void check_conditions(const Checkpoint& checkpoint, const std::string& text) {
  const auto now = nlohmann::json::parse(text), before = nlohmann::json::parse(checkpoint.environment);
  if (before.value("corpus", now.at("corpus")) != now.at("corpus")) {
    fail<ConfigError>("data.train: the run was begun with another corpus (", before.at("corpus").get<std::string>(),
                      "; found ", now.at("corpus").get<std::string>(),
                      "); restore it, or use another --model folder or --overwrite");
  }
  if (deciding(before) != deciding(now)) {
    core::log_warning(
        fmt::format("the run was begun under other conditions ({} then, {} now): it continues, but its weights will "
                    "not be those of an uninterrupted run",
                    before.dump(), now.dump()));
  }
}

model::Package package_of(const RunConfig& config, const Tokenizers& tokenizers) {
  model::Package package;
  package.config.architecture = config.model->with_vocabularies(tokenizers.source.size(), tokenizers.target.size());
  package.config.tokenizer.shared = config.tokenizer.shared;
  package.config.decoding = config.decoding;
  package.source_spm = tokenizers.source.bytes();
  package.target_spm = tokenizers.target.bytes();
  return package;
}

}  // namespace ventris::training
