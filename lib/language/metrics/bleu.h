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
#include "metrics/tokenization.h"
#include "text/piece_encoder.h"

/// BLEU (Papineni et al. 2002) with the numbers of sacreBLEU 2.6 (Post 2018).
namespace ventris::metrics {

inline constexpr size_t kBleuOrder = 4;

/// How the precision of an n-gram order without a match is smoothed; method numbers as in Chen and Cherry 2014.
enum class Smoothing {
  kExp,    ///< 1/2, 1/4, ... matches, halved at each such order (method 3; mteval-v13a)
  kFloor,  ///< `smooth_value` matches (method 1)
  kAddK,   ///< adds `smooth_value` to matches and n-grams of all orders above 1, even with matches (method 2)
  kNone    ///< no smoothing: the score is 0
};

/// The names on the command line and in signatures, in the order of the enumeration.
const std::vector<std::string>& smoothing_names();

struct BleuOptions {
  Tokenization tokenization = Tokenization::k13a;
  std::shared_ptr<const text::PieceEncoder> pieces = {};  ///< for Tokenization::kSpm; the others ignore it
  Smoothing smoothing = Smoothing::kExp;
  std::optional<double> smooth_value;  ///< default for kFloor: 0.1, for kAddK: 1; the others have none
  bool lowercase = false;
  bool effective_order = false;  ///< ignore orders for which the hypothesis is too short; always on in sentence_bleu
};

/// The value that the smoothing uses; none for kExp and kNone.
std::optional<double> smooth_value(const BleuOptions& options);

/// The counts of BLEU for one segment, or sums over many.
struct BleuStatistics {
  int64_t hyp_length = 0;  ///< words
  int64_t ref_length = 0;  ///< words of the reference closest in length; of two, the shorter one
  std::array<int64_t, kBleuOrder> matched{};  ///< by n-gram order
  std::array<int64_t, kBleuOrder> total{};  ///< n-grams of the hypothesis, by order

  BleuStatistics& operator+=(const BleuStatistics& other);
};

struct BleuScore {
  double score = 0;  ///< in [0, 100]
  std::array<double, kBleuOrder> precisions{};  ///< in percent, smoothed; all 0 if nothing matched
  double brevity_penalty = 0;  ///< in [0, 1]
  int64_t hyp_length = 0;  ///< words
  int64_t ref_length = 0;  ///< words
};

/// The counts of every segment, on `threads` threads. Throws std::invalid_argument if there are no references or not as
/// many as hypotheses, or for kSpm without a model.
std::vector<BleuStatistics> bleu_statistics(const std::vector<std::string>& hypotheses, const References& references,
                                            const BleuOptions& options = {}, int threads = 1);

BleuScore bleu_score(const BleuStatistics& statistics, const BleuOptions& options = {});

/// BLEU of counts [10] that were summed in single precision: lengths of hypothesis and reference, matched n-grams by
/// order, all n-grams by order.
ResampledScore resampled_bleu(std::span<const float> sums, const BleuOptions& options);

/// Corpus-level BLEU: the score of the summed counts; 0 if there are no lines. Throws as bleu_statistics() does.
BleuScore corpus_bleu(const std::vector<std::string>& hypotheses, const References& references,
                      const BleuOptions& options = {});

/// BLEU of one segment, with effective order. Throws std::invalid_argument if there are no references.
BleuScore sentence_bleu(const std::string& hypothesis, const std::vector<std::string>& references,
                        BleuOptions options = {});

}  // namespace ventris::metrics
