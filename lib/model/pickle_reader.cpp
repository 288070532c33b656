#include "model/pickle_reader.h"

#include <cstring>
#include <deque>
#include <map>

#include "core/error.h"
#include "model/safetensors.h"

namespace ventris::model {
namespace {

constexpr int kMostDepth = 100;
constexpr size_t kMostVisits = 1'000'000;  // of values, because a value may be in several places

enum class Kind { kOther, kNumber, kText, kGlobal, kTuple, kObject, kStorage, kTensor };

/// A value of the pickle. A dictionary is an object, too.
struct Value {
  Kind kind = Kind::kOther;
  int64_t number = 0;
  std::string text;           // of a text, or the name of a class or function
  std::vector<Value*> items;  // of a tuple; of an object: keys and values by turns
};

/// The stack machine of pickles (protocol 2), as far as torch.jit.save uses it. It owns all values, so that those that
/// contain each other do no harm.
class Machine {
 public:
  Machine(std::string_view bytes, const std::string& where) : bytes_(bytes), where_(where) {}

  /// The value that the pickle describes.
  const Value& run() {
    while (at_ < bytes_.size()) {
      const char code = take(1)[0];
      if (code == '.') return *pop();
      step(code);
    }
    damaged("it does not end");
  }

 private:
  [[noreturn]] void damaged(const std::string& reason) const {
    fail<ModelError>(where_, ": damaged, or not of ventris-export: ", reason);
  }

  std::string_view take(size_t count) {
    if (count > bytes_.size() - at_) damaged("it is cut off");
    at_ += count;
    return bytes_.substr(at_ - count, count);
  }
  template <typename Number>
  Number take_number() {
    Number value = 0;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  std::string take_line() {
    const size_t end = bytes_.find('\n', at_);
    if (end == std::string_view::npos) damaged("it is cut off");
    const std::string line(take(end - at_));
    take(1);
    return line;
  }

  Value& push(Kind kind) {
    Value& value = values_.emplace_back();
    value.kind = kind;
    stack_.push_back(&value);
    return value;
  }
  void push_number(int64_t number) { push(Kind::kNumber).number = number; }
  void push_text(std::string text) { push(Kind::kText).text = std::move(text); }
  Value* pop() {
    if (stack_.empty()) damaged("a value is missing");
    Value* value = stack_.back();
    stack_.pop_back();
    return value;
  }
  /// The values after the last mark.
  std::vector<Value*> pop_to_mark() {
    if (marks_.empty() || marks_.back() > stack_.size()) damaged("a mark is missing");
    std::vector<Value*> items(stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back()), stack_.end());
    stack_.resize(marks_.back());
    marks_.pop_back();
    return items;
  }

  void keep(uint32_t number) { memory_[number] = stack_.empty() ? nullptr : stack_.back(); }
  void recall(uint32_t number) {
    const auto found = memory_.find(number);
    if (found == memory_.end() || found->second == nullptr) damaged("it refers to a value that it does not have");
    stack_.push_back(found->second);
  }

  void add_items(const std::vector<Value*>& items) {
    Value* object = pop();
    if (object->kind != Kind::kObject) damaged("a value has items, but is no object");
    object->items.insert(object->items.end(), items.begin(), items.end());
    stack_.push_back(object);
  }
  void build() {
    const std::vector<Value*> state = pop()->items;
    add_items(state);
  }
  /// Calls nothing: only tensors are of interest, and dictionaries, which torch.jit.save wraps to note their types.
  void call() {
    const std::vector<Value*> arguments = pop()->items;
    const std::string function = pop()->text;
    if (function == "torch.jit._pickle.restore_type_tag" && !arguments.empty()) {
      stack_.push_back(arguments.front());
      return;
    }
    const bool tensor = function == "torch._utils._rebuild_tensor_v2";
    push(tensor ? Kind::kTensor : function == "collections.OrderedDict" ? Kind::kObject : Kind::kOther);
    if (tensor) stack_.back()->items = arguments;
  }
  void make_object() {
    pop();
    pop();
    push(Kind::kObject);
  }
  void make_tuple(const std::vector<Value*>& items) { push(Kind::kTuple).items = items; }
  void make_tuple_of(size_t count) {
    if (stack_.size() < count) damaged("a value is missing");
    const std::vector<Value*> items(stack_.end() - static_cast<std::ptrdiff_t>(count), stack_.end());
    stack_.resize(stack_.size() - count);
    make_tuple(items);
  }
  void make_storage() {
    const std::vector<Value*> items = pop()->items;
    push(Kind::kStorage).items = items;
  }
  void long_number() {
    const auto size = take_number<uint8_t>();
    if (size > sizeof(int64_t)) damaged("a number is too large");
    int64_t value = 0;
    std::memcpy(&value, take(size).data(), size);
    push_number(value);
  }

