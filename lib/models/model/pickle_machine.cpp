#include "model/pickle_machine.h"

#include <algorithm>
#include <cstring>

#include "core/error.h"
#include "model/pickle_names.h"

namespace ventris::model {

const PickleValue& PickleMachine::run() {
  for (size_t count = 0; at_ < bytes_.size(); ++count) {
    if (count == kMostInstructions) damaged("it has more than " + std::to_string(count) + " instructions");
    const char code = take(1)[0];
    if (code == '.') return pop();
    step(code);
  }
  damaged("it does not end");
}

PickleMachine::Items PickleMachine::items(uint32_t block) const {
  if (block == PickleValue::kNone) return {};
  return Items(items_).subspan(blocks_[block].begin, blocks_[block].end - blocks_[block].begin);
}

void PickleMachine::damaged(const std::string& reason) const {
  fail<ModelError>(where_, ": damaged, or not of ventris-export: ", reason);
}

std::string_view PickleMachine::take(size_t count) {
  if (count > bytes_.size() - at_) damaged("it is cut off");
  at_ += count;
  return bytes_.substr(at_ - count, count);
}

template <typename Number>
Number PickleMachine::take_number() {
  Number value = 0;
  std::memcpy(&value, take(sizeof value).data(), sizeof value);
  return value;
}

void PickleMachine::skip_line() {
  const size_t end = bytes_.find('\n', at_);
  if (end == std::string_view::npos) damaged("it is cut off");
  at_ = end + 1;
}

PickleValue& PickleMachine::push(Kind kind) {
  PickleValue& value = values_.emplace_back();
  value.kind = kind;
  stack_.push_back(&value);
  return value;
}

void PickleMachine::push_global() {
  const size_t begin = at_;
  skip_line();
  skip_line();
  const std::string_view name = bytes_.substr(begin, at_ - 1 - begin);
  if (names_ == Names::kKnown && !is_data_name(name)) {
    fail<ModelError>(where_, ": has an object of ", dotted_name(name),
                     ", which is not known to be plain data; nothing of it was run. Save the checkpoint without it");
  }
  push(Kind::kGlobal).text = name;
}

void PickleMachine::push_long_number() {
  const auto size = take_number<uint8_t>();
  if (size > sizeof(int64_t)) damaged("a number is too large");
  int64_t value = 0;
  std::memcpy(&value, take(size).data(), size);
  push_number(value);
}

/// Its bytes begin with the highest.
void PickleMachine::push_real() {
  char bytes[sizeof(double)];
  const std::string_view found = take(sizeof bytes);
  std::reverse_copy(found.begin(), found.end(), bytes);
  double& real = push(Kind::kReal).real;
  std::memcpy(&real, bytes, sizeof bytes);
}

PickleValue& PickleMachine::pop() {
  if (stack_.empty()) damaged("a value is missing");
  PickleValue& value = *stack_.back();
  stack_.pop_back();
  return value;
}

/// The place in the stack of the first value after the last mark.
size_t PickleMachine::pop_mark() {
  if (marks_.empty() || marks_.back() > stack_.size()) damaged("a mark is missing");
  const size_t begin = marks_.back();
  marks_.pop_back();
  return begin;
}

/// Moves the values from `begin` to the top of the stack into a block.
uint32_t PickleMachine::block_of_top(size_t begin) {
  const auto first = static_cast<uint32_t>(items_.size());
  items_.insert(items_.end(), stack_.begin() + static_cast<std::ptrdiff_t>(begin), stack_.end());
  stack_.resize(begin);
  blocks_.push_back({first, static_cast<uint32_t>(items_.size())});
  return static_cast<uint32_t>(blocks_.size() - 1);
}

void PickleMachine::keep(uint32_t number) { memory_[number] = stack_.empty() ? nullptr : stack_.back(); }

void PickleMachine::recall(uint32_t number) {
  const auto found = memory_.find(number);
  if (found == memory_.end() || found->second == nullptr) damaged("it refers to a value that it does not have");
  stack_.push_back(found->second);
}

/// The values from `begin` to the top of the stack become the last items of a dictionary or a list.
void PickleMachine::append(PickleValue& container, size_t begin) {
  const uint32_t block = block_of_top(begin);
  (container.block == PickleValue::kNone ? container.block : blocks_[container.last_block].next) = block;
  container.last_block = block;
}

/// The keys and values after the last mark, for the dictionary before it.
void PickleMachine::add_items() {
  const size_t begin = pop_mark();
  if ((stack_.size() - begin) % 2 != 0) damaged("a key has no value");
  if (begin == 0) damaged("a value is missing");
  PickleValue& dictionary = *stack_[begin - 1];
  if (dictionary.kind == Kind::kOther) return stack_.resize(begin);
  if (dictionary.kind != Kind::kDictionary) damaged("a value has items, but is no object");
  append(dictionary, begin);
}

/// The key and the value on top, for the dictionary before them.
void PickleMachine::add_item() {
  if (stack_.size() < 3) damaged("a value is missing");
  marks_.push_back(stack_.size() - 2);
  add_items();
}

/// The values from `begin` to the top, for the list before them; what a call made may have items like a list.
void PickleMachine::add_to_list(size_t begin) {
  if (begin == 0) damaged("a value is missing");
  PickleValue& list = *stack_[begin - 1];
  if (list.kind == Kind::kList && begin < stack_.size()) return append(list, begin);
  stack_.resize(begin);
}

/// Gives an object its state: the items of a dictionary.
void PickleMachine::build() {
  const PickleValue& state = pop();
  PickleValue& object = pop();
  if (object.kind == Kind::kObject && state.kind == Kind::kDictionary) object.block = state.block;
  stack_.push_back(&object);
}

/// Calls nothing: only tensors are of interest, dictionaries, which torch.jit.save wraps to note their types, and what
/// has nothing but fields.
void PickleMachine::call() {
  const PickleValue &arguments = pop(), &function = pop();
  const Items given = arguments.kind == Kind::kTuple ? items(arguments.block) : Items();
  const bool wraps =
      function.text == "torch.jit._pickle\nrestore_type_tag" || function.text == "torch._utils\n_rebuild_parameter";
  if (wraps && !given.empty()) return stack_.push_back(given.front());
  if (function.text == "collections\nOrderedDict") {
    push(Kind::kDictionary);
  } else if (function.text == "types\nSimpleNamespace") {
    push(Kind::kObject);
  } else if (function.text == "torch._utils\n_rebuild_tensor_v2") {
    push(Kind::kTensor).block = arguments.kind == Kind::kTuple ? arguments.block : PickleValue::kNone;
  } else {
    stack_.push_back(&other_);
  }
}

void PickleMachine::make_object() {
  pop();
  pop();
  push(Kind::kObject);
}

void PickleMachine::make_tuple(size_t begin) {
  if (begin == stack_.size()) return stack_.push_back(&empty_tuple_);
  const uint32_t block = block_of_top(begin);
  push(Kind::kTuple).block = block;
}

void PickleMachine::make_tuple_of(size_t count) {
  if (stack_.size() < count) damaged("a value is missing");
  make_tuple(stack_.size() - count);
}

void PickleMachine::make_storage() {
  const PickleValue& what = pop();
  push(Kind::kStorage).block = what.kind == Kind::kTuple ? what.block : PickleValue::kNone;
}

void PickleMachine::step(char code) {
  switch (static_cast<unsigned char>(code)) {
    case 0x80: take(1); return;  // the protocol
    case '(': marks_.push_back(stack_.size()); return;
    case '}': push(Kind::kDictionary); return;
    case 'N': return stack_.push_back(&none_);
    case 0x88: return stack_.push_back(&true_);
    case 0x89: return stack_.push_back(&false_);
    case ']': push(Kind::kList); return;
    case 'e': return add_to_list(pop_mark());
    case 'a': return add_to_list(stack_.empty() ? 0 : stack_.size() - 1);
    case 'G': return push_real();
    default: step_of_objects(code);
  }
}

void PickleMachine::step_of_objects(char code) {
  switch (static_cast<unsigned char>(code)) {
    case 'K': return push_number(take_number<uint8_t>());
    case 'M': return push_number(take_number<uint16_t>());
    case 'J': return push_number(take_number<int32_t>());
    case 0x8a: return push_long_number();
    case 'X': {
      const std::string_view text = take(take_number<uint32_t>());
      push(Kind::kText).text = text;
      return;
    }
    case 'c': return push_global();
    case ')': return stack_.push_back(&empty_tuple_);
    case 't': return make_tuple(pop_mark());
    case 0x85: return make_tuple_of(1);
    case 0x86: return make_tuple_of(2);
    case 0x87: return make_tuple_of(3);
    case 0x81: return make_object();
    case 'u': return add_items();
    case 's': return add_item();
    case 'b': return build();
    case 'R': return call();
    case 'Q': return make_storage();
    case 'q': return keep(take_number<uint8_t>());
    case 'r': return keep(take_number<uint32_t>());
    case 'h': return recall(take_number<uint8_t>());
    case 'j': return recall(take_number<uint32_t>());
    default: damaged("it has an instruction that PyTorch does not write for tensors");
  }
}

}  // namespace ventris::model
