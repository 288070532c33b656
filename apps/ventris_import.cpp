#include <fmt/format.h>

#include <optional>

#include "core/error.h"
#include "core/log.h"
#include "core/progress.h"
#include "files/files.h"
#include "files/paths.h"
#include "imports/import_model.h"
#include "model/average.h"
#include "model/finite.h"
#include "support/choices.h"
#include "support/run.h"

namespace {

struct Flags {
  std::string model, output, from, shortlist, lexicon;
  std::vector<std::string> tokenizers, vocabularies;
  int64_t heads = 0;
};

ventris::imports::ImportOptions options_of(const Flags& flags) {
  const auto tokenizer = [&](size_t number) {
    return number < flags.tokenizers.size() ? flags.tokenizers[number] : std::string();
  };
  return {flags.model, tokenizer(0), tokenizer(1), flags.from, flags.vocabularies, flags.shortlist, flags.heads};
}

/// Where the lexicon is written, next to the bundle if nothing else is said; empty = there is none.
std::string lexicon_path(const Flags& flags) {
  if (flags.shortlist.empty()) {
    if (!flags.lexicon.empty()) throw ventris::ConfigError("--lexicon: is made of a --shortlist; give one, too");
    return "";
  }
  if (!flags.lexicon.empty()) return flags.lexicon;
  return flags.output.substr(0, flags.output.find_last_not_of('/') + 1) + ".lexicon.bin";
}

/// Refuses an output that would replace an input, which may be a file in it or a folder around it.
void refuse_replacing(const char* flag, const std::string& output, const std::string& input) {
  if (output.empty() || input.empty()) return;
  const auto wanted = ventris::files::resolved(output), own = ventris::files::resolved(input);
  if (wanted != own && wanted.parent_path() != own && own.parent_path() != wanted) return;
  ventris::fail<ventris::ConfigError>(flag, ": ", output, " would replace ", input,
                                      " or a part of it; give another path");
}

/// Refuses outputs that would replace an input, or a part of each other.
void check_outputs(const Flags& flags, const std::string& lexicon) {
  std::vector<std::string> inputs{flags.model, flags.shortlist};
  inputs.insert(inputs.end(), flags.tokenizers.begin(), flags.tokenizers.end());
  inputs.insert(inputs.end(), flags.vocabularies.begin(), flags.vocabularies.end());
  for (const std::string& input : inputs) {
    refuse_replacing("--output", flags.output, input);
    refuse_replacing("--lexicon", lexicon, input);
  }
  refuse_replacing("--lexicon", lexicon, flags.output);
}

void import_model(const Flags& flags) {
  const std::string lexicon = lexicon_path(flags);
  check_outputs(flags, lexicon);
  ventris::model::prepare_bundle_target(flags.output);
  std::optional<ventris::core::Progress> progress;
  progress.emplace("reading " + flags.model);
  const auto imported = ventris::imports::import_model(options_of(flags));
  ventris::model::check_finite(ventris::model::Safetensors::parse(imported.weights, flags.model));
  progress->phase("writing " + flags.output);
  ventris::model::write_bundle(flags.output, imported.package, imported.weights);
  if (!lexicon.empty()) ventris::files::write_file(lexicon, imported.lexicon);
  progress.reset();
  for (const std::string& note : imported.notes) ventris::core::log_info(note);
  if (!lexicon.empty()) ventris::core::log_info(lexicon + ": made of " + flags.shortlist);
  ventris::core::log_info(fmt::format("{}: made of {}, {}", flags.output, flags.model, imported.what));
}

std::function<void()> set_up(CLI::App& app) {
  auto flags = std::make_shared<Flags>();
  app.add_option(
         "-m,--model", flags->model,
         "Folder of Hugging Face's transformers (config.json, model.safetensors): MarianMT (OPUS-MT), "
         "Pegasus, M2M-100, NLLB, mBART-50, T5, mT5, MADLAD-400 or BertForPreTraining; folder of CTranslate2 "
         "(model.bin); package of Argos Translate (.argosmodel); model of Marian or Bergamot (.npz or .bin); folder of "
         "Eole (model.00.safetensors) or JoeyNMT (config.yaml, best.ckpt); checkpoint of fairseq or OpenNMT-py (.pt); "
         "or state dict of PyTorch (.safetensors, .pt)")
      ->required()
      ->type_name("PATH");
  app.add_option("--from", flags->from, "The program that the model is of; default: what its files look like")
      ->type_name("NAME")
      ->check(ventris::apps::one_of(ventris::imports::import_formats()));
  app.add_option(
         "--tokenizer", flags->tokenizers,
         "SentencePiece model with which the BERT or the model of CTranslate2, Marian, Eole, fairseq, JoeyNMT or "
         "OpenNMT-py was trained, or two, of source and target; default: those in the folder")
      ->expected(1, 2)
      ->type_name("FILE");
  app.add_option(
         "--vocabulary", flags->vocabularies,
         "Vocabulary of a model of Marian (.yml), fairseq (dict.txt) or JoeyNMT (vocab.txt), or two, of source and "
         "target; default: those next to the model or, for Marian, the pieces of the SentencePiece models")
      ->expected(1, 2)
      ->type_name("FILE");
  app.add_option("--heads", flags->heads, "Attention heads of a state dict of PyTorch; default: d_model / 64")
      ->check(CLI::Range(1, 1 << 16))
      ->type_name("N");
  app.add_option("--shortlist", flags->shortlist, "Binary shortlist of the model of Bergamot (lex.s2t.bin)")
      ->type_name("FILE");
  app.add_option("--lexicon", flags->lexicon,
                 "File for the lexicon that is made of the --shortlist; default: BUNDLE.lexicon.bin")
      ->type_name("FILE");
  app.add_option("-o,--output", flags->output,
                 "Bundle folder to write; an older bundle is replaced once the new one is complete")
      ->required()
      ->type_name("BUNDLE");
  return [flags] { import_model(*flags); };
}

}  // namespace

int main(int argc, char** argv) {
  const ventris::apps::Program program{"ventris-import", "Makes a bundle of a model of another program.",
                                       "ventris-import -m opus-mt-en-de -o en-de"};
  return ventris::apps::run(argc, argv, program, set_up);
}
