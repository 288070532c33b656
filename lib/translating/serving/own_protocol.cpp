#include "serving/own_protocol.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "filters/output.h"

namespace ventris::serving {
namespace {

using nlohmann::ordered_json;

const std::vector<std::string>& known_parameters() {
  static const std::vector<std::string> kKnown{"text",         "source",  "target",    "markup",      "split_sentences",
                                               "placeholders", "n_best",  "alignment", "word_scores", "constraints",
                                               "forbidden",    "context", "api_key"};
  return kKnown;
}

[[noreturn]] void refuse_own(const std::string& why) { throw RequestError(400, "Invalid request: " + why); }

/// Only the names of what is built in: a file of patterns would be one of the server.
std::string placeholders_of(const std::string& names) {
  constexpr std::array<const char*, 5> kAllowed{"", "builtin", "numbers", "builtin,numbers", "numbers,builtin"};
  if (std::ranges::find(kAllowed, names) == kAllowed.end()) {
    refuse_own("placeholders parameter must be builtin, numbers, or both separated by a comma");
  }
  return names;
}

void check_together(const TranslationRequest& request) {
  const bool places = request.kind.markup != markup::Markup::kNone || !request.kind.placeholders.empty();
  if (places && request.candidates > 1) {
    refuse_own(
        "n_best parameter must be 1 with placeholders and markup, because only the best candidate gets them back");
  }
  if (places && request.alignment) {
    refuse_own("alignment parameter cannot be combined with placeholders and markup, which belong to no token");
  }
  if (!request.phrases.empty() && (request.kind.split || request.kind.markup != markup::Markup::kNone)) {
    refuse_own(
        "constraints and forbidden parameters cannot be combined with split_sentences and markup, because a phrase "
        "belongs to one sentence");
  }
}

filters::OutputOptions options_of(const TranslationRequest& request, bool terms) {
  filters::OutputOptions options;
  options.format = filters::OutputFormat::kJsonl;
  options.word_scores = request.word_scores;
  options.alignment = request.alignment;
  options.n_best = request.candidates > 1;
  options.segments = request.kind.split;
  options.unmet = terms || !request.phrases.empty();
  return options;
}

/// The best answer, with the candidates of all.
documents::Answer together(const std::vector<documents::Answer>& candidates) {
  documents::Answer answer = candidates.front();
  for (size_t i = 1; i < candidates.size(); ++i) {
    answer.translation.candidates.push_back(candidates[i].translation.candidates.front());
  }
  return answer;
}

}  // namespace

TranslationRequest parse_own_request(const Arguments& arguments, const ServeLimits& limits) {
  arguments.expect_only(known_parameters());
  TranslationRequest request;
  request.texts = arguments.required_texts("text", request.several);
  request.source = arguments.text("source", "auto");
  request.target = arguments.required_text("target");
  request.phrases = {arguments.texts("constraints"), arguments.texts("forbidden")};
  request.context = arguments.texts("context");
  request.needs_context = !request.context.empty();
  request.kind.markup = markup_of(arguments.text("markup", "none"));
  request.kind.placeholders = placeholders_of(arguments.text("placeholders"));
  request.kind.split = arguments.flag("split_sentences", request.phrases.empty());
  request.candidates = arguments.number("n_best", 1);
  if (request.candidates < 1 || request.candidates > limits.alternatives + 1) {
    refuse_own("n_best parameter must be from 1 to " + std::to_string(limits.alternatives + 1));
  }
  request.alignment = arguments.flag("alignment", false);
  request.word_scores = arguments.flag("word_scores", false);
  check_together(request);
  const bool places = request.kind.markup != markup::Markup::kNone || !request.kind.placeholders.empty();
  request.kind.search = {.scores = true, .many = request.candidates > 1, .links = places || request.alignment};
  check(request, limits);
  return request;
}

ordered_json own_answer(const TranslationRequest& request, const WorkResult& result, const std::vector<Step>& steps,
                        bool terms) {
  const filters::OutputOptions options = options_of(request, terms);
  ordered_json answer{{"source", steps.front().source_code}, {"target", steps.back().target_code}};
  if (request.detected) answer["confidence"] = static_cast<double>(request.detected->confidence);
  if (steps.size() > 1) answer["via"] = steps.front().target_code;
  answer["translations"] = ordered_json::array();
  int64_t number = 0;
  for (const auto& candidates : result.answers) {
    answer["translations"].push_back(
        ordered_json::parse(filters::format_answer(together(candidates), options, number++)));
  }
  return answer;
}

}  // namespace ventris::serving
