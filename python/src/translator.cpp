#include "translator.h"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/json_reader.h"
#include "core/process.h"
#include "interruptible.h"
#include "text.h"
#include "text/line_reader.h"
#include "text/utf8.h"
#include "translation/scorer_loader.h"

namespace ventris::python {

namespace nb = nanobind;
using filters::TranslateSettings;
using nlohmann::json;
using translation::Candidate;
using translation::Request;
using translation::Translation;

OpenTranslator::OpenTranslator(const std::string& settings)
    : given_(core::parse_json(settings, "settings")), opened_(filters::open_translation(given_)) {
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

/// Throws ConfigError for a setting that another model, or another way to run it, would be needed for: all that is not
/// in TranslatorOptions.
TranslateSettings OpenTranslator::changed(const std::string& changes) const {
  json merged = given_;
  merged.update(core::parse_json(changes, "settings"));
  const TranslateSettings wanted = TranslateSettings::parse(merged, opened_.package.config.decoding);
  TranslateSettings as_opened = wanted;
  as_opened.translator = opened_.settings.translator;
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

std::shared_ptr<const translation::Translator> OpenTranslator::variant(const TranslateSettings& settings) {
  const std::string key = settings.to_json().dump();
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(variants_, key, &Variant::settings);
  if (found != variants_.end()) {
    variants_.splice(variants_.begin(), variants_, found);
  } else {
    variants_.push_front(
        {key, std::make_shared<const translation::Translator>(opened_.package, scorers_, settings.translator)});
    if (variants_.size() > kMostVariants) variants_.pop_back();
  }
  return variants_.front().translator;
}

std::vector<Translation> OpenTranslator::translate(std::vector<Request> requests, const std::string& changes,
                                                   uint64_t first) {
  const auto translator = variant(changes == "{}" ? opened_.settings : changed(changes));
  std::vector<Translation> results;
  results.reserve(requests.size());
  size_t next = 0;
  translator->run(
      [&](Request& request) {
        if (next == requests.size()) return false;
        request = std::move(requests[next++]);
        return true;
      },
      [] { return true; }, [&](const Translation& translation) { results.push_back(translation); }, {}, first);
  return results;
}

std::string OpenTranslator::settings(const std::string& changes) const { return changed(changes).to_json().dump(); }

namespace {

/// A line as the programs have it: at most 1 MiB, in which line ends are spaces. Returns whether it was cut.
bool as_line(std::string& text) {
  const size_t kept = text::cut_utf8(text, text::LineReaderOptions().max_bytes).size();
  const bool cut = kept < text.size();
  text.resize(kept);
  text::remove_line_ends(text);
  return cut;
}

/// Requests, and for each whether its line was longer than a line may be.
struct Lines {
  Lines(const nb::list& lines, const nb::list& prefixes) : requests(lines.size()) {
    for (size_t i = 0; i < lines.size(); ++i) {
      requests[i].text = to_utf8(lines[i]);
      cut.push_back(as_line(requests[i].text));
      if (prefixes.empty()) continue;
      requests[i].prefix = to_utf8(prefixes[i]);
      as_line(requests[i].prefix);
    }
  }

  std::vector<Request> requests;
  std::vector<bool> cut;
};

/// The arguments of ventris.Candidate.
nb::tuple to_tuple(const Candidate& candidate) {
  nb::list token_log_probs, links;
  for (const float value : candidate.token_log_probs) token_log_probs.append(value);
  for (const translation::Link& link : candidate.links) links.append(nb::make_tuple(link.source, link.target));
  const nb::object utility = candidate.utility ? nb::cast(*candidate.utility) : nb::none();
  return nb::make_tuple(to_str(candidate.text), candidate.score, candidate.log_prob, to_list(candidate.pieces),
                        token_log_probs, links, utility, candidate.truncated, candidate.repetitive);
}

nb::list translate(OpenTranslator& translator, const nb::list& lines, const nb::list& prefixes,
                   const std::string& changes, uint64_t first) {
  Lines given(lines, prefixes);
  const auto found = interruptible([&] { return translator.translate(std::move(given.requests), changes, first); });
  nb::list results;
  for (size_t i = 0; i < found.size(); ++i) {
    nb::list candidates;
    for (const Candidate& candidate : found[i].candidates) candidates.append(to_tuple(candidate));
    results.append(nb::make_tuple(candidates, found[i].source_cut || given.cut[i], found[i].seconds));
  }
  return results;
}

nb::list translate_texts(OpenTranslator& translator, const nb::list& lines, const nb::list& prefixes,
                         const std::string& changes, uint64_t first) {
  Lines given(lines, prefixes);
  const auto found = interruptible([&] { return translator.translate(std::move(given.requests), changes, first); });
  nb::list texts;
  for (const Translation& translation : found) texts.append(to_str(translation.text()));
  return texts;
}

}  // namespace

void bind_translator(nb::module_& module) {
  nb::class_<OpenTranslator>(module, "OpenTranslator")
      .def(
          "__init__",
          [](OpenTranslator* self, const std::string& settings) {
            interruptible([&] {
              new (self) OpenTranslator(settings);
              return true;
            });
          },
          nb::arg("settings"))
      .def("translate", &translate, nb::arg("lines"), nb::arg("prefixes"), nb::arg("changes"), nb::arg("first"))
      .def("translate_texts", &translate_texts, nb::arg("lines"), nb::arg("prefixes"), nb::arg("changes"),
           nb::arg("first"))
      .def("settings", &OpenTranslator::settings, nb::arg("changes"));
}

}  // namespace ventris::python
