#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "alignment/corpus_links.h"
#include "core/error.h"
#include "core/log.h"
#include "data/change_examples.h"
#include "data/corpus_forms.h"
#include "files/files.h"
#include "inspection/corpus_report.h"
#include "inspection/corpus_statistics.h"
#include "model/inspection.h"
#include "model/inspection_text.h"
#include "model/package.h"
#include "model/reseal.h"
#include "settings/settings_file.h"
#include "support/choices.h"
#include "support/run.h"

namespace {

using namespace ventris;
using nlohmann::ordered_json;
using Paths = std::vector<std::string>;

struct Flags {
  std::string path;
  std::string format = "text";
  bool tensors = false, reseal = false;
  Paths corpus, overlap, tokenizers;
  std::string tsv, modifiers;
  int threads = 1;
};

void print(const std::string& text) {
  files::OutputFile output("-");
  output.write(text);
  output.commit();
}

std::string dump(const ordered_json& report) {
  return report.dump(2, ' ', false, ordered_json::error_handler_t::replace) + '\n';
}

void inspect_model(const Flags& flags) {
  ordered_json report = model::inspect(flags.path);
  if (!flags.tensors && flags.format == "json") report.erase("tensors");
  print(flags.format == "json" ? dump(report) : model::to_text(report, flags.tensors));
  if (report.contains("problem")) fail<ModelError>(report["problem"].get<std::string>());
}

/// Accepts a bundle whose files were edited.
void reseal_model(const Flags& flags) {
  if (flags.tensors || flags.format != "text") {
    fail<ConfigError>("--reseal: describes nothing, so --tensors and --format have no effect; leave them out");
  }
  const auto edits = model::reseal(flags.path);
  for (const model::Edit& edit : edits) {
    core::log_info(
        fmt::format("{}: {}: changed: had {} bytes, has {}", flags.path, edit.file, edit.old_size, edit.new_size));
  }
  core::log_info(flags.path + (edits.empty() ? ": nothing has changed; nothing is written"
                                             : ": the new MANIFEST has the checksums of these files"));
}

inspection::CorpusPaths in_files(const Paths& paths) { return {paths[0], paths.size() > 1 ? paths[1] : ""}; }

/// Takes the tokenizers of the model, or reads them from files: one for both sides, or one for each.
void take_tokenizers(const Flags& flags, inspection::SurveyOptions& options) {
  if (!flags.path.empty() && !flags.tokenizers.empty()) {
    fail<ConfigError>("--tokenizer: cannot be used with -m, because the model has its own tokenizers; give only one");
  }
  if (!flags.path.empty()) {
    const model::Package package = model::read_package(flags.path);
    options.source_tokenizer.emplace(package.source_spm, flags.path + ": source.spm");
    options.target_tokenizer.emplace(package.target_spm, flags.path + ": target.spm");
  } else if (!flags.tokenizers.empty()) {
    options.source_tokenizer = text::Tokenizer::from_file(flags.tokenizers.front());
    options.target_tokenizer = text::Tokenizer::from_file(flags.tokenizers.back());
  }
}

void inspect_corpus(const Flags& flags) {
  inspection::SurveyOptions options;
  options.threads = flags.threads;
  take_tokenizers(flags, options);
  if (!flags.overlap.empty()) options.overlap = in_files(flags.overlap);
  const bool tsv = !flags.tsv.empty();
  const auto corpus =
      inspection::survey_corpus(tsv ? inspection::CorpusPaths{flags.tsv, "", true} : in_files(flags.corpus), options);
  print(flags.format == "json" ? dump(inspection::to_json(corpus)) : inspection::to_text(corpus));
  if (!corpus.problem.empty()) fail<DataError>(corpus.problem);
}

/// The links that the modifiers of a corpus need, if they need any.
std::shared_ptr<data::LinkReader> links_for(const Flags& flags, const settings::RunConfig& config,
                                            const data::CorpusSpec& corpus) {
  const settings::GuidedAlignmentConfig& guided = config.training.guided_alignment;
  if (!config.data.needs_links() || !guided.on()) return nullptr;
  if (guided.links == settings::kLearntLinks) {
    data::check_corpus(corpus);
    return alignment::learnt_links({corpus}, guided.division(), flags.threads);
  }
  if (!corpus.links.empty()) return alignment::links_in_files(guided.division());
  fail<ConfigError>(flags.modifiers,
                    ": training.guided_alignment.links: --modifiers can take the links from a file or ",
                    "learn them ('", settings::kLearntLinks, "'), found '", guided.links, "'; give one of these");
}

/// Refuses standard input where the corpus is read before its pairs are shown.
void refuse_second_reading(const Flags& flags, const settings::RunConfig& config) {
  const settings::GuidedAlignmentConfig& guided = config.training.guided_alignment;
  if (flags.tsv != "-" && std::ranges::find(flags.corpus, "-") == flags.corpus.end()) return;
  if (!config.data.needs_links() || !guided.on()) return;
  const bool learns = guided.links == settings::kLearntLinks;
  if (!learns && !config.data.has(modifiers::ModifierKind::kTerms)) return;
  fail<ConfigError>(flags.tsv.empty() ? "--corpus" : "--tsv",
                    " -: ", learns ? "links are learnt" : "terms are collected",
                    " before the pairs are shown, and standard input can be read only once; give a file");
}

/// Shows what the modifiers of a training text do to the lines of a corpus.
void show_changes(const Flags& flags) {
  constexpr size_t kMostExamples = 10;
  if (!flags.path.empty() || !flags.tokenizers.empty() || !flags.overlap.empty()) {
    fail<ConfigError>(!flags.path.empty()      ? "-m"
                      : !flags.overlap.empty() ? "--overlap"
                                               : "--tokenizer",
                      ": has no effect with --modifiers, which shows texts; leave it out");
  }
  if (flags.tsv.empty() && flags.corpus.size() < 2) {
    fail<ConfigError>("--modifiers: change sentence pairs; give a source and a target file, or --tsv FILE");
  }
  const settings::RunConfig config = settings::read_settings(flags.modifiers);
  if (config.data.modifiers.empty()) {
    fail<ConfigError>(flags.modifiers, ": data.modifiers: has no entry, so there is nothing to show");
  }
  refuse_second_reading(flags, config);
  const settings::GuidedAlignmentConfig& guided = config.training.guided_alignment;
  const auto division = guided.on() ? std::optional(guided.division()) : std::nullopt;
  const bool tsv = !flags.tsv.empty();
  const data::CorpusSpec corpus{
      .files = tsv ? data::in_one_file(flags.tsv) : data::CorpusFiles{flags.corpus[0], flags.corpus[1]},
      .links = config.data.train_links};
  if (!corpus.links.empty() && corpus.files.source != "-") data::check_corpus(corpus);
  const auto links = links_for(flags, config, corpus);
  std::optional<modifiers::TermForms> forms;
  if (links && config.data.has(modifiers::ModifierKind::kTerms)) forms = data::forms_in(corpus, *links);
  const modifiers::Modifiers modifiers(config.data.modifiers, config.training.seed, division);
  const auto examples = data::find_examples(corpus, modifiers, kMostExamples, links.get(), forms ? &*forms : nullptr);
  print(flags.format == "json" ? dump(data::to_json(modifiers, examples)) : data::to_text(modifiers, examples));
}

void inspect(const Flags& flags) {
  if (!flags.corpus.empty() || !flags.tsv.empty()) {
    if (flags.tensors) fail<ConfigError>("--tensors: a corpus has no tensors; leave out the flag or the corpus");
    if (flags.reseal) fail<ConfigError>("--reseal: a corpus has no checksums; leave out the flag or the corpus");
    return flags.modifiers.empty() ? inspect_corpus(flags) : show_changes(flags);
  }
  if (!flags.modifiers.empty()) fail<ConfigError>("--modifiers: needs a corpus (--corpus or --tsv)");
  if (!flags.overlap.empty() || !flags.tokenizers.empty()) {
    fail<ConfigError>(flags.overlap.empty() ? "--tokenizer" : "--overlap", ": needs a corpus (--corpus or --tsv)");
  }
  if (flags.path.empty()) {
    fail<ConfigError>("path: missing; give a model, checkpoint or run folder, or a corpus (--corpus, --tsv)");
  }
  flags.reseal ? reseal_model(flags) : inspect_model(flags);
}

void add_corpus_flags(CLI::App& app, Flags& flags) {
  const char* group = "Corpus";
  auto* corpus = app.add_option("--corpus", flags.corpus,
                                "One text file, or a source and a target file; plain or .gz, - = standard input");
  corpus->expected(1, 2)->type_name("FILE")->default_str("")->group(group);
  app.add_option("--tsv", flags.tsv, "Corpus in one file, source TAB target (- = standard input) or FILE.tmx:en:de")
      ->type_name("FILE")
      ->excludes(corpus)
      ->group(group);
  app.add_option("--overlap", flags.overlap,
                 "Test set, as many files as the corpus; report which of its lines are in the corpus")
      ->expected(1, 2)
      ->type_name("FILE")
      ->default_str("")
      ->group(group);
  app.add_option("--tokenizer", flags.tokenizers,
                 "SentencePiece model to count tokens with, or one for each side; -m uses those of a model instead")
      ->expected(1, 2)
      ->type_name("FILE")
      ->default_str("")
      ->group(group);
  app.add_option("--modifiers", flags.modifiers,
                 "Settings file with data.modifiers; show ten changed pairs of each, before and after")
      ->type_name("FILE")
      ->group(group);
  app.add_option("--threads", flags.threads, "Number of threads for tokenization")
      ->check(CLI::Range(1, 1024))
      ->group(group);
}

std::function<void()> set_up(CLI::App& app) {
  const auto flags = std::make_shared<Flags>();
  app.add_option("path,-m,--model", flags->path, "Bundle, checkpoint or run folder, or a TorchScript export")
      ->type_name("PATH");
  app.add_option("--format", flags->format, "Output format: text or json")->check(apps::one_of({"text", "json"}));
  app.add_flag("--tensors", flags->tensors, "Also list every tensor with its type and shape");
  app.add_flag("--reseal", flags->reseal,
               "Accept a bundle whose files were edited on purpose: check shapes and values, and renew its MANIFEST");
  add_corpus_flags(app, *flags);
  return [flags] { inspect(*flags); };
}

}  // namespace

int main(int argc, char** argv) {
  const apps::Program program{"ventris-inspect",
                              "Checks a model, checkpoint, run folder or corpus and describes its content.",
                              "ventris-inspect run/best\n"
                              "  ventris-inspect run --format json\n"
                              "  ventris-inspect --reseal edited\n"
                              "  ventris-inspect --corpus train.en train.de -m run/best --overlap test.en test.de",
                              nullptr};
  return apps::run(argc, argv, program, set_up);
}
