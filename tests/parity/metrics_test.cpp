// Our metrics against sacreBLEU's, which make_metrics_expected.py wrote to metrics_expected.json.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "metrics/bleu.h"
#include "metrics/chrf.h"
#include "metrics/unicode.h"

namespace ventris::metrics {
namespace {

using nlohmann::json;
using Lines = std::vector<std::string>;

constexpr double kTolerance = 1e-9;

const json& expected() {
  static const json file = [] {
    std::ifstream stream(VENTRIS_SOURCE "/tests/parity/metrics_expected.json");
    return json::parse(stream);
  }();
  return file;
}

const Lines& hypotheses() {
  static const Lines lines = expected().at("hypotheses");
  return lines;
}

/// The first so many references of every line.
std::vector<Lines> references(const json& entry) {
  std::vector<Lines> columns = expected().at("references");
  columns.resize(entry.at("references").get<size_t>());
  return columns;
}

Lines references_of(const std::vector<Lines>& columns, size_t line) {
  Lines result;
  for (const Lines& column : columns) result.push_back(column[line]);
  return result;
}

template <typename E>
E choice(const Lines& names, const std::string& name) {
  return static_cast<E>(std::find(names.begin(), names.end(), name) - names.begin());
}

BleuOptions bleu_options(const json& entry) {
  BleuOptions options;
  options.tokenization = choice<Tokenization>(tokenization_names(), entry.at("tokenize"));
  options.smoothing = choice<Smoothing>(smoothing_names(), entry.at("smoothing"));
  if (!entry.at("value").is_null()) options.smooth_value = entry.at("value").get<double>();
  options.lowercase = entry.at("lowercase");
  return options;
}

ChrfOptions chrf_options(const json& entry) {
  ChrfOptions options;
  options.char_order = entry.value("char_order", options.char_order);
  options.word_order = entry.value("word_order", options.word_order);
  options.beta = entry.value("beta", options.beta);
  options.lowercase = entry.value("lowercase", options.lowercase);
  options.whitespace = entry.value("whitespace", options.whitespace);
  options.eps_smoothing = entry.value("eps_smoothing", options.eps_smoothing);
  return options;
}

/// An entry without its long list, to say which one failed.
std::string name_of(json entry) {
  entry.erase("sentences");
  return entry.dump();
}

/// Calls each(entry) for the entries of "bleu" or "chrf" that have this key.
template <typename Each>
void for_each_entry(const std::string& metric, const std::string& key, const Each& each) {
  size_t entries = 0;
  for (const json& entry : expected().at(metric)) {
    if (!entry.contains(key)) continue;
    SCOPED_TRACE(name_of(entry));
    each(entry);
    ++entries;
  }
  EXPECT_GT(entries, 7U);
}

TEST(Parity, TheTokens13aAreTheSame) {
  const auto& tokenized = expected().at("tokenized");
  for (size_t i = 0; i < hypotheses().size(); ++i) {
    const std::string text = tokenize(Tokenization::k13a, hypotheses()[i]);
    std::string joined;
    for (const auto word : split_words(text)) joined.append(joined.empty() ? "" : " ").append(word);
    EXPECT_EQ(joined, tokenized[i].get<std::string>()) << "line " << i;
  }
}

TEST(Parity, TheLowerCaseIsTheSame) {
  const Lines lines = expected().at("references")[1], lowered = expected().at("lowered");
  for (size_t i = 0; i < lines.size(); ++i) EXPECT_EQ(to_lower(lines[i]), lowered[i]) << "line " << i;
}

TEST(Parity, BleuOfTheWholeTextIsTheSame) {
  for_each_entry("bleu", "score", [](const json& entry) {
    const BleuScore found = corpus_bleu(hypotheses(), references(entry), bleu_options(entry));
    EXPECT_NEAR(found.score, entry.at("score").get<double>(), kTolerance);
    EXPECT_NEAR(found.brevity_penalty, entry.at("brevity_penalty").get<double>(), kTolerance);
    EXPECT_EQ(found.hyp_length, entry.at("hyp_length").get<int64_t>());
    EXPECT_EQ(found.ref_length, entry.at("ref_length").get<int64_t>());
    for (size_t n = 0; n < kBleuOrder; ++n) {
      EXPECT_NEAR(found.precisions[n], entry.at("precisions")[n].get<double>(), kTolerance) << "order " << n + 1;
    }
  });
}

TEST(Parity, BleuOfShortTextsIsTheSame) {
  for_each_entry("bleu", "slices", [](const json& entry) {
    const auto statistics = bleu_statistics(hypotheses(), references(entry), bleu_options(entry));
    for (size_t s = 0; s < expected().at("slices").size(); ++s) {
      const auto ends = expected().at("slices")[s].get<std::pair<size_t, size_t>>();
      BleuStatistics sum;
      for (size_t i = ends.first; i < ends.second; ++i) sum += statistics[i];
      EXPECT_NEAR(bleu_score(sum, bleu_options(entry)).score, entry.at("slices")[s].get<double>(), kTolerance) << s;
    }
  });
}

TEST(Parity, BleuOfEverySentenceIsTheSame) {
  for_each_entry("bleu", "sentences", [](const json& entry) {
    const auto columns = references(entry);
    for (size_t i = 0; i < hypotheses().size(); ++i) {
      const BleuScore found = sentence_bleu(hypotheses()[i], references_of(columns, i), bleu_options(entry));
      EXPECT_NEAR(found.score, entry.at("sentences")[i].get<double>(), kTolerance) << "line " << i;
    }
  });
}

TEST(Parity, ChrfOfTheWholeTextIsTheSame) {
  for_each_entry("chrf", "score", [](const json& entry) {
    const double found = corpus_chrf(hypotheses(), references(entry), chrf_options(entry)).score;
    EXPECT_NEAR(found, entry.at("score").get<double>(), kTolerance);
  });
}

TEST(Parity, ChrfOfEverySentenceIsTheSame) {
  for_each_entry("chrf", "sentences", [](const json& entry) {
    const auto columns = references(entry);
    for (size_t i = 0; i < hypotheses().size(); ++i) {
      const double found = sentence_chrf(hypotheses()[i], references_of(columns, i), chrf_options(entry)).score;
      EXPECT_NEAR(found, entry.at("sentences")[i].get<double>(), kTolerance) << "line " << i;
    }
  });
}

}  // namespace
}  // namespace ventris::metrics
