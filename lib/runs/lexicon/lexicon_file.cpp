#include "lexicon/lexicon_file.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "core/error.h"
#include "core/human.h"
#include "core/log.h"
#include "core/process.h"
#include "files/files.h"
#include "files/paths.h"
#include "model/package.h"

namespace ventris::lexicon {
namespace {

std::pair<text::Tokenizer, text::Tokenizer> open_tokenizers(const LexiconJob& job) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(job.model, ignored)) {
    const std::string& target = job.target_model.empty() ? job.model : job.target_model;
    return {text::Tokenizer::from_file(job.model), text::Tokenizer::from_file(target)};
  }
  if (!job.target_model.empty()) {
    fail<ConfigError>("--target-model: ", job.model, " is a bundle, which has both tokenizers; leave it out");
  }
  const model::Package package = model::read_package(job.model);
  return {{package.source_spm, job.model + "/source.spm"}, {package.target_spm, job.model + "/target.spm"}};
}

void check_output(const LexiconJob& job) {
  model::check_output(job.model, job.output);
  std::vector<std::string> inputs{job.target_model};
  for (const data::CorpusFiles& files : job.options.corpora) inputs.insert(inputs.end(), {files.source, files.target});
  for (const std::string& input : inputs) {
    if (input.empty() || files::resolved(input) != files::resolved(job.output)) continue;
    fail<ConfigError>("--output: ", job.output, " is also an input; give another file");
  }
}

}  // namespace

void make_lexicon(const LexiconJob& job) {
  const double start = core::seconds_now();
  if (job.options.corpora.empty()) {
    fail<ConfigError>("--train: missing; give a source and a target file, or --train-tsv FILE");
  }
  check_output(job);
  const auto [source, target] = open_tokenizers(job);
  files::OutputFile output(job.output);  // a wrong path fails before the lexicon is learnt
  const LearntLexicon learnt = learn_lexicon(source, target, job.options);
  const std::string bytes = learnt.lexicon.bytes();
  output.write(bytes);
  output.commit();
  for (size_t i = 0; i < learnt.counts.size(); ++i) {
    core::log_info(job.options.corpora[i].source + ": " + data::describe(learnt.counts[i]));
  }
  core::log_info(fmt::format("{}: {}, learnt from {} {} in {:.1f} s, peak memory {:.0f} MiB", job.output,
                             core::size_text(bytes.size()), core::grouped(learnt.pairs),
                             core::plural(learnt.pairs, "pair"), core::seconds_now() - start, core::peak_memory_mib()));
}

}  // namespace ventris::lexicon
