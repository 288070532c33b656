#pragma once
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "data/corpus_reader.h"
#include "modifiers/modifier.h"

/// What the modifiers of a training text do to the lines of a corpus, for people to look at.
namespace ventris::data {

/// A change of a pair.
struct ChangeExample {
  int64_t line = 0;                          ///< number of the pair in the corpus, from 1
  std::vector<modifiers::TextPair> before;  ///< the pair, and those that are merged with it
  modifiers::TextPair after;
};

/// The first changes of each modifier in the first epoch, at most `most`. Reads the corpus, with
/// `links` and `forms` if they are given, until all are found.
/// Training numbers only the pairs that it keeps, so there the first changes may be on other lines. Throws DataError as
/// PairLines does and if there is no pair, and Interrupted when a stop signal arrives.
std::vector<std::vector<ChangeExample>> find_examples(const CorpusSpec& corpus, const modifiers::Modifiers& modifiers,
                                                      size_t most, LinkReader* links = nullptr,
                                                      const modifiers::TermForms* forms = nullptr);

/// For a terminal: each modifier with its examples, before and after.
std::string to_text(const modifiers::Modifiers& modifiers, const std::vector<std::vector<ChangeExample>>& examples);
nlohmann::ordered_json to_json(const modifiers::Modifiers& modifiers,
                               const std::vector<std::vector<ChangeExample>>& examples);

}  // namespace ventris::data
