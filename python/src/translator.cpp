#include "translator.h"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/process.h"
#include "filters/finished_input.h"
#include "interruptible.h"
#include "markup/markup.h"
#include "settings.h"
#include "text.h"
#include "text/line_reader.h"
#include "text/valid_utf8.h"
#include "translation/scorer_loader.h"

namespace ventris::python {

namespace nb = nanobind;
using documents::Answer;
using filters::TranslateSettings;
using filters::TranslationReport;
using nlohmann::json;
using translation::Candidate;
using translation::Request;

OpenTranslator::OpenTranslator(const std::string& settings)
    : given_(read_settings(settings)), opened_(filters::open_translation(given_)) {
  try {
    scorers_ = opened_.load();
  } catch (const translation::NoBackendError& error) {
    fail<ConfigError>(opened_.package.path, ": the Python package contains no LibTorch: ", error.what(),
                      ". The Python package torch is not enough: VENTRIS_BACKEND must name libventris_backend.so of a ",
                      "build of Ventris ", core::version(), " with LibTorch. ventris-translate can run this model");
  }
  opened_.load = {};
  variant(opened_.settings);  // finds mistakes before the first call
}

OpenTranslator::Pipeline::Pipeline(const model::Package& package,
                                   const std::shared_ptr<const decoding::ScorerFactory>& scorers,
                                   const TranslateSettings& settings)
    : translator(package, scorers, filters::options_of(settings)), documents(translator, settings.document) {}

/// Throws ConfigError for a setting that another model, or another way to run it, would be needed for.
TranslateSettings OpenTranslator::changed(const std::string& changes, bool with_phrases) const {
  json merged = given_;
  merged.update(read_settings(changes));
  if (with_phrases) merged.update({{"constraints", true}, {"input_format", "jsonl"}});  // as JSON lines have them
  const TranslateSettings wanted = TranslateSettings::parse(merged, opened_.package.config.decoding);
  TranslateSettings as_opened = wanted;
  as_opened.translator = opened_.settings.translator;
  as_opened.document = opened_.settings.document;
  as_opened.terms = opened_.settings.terms;
  as_opened.constraints = opened_.settings.constraints;
  as_opened.input_format = opened_.settings.input_format;
  as_opened.written = opened_.settings.written;
  const json before = opened_.settings.to_json(), now = as_opened.to_json();
  for (const auto& [key, value] : now.items()) {
    if (value != before.at(key)) {
      fail<ConfigError>(key, ": decides how the model is opened, and so cannot change from call to call; give it to ",
                        "Translator(), and make a second Translator for another value");
    }
  }
  return wanted;
}

std::shared_ptr<const OpenTranslator::Pipeline> OpenTranslator::variant(const TranslateSettings& settings) {
  if (markup::is_package(settings.document.markup)) {
    fail<ConfigError>(
        "markup: DOCX, ODT and EPUB are zip files, which are no str; translate the file with ventris-translate");
  }
  const json key = settings.to_json();
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(variants_, key, &Variant::settings);
  if (found != variants_.end()) {
    variants_.splice(variants_.begin(), variants_, found);
  } else {
    variants_.push_front({key, std::make_shared<const Pipeline>(opened_.package, scorers_, settings)});
    if (variants_.size() > kMostVariants) variants_.pop_back();
  }
  return variants_.front().pipeline;
}

namespace {

/// A line as the programs have it: without a line end, of at most `longest` bytes. Line ends inside are spaces, unless
/// they are kept, as line feeds. Returns whether it was cut.
bool as_line(std::string& text, size_t longest, bool keeps_lines) {
  if (text.ends_with('\n')) text.erase(text.size() - (text.ends_with("\r\n") ? 2 : 1));
  const size_t kept = text::cut_utf8(text, longest).size();
  const bool cut = kept < text.size();
  text.resize(kept);
  if (keeps_lines) {
    text = text::with_line_feeds(text);
  } else {
    text::remove_line_ends(text);
  }
  return cut;
}

void check_prefixes(const documents::DocumentOptions& options) {
  if (options.split_sentences) {
    fail<ConfigError>("prefixes: cannot be combined with split_sentences, because a prefix belongs to one sentence");
  }
  if (options.places()) {
    fail<ConfigError>(
        "prefixes: cannot be combined with placeholders and markup, because a prefix has no links to the source");
  }
}

/// Texts as the requests for them, one after the other.
class Requests {
 public:
  Requests(Texts texts, const TranslateSettings& settings)
      : texts_(std::move(texts)),
        documents_(settings.document.markup != markup::Markup::kNone),
        keeps_bytes_(markup::keeps_bytes(settings.document.markup)),
        keeps_lines_(settings.document.split_sentences),
        longest_(filters::longest_text(settings)),
        cut_(texts_.texts.size()) {
    for (size_t i = 0; i < texts_.texts.size(); ++i) prepare(i);
    for (std::string& prefix : texts_.prefixes) as_line(prefix, longest_, /*keeps_lines=*/false);
    for (auto* lists : {&texts_.required, &texts_.forbidden}) {
      for (std::vector<std::string>& phrases : *lists) std::ranges::for_each(phrases, text::remove_line_ends);
    }
  }

