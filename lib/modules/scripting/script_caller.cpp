#include "scripting/script_caller.h"

#include <new>
#include <utility>

#include "core/error.h"

namespace ventris::scripting {
namespace {

using torch::Tensor;

/// Whether LibTorch ran out of memory, which is not an error in the file.
bool is_about_memory(const std::string& text) {
  return text.find("allocate memory") != std::string::npos || text.find("out of memory") != std::string::npos;
}

torch::jit::Module load(const std::string& path, const std::string& name, torch::Device device) {
  try {
    torch::jit::Module script = torch::jit::load(path, device);
    script.eval();
    return script;
  } catch (const c10::Error& error) {
    fail<ModelError>(name, ": LibTorch cannot load this TorchScript file: ", error.what_without_backtrace());
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {  // of TorchScript's compiler
    fail<ModelError>(name, ": LibTorch cannot load this TorchScript file: ", error.what());
  }
}

/// Runs a method without specialising it: shapes change at every step, and specialising for each would cost more time
/// than it saves. The setting applies to the current thread.
template <typename Call>
Tensor guarded(const std::string& name, const char* what, const Call& call) {
  const torch::jit::GraphOptimizerEnabledGuard plain(false);
  try {
    return call();
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const c10::Error& error) {
    if (is_about_memory(error.what())) throw;
    fail<ModelError>(name, ": its ", what,
                     " failed; was the file changed? LibTorch says: ", error.what_without_backtrace());
  } catch (const std::exception& error) {
    if (is_about_memory(error.what())) throw;
    fail<ModelError>(name, ": its ", what, " failed; was the file changed? LibTorch says: ", error.what());
  }
}

}  // namespace

ScriptCaller::ScriptCaller(const std::string& path, const std::string& name, torch::Device device)
    : name_(name), script_(load(path, name, device)) {}

Tensor ScriptCaller::call(const char* method, std::vector<c10::IValue> inputs) const {
  return guarded(name_, method, [&] { return script_.get_method(method)(std::move(inputs)).toTensor(); });
}

Tensor ScriptCaller::states(const char* method, std::vector<c10::IValue> inputs, int64_t batch, int64_t len) const {
  const Tensor found = call(method, std::move(inputs));
  if (found.dim() == 3 && found.size(0) == batch && found.size(1) == len) return found;
  fail<ModelError>(name_, ": its ", method, " returned a tensor of shape ", found.sizes(), ", expected [", batch, ", ",
                   len, "] states; was the file changed?");
}

Tensor ScriptCaller::table(const char* method, std::vector<c10::IValue> inputs, int64_t rows, int64_t columns) const {
  const Tensor found = call(method, std::move(inputs));
  if (found.dim() == 2 && found.size(0) == rows && found.size(1) == columns) return found;
  fail<ModelError>(name_, ": its ", method, " returned a tensor of shape ", found.sizes(), ", expected [", rows, ", ",
                   columns, "]; was the file changed?");
}

Tensor ScriptCaller::log_probs(const Tensor& hidden, int64_t vocab) const {
  const Tensor found = guarded(name_, "generator", [&] {
    return script_.attr("generator").toModule().get_method("forward")({hidden}).toTensor();
  });
  std::vector<int64_t> expected = hidden.sizes().vec();
  expected.back() = vocab;
  if (found.sizes() == expected) return found;
  fail<ModelError>(name_, ": its generator returned a tensor of shape ", found.sizes(), ", expected ", vocab,
                   " log-probabilities per state; was the file changed?");
}

}  // namespace ventris::scripting
