#pragma once
#include <cstdint>
#include <string>

/// A run's folder: what a run makes there, and the mark that tells it from a folder of somebody else.
namespace ventris::run {

/// The files of a run.
struct RunFolder {
  std::string path;

  std::string mark() const { return path + "/RUN"; }  ///< says that a run made this folder
  std::string config() const { return path + "/config.json"; }
  std::string metrics() const { return path + "/metrics.jsonl"; }
  std::string log() const { return path + "/train.log"; }
  std::string report() const { return path + "/report.html"; }
  std::string report_data() const { return path + "/report"; }  ///< what only the report is made of
  std::string checkpoints() const { return path + "/checkpoints"; }
  std::string latest() const { return path + "/latest"; }
  std::string best() const { return path + "/best"; }
  std::string final() const { return path + "/final"; }
  std::string averaged() const { return path + "/averaged"; }
  std::string models() const { return path + "/models"; }
  std::string model(int64_t updates) const;  ///< models/step-NNNNNNNN
  std::string standard_input() const { return path + "/standard-input.tsv"; }  ///< what a run read there
  std::string older_standard_input() const { return path + "/.older-standard-input.tsv"; }  ///< of a replaced run
};

/// "step-NNNNNNNN": the name of what is saved at an update.
std::string step_name(int64_t updates);

/// Whether a run has begun in this folder: it has the mark and settings or, of version 0.1, a checkpoint or a link
/// `latest` to one.
bool is_run_folder(const RunFolder& run);

/// Writes the mark. Throws WriteError.
void mark_run_folder(const RunFolder& run);

/// Marks a folder before its run begins, so that a killed process leaves no file there that seems to be somebody's.
/// Takes the mark away again unless the run has begun.
class EarlyMark {
 public:
  explicit EarlyMark(RunFolder run);
  ~EarlyMark();
  EarlyMark(const EarlyMark&) = delete;
  EarlyMark& operator=(const EarlyMark&) = delete;

 private:
  RunFolder run_;
};

/// Removes what processes that are gone had not finished to write in the folder.
void remove_leftovers(const RunFolder& run);

/// Throws ConfigError, naming it, if the folder holds something that a run would replace and no run made the folder, if
/// the folder is a bundle, if its train.log is no plain file, or if a folder in it is a link into another run's.
void refuse_foreign_files(const RunFolder& run);

/// For a new run in a folder that a run made. Throws ConfigError if something else than a run's file or folder has the
/// name of one.
void refuse_foreign_kinds(const RunFolder& run);

/// Throws ConfigError if `path`, which `setting` names, is or lies in something that a new run in this folder replaces.
void refuse_replaced_input(const RunFolder& run, const std::string& setting, const std::string& path);

/// Removes a checkpoint or a bundle; files that somebody put there stay, and the folder with them. Throws WriteError.
void remove_saved(const std::string& folder);

/// Removes what a run made: all but the mark, the log, standard input's copies and files that somebody put into its
/// folders. Throws WriteError.
void remove_run(const RunFolder& run);

}  // namespace ventris::run
