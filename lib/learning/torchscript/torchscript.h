#pragma once
#include <string>

#include "model/package.h"
#include "nn/seq2seq.h"

namespace ventris::torchscript {

/// The model as the bytes of a TorchScript file, written without Python. torch.jit.load reads it; its state_dict has
/// the reference's names, including the sinusoidal positions `src_embed.1.pe` and `tgt_embed.1.pe`. Methods (ids are
/// long, masks bool, true = may look):
///   forward(src [batch, src_len], tgt [batch, tgt_len], src_mask [batch, 1, src_len], tgt_mask [batch|1, tgt_len,
///   tgt_len])
///     -> hidden states [batch, tgt_len, d_model], as the reference's forward
///   encode(src, src_mask) -> memory [batch, src_len, d_model]; if the decoder layers see different states
///   (docs/attention.md), those of all of them side by side, [batch, src_len, decoder_layers * d_model]
///   decode(memory, src_mask, tgt, tgt_mask) -> hidden states
///   generator(hidden) -> log-probabilities [..., tgt_vocab]
///   greedy(src, max_len) -> ids [batch, at most max_len]; each row has the best tokens, eos, then padding
///   beam(src, beam_size, max_length, alpha) -> (ids, lengths, scores): the best translation of a beam search, as
///   greedy() has it, its length with eos, and its log-probability divided by length^alpha
///   start(memory, src_mask) -> state; decode_step(tgt [rows, len], state) -> (log-probabilities of the next token
///   [rows, tgt_vocab], state): for callers that search themselves. The state is a list of tensors whose first
///   dimension are the rows, at first those of the batch; a caller may select and repeat rows between steps
/// Extra files (model/package.h) have the configuration and the tokenizers. The attribute `extra_files`, a dictionary
/// of tensors of bytes, has them once more, because torch.jit.save loses extra files (model/exported_files.h). A
/// TorchScript file is a program: run only files that you made yourself. Throws ConfigError for a family that cannot be
/// exported.
std::string write_torchscript(const nn::Model& model, const model::Package& package);

/// Rounds all weights to bf16 before write_torchscript(), and says so in the list of the package. The log-probabilities
/// of the file are f32 nevertheless.
void round_to_bf16(const nn::Model& model, model::Package& package);

}  // namespace ventris::torchscript
