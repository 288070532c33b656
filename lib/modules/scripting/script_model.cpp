#include "scripting/script_model.h"

#include <utility>

#include "scripting/script_caller.h"

namespace ventris::scripting {
namespace {

using torch::Tensor;

class ScriptModel : public nn::Seq2SeqImpl {
 public:
  ScriptModel(ScriptCaller script, int64_t tgt_vocab) : script_(std::move(script)), tgt_vocab_(tgt_vocab) {}

  nn::Memory encode(const Tensor& src, const Tensor& src_mask) override {
    return {script_.states("encode", {src, src_mask}, src.size(0), src.size(1)), {}, src_mask};
  }
  Tensor decode(const nn::Memory& memory, const Tensor& tgt, const Tensor& tgt_mask) override {
    return script_.states("decode", {memory.states, memory.mask, tgt, tgt_mask}, tgt.size(0), tgt.size(1));
  }
  Tensor log_probs(const Tensor& hidden) override { return script_.log_probs(hidden, tgt_vocab_); }
  int64_t tgt_vocab() const override { return tgt_vocab_; }

 private:
  ScriptCaller script_;
  int64_t tgt_vocab_;
};

}  // namespace

nn::Seq2Seq load_script_model(const std::string& path, const std::string& name, int64_t tgt_vocab,
                              torch::Device device) {
  return std::make_shared<ScriptModel>(ScriptCaller(path, name, device), tgt_vocab);
}

}  // namespace ventris::scripting
