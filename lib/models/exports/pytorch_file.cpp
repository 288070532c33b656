#include "exports/pytorch_file.h"

#include <limits>
#include <map>
#include <string_view>

#include "exports/little_endian.h"
#include "exports/stored_zip.h"

namespace ventris::exports {
namespace {

/// Writes a program for Python's pickle machine, which makes one object after the other on a stack (protocol 2).
class Pickle {
 public:
  Pickle() { bytes_ = "\x80\x02"; }

  void text(std::string_view value) {
    bytes_ += 'X';
    append(bytes_, static_cast<uint32_t>(value.size()));
    bytes_ += value;
  }
  void number(int64_t value) {
    if (value <= std::numeric_limits<int32_t>::max()) {
      bytes_ += 'J';
      append(bytes_, static_cast<int32_t>(value));
    } else {
      bytes_ += "\x8a\x08";  // a number of 8 bytes
      append(bytes_, value);
    }
  }
  void no() { bytes_ += '\x89'; }  // False
  void empty_dictionary() { bytes_ += '}'; }
  /// A class or function of Python.
  void global(const std::string& module, const std::string& name) { bytes_ += 'c' + module + '\n' + name + '\n'; }
  void begin() { bytes_ += '('; }  // of a tuple or of items
  void tuple() { bytes_ += 't'; }
  void items() { bytes_ += 'u'; }       // into the dictionary before begin()
  void call() { bytes_ += 'R'; }        // the function before a tuple, with the tuple as its arguments
  void persistent() { bytes_ += 'Q'; }  // replaces a tuple by what the reader keeps under it
  void tuple_of(const std::vector<int64_t>& numbers) {
    begin();
    for (const int64_t value : numbers) number(value);
    tuple();
  }
  std::string finish() && { return std::move(bytes_) + '.'; }

 private:
  std::string bytes_;
};

std::vector<int64_t> strides_of(const std::vector<int64_t>& shape) {
  std::vector<int64_t> strides(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;) strides[i - 1] = strides[i] * shape[i];
  return strides;
}

/// torch._utils._rebuild_tensor_v2(storage, offset, size, stride, requires_grad, backward_hooks)
void add_tensor(Pickle& pickle, const NamedTensor& tensor, const std::string& storage) {
  pickle.text(tensor.name);
  pickle.global("torch._utils", "_rebuild_tensor_v2");
  pickle.begin();
  pickle.begin();
  pickle.text("storage");
  pickle.global("torch", "FloatStorage");
  pickle.text(storage);
  pickle.text("cpu");
  pickle.number(static_cast<int64_t>(tensor.values->size()));
  pickle.tuple();
  pickle.persistent();
  pickle.number(0);
  pickle.tuple_of(tensor.shape);
  pickle.tuple_of(strides_of(tensor.shape));
  pickle.no();
  pickle.global("collections", "OrderedDict");
  pickle.begin();
  pickle.tuple();
  pickle.call();
  pickle.tuple();
  pickle.call();
}

}  // namespace

std::string pytorch_file(const std::vector<NamedTensor>& tensors) {
  std::map<const void*, std::string> storages;  // values -> their name
  std::vector<const NamedTensor*> stored;
  Pickle pickle;
  pickle.empty_dictionary();
  pickle.begin();
  for (const NamedTensor& tensor : tensors) {
    const auto [place, fresh] = storages.emplace(tensor.values.get(), std::to_string(storages.size()));
    if (fresh) stored.push_back(&tensor);
    add_tensor(pickle, tensor, place->second);
  }
  pickle.items();
  StoredZip archive;
  archive.add("archive/data.pkl", std::move(pickle).finish());
  archive.add("archive/byteorder", "little");
  for (size_t i = 0; i < stored.size(); ++i) {
    const std::vector<float>& values = *stored[i]->values;
    archive.add("archive/data/" + std::to_string(i),
                {reinterpret_cast<const char*>(values.data()), sizeof(float) * values.size()});
  }
  archive.add("archive/version", "3\n");
  return std::move(archive).finish();
}

}  // namespace ventris::exports
