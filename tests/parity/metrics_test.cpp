// Our metrics against sacreBLEU's, which make_metrics_expected.py wrote to metrics_expected.json.gz.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "files/files.h"
#include "metrics/tokenization.h"
#include "metrics/unicode.h"
#include "parity/expected_scores.h"
#include "text/byte_source.h"

namespace ventris::metrics {
namespace {

using nlohmann::json;

const json& expected() {
  static const json file = [] {
    std::string text;
    text::for_each_raw_line(VENTRIS_SOURCE "/tests/parity/metrics_expected.json.gz",
                            [&](const std::string& line) { text += line; });
    return json::parse(text);
  }();
  return file;
}

/// Of the table of lines: hypotheses, two references, another system.
const Lines& column(size_t number) {
  static const auto columns = [] {
    std::vector<Lines> result(4);
    for (const auto& row : expected().at("lines")) {
      for (size_t c = 0; c < result.size(); ++c) result[c].push_back(row.at(c));
    }
    return result;
  }();
  return columns.at(number);
}

References references(size_t count) { return count == 1 ? References{column(1)} : References{column(1), column(2)}; }

size_t block_size() { return expected().at("block").get<size_t>(); }

/// crc32 of each block of lines, every line with a line feed.
std::vector<uint32_t> checksums(const Lines& lines) {
  std::vector<uint32_t> result(lines.size() / block_size());
  for (size_t i = 0; i < lines.size(); ++i) {
    auto& sum = result[i / block_size()];
    sum = files::crc32(lines[i] + "\n", sum);
  }
  return result;
}

template <typename Tokenize>
Lines tokenized(const Tokenize& tokenize) {
  Lines result;
  for (const std::string& line : column(0)) result.push_back(join_words(split_words(tokenize(strip_right(line)))));
  return result;
}

/// The blocks' scores, and the means of their sentences' scores.
void expect_same_parts(const CountTable& table, const evaluation::Metric& of_blocks,
                       const evaluation::Metric& of_sentences, const json& entry) {
  const auto block_score = of_blocks.scorer().exact, sentence_score = of_sentences.scorer().exact;
  for (size_t first = 0; first < table.segments(); first += block_size()) {
    const auto rows = std::span(table.values).subspan(first * table.width, block_size() * table.width);
    double sentences = 0;
    for (size_t i = 0; i < block_size(); ++i) sentences += sentence_score(rows.subspan(i * table.width, table.width));
    const CountTable block{table.width, {rows.begin(), rows.end()}};
    const size_t number = first / block_size();
    EXPECT_NEAR(block_score(block.sums()), entry.at("blocks").at(number).get<double>(), kTolerance) << number;
    EXPECT_NEAR(sentences / static_cast<double>(block_size()), entry.at("sentences").at(number).get<double>(),
                kTolerance)
        << number;
  }
}

/// An entry without its long lists, to say which one failed.
std::string name_of(json entry) {
  entry.erase("blocks");
  entry.erase("sentences");
  return entry.dump();
}

template <typename Options>
void expect_same_scores(const std::string& metric_name, const Options& options_of) {
  ASSERT_GT(expected().at(metric_name).size(), 20U);
  for (const json& entry : expected().at(metric_name)) {
    SCOPED_TRACE(name_of(entry));
    const auto metric = evaluation::make_metric(options_of(entry));
    const CountTable table = metric->count(column(0), references(entry.at("references")), 2);
    EXPECT_NEAR(metric->scorer().exact(table.sums()), entry.at("score").get<double>(), kTolerance);
    expect_same_parts(table, *metric, *metric, entry);
  }
}

TEST(Parity, TheTokensAreTheSame) {
  for (const auto& [name, sums] : expected().at("tokens").items()) {
    const BleuOptions options = bleu_options(name, "exp", false);
    const auto tokens = tokenized([&](std::string_view line) {
      if (options.tokenization != Tokenization::kSpm) return tokenize(options.tokenization, line);
      std::string text;
      for (const std::string& piece : options.pieces->encode(line)) text += piece + " ";
      return text;
    });
    EXPECT_EQ(checksums(tokens), sums.get<std::vector<uint32_t>>()) << name;
  }
}

TEST(Parity, TheTokensOfTercomAreTheSame) {
  ASSERT_EQ(expected().at("tercom").size(), 16U);
  for (const json& entry : expected().at("tercom")) {
    const auto tokens = tokenized([&](std::string_view line) { return tokenize_tercom(line, ter_options(entry)); });
    EXPECT_EQ(checksums(tokens), entry.at("blocks").get<std::vector<uint32_t>>()) << name_of(entry);
  }
}

TEST(Parity, TheLowerCaseIsTheSame) {
  Lines lowered;
  for (const std::string& line : column(0)) lowered.push_back(to_lower(strip_right(line)));
  EXPECT_EQ(checksums(lowered), expected().at("lowered").get<std::vector<uint32_t>>());
}

/// A row of BLEU's counts.
BleuStatistics bleu_counts(const std::vector<double>& sums) {
  BleuStatistics statistics;
  const auto whole = [&](size_t i) { return static_cast<int64_t>(sums.at(i)); };
  statistics.hyp_length = whole(0);
  statistics.ref_length = whole(1);
  for (size_t n = 0; n < kBleuOrder; ++n) {
    statistics.matched[n] = whole(2 + n);
    statistics.total[n] = whole(2 + kBleuOrder + n);
  }
  return statistics;
}

TEST(Parity, BleuIsTheSameWithEveryTokenizationSmoothingAndCase) {
  ASSERT_GE(expected().at("bleu").size(), 96U);
  for (const json& entry : expected().at("bleu")) {
    SCOPED_TRACE(name_of(entry));
    BleuOptions options = bleu_options(entry.at("tokenize"), entry.at("smoothing"), entry.at("lowercase"));
    if (!entry.at("value").is_null()) options.smooth_value = entry.at("value").get<double>();
    const auto metric = evaluation::make_metric(options);
    const CountTable table = metric->count(column(0), references(entry.at("references")), 2);
    const BleuScore found = bleu_score(bleu_counts(table.sums()), options);
    EXPECT_NEAR(found.score, entry.at("score").get<double>(), kTolerance);
    EXPECT_NEAR(found.brevity_penalty, entry.at("brevity_penalty").get<double>(), kTolerance);
    EXPECT_EQ(found.hyp_length, entry.at("hyp_length").get<int64_t>());
    EXPECT_EQ(found.ref_length, entry.at("ref_length").get<int64_t>());
    for (size_t n = 0; n < kBleuOrder; ++n) {
      EXPECT_NEAR(found.precisions[n], entry.at("precisions")[n].get<double>(), kTolerance) << "order " << n + 1;
    }
    options.effective_order = true;
    expect_same_parts(table, *metric, *evaluation::make_metric(options), entry);
  }
}

TEST(Parity, ChrfIsTheSame) { expect_same_scores("chrf", chrf_options); }

TEST(Parity, TerIsTheSameWithEveryNormalisation) { expect_same_scores("ter", ter_options); }

TEST(Parity, ConfidenceAndPairedTestsAreTheSame) {
  ASSERT_EQ(expected().at("significance").size(), 3U);
  for (const json& entry : expected().at("significance")) {
    const auto lines = entry.at("lines").get<std::ptrdiff_t>();
    const auto cut = [lines](const Lines& all) { return Lines(all.begin(), all.begin() + lines); };
    References kept;
    for (const Lines& reference : references(entry.at("references"))) kept.push_back(cut(reference));
    std::vector<Lines> systems{cut(column(0)), cut(column(3)), cut(column(2))};
    systems.resize(entry.at("paired").at(0).at("systems").size());
    expect_same_significance(systems, kept, entry);
  }
}

TEST(Parity, RandomizedCountsStayWholeUnderAddK) {
  BleuOptions options = bleu_options("13a", "add-k", false);
  options.smooth_value = 0.5;
  const auto metric = evaluation::make_metric(options);
  const json& entry = expected().at("add_k").at(0);
  const auto found =
      paired_randomization({metric->count(column(0), references(1), 2), metric->count(column(3), references(1), 2)},
                           metric->scorer(), {entry.at("samples"), 12345, 2});
  EXPECT_NEAR(found[1].p_value, entry.at("systems").at(1).at("p_value").get<double>(), kTolerance);
}

}  // namespace
}  // namespace ventris::metrics
