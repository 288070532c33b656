#include "model/pickle_reader.h"

#include <algorithm>

#include "core/error.h"
#include "model/pickle_machine.h"
#include "model/safetensors.h"

namespace ventris::model {
namespace {

using Kind = PickleValue::Kind;

constexpr size_t kMostDepth = 100;
/// What is found must not need much more than the pickle. Values may be in several places, such as the tensors of tied
/// layers, and each place counts: a step, the bytes of a name, and those of a tensor.
constexpr size_t kWorkOfByte = 32, kFreeWork = 1 << 16;

/// Finds the tensors in nested objects.
class Finder {
 public:
  Finder(const PickleMachine& machine, size_t bytes, const std::string& where)
      : machine_(machine), work_left_(kWorkOfByte * bytes + kFreeWork), where_(where) {}

  void visit(const PickleValue& value) {
    work(1);
    if (value.kind == Kind::kTensor) found_.push_back(tensor_of(value));
    if (value.kind != Kind::kDictionary && value.kind != Kind::kObject) return;
    if (path_.size() == kMostDepth) too_much();
    for (uint32_t block = value.block; block != PickleValue::kNone; block = machine_.next(block)) {
      const auto items = machine_.items(block);
      for (size_t i = 0; i + 1 < items.size(); i += 2) visit_member(*items[i], *items[i + 1]);
    }
  }

  /// The tensors, with different names.
  std::vector<PickledTensor> finish() && {
    std::vector<std::string_view> names;
    for (const PickledTensor& tensor : found_) names.push_back(tensor.name);
    std::sort(names.begin(), names.end());
    const auto twice = std::adjacent_find(names.begin(), names.end());
    if (twice != names.end()) fail<ModelError>(where_, ": damaged: it has two tensors '", *twice, "'");
    return std::move(found_);
  }

 private:
  [[noreturn]] void too_much() const {
    fail<ModelError>(where_, ": damaged: its objects are nested too deeply or are in too many places");
  }
  void work(size_t amount) {
    if (amount > work_left_) too_much();
    work_left_ -= amount;
  }

  void visit_member(const PickleValue& key, const PickleValue& value) {
    work(1);
    if (key.kind != Kind::kText) return;
    work(key.text.size());
    if (!is_printable(key.text)) fail<ModelError>(where_, ": damaged: a name in it is not printable");
    path_.push_back(key.text);
    visit(value);
    path_.pop_back();
  }

  std::string name() {
    size_t size = 0;
    for (const std::string_view part : path_) size += part.size() + 1;
    work(size);
    std::string whole;
    whole.reserve(size);
    for (const std::string_view part : path_) (whole += whole.empty() ? "" : ".") += part;
    return whole;
  }

  std::vector<int64_t> numbers_of(const PickleValue& tuple, const std::string& name) {
    std::vector<int64_t> numbers;
    const auto items = machine_.items(tuple.block);
    work(items.size() * sizeof(int64_t));
    numbers.reserve(items.size());
    for (const PickleValue* item : items) {
      if (item->kind != Kind::kNumber) fail<ModelError>(where_, ": damaged: tensor '", name, "' has no shape");
      numbers.push_back(item->number);
    }
    return numbers;
  }

  /// The arguments of torch._utils._rebuild_tensor_v2: storage, offset, shape, strides, and others.
  PickledTensor tensor_of(const PickleValue& value) {
    constexpr size_t kArguments = 4, kStorageItems = 5;  // "storage", type, name, device, size
    PickledTensor tensor;
    tensor.name = name();
    const auto items = machine_.items(value.block);
    const bool whole = items.size() >= kArguments && items[0]->kind == Kind::kStorage &&
                       items[1]->kind == Kind::kNumber && items[2]->kind == Kind::kTuple &&
                       items[3]->kind == Kind::kTuple;
    const auto storage = whole ? machine_.items(items[0]->block) : PickleMachine::Items();
    if (storage.size() != kStorageItems) {
      fail<ModelError>(where_, ": damaged: tensor '", tensor.name, "' has no storage");
    }
    const std::string_view type = storage[1]->text, file = storage[2]->text;
    work(sizeof tensor + type.size() + file.size());
    tensor.storage_type = type.substr(type.find_last_of("\n.") + 1);
    tensor.storage = file;
    tensor.offset = items[1]->number;
    tensor.shape = numbers_of(*items[2], tensor.name);
    tensor.strides = numbers_of(*items[3], tensor.name);
    return tensor;
  }

  const PickleMachine& machine_;
  size_t work_left_;
  const std::string& where_;
  std::vector<std::string_view> path_;  // the keys of the value that is visited
  std::vector<PickledTensor> found_;
};

}  // namespace

std::vector<PickledTensor> read_pickled_tensors(std::string_view bytes, const std::string& where) {
  PickleMachine machine(bytes, where);
  const PickleValue& top = machine.run();
  Finder finder(machine, bytes.size(), where);
  finder.visit(top);
  return std::move(finder).finish();
}

}  // namespace ventris::model
