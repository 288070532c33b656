#include "alignment/corpus_links.h"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <utility>

#include "alignment/aligner.h"
#include "core/error.h"
#include "core/human.h"
#include "core/log.h"
#include "core/process.h"
#include "core/progress.h"
#include "data/pair_lines.h"
#include "text/line_reader.h"

namespace ventris::alignment {
namespace {

/// Links in files, one beside each corpus. A corpus without a file has none.
class LinkFiles : public data::LinkReader {
 public:
  explicit LinkFiles(metrics::Division division) : division_(division) {}

  std::string origin() const override { return division_ == metrics::Division::kTokenized ? "tokenized" : "text"; }
  metrics::Division division() const override { return division_; }
  void begin(const data::CorpusSpec& corpus) override {
    lines_.reset();
    if (!corpus.links.empty()) lines_.emplace(corpus.links);
  }
  text::Links next() override {
    if (!lines_) return {};
    if (!lines_->next(line_))
      fail<DataError>(lines_->path(), ": ends before the corpus; expected a line for each line");
    auto links = text::parse_links(line_);
    if (links) return std::move(*links);
    constexpr size_t kShown = 40;
    fail<DataError>(lines_->path(), ":", lines_->counts().lines, ": expected links like 0-0 1-2, found '",
                    line_.substr(0, kShown), "'");
  }

 private:
  metrics::Division division_;
  std::optional<text::LineReader> lines_;
  std::string line_;
};

/// Links that are learnt from all corpora together.
class LearntLinks : public data::LinkReader {
 public:
  LearntLinks(std::vector<data::CorpusSpec> corpora, metrics::Division division, int threads)
      : corpora_(std::move(corpora)), division_(division), threads_(threads) {}

  std::string origin() const override {
    return division_ == metrics::Division::kTokenized ? "learnt, tokenized" : "learnt";
  }
  metrics::Division division() const override { return division_; }
  void begin(const data::CorpusSpec& corpus) override {
    if (links_.empty()) learn();
    next_ = begins_.at({data::name_of(corpus.files), corpus.files.target});
  }
  text::Links next() override { return links_.at(next_++); }

 private:
  void learn() {
    const double start = core::seconds_now();
    SentencePairs pairs(kPrefix);
    for (const data::CorpusSpec& corpus : corpora_) {
      begins_.try_emplace({data::name_of(corpus.files), corpus.files.target}, pairs.size());
      read(corpus.files, pairs);
    }
    AlignOptions options;
    options.estimation.threads = threads_;
    links_ = align(pairs, options);
    core::log_info(fmt::format("guided alignment: learnt the links of {} in {:.1f} s",
                               core::count_of(std::ssize(links_), "line pair"), core::seconds_now() - start));
  }

  void read(const data::CorpusFiles& files, SentencePairs& pairs) const {
    data::PairLines lines(files);
    core::Progress progress("reading " + files.source, "pairs");
    for (std::string source, target; lines.next(source, target); progress.add()) {
      core::throw_if_stopped("learning links");
      if (lines.cut()) {
        source.clear();
        target.clear();
      }
      pairs.add(metrics::divided(source, division_), metrics::divided(target, division_));
    }
  }

  std::vector<data::CorpusSpec> corpora_;
  metrics::Division division_;
  int threads_;
  std::vector<text::Links> links_;  // of all lines of all corpora
  std::map<std::pair<std::string, std::string>, size_t> begins_;  // of the lines of each corpus: first and second file
  size_t next_ = 0;
};

}  // namespace

std::shared_ptr<data::LinkReader> links_in_files(metrics::Division division) {
  return std::make_shared<LinkFiles>(division);
}

std::shared_ptr<data::LinkReader> learnt_links(std::vector<data::CorpusSpec> corpora, metrics::Division division,
                                               int threads) {
  return std::make_shared<LearntLinks>(std::move(corpora), division, threads);
}

}  // namespace ventris::alignment
