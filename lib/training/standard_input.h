#pragma once
#include <optional>
#include <string>

#include "training/checkpoint.h"
#include "training/data_config.h"

/// A corpus on standard input can be read once, and a run reads it several times: the run folder keeps it.
namespace ventris::training {

/// Whether this corpus is standard input.
bool is_standard_input(const data::CorpusSpec& corpus);

/// Whether a training corpus is.
bool reads_standard_input(const DataConfig& config);

/// Names in the settings the run folder's file that standard input is kept in. Returns its path.
std::string name_standard_input(DataConfig& config, const RunFolder& run);

/// Standard input in its file. What an older run kept there stays beside it until the new one has begun.
class KeptInput {
 public:
  /// Copies standard input to `path`; with `use_kept` takes what is there already and says so in the log. First undoes
  /// what a killed process has left of a replacement. Throws as data::spool_standard_input does.
  KeptInput(std::string path, bool use_kept);
  /// Unless the new run has begun, the older one gets its file back.
  ~KeptInput();
  KeptInput(const KeptInput&) = delete;
  KeptInput& operator=(const KeptInput&) = delete;

  /// The new run begins: what the older one kept is removed.
  void begun();

 private:
  std::string path_;
  bool begun_ = false;
};

}  // namespace ventris::training
