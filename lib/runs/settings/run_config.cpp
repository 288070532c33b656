#include "settings/run_config.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/fields.h"
#include "core/process.h"
#include "data/batch_plan.h"
#include "settings/config_checks.h"
#include "settings/config_fields.h"
#include "settings/resumable.h"
#include "settings/suggestion.h"
#include "text/valid_utf8.h"

namespace ventris::settings {
namespace {

using core::JsonReader;
using nlohmann::json;

/// Ghazvininejad et al. 2019, section 4.1: 10 iterations, 5 lengths.
constexpr int64_t kIterations = 10, kLengthCandidates = 5;

architecture::ArchitecturePtr read_architecture(JsonReader& reader) {
  std::string family = architecture::kDefaultFamily;
  reader.optional("architecture", family);
  JsonReader settings = reader.section("model");
  const auto found = architecture::parse(family, "architecture", settings);
  settings.finish();
  return found;
}

/// Settings that are not given depend on how the model writes.
void choose_decoding(const json& source, RunConfig& config) {
  const architecture::Writing writing = config.model->writing();
  const auto open = [&source](const char* setting) { return !source.contains(json::json_pointer(setting)); };
  if (writing.all_at_once && open("/decoding/beam_size")) config.decoding.beam_size = 1;
  if (writing.refines && open("/decoding/iterations")) config.decoding.iterations = kIterations;
  if (writing.lengths > 0 && open("/decoding/length_candidates")) {
    config.decoding.length_candidates = std::min(kLengthCandidates, writing.lengths);
  }
}

/// Settings are written as JSON, which allows only valid UTF-8.
void check_utf8(const json& source) {
  const json flat = source.flatten();
  for (const auto& [path, value] : flat.items()) {
    if (!value.is_string() || text::is_valid_utf8(value.get<std::string>())) continue;
    std::string key = path.empty() ? path : path.substr(1);  // of a JSON pointer
    std::replace(key.begin(), key.end(), '/', '.');
    fail<ConfigError>(key, ": expected valid UTF-8; rename the file or use a link with another name");
  }
}

/// All settings with their defaults; those of the model are of the family that `source` names, if there is one.
json known_settings(const json& source) {
  json known = RunConfig().to_json();
  const auto named = source.find("architecture");
  const auto families = architecture::family_names();
  if (named != source.end() && named->is_string() && std::ranges::count(families, named->get<std::string>()) > 0) {
    known["model"] = architecture::defaults(named->get<std::string>())->to_json();
  }
  return known;
}

}  // namespace

bool TrainingConfig::has_bf16_arithmetic() const {
  return device != "cpu" || core::instruction_set().find("bf16") != std::string::npos;
}

bool TrainingConfig::uses_bf16() const {
  return precision == Precision::kAuto ? has_bf16_arithmetic() : precision == Precision::kBf16;
}

int64_t most_marks(const RunConfig& config) {
  size_t of_source = 0, of_target = 0, prefix = 0;
  for (const auto& [_, tokens] : config.tokenizer.languages) {
    of_source = std::max(of_source, tokens.source_prefix.size() + tokens.source_suffix.size());
    of_target = std::max(of_target, tokens.to_prefix.size());
    prefix = std::max(prefix, tokens.target_prefix.size());
  }
  if (prefix == 0 && config.data.named_languages().empty()) return 0;
  return static_cast<int64_t>(std::max(of_source + of_target, prefix));
}

int64_t TrainingConfig::best_models_kept() const { return std::max(average_best, keep_best > 1 ? keep_best : 0); }

RunConfig::RunConfig() {
  training.save_every = Period::parse("1000u", "training.save_every");
  training.report_every = Period::parse("100u", "training.report_every");
  validation.every = Period::parse("1000u", "validation.every");
}

RunConfig RunConfig::parse(const json& source, Corpora corpora) {
  check_utf8(source);
  try {
    return parse_known(source, corpora);
  } catch (const core::UnknownSetting& unknown) {
    throw core::UnknownSetting(unknown.path, suggested_setting(unknown.path, known_settings(source)));
  }
}

RunConfig RunConfig::parse_known(const json& source, Corpora corpora) {
  RunConfig config;
  JsonReader reader(source, "");
  core::FieldReader visit(reader);
  sections(visit, config);
  config.model = read_architecture(reader);
  reader.finish();
  set_corpus_kind(config.data, *config.model);
  const std::string& links = config.training.guided_alignment.links;
  if (links != kLearntLinks && links != kLinksOfCorpora) config.data.train_links = links;
  const auto given = [&source](const char* setting) { return source.contains(json::json_pointer(setting)); };
  const bool translates = config.model->translates();
  const bool classifies = config.model->corpus_kind() == architecture::CorpusKind::kLabels;
  if (!translates && !given("/validation/metric")) {
    config.validation.metric = classifies ? Metric::kAccuracy : Metric::kLoss;
  }
  const bool smooths = translates && config.model->smooths_labels();
  if (!smooths && !given("/training/label_smoothing")) config.training.label_smoothing = 0;
  choose_decoding(source, config);
  check(config);
  if (corpora == Corpora::kAreGiven) check_needed_corpora(config);
  return config;
}

json RunConfig::to_json() const {
  core::FieldWriter visit;
  RunConfig copy = *this;
  sections(visit, copy);
  visit.out["architecture"] = model->family();
  visit.out["model"] = model->to_json();
  return visit.out;
}

int64_t RunConfig::longest_side() const {
  const int64_t wanted = data.filter.max_length;
  const auto fits = [this](int64_t tokens) {  // with eos
    return data::counted_tokens(tokens + 1, training.length_cost) <= static_cast<double>(training.batch_tokens);
  };
  int64_t least = 0, most = wanted;
  while (least < most) {
    const int64_t middle = least + (most - least + 1) / 2;
    if (fits(middle)) {
      least = middle;
    } else {
      most = middle - 1;
    }
  }
  return least;
}

std::vector<core::SettingsSection> RunConfig::describe() {
  core::FieldList list;
  list.add({"architecture", "Family of the model. The section `model` has its settings."}, "text",
           architecture::kDefaultFamily)
      .choices = architecture::family_names();
  for (const std::string& family : architecture::family_names()) {
    list.sections.push_back(
        {"model", "Settings of the family `" + family + "`.", architecture::defaults(family)->describe()});
  }
  RunConfig config;
  sections(list, config);
  const auto is_data = [](const core::SettingsSection& section) { return section.title == "data"; };
  const std::vector entries{describe_corpus(), describe_further_corpus(), describe_modifier()};
  list.sections.insert(std::ranges::find_if(list.sections, is_data) + 1, entries.begin(), entries.end());
  for (core::SettingsSection& section : list.sections) {
    for (core::SettingDescription& setting : section.settings) setting.on_resume = name_of(on_resume(setting.path));
  }
  return std::move(list.sections);
}

void check_epochs(const RunConfig& config) {
  const TrainingConfig& training = config.training;
  for (const auto& [setting, period] : {std::pair{"training.after", training.after},
                                        {"training.save_every", training.save_every},
                                        {"training.report_every", training.report_every},
                                        {"validation.every", config.validation.every}}) {
    if (!period.splits_epochs()) continue;
    fail<ConfigError>(setting, ": expected whole epochs, got '", period.text(),
                      "'; give updates (u) or target tokens (t)");
  }
}

std::string name_of(Metric metric) { return std::string(metrics::facts_of(metric).name); }

std::string name_of(BleuTokenize tokenize) { return core::name_of(tokenize, kBleuTokenize); }

}  // namespace ventris::settings
