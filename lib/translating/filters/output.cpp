#include "filters/output.h"

#include <fmt/format.h>

#include "filters/moses.h"
#include "metrics/unicode.h"

namespace ventris::filters {
namespace {

using nlohmann::ordered_json;

/// The links to the words of as_field(text). If a word of the text became several words, each has the links of that
/// one.
std::vector<translation::Link> links_of_field(const translation::Candidate& candidate) {
  std::vector<int64_t> begins{0};  // of each word of the text, and of the next
  for (const std::string_view word : metrics::split_words(candidate.text)) {
    const auto words = metrics::split_words(as_field(std::string(word))).size();
    begins.push_back(begins.back() + static_cast<int64_t>(words));
  }
  std::vector<translation::Link> links;
  for (const translation::Link& link : candidate.links) {
    const auto word = static_cast<size_t>(link.target);
    for (int64_t part = begins.at(word); part < begins.at(word + 1); ++part) links.push_back({link.source, part});
  }
  return links;
}

/// "text ||| 0-0 1-1 ||| WordScores= ...", with the requested fields.
std::string text_fields(const translation::Candidate& candidate, const OutputOptions& options) {
  std::string fields = candidate.text;
  if (options.alignment || options.word_scores || options.format == OutputFormat::kMoses) fields = as_field(fields);
  if (options.alignment) fields += " ||| " + translation::format_links(links_of_field(candidate));
  if (options.word_scores) fields += " ||| " + format_word_scores(candidate.token_log_probs);
  return fields;
}

std::string moses_lines(const translation::Translation& translation, const OutputOptions& options, int64_t number) {
  std::string lines;
  for (const translation::Candidate& candidate : translation.candidates) {
    const std::string utility = candidate.utility ? fmt::format(" MBR= {:.6f}", *candidate.utility) : "";
    lines += fmt::format("{} ||| {} ||| F0= {:.6f}{} ||| {:.6f}\n", number, text_fields(candidate, options),
                         candidate.log_prob, utility, candidate.score);
  }
  return lines;
}

ordered_json candidate_json(const translation::Candidate& candidate, const OutputOptions& options) {
  ordered_json json{
      {"translation", candidate.text}, {"score", rounded(candidate.score)}, {"log_prob", rounded(candidate.log_prob)}};
  if (options.word_scores) {
    json["pieces"] = candidate.pieces;
    json["token_scores"] = rounded(candidate.token_log_probs);
  }
  if (options.alignment) json["alignment"] = translation::format_links(candidate.links);
  if (candidate.utility) json["utility"] = rounded(*candidate.utility);
  if (options.unmet) {
    json["unmet"] = ordered_json::array();
    for (const phrases::Unmet& unmet : candidate.unmet) {
      json["unmet"].push_back({{"phrase", unmet.phrase}, {"reason", phrases::name_of(unmet.why)}});
    }
  }
  json["truncated"] = candidate.truncated;
  json["repetition"] = candidate.repetitive;
  return json;
}

ordered_json names_of(const documents::Warnings& warnings) {
  ordered_json names = ordered_json::array();
  for (const documents::Warning warning : warnings) names.push_back(documents::name_of(warning));
  return names;
}

ordered_json answer_json(const documents::Answer& answer, const OutputOptions& options) {
  const translation::Translation& translation = answer.translation;
  ordered_json json = candidate_json(translation.candidates.front(), options);
  json["source_cut"] = translation.source_cut;
  if (options.n_best) {
    json["n_best"] = ordered_json::array();
    for (const translation::Candidate& candidate : translation.candidates) {
      json["n_best"].push_back(candidate_json(candidate, options));
    }
  }
  if (options.segments) json["sentences"] = answer.segments;
  json["warnings"] = names_of(documents::warnings_of(answer.findings));
  json["seconds"] = rounded(translation.seconds);
  return json;
}

}  // namespace

std::string format_answer(const documents::Answer& answer, const OutputOptions& options, int64_t number) {
  if (options.format == OutputFormat::kMoses) return moses_lines(answer.translation, options, number);
  if (options.format == OutputFormat::kText) {
    return text_fields(answer.translation.candidates.front(), options) + "\n";
  }
  ordered_json json{{"id", number}};
  json.update(answer_json(answer, options));
  return to_line(json) + "\n";
}

std::string format_answer(const documents::Answer& answer, const OutputOptions& options, int64_t number,
                          const JsonLine& input) {
  if (options.format != OutputFormat::kJsonl) return format_answer(answer, options, number);
  ordered_json json = ordered_json::object();
  if (!input.has_id) json["id"] = number;
  json.update(answer_json(answer, options));
  return input.with(json) + "\n";
}

}  // namespace ventris::filters
