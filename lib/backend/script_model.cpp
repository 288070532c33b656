#include "backend/script_model.h"

#include <torch/script.h>

#include <new>
#include <utility>

#include "core/error.h"

namespace ventris::backend {
namespace {

using torch::Tensor;

/// Whether LibTorch ran out of memory, which is not an error in the file.
bool is_about_memory(const std::string& text) {
  return text.find("allocate memory") != std::string::npos || text.find("out of memory") != std::string::npos;
}

class ScriptModel : public nn::Seq2SeqImpl {
 public:
  ScriptModel(std::string name, torch::jit::Module script, int64_t tgt_vocab)
      : name_(std::move(name)), script_(std::move(script)), tgt_vocab_(tgt_vocab) {}

  nn::Memory encode(const Tensor& src, const Tensor& src_mask) override {
    return {states("encode", {src, src_mask}, src), {}, src_mask};
  }
  Tensor decode(const nn::Memory& memory, const Tensor& tgt, const Tensor& tgt_mask) override {
    return states("decode", {memory.states, memory.mask, tgt, tgt_mask}, tgt);
  }
  Tensor log_probs(const Tensor& hidden) override {
    const Tensor found = guarded(
        "generator", [&] { return script_.attr("generator").toModule().get_method("forward")({hidden}).toTensor(); });
    if (found.dim() == hidden.dim() && found.size(-1) == tgt_vocab_) return found;
    fail<ModelError>(name_, ": its generator returned a tensor of shape ", found.sizes(), ", expected ", tgt_vocab_,
                     " log-probabilities per state; was the file changed?");
  }
  int64_t tgt_vocab() const override { return tgt_vocab_; }

 private:
  /// Runs a method without specialising it: shapes change at every step, and specialising for each would cost more time
  /// than it saves. The setting applies to the current thread.
  template <typename Call>
  Tensor guarded(const char* what, const Call& call) const {
    const torch::jit::GraphOptimizerEnabledGuard plain(false);
    try {
      return call();
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const c10::Error& error) {
      if (is_about_memory(error.what())) throw;
      fail<ModelError>(name_, ": its ", what,
                       " failed; was the file changed? LibTorch says: ", error.what_without_backtrace());
    } catch (const std::exception& error) {
      if (is_about_memory(error.what())) throw;
      fail<ModelError>(name_, ": its ", what, " failed; was the file changed? LibTorch says: ", error.what());
    }
  }

  /// Runs `method` and returns its states [batch, len, width], one for each of `ids` [batch, len].
  Tensor states(const char* method, std::vector<c10::IValue> inputs, const Tensor& ids) const {
    const Tensor found = guarded(method, [&] { return script_.get_method(method)(std::move(inputs)).toTensor(); });
    if (found.dim() == 3 && found.size(0) == ids.size(0) && found.size(1) == ids.size(1)) return found;
    fail<ModelError>(name_, ": its ", method, " returned a tensor of shape ", found.sizes(), ", expected ", ids.sizes(),
                     " states; was the file changed?");
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
  } catch (const std::exception& error) {  // of TorchScript's compiler
    fail<ModelError>(name, ": LibTorch cannot load this TorchScript file: ", error.what());
  }
}

}  // namespace ventris::backend
