#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "metrics/resampling.h"
#include "metrics/segments.h"
#include "metrics/tokenizers.h"
#include "text/piece_encoder.h"

/// BLEU (Papineni et al. 2002) with the numbers of sacreBLEU 2.6 (Post 2018).
namespace ventris::metrics {

inline constexpr size_t kBleuOrder = 4;

/// What stands for the precision of an n-gram order without a match; Chen and Cherry 2014 number them.
enum class Smoothing {
  kExp,    ///< 1/2, 1/4, ... of one match, halved at each such order (method 3; mteval-v13a)
  kFloor,  ///< `smooth_value` matches (method 1)
  kAddK,   ///< `smooth_value` more matches and n-grams at orders above 1, also where there are matches (method 2)
  kNone    ///< nothing: the score is 0
};

/// Every smoothing's name on the command line and in signatures, in the order of the enumeration.
const std::vector<std::string>& smoothing_names();

struct BleuOptions {
  Tokenization tokenization = Tokenization::k13a;
  std::shared_ptr<const text::PieceEncoder> pieces = {};  ///< Tokenization::kSpm needs it, the others ignore it
  Smoothing smoothing = Smoothing::kExp;
  std::optional<double> smooth_value;  ///< kFloor: 0.1, kAddK: 1 where not given; the others have none
  bool lowercase = false;
  bool effective_order = false;  ///< leave out orders that the hypothesis is too short for; sentence_bleu always does
};

/// The value that smoothing works with; none for kExp and kNone.
std::optional<double> smooth_value(const BleuOptions& options);

/// What BLEU counts, of one segment or summed over many.
struct BleuStatistics {
  int64_t hyp_length = 0;  ///< words
  int64_t ref_length = 0;  ///< words of the reference closest in length, the shorter of two
  std::array<int64_t, kBleuOrder> matched{};  ///< by n-gram order
  std::array<int64_t, kBleuOrder> total{};  ///< n-grams of the hypothesis, by order

  BleuStatistics& operator+=(const BleuStatistics& other);
};

struct BleuScore {
  double score = 0;  ///< in [0, 100]
  std::array<double, kBleuOrder> precisions{};  ///< in per cent, smoothed; all 0 if nothing matched
  double brevity_penalty = 0;  ///< in [0, 1]
  int64_t hyp_length = 0;  ///< words
  int64_t ref_length = 0;  ///< words
};

/// The counts of every segment, on so many threads. Throws std::invalid_argument without references, if their counts
/// differ from the hypotheses', or for kSpm without a model.
std::vector<BleuStatistics> bleu_statistics(const std::vector<std::string>& hypotheses, const References& references,
                                            const BleuOptions& options = {}, int threads = 1);

BleuScore bleu_score(const BleuStatistics& statistics, const BleuOptions& options = {});

/// BLEU of counts [10] that were summed in single precision: lengths of hypothesis and reference, matched and all
/// n-grams by order.
ResampledScore resampled_bleu(std::span<const float> sums, const BleuOptions& options);

/// BLEU of a whole text: counts summed first, score last. Arguments and errors as bleu_statistics(); 0 for no lines.
BleuScore corpus_bleu(const std::vector<std::string>& hypotheses, const References& references,
                      const BleuOptions& options = {});

/// BLEU of one segment against its references, with effective order. Throws std::invalid_argument without references.
BleuScore sentence_bleu(const std::string& hypothesis, const std::vector<std::string>& references,
                        BleuOptions options = {});

}  // namespace ventris::metrics
