#include "data/corpus_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <optional>
#include <utility>

#include "core/error.h"
#include "core/human.h"
#include "core/log.h"
#include "core/progress.h"
#include "data/documents.h"
#include "data/line_blocks.h"
#include "data/pair_lines.h"
#include "text/label_numbers.h"
#include "text/line_reader.h"
#include "text/line_sequence.h"
#include "text/word_ids.h"

namespace ventris::data {
namespace {

struct Line {
  SentencePair pair;
  bool too_long = false;      // was cut by the LineReader
  bool invalid_utf8 = false;  // bytes were replaced
  bool cut = false;           // of labelled text: the text was too long
  bool begins_document = false;  // by its file
  size_t source_words = 0, target_words = 0;  // if there are links
};

/// Smaller line weights count as 0. Below this and beyond kMostWeight, the square of a gradient would underflow or
/// overflow 32-bit floats.
constexpr double kLeastWeight = 1e-9;

/// Reads line weights, one per line.
class WeightReader {
 public:
  explicit WeightReader(const std::string& path) : lines_(path) {}

  float next() {
    if (!lines_.next(line_)) {
      fail<DataError>(lines_.path(), ": has only ", lines_.counts().lines,
                      " lines; expected one weight per line of the corpus");
    }
    double number = 0;  // reading a float would refuse numbers that are too small for it
    const char* const end = line_.data() + line_.size();
    auto [rest, error] = std::from_chars(line_.data(), end, number);
    if (error == std::errc::result_out_of_range && std::strtod(line_.c_str(), nullptr) < 1) error = {};  // tiny
    if (error != std::errc() || rest != end || !(number >= 0 && number <= kMostWeight)) {
      fail<DataError>(lines_.path(), ":", lines_.counts().lines, ": expected a weight, a number from 0 to ",
                      kMostWeight, ", found '", line_.substr(0, 40), "'");
    }
    return number < kLeastWeight ? 0.0F : static_cast<float>(number);
  }

 private:
  text::LineReader lines_;
  std::string line_;
};

/// Reads the ids of documents, one per line.
class DocumentReader {
 public:
  explicit DocumentReader(const std::string& path) : lines_(path) {}

  /// Whether the next line of the corpus has another id than the one before it.
  bool next_begins() {
    std::string id;
    if (!lines_.next(id)) {
      fail<DataError>(lines_.path(), ": has only ", lines_.counts().lines,
                      " lines; expected the id of a document per line of the corpus");
    }
    return std::exchange(id_, id) != id;
  }

 private:
  text::LineReader lines_;
  std::string id_;
};

/// Pairs of lines with their weights.
class WeightedLines {
 public:
  WeightedLines(const CorpusSpec& corpus, LinkReader* links) : lines_(corpus.files), links_(links) {
    if (links_ != nullptr) links_->begin(corpus);
    if (!corpus.line_weights.empty()) weights_.emplace(corpus.line_weights);
    if (!corpus.documents.empty()) documents_.emplace(corpus.documents);
  }

  const memories::MemoryCounts* memory() const { return lines_.memory(); }

  /// Returns the bytes read, with line ends; 0 at the end. A pair that is too long has no text.
  size_t next(Line& line) {
    std::string &source = line.pair.source_text, &target = line.pair.target_text;
    if (!lines_.next(source, target)) return 0;
    const size_t bytes = source.size() + target.size() + 1;
    if (weights_) line.pair.weight = weights_->next();
    if (links_ != nullptr) line.pair.links = links_->next();
    if (documents_) line.begins_document = documents_->next_begins();
    line.too_long = lines_.cut();
    line.invalid_utf8 = lines_.replaced();
    if (!line.too_long) return bytes;
    source.clear();
    target.clear();
    return bytes;
  }

