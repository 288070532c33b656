#pragma once
#include <cstdint>
#include <string>

/// The folder of a run: its files, and the mark that identifies it as a run folder.
namespace ventris::run {

/// The files of a run.
struct RunFolder {
  std::string path;

  std::string mark() const { return path + "/RUN"; }  ///< marks the folder as a run folder
  std::string config() const { return path + "/config.json"; }
  std::string metrics() const { return path + "/metrics.jsonl"; }
  std::string log() const { return path + "/train.log"; }
  std::string report() const { return path + "/report.html"; }
  std::string report_data() const { return path + "/report"; }  ///< data that only the report uses
  std::string checkpoints() const { return path + "/checkpoints"; }
  std::string latest() const { return path + "/latest"; }
  std::string best() const { return path + "/best"; }
  std::string final() const { return path + "/final"; }
  std::string averaged() const { return path + "/averaged"; }
  std::string models() const { return path + "/models"; }
  std::string model(int64_t updates) const;  ///< models/step-NNNNNNNN
  std::string standard_input() const { return path + "/standard-input.tsv"; }  ///< the copy of standard input
  std::string older_standard_input() const {
    return path + "/.older-standard-input.tsv";
  }  ///< the older copy, until the new run has begun
};

/// "step-NNNNNNNN": the name of a checkpoint or model of an update.
std::string step_name(int64_t updates);

/// Whether the folder has a run: it has the mark and settings, or (of version 0.1) a checkpoint or a link `latest` to
/// one.
bool is_run_folder(const RunFolder& run);

/// Writes the mark. Throws WriteError.
void mark_run_folder(const RunFolder& run);

/// Marks a folder before its run begins, so that files of a killed process are not mistaken for those of a user.
/// Removes the mark again unless the run has begun.
class EarlyMark {
 public:
  explicit EarlyMark(RunFolder run);
  ~EarlyMark();
  EarlyMark(const EarlyMark&) = delete;
  EarlyMark& operator=(const EarlyMark&) = delete;

 private:
  RunFolder run_;
};

/// Removes unfinished files that killed processes left in the folder.
void remove_leftovers(const RunFolder& run);

/// Throws ConfigError if the folder is not a run folder but has a file that a run would replace, if the folder is a
/// bundle, if its train.log is not a regular file, or if a folder in it is a link into another run's folder.
void refuse_foreign_files(const RunFolder& run);

/// For a new run in a run folder. Throws ConfigError if one of a run's names is taken by a file or folder that no run
/// made.
void refuse_foreign_kinds(const RunFolder& run);

/// Throws ConfigError if `path`, the value of `setting`, is or lies in something that a new run in this folder removes.
void refuse_replaced_input(const RunFolder& run, const std::string& setting, const std::string& path);

/// Removes a checkpoint or a bundle. Files that a user put there stay, and then also the folder. Throws WriteError.
void remove_saved(const std::string& folder);

/// Removes the files of a run, except the mark, the log, copies of standard input and files that a user put into its
/// folders. Throws WriteError.
void remove_run(const RunFolder& run);

}  // namespace ventris::run
