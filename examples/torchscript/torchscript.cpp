// Translates standard input with a TorchScript file of ventris-export. Needs LibTorch and SentencePiece, but not
// Ventris.
#include <sentencepiece_processor.h>
#include <torch/script.h>

#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: torchscript MODEL.pt < TEXT\n";
    return 2;
  }
  // The model and its tokenizers
  torch::jit::ExtraFilesMap extra{{"source.spm", ""}, {"target.spm", ""}};
  torch::jit::Module model;
  try {
    model = torch::jit::load(argv[1], torch::kCPU, extra);
  } catch (const c10::Error& error) {  // the file is missing, or is no TorchScript file
    std::cerr << "torchscript: " << argv[1] << ": " << error.what_without_backtrace() << '\n';
    return 1;
  }
  if (extra["target.spm"].empty()) extra["target.spm"] = extra["source.spm"];  // one tokenizer for both sides
  sentencepiece::SentencePieceProcessor source, target;
  if (!source.LoadFromSerializedProto(extra["source.spm"]).ok()) return 1;
  if (!target.LoadFromSerializedProto(extra["target.spm"]).ok()) return 1;
  const torch::Tensor bos = torch::tensor({2});
  constexpr int kEos = 3;

  const torch::NoGradGuard no_grad;
  for (std::string line; std::getline(std::cin, line);) {
    // The best translation
    std::vector<int> ids = source.EncodeAsIds(line);
    ids.push_back(kEos);
    const torch::Tensor src = torch::tensor(ids, torch::kLong).unsqueeze(0), src_mask = src.ne(0).unsqueeze(1);
    const torch::Tensor best = model.get_method("greedy")({src, int64_t{60}}).toTensor();  // [1, length], with eos

    // The log-probabilities of its tokens
    const torch::Tensor tgt = torch::cat({bos.unsqueeze(0), best.slice(1, 0, -1)}, 1);
    const torch::Tensor tgt_mask = torch::ones({1, tgt.size(1), tgt.size(1)}, torch::kBool).tril();
    const torch::Tensor memory = model.get_method("encode")({src, src_mask}).toTensor();  // [1, src_len, d_model]
    const torch::Tensor hidden = model.get_method("decode")({memory, src_mask, tgt, tgt_mask}).toTensor();
    const torch::Tensor log_probs = model.attr("generator").toModule().forward({hidden}).toTensor();
    const torch::Tensor chosen = log_probs.gather(2, best.unsqueeze(2)).squeeze(2);  // [1, length]

    std::vector<int> written;
    for (int64_t i = 0; i < best.size(1) && best[0][i].item<int>() != kEos; ++i) {
      written.push_back(best[0][i].item<int>());
    }
    std::cout << target.DecodeIds(written) << '\t' << chosen.sum().item<float>() << '\n';
  }
}