 private:
  PairLines lines_;
  std::optional<WeightReader> weights_;
  std::optional<DocumentReader> documents_;
  LinkReader* links_;
};

void count_words(const LinkReader* links, Line& line) {
  if (line.pair.links.empty()) return;
  line.source_words = metrics::divided(line.pair.source_text, links->division()).size();
  line.target_words = metrics::divided(line.pair.target_text, links->division()).size();
}

/// Throws DataError for a link to a word that the texts do not have. `number` is that of the line, from 1.
void check_links(const CorpusSpec& corpus, const Line& line, int64_t number) {
  if (line.too_long) return;
  for (const text::Link& link : line.pair.links) {
    const auto source = static_cast<size_t>(link.source), target = static_cast<size_t>(link.target);
    if (source < line.source_words && target < line.target_words) continue;
    const bool memory = corpus.links.empty() && !corpus.files.languages.source.empty();  // its lines are those of XML
    fail<DataError>(corpus.links.empty() ? corpus.files.source : corpus.links, memory ? ": pair " : ":", number,
                    ": the link ", link.source, "-", link.target, " counts words from 0, but the line pair has ",
                    line.source_words, " and ", line.target_words,
                    " words; make the links of these lines with ventris-align, and set ",
                    "training.guided_alignment.tokenized if and only if it had --tokenized");
  }
}

/// Units of a translation memory that are no pairs.
void log_left_out(const std::string& path, const memories::MemoryCounts* counts) {
  if (counts == nullptr || counts->units == counts->pairs) return;
  core::log_info(fmt::format("{}: {} of {} units are left out, because they have no text in one of the languages", path,
                             counts->units - counts->pairs, counts->units));
}

enum class Verdict { kKept, kBlank, kEmpty, kTooLong, kBadRatio, kWeightZero };

/// `tag_tokens` counts only for the length of the source. `documents`: a line that is blank on both sides ends one.
Verdict judge(const Line& line, size_t tag_tokens, const CorpusFilter& filter, bool documents) {
  if (line.too_long) return Verdict::kTooLong;
  const PairLengths lengths{static_cast<uint32_t>(line.pair.source.size() - tag_tokens),
                            static_cast<uint32_t>(line.pair.target.size())};
  if (documents && lengths.source == 0 && lengths.target == 0) return Verdict::kBlank;
  switch (length_problem(lengths, static_cast<uint32_t>(tag_tokens), filter)) {
    case LengthProblem::kEmpty: return Verdict::kEmpty;
    case LengthProblem::kTooLong: return Verdict::kTooLong;
    case LengthProblem::kBadRatio: return Verdict::kBadRatio;
    default: return line.pair.weight > 0 ? Verdict::kKept : Verdict::kWeightZero;
  }
}

int64_t read_to_end(text::LineReader lines) {
  std::string line;
  while (lines.next(line)) {
  }
  return lines.counts().lines;
}

/// `open`: opens the file; empty = as lines of text.
int64_t count_lines(const std::string& path, const std::function<text::LineReader()>& open = {}) {
  std::error_code ignored;
  const auto kind = std::filesystem::status(path, ignored).type();
  using std::filesystem::file_type;
  if (path == "-" || kind == file_type::fifo || kind == file_type::socket || kind == file_type::character) {
    fail<DataError>(path == "-" ? "standard input" : path,
                    ": is not a regular file; a corpus is read more than once, so write it to a file first");
  }
  const int64_t lines = open ? read_to_end(open()) : text::count_lines(path);
  if (lines == 0) fail<DataError>(path, ": is empty; expected one sentence per line");
  return lines;
}

void count(const Line& line, Verdict verdict, CorpusCounts& counts) {
  counts.lines += 1;
  counts.cut += line.cut && verdict == Verdict::kKept;
  counts.invalid_utf8 += line.invalid_utf8;
  counts.kept += verdict == Verdict::kKept;
  counts.blank += verdict == Verdict::kBlank;
  counts.empty += verdict == Verdict::kEmpty;
  counts.too_long += verdict == Verdict::kTooLong;
  counts.bad_ratio += verdict == Verdict::kBadRatio;
  counts.weight_zero += verdict == Verdict::kWeightZero;
}

/// Ids of the source and the target of a line.
void encode_line(const text::Tokenizer& source, const text::Tokenizer& target, const CorpusSpec& corpus,
                 const CorpusFilter& filter, const std::vector<int32_t>& tag, Line& line) {
  SentencePair& pair = line.pair;
  pair.source = source.encode(pair.source_text);
  if (!corpus.files.labelled) {
    pair.source.insert(pair.source.begin(), tag.begin(), tag.end());
    pair.target = target.encode(pair.target_text);
    return;
  }
  const auto most = static_cast<size_t>(filter.max_length);
  line.cut = pair.source.size() > most;
  if (line.cut) pair.source.resize(most);
}

/// Returns the number of lines.
int64_t check_texts(const CorpusFiles& files) {
  const bool memory = memories::is_memory(files.source) || memories::is_memory(files.target);
  const auto open = [&] { return open_one_file(files); };
  const int64_t source_lines = memory ? count_lines(files.source, open) : count_lines(files.source);
  if (files.target.empty()) return source_lines;
  const int64_t target_lines = count_lines(files.target);
  if (source_lines != target_lines) {
    std::string line;  // the lines of UTF-16 are others, and reading one says that it is UTF-16
    for (const std::string& path : {files.source, files.target}) text::LineReader(path).next(line);
    fail<DataError>("line counts differ: ", files.source, " has ", source_lines, ", ", files.target, " has ",
                    target_lines, "; each line must translate the same line of the other file");
  }
  return source_lines;
}

/// Throws DataError unless a file that may be given beside a corpus has as many lines.
void check_beside(const CorpusSpec& corpus, int64_t lines, const std::string& path, const char* what) {
  if (path.empty()) return;
  const int64_t found = count_lines(path);
  if (found == lines) return;
  fail<DataError>("line counts differ: ", corpus.files.source, " has ", lines, ", ", path, " has ", found,
                  "; expected one ", what, " per line of the corpus");
}

}  // namespace

LengthProblem length_problem(const PairLengths& lengths, uint32_t tag_tokens, const CorpusFilter& filter) {
  if (lengths.source == 0 || lengths.target == 0) return LengthProblem::kEmpty;
  const int64_t longest = std::max<int64_t>(int64_t{lengths.source} + tag_tokens, lengths.target);
  if (longest > filter.max_length) return LengthProblem::kTooLong;
  const double shorter = std::min(lengths.source, lengths.target), longer = std::max(lengths.source, lengths.target);
  return longer > 10 && longer / shorter > filter.max_ratio ? LengthProblem::kBadRatio : LengthProblem::kNone;
}

CorpusFiles in_one_file(const std::string& name) {
  memories::NamedMemory memory = memories::parse_memory(name);
  CorpusFiles files{std::move(memory.path), ""};
  files.languages = std::move(memory.languages);
  return files;
}

std::string name_of(const CorpusFiles& files) { return memories::name_of({files.source, files.languages}); }

void check_files(const CorpusFiles& files) { check_texts(files); }

int64_t check_corpus(const CorpusSpec& corpus) {
  const int64_t lines = check_texts(corpus.files);
  check_beside(corpus, lines, corpus.line_weights, "weight");
  check_beside(corpus, lines, corpus.links, "list of links");
  check_beside(corpus, lines, corpus.documents, "id of a document");
  return lines;
}

std::vector<int32_t> tag_ids(const text::Tokenizer& source, const std::string& tag) {
  auto ids = source.encode(tag);
  const bool behind_space = ids.size() == 2 && source.piece(ids.front()) == "\u2581";
  const bool whole = ids.size() == 1 || behind_space;
  if (tag.empty() || (whole && source.piece(ids.back()) == text::piece_of_word(source, tag))) return ids;
  fail<ConfigError>("data.corpora: the tag '", tag,
                    "' is not a single piece of the source tokenizer (tokens: ", ids.size(),
                    "); let the run learn its tokenizer, or give one that was learnt with this tag (or a ",
                    "bundle with such a tokenizer)");
}

CorpusCounts read_corpus(const CorpusSpec& corpus, const text::Tokenizer& source, const text::Tokenizer& target,
                         const ReadOptions& options, const std::function<void(SentencePair&)>& each) {
  if (corpus.files.running_text) return read_documents(corpus, source, options, each);
  core::Progress progress("reading " + corpus.files.source, "pairs", static_cast<double>(check_corpus(corpus)));
  const auto tag = tag_ids(source, corpus.tag);
  WeightedLines reader(corpus, options.links.get());
  CorpusCounts counts;
  CorpusFilter filter = options.filter;
  const text::LabelNumbers labels(options.labels);
  const bool labelled = corpus.files.labelled;
  uint32_t preceding = 0;  // pairs that were kept in this document without a break
  if (labelled) {
    counts.labels = static_cast<int64_t>(options.labels.size());
    filter.max_ratio = std::numeric_limits<double>::infinity();  // the target is one number
  }
  const auto encode = [&](Line& line) {
    encode_line(source, target, corpus, filter, tag, line);
    count_words(options.links.get(), line);
  };
  const auto pass_on = [&](Line& line) {
    SentencePair& pair = line.pair;
    if (labelled && !pair.source.empty()) {
      pair.target = {labels.number_of(pair.target_text, corpus.files.source, counts.lines + 1)};
    }
    check_links(corpus, line, counts.lines + 1);
    const Verdict verdict = judge(line, tag.size(), filter, options.documents);
    count(line, verdict, counts);
    progress.add();
    if (line.begins_document) preceding = 0;
    if (options.documents) pair.preceding = preceding;
    preceding = verdict == Verdict::kKept ? preceding + 1 : 0;
    if (verdict != Verdict::kKept) return;
    if (!options.keep_text) pair.source_text.clear();
    if (!options.keep_text) pair.target_text.clear();
    each(pair);
  };
  const auto next = [&](Line& line) { return reader.next(line); };
  read_in_blocks<Line>(corpus.files.source, options.threads, next, encode, pass_on);
  log_left_out(corpus.files.source, reader.memory());
  if (counts.kept == 0) {
    fail<DataError>(corpus.files.source,
                    labelled ? ": no text is left: " : ": no sentence pair is left: ", describe(counts));
  }
  return counts;
}

std::string encoding_problem(const CorpusFiles& files, const CorpusCounts& counts) {
  if (!text::is_other_encoding({.lines = counts.lines, .invalid_utf8 = counts.invalid_utf8})) return "";
  return fmt::format(
      "{}{}: {} of {} lines are not valid UTF-8, and their bad bytes became U+FFFD: a file is probably in another "
      "encoding, such as Windows-1252; convert it first, for example with: iconv -f WINDOWS-1252 -t UTF-8 FILE > "
      "NEW-FILE",
      files.source, files.target.empty() ? "" : ", " + files.target, counts.invalid_utf8, counts.lines);
}

std::string describe(const CorpusCounts& counts) {
  if (counts.documents > 0) {
    return fmt::format("{} in {}, {}, {} too long, {} with invalid UTF-8", core::count_of(counts.lines, "line"),
                       core::count_of(counts.documents, "document"), core::count_of(counts.kept, "passage"),
                       counts.too_long, counts.invalid_utf8);
  }
  if (counts.labels > 0) {
    return fmt::format("{}, {} with {}, {} empty, {} over 1 MiB, {} cut, {} with invalid UTF-8",
                       core::count_of(counts.lines, "line"), core::count_of(counts.kept, "text"),
                       core::count_of(counts.labels, "label"), counts.empty, counts.too_long, counts.cut,
                       counts.invalid_utf8);
  }
  std::string text =
      fmt::format("{}, {} kept, {} with an empty side, {} too long, {} with a bad length ratio, {} with invalid UTF-8",
                  core::count_of(counts.lines, "line"), counts.kept, counts.empty, counts.too_long, counts.bad_ratio,
                  counts.invalid_utf8);
  if (counts.blank > 0) text += fmt::format(", {} blank between documents", counts.blank);
  if (counts.weight_zero > 0) text += fmt::format(", {} with weight 0", counts.weight_zero);
  return text;
}

}  // namespace ventris::data
