#include "preparation/standard_input.h"

#include <filesystem>

#include "core/error.h"
#include "core/log.h"
#include "data/spool.h"
#include "files/paths.h"

namespace ventris::preparation {
namespace fs = std::filesystem;
namespace {

void rename(const std::string& from, const std::string& to) {
  std::error_code error;
  fs::rename(from, to, error);
  if (error) fail<WriteError>(from, ": cannot be renamed to ", to, ": ", error.message());
}

}  // namespace

bool is_standard_input(const data::CorpusSpec& corpus) {
  return corpus.files.source == "-" && corpus.files.target.empty();
}

bool reads_standard_input(const settings::DataConfig& config) {
  for (const data::CorpusSpec& corpus : config.training()) {
    if (is_standard_input(corpus)) return true;
  }
  return false;
}

void name_standard_input(settings::DataConfig& config, const run::RunFolder& run) {
  if (config.train.source == "-") config.train.source = run.standard_input();
  for (settings::CorpusConfig& corpus : config.corpora) {
    if (corpus.spec.files.source == "-") corpus.spec.files.source = run.standard_input();
  }
}

KeptInput::KeptInput(const run::RunFolder& run, OlderInput older)
    : path_(run.standard_input()), older_(run.older_standard_input()) {
  if (files::exists(older_)) rename(older_, path_);
  if (older == OlderInput::kGoesOn && files::exists(path_)) {
    core::log_info("standard input is not read: the run continues with " + path_);
    return;
  }
  if (files::exists(path_)) rename(path_, older_);
  try {
    data::spool_standard_input(path_);
    restores_ = true;
  } catch (const DataError& error) {
    restore();
    if (older != OlderInput::kInReserve || !files::exists(path_)) throw;
    core::log_warning(std::string(error.what()) + "; the run begins with " + path_);
  } catch (...) {
    restore();
    throw;
  }
}

KeptInput::~KeptInput() {
  if (restores_) restore();
}

/// If the older copy cannot be restored now, the next process restores it.
void KeptInput::restore() const noexcept {
  std::error_code ignored;
  if (files::exists(older_)) {
    fs::rename(older_, path_, ignored);
  } else {
    fs::remove(path_, ignored);
  }
}

}  // namespace ventris::preparation
