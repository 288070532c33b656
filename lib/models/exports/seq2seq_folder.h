#pragma once
#include <vector>

#include "files/folders.h"
#include "model/package.h"

namespace ventris::exports {

/// A Transformer as a folder of Hugging Face's transformers, which AutoModelForSeq2SeqLM and AutoTokenizer open without
/// further code: with norms after each block a MarianMT, with norms before them a Pegasus, both with the tokenizer of
/// MarianMT. The features are in another order, because the sinusoids there have all sines before all cosines. Throws
/// ModelError, naming the setting, for a model that is neither.
std::vector<files::NamedBytes> to_seq2seq_folder(const model::Bundle& bundle);

}  // namespace ventris::exports
