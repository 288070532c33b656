#include "training/run_setup.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/files.h"
#include "core/json_reader.h"
#include "core/log.h"
#include "text/line_reader.h"

namespace ventris::training {
namespace fs = std::filesystem;
namespace {

void remove_run(const RunFolder& run) {
  for (const std::string& path : {run.latest(), run.checkpoints(), run.best(), run.final(), run.metrics(), run.log(),
                                  run.source_spm(), run.target_spm(), run.config()}) {
    std::error_code error;
    fs::remove_all(path, error);
    if (error) fail<WriteError>(path, ": cannot be removed: ", error.message());
  }
}

/// Lines of a corpus column: source (0) or target (1).
class ColumnReader {
 public:
  ColumnReader(const data::CorpusFiles& files, size_t column)
      : tsv_(files.target.empty()), column_(column), reader_(column == 0 || tsv_ ? files.source : files.target) {}

  bool next(std::string& line) {
    if (!reader_.next(line)) return false;
    if (tsv_) line = text::split_columns(line, 2, reader_.path(), reader_.counts().lines)[column_];
    return true;
  }

 private:
  bool tsv_;
  size_t column_;
  text::LineReader reader_;
};

std::string learn(const RunConfig& config, std::initializer_list<size_t> columns) {
  std::vector<ColumnReader> readers;
  for (const size_t column : columns) readers.emplace_back(config.data.train, column);
  size_t turn = 0;
  const text::LineSource lines = [&](std::string& line) {
    while (turn < readers.size()) {
      if (readers[turn].next(line)) return true;
      ++turn;
    }
    return false;
  };
  text::TokenizerTraining learning = config.tokenizer.learning;
  learning.threads = static_cast<int>(config.training.threads);
  core::log_info(fmt::format("learning a tokenizer of at most {} pieces", learning.vocab_size));
  return text::learn_tokenizer(lines, learning);
}

text::Tokenizer given_or_learnt(const RunConfig& config, const std::string& given, std::initializer_list<size_t> columns,
                                const std::string& save_as) {
  text::Tokenizer tokenizer =
      given.empty() ? text::Tokenizer(learn(config, columns), save_as) : text::Tokenizer::from_file(given);
  core::write_file(save_as, tokenizer.bytes());
  return tokenizer;
}

}  // namespace

OpenedRun open_run(const RunConfig& config, const RunOptions& options) {
  OpenedRun run;
  run.folder.path = options.folder;
  if (options.overwrite) remove_run(run.folder);
  core::remove_leftovers(options.folder);
  core::remove_leftovers(run.folder.checkpoints());
  run.checkpoint = load_newest_checkpoint(run.folder);
  if (run.checkpoint) {
    check_resumable(nlohmann::json::parse(run.checkpoint->config), config.to_json());
  } else {
    remove_run(run.folder);  // killed before its first checkpoint: nothing is lost by beginning anew
  }
  core::write_file(run.folder.config(), config.to_json().dump(2) + "\n");
  return run;
}

Tokenizers prepare_tokenizers(const RunConfig& config, const OpenedRun& run) {
  const RunFolder& folder = run.folder;
  const TokenizerConfig& wanted = config.tokenizer;
  if (run.checkpoint) {
    const auto source = text::Tokenizer::from_file(folder.source_spm());
    return {source, wanted.shared ? source : text::Tokenizer::from_file(folder.target_spm())};
  }
  if (wanted.shared) {
    if (!wanted.target.empty() && wanted.target != wanted.source) {
      fail<ConfigError>("tokenizer.target: a second tokenizer (", wanted.target, ") needs \"shared\": false");
    }
    const auto both = given_or_learnt(config, wanted.source, {0, 1}, folder.source_spm());
    return {both, both};
  }
  return {given_or_learnt(config, wanted.source, {0}, folder.source_spm()),
          given_or_learnt(config, wanted.target, {1}, folder.target_spm())};
}

model::Package package_of(const RunConfig& config, const Tokenizers& tokenizers) {
  model::Package package;
  package.config.transformer = config.model;
  package.config.transformer.src_vocab = tokenizers.source.size();
  package.config.transformer.tgt_vocab = tokenizers.target.size();
  package.config.tokenizer.shared = config.tokenizer.shared;
  package.config.decoding = config.decoding;
  package.source_spm = tokenizers.source.bytes();
  package.target_spm = tokenizers.target.bytes();
  return package;
}

}  // namespace ventris::training
