#pragma once
#include <string>
#include <vector>

/// Test sets with the names of sacreBLEU, in a folder on this machine. Nothing is downloaded.
namespace ventris::evaluation {

/// Where a test set is, and which part of it is meant.
struct TestSetChoice {
  std::string folder;     ///< of all test sets
  std::string name;       ///< "wmt22"; "wmt21/systems" is in the folder of this name
  std::string languages;  ///< "en-de": source and target
  std::vector<std::string> references = {};  ///< "refA" for the file NAME.en-de.ref-refA; empty = the only one there is
};

/// The files of a test set.
struct TestSet {
  std::string source;
  std::vector<std::string> references;  ///< at least one
};

/// Finds FOLDER/NAME/NAME.en-de.src and FOLDER/NAME/NAME.en-de.ref, as sacreBLEU stores them in its own folder; a "/"
/// of the name is a "_" in the names of the files, and each file may also end in ".gz". Where there are several
/// references, they are called NAME.en-de.ref-refA and so on. Throws ConfigError for a folder, a name or languages that
/// are missing or malformed, and where the reference has to be chosen; DataError if there are no such files.
TestSet find_test_set(const TestSetChoice& choice);

}  // namespace ventris::evaluation
