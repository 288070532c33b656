#include "data/documents.h"

#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/parallel.h"
#include "core/process.h"
#include "core/progress.h"
#include "text/line_reader.h"
#include "text/utf8.h"

namespace ventris::data {
namespace {

/// The lines that are read before the threads tokenize them. Also limited in bytes, because a line may have a million.
constexpr size_t kBlockLines = 8192;
constexpr size_t kBlockBytes = 16 << 20;

struct Line {
  std::string text;
  bool ends_document = false;
  std::vector<int32_t> ids;
};

/// Lines of running text with their counts.
class TextLines {
 public:
  explicit TextLines(const std::string& path) : lines_(path) {}

  /// The next lines; none at the end. A line that is too long has no text, and does not end a document.
  std::vector<Line> next_block() {
    std::vector<Line> block;
    std::string text;
    for (size_t bytes = 0; block.size() < kBlockLines && bytes < kBlockBytes;) {
      const int64_t cut = lines_.counts().too_long;
      if (!lines_.next(text)) break;
      const bool too_long = lines_.counts().too_long > cut;
      bytes += text.size();
      block.push_back({too_long ? "" : text, !too_long && text::is_blank(text), {}});
    }
    return block;
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
  for (auto block = reader.next_block(); !block.empty(); block = reader.next_block()) {
    if (const int signal = core::stop_signal(); signal != 0) {
      throw Interrupted(signal, path + ": stopped by a signal while reading the corpus");
    }
    core::parallel_for(block.size(), options.threads, [&](size_t i, int) {
      if (!block[i].ends_document) block[i].ids = tokenizer.encode(block[i].text);
    });
    for (const Line& line : block) {
      progress.add();
      if (line.ends_document) packer.end_document();
      if (!line.ids.empty()) packer.add(line.ids);
      counts.documents += !in_document && !line.ids.empty();
      in_document = !line.ends_document && (in_document || !line.ids.empty());
    }
  }
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
