#include "model/pickle_reader.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

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

/// Counts the work, and refuses what needs too much.
class Work {
 public:
  Work(size_t bytes, const std::string& where) : left_(kWorkOfByte * bytes + kFreeWork), where_(where) {}
  [[noreturn]] void too_much() const {
    fail<ModelError>(where_, ": damaged: its objects are nested too deeply or are in too many places");
  }
  void operator()(size_t amount) {
    if (amount > left_) too_much();
    left_ -= amount;
  }

 private:
  size_t left_;
  const std::string& where_;
};

/// Calls use(key, value) for the items of a dictionary or an object.
template <typename Use>
void each_item(const PickleMachine& machine, const PickleValue& value, const Use& use) {
  if (value.kind != Kind::kDictionary && value.kind != Kind::kObject) return;
  for (uint32_t block = value.block; block != PickleValue::kNone; block = machine.next(block)) {
    const auto items = machine.items(block);
    for (size_t i = 0; i + 1 < items.size(); i += 2) use(*items[i], *items[i + 1]);
  }
}

/// Finds the tensors in nested objects.
class Finder {
 public:
  Finder(const PickleMachine& machine, size_t bytes, const std::string& where)
      : machine_(machine), work_(bytes, where), where_(where) {}

  void visit(const PickleValue& value) {
    work_(1);
    if (value.kind == Kind::kTensor) found_.push_back(tensor_of(value));
    if (value.kind != Kind::kDictionary && value.kind != Kind::kObject) return;
    if (path_.size() == kMostDepth) work_.too_much();
    each_item(machine_, value, [&](const PickleValue& key, const PickleValue& one) { visit_member(key, one); });
  }
  void visit_member(const PickleValue& key, const PickleValue& value) {
    work_(1);
    if (key.kind != Kind::kText) return;
    work_(key.text.size());
    if (!is_printable(key.text)) fail<ModelError>(where_, ": damaged: a name in it is not printable");
    path_.push_back(key.text);
    visit(value);
    path_.pop_back();
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
  std::string name() {
    size_t size = 0;
    for (const std::string_view part : path_) size += part.size() + 1;
    work_(size);
    std::string whole;
    whole.reserve(size);
    for (const std::string_view part : path_) (whole += whole.empty() ? "" : ".") += part;
    return whole;
  }

  std::vector<int64_t> numbers_of(const PickleValue& tuple, const std::string& name) {
    std::vector<int64_t> numbers;
    const auto items = machine_.items(tuple.block);
    work_(items.size() * sizeof(int64_t));
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
    work_(sizeof tensor + type.size() + file.size());
    tensor.storage_type = type.substr(type.find_last_of("\n.") + 1);
    tensor.storage = file;
    tensor.offset = items[1]->number;
    tensor.shape = numbers_of(*items[2], tensor.name);
    tensor.strides = numbers_of(*items[3], tensor.name);
    return tensor;
  }

  const PickleMachine& machine_;
  Work work_;
  const std::string& where_;
  std::vector<std::string_view> path_;  // the keys of the value that is visited
  std::vector<PickledTensor> found_;
};

/// Makes JSON of values that are no tensors.
class JsonMaker {
 public:
  JsonMaker(const PickleMachine& machine, size_t bytes, const std::string& where)
      : machine_(machine), work_(bytes, where) {}

  nlohmann::json make(const PickleValue& value, size_t depth = 0) {
    constexpr size_t kSizeOfValue = 16;
    work_(kSizeOfValue + value.text.size());
    if (depth == kMostDepth) work_.too_much();
    switch (value.kind) {
      case Kind::kFlag: return value.number != 0;
      case Kind::kNumber: return value.number;
      case Kind::kReal: return value.real;
      case Kind::kText: return std::string(value.text);
      case Kind::kTuple:
      case Kind::kList: return list(value, depth);
      case Kind::kDictionary:
      case Kind::kObject: return object(value, depth);
      default: return nullptr;
    }
  }

 private:
  nlohmann::json list(const PickleValue& value, size_t depth) {
    nlohmann::json made = nlohmann::json::array();
    for (uint32_t block = value.block; block != PickleValue::kNone; block = machine_.next(block)) {
      for (const PickleValue* item : machine_.items(block)) made.push_back(make(*item, depth + 1));
    }
    return made;
  }
  /// OmegaConf has the values of its containers and nodes in a field, next to one that leads back to the container.
  const PickleValue* content(const PickleValue& value) {
    const PickleValue* found = nullptr;
    if (value.kind != Kind::kObject) return found;
    each_item(machine_, value, [&](const PickleValue& key, const PickleValue& one) {
      work_(1);
      if (key.kind == Kind::kText && (key.text == "_content" || key.text == "_val")) found = &one;
    });
    return found;
  }
  nlohmann::json object(const PickleValue& value, size_t depth) {
    if (const PickleValue* inner = content(value)) return make(*inner, depth + 1);
    constexpr size_t kSizeOfItem = 32;
    nlohmann::json made = nlohmann::json::object();
    each_item(machine_, value, [&](const PickleValue& key, const PickleValue& one) {
      work_(kSizeOfItem);
      if (key.kind != Kind::kText) return;
      work_(key.text.size());
      made[std::string(key.text)] = make(one, depth + 1);
    });
    return made;
  }

  const PickleMachine& machine_;
  Work work_;
};

}  // namespace

std::vector<PickledTensor> read_pickled_tensors(std::string_view bytes, const std::string& where) {
  PickleMachine machine(bytes, where);
  const PickleValue& top = machine.run();
  Finder finder(machine, bytes.size(), where);
  finder.visit(top);
  return std::move(finder).finish();
}

std::vector<PickledTensor> read_pickled_checkpoint(std::string_view bytes, const std::string& where,
                                                   const PickledKeys& keys, nlohmann::json& values) {
  PickleMachine machine(bytes, where, PickleMachine::Names::kKnown);
  const PickleValue& top = machine.run();
  Finder finder(machine, bytes.size(), where);
  JsonMaker maker(machine, bytes.size(), where);
  values = nlohmann::json::object();
  const auto is_in = [](const std::vector<std::string>& names, const PickleValue& key) {
    return key.kind == Kind::kText && std::ranges::find(names, key.text) != names.end();
  };
  each_item(machine, top, [&](const PickleValue& key, const PickleValue& value) {
    if (is_in(keys.tensors, key)) finder.visit_member(key, value);
    if (is_in(keys.values, key)) values[std::string(key.text)] = maker.make(value);
  });
  return std::move(finder).finish();
}

std::vector<std::string> pickled_keys(std::string_view bytes, const std::string& where) {
  PickleMachine machine(bytes, where);
  const PickleValue& top = machine.run();
  std::vector<std::string> keys;
  if (top.kind != Kind::kDictionary) return keys;
  each_item(machine, top, [&](const PickleValue& key, const PickleValue& /*value*/) {
    if (key.kind == Kind::kText) keys.emplace_back(key.text);
  });
  return keys;
}

}  // namespace ventris::model
