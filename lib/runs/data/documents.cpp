#include "data/documents.h"

#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/progress.h"
#include "data/line_blocks.h"
#include "text/line_reader.h"
#include "text/valid_utf8.h"

namespace ventris::data {
namespace {

struct DocumentLine {
  std::string text;
  bool ends_document = false;
  std::vector<int32_t> ids;
};

/// Lines of running text with their counts.
class TextLines {
 public:
  explicit TextLines(const std::string& path) : lines_(path) {}

  /// Returns the bytes read, with the line end; 0 at the end. A line that is too long has no text, and does not end a
  /// document.
  size_t next(DocumentLine& line) {
    const int64_t cut = lines_.counts().too_long;
    if (!lines_.next(line.text)) return 0;
    const size_t bytes = line.text.size() + 1;
    const bool too_long = lines_.counts().too_long > cut;
    line.ends_document = !too_long && text::is_blank(line.text);
    if (too_long) line.text.clear();
    return bytes;
  }

  const text::LineCounts& counts() const { return lines_.counts(); }

 private:
  text::LineReader lines_;
};

}  // namespace

PassagePacker::PassagePacker(int64_t max_length, Each each)
    : max_length_(static_cast<size_t>(max_length)), each_(std::move(each)) {}

void PassagePacker::add(std::span<const int32_t> sentence) {
  for (; sentence.size() > max_length_; sentence = sentence.subspan(max_length_)) append(sentence.first(max_length_));
  if (!sentence.empty()) append(sentence);
}

void PassagePacker::append(std::span<const int32_t> sentence) {
  if (passage_.source.size() + sentence.size() > max_length_) end_document();
  passage_.source.insert(passage_.source.end(), sentence.begin(), sentence.end());
  passage_.target.push_back(static_cast<int32_t>(passage_.source.size()));
}

void PassagePacker::end_document() {
  if (!passage_.source.empty()) each_(passage_);
  passage_ = {};
}

CorpusCounts read_documents(const CorpusSpec& corpus, const text::Tokenizer& tokenizer, const ReadOptions& options,
                            const PassagePacker::Each& each) {
  const std::string& path = corpus.files.source;
  core::Progress progress("reading " + path, "lines", static_cast<double>(check_corpus(corpus)));
  CorpusCounts counts;
  PassagePacker packer(options.filter.max_length, [&](SentencePair& passage) {
    ++counts.kept;
    each(passage);
  });
  TextLines reader(path);
  bool in_document = false;
  const auto encode = [&](DocumentLine& line) {
    if (!line.ends_document) line.ids = tokenizer.encode(line.text);
  };
  const auto pack = [&](const DocumentLine& line) {
    progress.add();
    if (line.ends_document) packer.end_document();
    if (!line.ids.empty()) packer.add(line.ids);
    counts.documents += !in_document && !line.ids.empty();
    in_document = !line.ends_document && (in_document || !line.ids.empty());
  };
  read_in_blocks<DocumentLine>(
      path, options.threads, [&](DocumentLine& line) { return reader.next(line); }, encode, pack);
  packer.end_document();
  counts.lines = reader.counts().lines;
  counts.too_long = reader.counts().too_long;
  counts.invalid_utf8 = reader.counts().invalid_utf8;
  if (counts.kept == 0) {
    fail<DataError>(path, ": expected text, a sentence per line; none is left of ", counts.lines, " lines (",
                    counts.too_long, " too long, the others empty)");
  }
  return counts;
}

}  // namespace ventris::data
