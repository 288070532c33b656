#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "data/pair_store.h"
#include "text/tokenizer.h"

namespace ventris::data {

/// Which pairs are left out.
struct CorpusFilter {
  int64_t max_length = 256;  ///< tokens a side, a tag's counted, eos not
  double max_ratio = 9.0;    ///< longer side / shorter side, in tokens; only for pairs with a side over 10 tokens
};

/// What became of the pairs.
struct CorpusCounts {
  int64_t lines = 0;
  int64_t kept = 0;
  int64_t empty = 0;         ///< a side without a token
  int64_t too_long = 0;      ///< a side over CorpusFilter's max_length, or a line over 1 MiB, which is not tokenised
  int64_t bad_ratio = 0;
  int64_t weight_zero = 0;   ///< good pairs that would teach nothing
  int64_t invalid_utf8 = 0;  ///< pairs with replaced bytes on either side; among the kept and the others
};

/// Where a corpus lies: two files of equal line count, or one with two TAB-separated columns (`target` empty).
/// Each may end in .gz.
struct CorpusFiles {
  std::string source;
  std::string target;
};

/// A corpus and what is done to its lines.
struct CorpusSpec {
  CorpusFiles files;
  std::string tag = {};           ///< a piece of the source tokenizer to put before every source; empty = none
  std::string line_weights =
      {};  ///< file with the weight of each pair, a line each, from 0 to 1e6; under 1e-9 is 0; empty = all 1
};

/// How it is read.
struct ReadOptions {
  CorpusFilter filter;
  int threads = 1;         ///< for tokenising; any number gives the same result
  bool keep_text = false;  ///< hand out the text with the ids
};

/// Throws DataError naming both files and counts if their line counts differ, or if a file is unreadable, empty or a
/// pipe (a corpus is read more than once); Interrupted when a stop signal arrives. Takes a fraction of a second a
/// million lines: for before anything slow.
void check_files(const CorpusFiles& files);

/// The same, with the file of weights. Returns the number of lines.
int64_t check_corpus(const CorpusSpec& corpus);

/// How a tag is encoded where it stands before a text: its piece, perhaps behind that of a space. Empty for an empty
/// tag. Throws ConfigError unless the tokenizer holds it as one piece.
std::vector<int32_t> tag_ids(const text::Tokenizer& source, const std::string& tag);

/// Calls each(pair) for every pair that is to be used, in order, and returns what became of all. Memory: a block of
/// lines. Throws DataError as check_corpus does, for a line without two columns (of a TSV file), for a line weight that
/// is no number of at least 0, and if no pair is left; ConfigError as tag_ids does; Interrupted when a stop signal
/// arrives (core/process.h).
CorpusCounts read_corpus(const CorpusSpec& corpus, const text::Tokenizer& source, const text::Tokenizer& target,
                         const ReadOptions& options, const std::function<void(SentencePair&)>& each);

/// One sentence for people: "29000 lines, 28990 kept, 3 empty, ...".
std::string describe(const CorpusCounts& counts);

}  // namespace ventris::data
