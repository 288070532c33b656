#pragma once
#include <string>

#include "run/checkpoint.h"
#include "run/data_config.h"

/// A corpus on standard input can be read once, and a run reads it several times: the run folder keeps it.
namespace ventris::preparation {

/// Whether this corpus is standard input.
bool is_standard_input(const data::CorpusSpec& corpus);

/// Whether a training corpus is.
bool reads_standard_input(const run::DataConfig& config);

/// Names in the settings the run folder's file that standard input is kept in.
void name_standard_input(run::DataConfig& config, const run::RunFolder& run);

/// What becomes of the file that is there already.
enum class OlderInput {
  kGoesOn,       ///< it is the corpus of the run that goes on; standard input is not read
  kInReserve,    ///< its run begins anew: it is taken if standard input is empty
  kIsReplaced,
};

/// Standard input in its file. An older one stays beside it until the new run has begun, whose RunFolder removes it.
class KeptInput {
 public:
  /// Copies standard input to the run's file if that is called for, or says in the log that it does not. First undoes
  /// what a killed process has left of a replacement. Throws as data::spool_standard_input does.
  KeptInput(const run::RunFolder& run, OlderInput older);
  /// Unless the new run has begun, all is as it was.
  ~KeptInput();
  KeptInput(const KeptInput&) = delete;
  KeptInput& operator=(const KeptInput&) = delete;

  void begun() { restores_ = false; }

 private:
  void restore() const noexcept;

  std::string path_, older_;
  bool restores_ = false;
};

}  // namespace ventris::preparation
