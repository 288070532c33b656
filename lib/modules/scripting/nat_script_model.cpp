#include "scripting/nat_script_model.h"

#include <utility>

#include "scripting/script_caller.h"

namespace ventris::scripting {
namespace {

using torch::Tensor;

class NatScriptModel : public nn::NatModelImpl {
 public:
  NatScriptModel(ScriptCaller script, int64_t tgt_vocab, int64_t length_classes)
      : script_(std::move(script)), tgt_vocab_(tgt_vocab), length_classes_(length_classes) {}

  nn::Memory encode(const Tensor& src, const Tensor& src_mask) override {
    return {script_.states("encode", {src, src_mask}, src.size(0), src.size(1)), {}, src_mask};
  }
  Tensor length_log_probs(const nn::Memory& memory) override {
    return script_.table("length_log_probs", {memory.states, memory.mask}, memory.states.size(0), length_classes_);
  }
  Tensor first_input(const Tensor& src, const Tensor& src_mask, const Tensor& lengths) override {
    return script_.states("first_input", {src, src_mask, lengths}, src.size(0), lengths.max().item<int64_t>());
  }
  Tensor embed(const Tensor& ids) override { return script_.states("embed", {ids}, ids.size(0), ids.size(1)); }
  Tensor decode(const nn::Memory& memory, const Tensor& input, const Tensor& tgt_mask) override {
    return script_.states("decode", {memory.states, memory.mask, input, tgt_mask}, input.size(0), input.size(1));
  }
  Tensor log_probs(const Tensor& hidden) override { return script_.log_probs(hidden, tgt_vocab_); }

 private:
  ScriptCaller script_;
  int64_t tgt_vocab_, length_classes_;
};

}  // namespace

nn::NatModel load_nat_script_model(const std::string& path, const std::string& name, int64_t tgt_vocab,
                                   int64_t length_classes, torch::Device device) {
  return std::make_shared<NatScriptModel>(ScriptCaller(path, name, device), tgt_vocab, length_classes);
}

}  // namespace ventris::scripting