  void step(char code) {
    switch (static_cast<unsigned char>(code)) {
      case 0x80: take(1); return;  // the protocol
      case '(': marks_.push_back(stack_.size()); return;
      case '}': push(Kind::kObject); return;
      case ']':   // a list
      case 'N':   // none
      case 0x88:  // true
      case 0x89:  // false
        push(Kind::kOther);
        return;
      case 'e': pop_to_mark(); return;                             // appends to a list
      case 'a': pop(); return;
      case 'G':
        take(sizeof(double));
        push(Kind::kOther);
        return;
      default: step_of_objects(code);
    }
  }
  void step_of_objects(char code) {
    switch (static_cast<unsigned char>(code)) {
      case 'K': return push_number(take_number<uint8_t>());
      case 'M': return push_number(take_number<uint16_t>());
      case 'J': return push_number(take_number<int32_t>());
      case 0x8a: return long_number();
      case 'X': return push_text(std::string(take(take_number<uint32_t>())));
      case 'c': return push_global();
      case ')': return make_tuple({});
      case 't': return make_tuple(pop_to_mark());
      case 0x85: return make_tuple_of(1);
      case 0x86: return make_tuple_of(2);
      case 0x87: return make_tuple_of(3);
      case 0x81: return make_object();
      case 'u': return add_items(pop_to_mark());
      case 'b': return build();
      case 'R': return call();
      case 'Q': return make_storage();
      case 'q': return keep(take_number<uint8_t>());
      case 'r': return keep(take_number<uint32_t>());
      case 'h': return recall(take_number<uint8_t>());
      case 'j': return recall(take_number<uint32_t>());
      default: damaged("it has an instruction that torch.jit.save does not write");
    }
  }
  void push_global() {
    const std::string module = take_line();
    push(Kind::kGlobal).text = module + "." + take_line();
  }

  std::string_view bytes_;
  const std::string& where_;
  size_t at_ = 0;
  std::deque<Value> values_;
  std::vector<Value*> stack_;
  std::vector<size_t> marks_;
  std::map<uint32_t, Value*> memory_;
};

/// Finds the tensors in nested objects.
class Finder {
 public:
  explicit Finder(const std::string& where) : where_(where) {}

  void visit(const Value& value, const std::string& name, int depth) {
    if (depth > kMostDepth || ++visits_ > kMostVisits) {
      fail<ModelError>(where_, ": damaged: its objects are nested too deeply");
    }
    if (value.kind == Kind::kTensor) found.push_back(tensor_of(value, name));
    if (value.kind != Kind::kObject) return;
    for (size_t i = 0; i + 1 < value.items.size(); i += 2) {
      if (value.items[i]->kind != Kind::kText) continue;
      const std::string& key = value.items[i]->text;
      if (!is_printable(key)) fail<ModelError>(where_, ": damaged: a name in it is not printable");
      visit(*value.items[i + 1], name.empty() ? key : name + "." + key, depth + 1);
    }
  }

  std::vector<PickledTensor> found;

 private:
  std::vector<int64_t> numbers_of(const Value& tuple, const std::string& name) const {
    std::vector<int64_t> numbers;
    for (const Value* item : tuple.items) {
      if (item->kind != Kind::kNumber) fail<ModelError>(where_, ": damaged: tensor '", name, "' has no shape");
      numbers.push_back(item->number);
    }
    return numbers;
  }
  /// The arguments of torch._utils._rebuild_tensor_v2: storage, offset, shape, strides, and others.
  PickledTensor tensor_of(const Value& value, const std::string& name) const {
    constexpr size_t kArguments = 4, kStorageItems = 5;  // "storage", type, name, device, size
    const auto& items = value.items;
    const bool whole = items.size() >= kArguments && items[0]->kind == Kind::kStorage &&
                       items[0]->items.size() == kStorageItems && items[1]->kind == Kind::kNumber &&
                       items[2]->kind == Kind::kTuple && items[3]->kind == Kind::kTuple;
    if (!whole) fail<ModelError>(where_, ": damaged: tensor '", name, "' has no storage");
    const std::string type = items[0]->items[1]->text;
    return {name,
            type.substr(type.rfind('.') + 1),
            items[0]->items[2]->text,
            items[1]->number,
            numbers_of(*items[2], name),
            numbers_of(*items[3], name)};
  }

  const std::string& where_;
  size_t visits_ = 0;
};

}  // namespace

std::vector<PickledTensor> read_pickled_tensors(std::string_view bytes, const std::string& where) {
  Machine machine(bytes, where);
  Finder finder(where);
  finder.visit(machine.run(), "", 0);
  return std::move(finder.found);
}

}  // namespace ventris::model