  bool next(Request& request) {
    if (next_ == texts_.texts.size()) return false;
    request.text = std::move(texts_.texts[next_]);
    if (!texts_.prefixes.empty()) request.prefix = std::move(texts_.prefixes[next_]);
    if (!texts_.required.empty()) request.phrases.required = std::move(texts_.required[next_]);
    if (!texts_.forbidden.empty()) request.phrases.forbidden = std::move(texts_.forbidden[next_]);
    ++next_;
    return true;
  }

  /// How many were asked for.
  size_t count() const { return next_; }
  /// Whether a text was longer than a line may be.
  bool was_cut(size_t number) const { return cut_[number]; }

 private:
  void prepare(size_t number) {
    std::string& text = texts_.texts[number];
    if (!documents_) {
      cut_[number] = as_line(text, longest_, keeps_lines_);
    } else if (text.size() <= markup::kLongestDocument) {
      if (!keeps_bytes_) text = text::with_line_feeds(text);
    } else {
      fail<DataError>("text ", number + 1, ": over ", markup::kLongestDocument >> 20, " MiB; split the document");
    }
  }

  Texts texts_;
  bool documents_, keeps_bytes_, keeps_lines_;
  size_t longest_;  // text in bytes
  std::vector<bool> cut_;
  size_t next_ = 0;
};

}  // namespace

std::vector<Answer> OpenTranslator::translate(Texts texts, const std::string& changes, TranslationReport& report) {
  const bool as_opened = changes == "{}" && !texts.with_phrases();
  const TranslateSettings settings = as_opened ? opened_.settings : changed(changes, texts.with_phrases());
  if (!texts.prefixes.empty()) check_prefixes(settings.document);
  const auto pipeline = variant(settings);
  Requests requests(std::move(texts), settings);
  std::vector<Answer> answers;
  const int64_t before = report.texts();
  const auto take = [&](const Answer& answer) {
    answers.push_back(answer);
    bool& cut = answers.back().translation.source_cut;
    cut = cut || requests.was_cut(answers.size() - 1);
    report.add(answers.back(), report.texts());
  };
  try {
    const translation::TranslationCounts counts = pipeline->documents.run(
        [&](Request& request) { return requests.next(request); }, [] { return true; }, take, {}, report.requests());
    report.set_workspace_tokens(counts.workspace_tokens);
  } catch (const markup::MarkupError& error) {
    fail<DataError>("text ", before + static_cast<int64_t>(requests.count()), ": ", error.what());
  } catch (const documents::SlowExpression& error) {
    fail<DataError>("text ", before + static_cast<int64_t>(requests.count()), ": ", error.what());
  }
  return answers;
}

std::string OpenTranslator::settings(const std::string& changes) const {
  return write_settings(changed(changes).to_json());
}

namespace {

std::vector<std::vector<std::string>> phrases_of(const nb::list& lists) {
  std::vector<std::vector<std::string>> all;
  for (const nb::handle list : lists) all.push_back(all_to_utf8(list));
  return all;
}

/// Throws DataError for a list that has neither one item for each text nor none.
void check_count(const char* name, size_t found, size_t texts) {
  if (found == 0 || found == texts) return;
  fail<DataError>(name, ": expected one for each text (", texts, "), or none, got ", found);
}

Texts make_texts(const nb::list& texts, const nb::list& prefixes, const nb::list& required, const nb::list& forbidden) {
  Texts all{all_to_utf8(texts), all_to_utf8(prefixes), phrases_of(required), phrases_of(forbidden)};
  check_count("prefixes", all.prefixes.size(), all.texts.size());
  check_count("required", all.required.size(), all.texts.size());
  check_count("forbidden", all.forbidden.size(), all.texts.size());
  return all;
}

/// The arguments of ventris.Candidate.
nb::tuple to_tuple(const Candidate& candidate) {
  nb::list token_log_probs, links, unmet;
  for (const float value : candidate.token_log_probs) token_log_probs.append(value);
  for (const translation::Link& link : candidate.links) links.append(nb::make_tuple(link.source, link.target));
  for (const phrases::Unmet& phrase : candidate.unmet) {
    unmet.append(nb::make_tuple(to_str(phrase.phrase), phrases::name_of(phrase.why)));
  }
  const nb::object utility = candidate.utility ? nb::cast(*candidate.utility) : nb::none();
  return nb::make_tuple(to_str(candidate.text), candidate.score, candidate.log_prob, to_list(candidate.pieces),
                        token_log_probs, links, utility, candidate.truncated, candidate.repetitive, unmet);
}

/// The arguments of ventris.Translation.
nb::tuple to_tuple(const Answer& answer) {
  nb::list candidates, warnings;
  for (const Candidate& candidate : answer.translation.candidates) candidates.append(to_tuple(candidate));
  for (const documents::Warning warning : documents::warnings_of(answer.findings)) {
    warnings.append(documents::name_of(warning));
  }
  return nb::make_tuple(candidates, answer.translation.source_cut, answer.translation.seconds, warnings,
                        answer.segments);
}

/// What `to_python` makes of each answer. The texts are used up. What other threads may use, too, is touched only with
/// the interpreter's lock.
template <typename ToPython>
nb::list translate(OpenTranslator& translator, Texts& texts, const std::string& changes, TranslationReport& report,
                   const ToPython& to_python) {
  Texts taken = std::exchange(texts, {});
  TranslationReport own = report;
  const auto found = interruptible([&] { return translator.translate(std::move(taken), changes, own); });
  report = std::move(own);
  nb::list results;
  for (const Answer& answer : found) results.append(to_python(answer));
  return results;
}

nb::list translate_texts(OpenTranslator& translator, Texts& texts, const std::string& changes,
                         TranslationReport& report) {
  return translate(translator, texts, changes, report,
                   [](const Answer& answer) { return to_str(answer.translation.text()); });
}

nb::list translate_detailed(OpenTranslator& translator, Texts& texts, const std::string& changes,
                            TranslationReport& report) {
  return translate(translator, texts, changes, report, [](const Answer& answer) { return to_tuple(answer); });
}

}  // namespace

void bind_translator(nb::module_& module) {
  nb::class_<Texts>(module, "Texts")
      .def(
          "__init__",
          [](Texts* self, const nb::list& texts, const nb::list& prefixes, const nb::list& required,
             const nb::list& forbidden) { new (self) Texts(make_texts(texts, prefixes, required, forbidden)); },
          nb::arg("texts"), nb::arg("prefixes"), nb::arg("required"), nb::arg("forbidden"));
  nb::class_<TranslationReport>(module, "Report")
      .def(nb::init<>())
      .def("warnings", [](const TranslationReport& report) { return to_list(report.warnings()); });
  nb::class_<OpenTranslator>(module, "OpenTranslator")
      .def(
          "__init__",
          [](OpenTranslator* self, const std::string& settings) {
            bool made = false;
            try {
              interruptible([&] {
                new (self) OpenTranslator(settings);
                return made = true;
              });
            } catch (...) {  // also of a signal handler, after it was made
              if (made) self->~OpenTranslator();
              throw;
            }
          },
          nb::arg("settings"))
      .def("translate", &translate_detailed, nb::arg("texts"), nb::arg("changes"), nb::arg("report"))
      .def("translate_texts", &translate_texts, nb::arg("texts"), nb::arg("changes"), nb::arg("report"))
      .def("settings", &OpenTranslator::settings, nb::arg("changes"));
}

}  // namespace ventris::python
