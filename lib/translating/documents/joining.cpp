#include "documents/joining.h"

#include <algorithm>

#include "metrics/unicode.h"

namespace ventris::documents {
namespace {

using translation::Candidate;

/// The number of each segment's first word in the whole text.
class WordOffsets {
 public:
  /// `gap`: what stands before the text; if it is empty, the first word goes on with the last one of the text before.
  int64_t next(const std::string& gap, const std::string& text) {
    const int64_t offset = gap.empty() && words_ > 0 ? words_ - 1 : words_;
    words_ = offset + static_cast<int64_t>(metrics::split_words(text).size());
    return offset;
  }

 private:
  int64_t words_ = 0;
};

void append(const Candidate& part, Candidate& whole) {
  whole.log_prob += part.log_prob;
  whole.score += part.score;
  whole.tokens += part.tokens;
  whole.truncated = whole.truncated || part.truncated;
  whole.repetitive = whole.repetitive || part.repetitive;
  whole.pieces.insert(whole.pieces.end(), part.pieces.begin(), part.pieces.end());
  whole.token_log_probs.insert(whole.token_log_probs.end(), part.token_log_probs.begin(), part.token_log_probs.end());
  whole.unmet.insert(whole.unmet.end(), part.unmet.begin(), part.unmet.end());
  if (part.utility) whole.utility = whole.utility.value_or(0) + *part.utility;
}

}  // namespace

translation::Translation join(const CutText& cut, const std::vector<translation::Translation>& translations) {
  translation::Translation joined;
  Candidate& whole = joined.candidates.emplace_back();
  const bool linked = std::ranges::any_of(
      translations, [](const auto& translation) { return !translation.candidates.front().links.empty(); });
  WordOffsets sources, targets;  // counted only for links
  for (size_t i = 0; i < cut.segments.size(); ++i) {
    const translation::Translation& translation = translations[i];
    const Candidate& best = translation.candidates.front();
    const std::string gap =
        i == 0 ? cut.segments[i].before : gap_between(whole.text, cut.segments[i].before, best.text);
    whole.text += gap;
    append(best, whole);
    whole.text += best.text;
    const int64_t source = linked ? sources.next(cut.segments[i].before, cut.segments[i].sentence.text) : 0;
    const int64_t target = linked ? targets.next(gap, best.text) : 0;
    for (const auto& link : best.links) whole.links.push_back({link.source + source, link.target + target});
    joined.source_cut = joined.source_cut || translation.source_cut;
    joined.seconds = std::max(joined.seconds, translation.seconds);
  }
  whole.text += cut.after;
  const auto count = static_cast<double>(std::max<size_t>(cut.segments.size(), 1));
  whole.score /= count;
  if (whole.utility) *whole.utility /= count;
  return joined;
}

}  // namespace ventris::documents
