#pragma once
#include <string>

#include "run/checkpoint.h"
#include "settings/data_config.h"

/// A run reads its corpus several times, but standard input can be read only once. So the run folder keeps a copy.
namespace ventris::preparation {

/// Whether this corpus is standard input.
bool is_standard_input(const data::CorpusSpec& corpus);

/// Whether a training corpus is standard input.
bool reads_standard_input(const settings::DataConfig& config);

/// Replaces standard input in the settings by the copy in the run folder.
void name_standard_input(settings::DataConfig& config, const run::RunFolder& run);

/// What to do with an existing copy.
enum class OlderInput {
  kGoesOn,       ///< the copy is the corpus of the resumed run; standard input is not read
  kInReserve,    ///< its run starts again; the copy is used only if standard input is empty
  kIsReplaced,   ///< a new run replaces it
};

/// Copies standard input. An older copy is kept until the new run has begun; begin_run() removes it.
class KeptInput {
 public:
  /// Copies standard input to the run's file if needed, or logs that it is not read. First undoes an unfinished
  /// replacement of a killed process. Throws as data::spool_standard_input does.
  KeptInput(const run::RunFolder& run, OlderInput older);
  /// Restores the older copy unless the new run has begun.
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
