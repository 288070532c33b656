#include "training/standard_input.h"

#include <filesystem>
#include <utility>

#include "core/error.h"
#include "core/log.h"
#include "data/spool.h"

namespace ventris::training {
namespace fs = std::filesystem;
namespace {

std::string older(const std::string& path) { return path + ".old"; }

bool exists(const std::string& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

void rename(const std::string& from, const std::string& to) {
  std::error_code error;
  fs::rename(from, to, error);
  if (error) fail<WriteError>(from, ": cannot be renamed to ", to, ": ", error.message());
}

}  // namespace

bool is_standard_input(const data::CorpusSpec& corpus) {
  return corpus.files.source == "-" && corpus.files.target.empty();
}

bool reads_standard_input(const DataConfig& config) {
  for (const data::CorpusSpec& corpus : config.training()) {
    if (is_standard_input(corpus)) return true;
  }
  return false;
}

std::string name_standard_input(DataConfig& config, const RunFolder& run) {
  const std::string path = run.path + "/standard-input.tsv";
  if (config.train.source == "-") config.train.source = path;
  for (CorpusConfig& corpus : config.corpora) {
    if (corpus.spec.files.source == "-") corpus.spec.files.source = path;
  }
  return path;
}

KeptInput::KeptInput(std::string path, bool use_kept) : path_(std::move(path)) {
  if (exists(older(path_))) rename(older(path_), path_);
  if (use_kept && exists(path_)) {
    core::log_info("standard input is not read: the run goes on with " + path_);
    return;
  }
  if (exists(path_)) rename(path_, older(path_));
  try {
    data::spool_standard_input(path_);
  } catch (...) {
    if (exists(older(path_))) rename(older(path_), path_);
    throw;
  }
}

KeptInput::~KeptInput() {
  std::error_code ignored;  // the next process tries it again
  if (!begun_ && exists(older(path_))) fs::rename(older(path_), path_, ignored);
}

void KeptInput::begun() {
  begun_ = true;
  std::error_code error;
  fs::remove(older(path_), error);
  if (error) fail<WriteError>(older(path_), ": cannot be removed: ", error.message());
}

}  // namespace ventris::training
