#include "backend/script_model.h"

#include <torch/script.h>

#include <new>
#include <utility>

#include "core/error.h"

namespace ventris::backend {
namespace {

using torch::Tensor;

class ScriptModel : public nn::Seq2SeqImpl {
 public:
  ScriptModel(std::string name, torch::jit::Module script, int64_t tgt_vocab)
      : name_(std::move(name)), script_(std::move(script)), tgt_vocab_(tgt_vocab) {}

  nn::Memory encode(const Tensor& src, const Tensor& src_mask) override {
    return {call(script_, "encode", {src, src_mask}), {}, src_mask};
  }
  Tensor decode(const nn::Memory& memory, const Tensor& tgt, const Tensor& tgt_mask) override {
    return call(script_, "decode", {memory.states, memory.mask, tgt, tgt_mask});
  }
  Tensor log_probs(const Tensor& hidden) override {
    return call(script_.attr("generator").toModule(), "forward", {hidden});
  }
  int64_t tgt_vocab() const override { return tgt_vocab_; }

 private:
  /// Runs a method as it stands: shapes change at every step, and to specialise for each costs more than it saves. The
  /// switch is a thread's own.
  Tensor call(const torch::jit::Module& module, const char* method, std::vector<c10::IValue> inputs) const {
    const torch::jit::GraphOptimizerEnabledGuard plain(false);
    try {
      return module.get_method(method)(std::move(inputs)).toTensor();
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception& error) {
      fail<ModelError>(name_, ": its method '", method, "' fails; was the file changed? LibTorch says: ", error.what());
    }
  }

  std::string name_;
  torch::jit::Module script_;
  int64_t tgt_vocab_;
};

}  // namespace

nn::Seq2Seq load_script_model(const std::string& path, const std::string& name, int64_t tgt_vocab,
                              torch::Device device) {
  try {
    torch::jit::Module script = torch::jit::load(path, device);
    script.eval();
    return std::make_shared<ScriptModel>(name, std::move(script), tgt_vocab);
  } catch (const c10::Error& error) {
    fail<ModelError>(name, ": LibTorch cannot load this TorchScript file: ", error.what_without_backtrace());
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {  // of its compiler
    fail<ModelError>(name, ": LibTorch cannot load this TorchScript file: ", error.what());
  }
}

}  // namespace ventris::backend
