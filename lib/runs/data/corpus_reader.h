#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "data/pair_store.h"
#include "memories/memory_file.h"
#include "metrics/word_division.h"
#include "text/tokenizer.h"

namespace ventris::data {

/// Which pairs are left out.
struct CorpusFilter {
  int64_t max_length = 256;  ///< maximum tokens per side, including a tag, without eos
  double max_ratio = 9.0;    ///< longer side / shorter side, in tokens; only for pairs with a side over 10 tokens
};

/// Why a pair is left out because of its lengths.
enum class LengthProblem { kNone, kEmpty, kTooLong, kBadRatio };
/// `lengths` are without the tag; `tag_tokens` counts only for the maximum length.
LengthProblem length_problem(const PairLengths& lengths, uint32_t tag_tokens, const CorpusFilter& filter);

/// How many pairs were kept, and how many were left out and why. Of running text, `kept` counts passages.
struct CorpusCounts {
  int64_t lines = 0;
  int64_t kept = 0;
  int64_t empty = 0;         ///< a side without a token
  int64_t too_long = 0;      ///< a side over CorpusFilter::max_length, or a line over 1 MiB, which is not tokenized
  int64_t bad_ratio = 0;
  int64_t weight_zero = 0;   ///< pairs that would be kept if their line weight were not 0
  int64_t invalid_utf8 = 0;  ///< pairs with replaced bytes, whether they were kept or not
  int64_t documents = 0;     ///< of running text; 0 for pairs
  int64_t labels = 0;        ///< that a labelled text may have; 0 for pairs
  int64_t cut = 0;           ///< labelled texts over CorpusFilter::max_length, whose ends were cut off
  int64_t blank = 0;         ///< with ReadOptions::documents: lines that are blank on both sides; not in `empty`
};

/// The files of a corpus: two with the same number of lines, one with two TAB-separated columns (`target` empty), one
/// with running text, one with labelled text, or a translation memory (TMX; `target` empty). Gzip is recognised by its
/// content.
struct CorpusFiles {
  std::string source;
  std::string target;
  bool running_text = false;  ///< `source` has text of one language, a sentence per line; empty lines end documents
  bool labelled = false;      ///< `source` has a label, a TAB and a text on each line (data/labels.h)
  memories::MemoryLanguages languages = {};  ///< of a translation memory
};

/// A corpus in one file, as users name it: "corpus.tsv", or "memory.tmx:en:de" with the languages of a translation
/// memory. Throws ConfigError as memories::parse_memory() does.
CorpusFiles in_one_file(const std::string& name);

/// The name again.
std::string name_of(const CorpusFiles& files);

/// A corpus with its tag and line weights.
struct CorpusSpec {
  CorpusFiles files;
  std::string tag = {};           ///< a piece of the source tokenizer that is put before every source; empty = none
  std::string line_weights =
      {};  ///< file with one line weight per line, from 0 to 1e6; below 1e-9 counts as 0; empty = all 1
  std::string target_language = {};  ///< that of the targets, which a tag or the marks of the model tell; empty = no
                                     ///< setting names it
  std::string links = {};            ///< file with the links of one line pair on each line; empty = there is none
  std::string documents = {};  ///< file with the id of a document on each line; empty = blank lines end documents
  std::string source_language = {};  ///< that of the sources; empty = no setting names it

  bool tag_tells_language() const { return !tag.empty() && !target_language.empty(); }
};

/// Gives the links between the words of corpora, line by line.
class LinkReader {
 public:
  virtual ~LinkReader() = default;
  virtual std::string origin() const = 0;  ///< for a cache, which is made again if it differs
  virtual metrics::Division division() const = 0;  ///< the words that links count
  /// Goes to the first line of a corpus.
  virtual void begin(const CorpusSpec& corpus) = 0;
  /// The links of the next line. Throws DataError.
  virtual text::Links next() = 0;
};

/// How a corpus is read.
struct ReadOptions {
  CorpusFilter filter;
  int threads = 1;  ///< for tokenization; the result does not depend on it
  bool keep_text = false;  ///< also return the text
  std::vector<std::string> labels = {};  ///< of labelled text, in the order of their numbers
  std::shared_ptr<LinkReader> links = nullptr;  ///< of the lines; null = pairs get no links
  bool documents = false;  ///< count the pairs before each pair in its document (SentencePair::preceding). A line that
                           ///< is left out, such as a blank one, ends a document, and so does another id
};

/// Throws DataError if the line counts differ (with both files and counts), or if a file is unreadable, empty or a
/// pipe (a corpus is read more than once), and Interrupted when a stop signal arrives. Takes a fraction of a second per
/// million lines, so call it before anything slow.
void check_files(const CorpusFiles& files);

/// The same, including the files of line weights, links and documents. Returns the number of lines.
int64_t check_corpus(const CorpusSpec& corpus);

/// The ids of a tag before a text: its piece, perhaps after that of a space. Empty for an empty tag. Throws ConfigError
/// unless the tag is one piece of the tokenizer.
std::vector<int32_t> tag_ids(const text::Tokenizer& source, const std::string& tag);

/// Calls each(pair) for every pair that is kept, in order, and returns the counts. Memory: one block of lines. Throws
/// DataError as check_corpus does, and for a line of a TSV file without exactly two columns, for a line weight that is
/// not a number from 0 to 1e6, for a link to a word that is not there, and if no pair is kept; ConfigError as tag_ids
/// does; Interrupted when a stop signal arrives (core/process.h). Of running text, calls it for every passage
/// (data/documents.h). Of labelled text, cuts texts that are too long, and throws DataError for a label that is not in
/// the options (data/labels.h).
CorpusCounts read_corpus(const CorpusSpec& corpus, const text::Tokenizer& source, const text::Tokenizer& target,
                         const ReadOptions& options, const std::function<void(SentencePair&)>& each);

/// A sentence about the encoding of a corpus of which a hundredth of the lines or more have invalid UTF-8; otherwise
/// empty. It begins with the names of the files.
std::string encoding_problem(const CorpusFiles& files, const CorpusCounts& counts);

/// The counts as one sentence: "29000 lines, 28990 kept, 3 with an empty side, ...". Of running text: "29000 lines in
/// 12 documents, 310 passages, ...". Of labelled text: "5000 lines, 4990 texts with 3 labels, ...".
std::string describe(const CorpusCounts& counts);

}  // namespace ventris::data
