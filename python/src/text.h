#pragma once
#include <nanobind/nanobind.h>

#include <string>
#include <string_view>
#include <vector>

namespace ventris::python {

/// A text of the library as a str. Bytes that are not UTF-8 become U+FFFD, as in the JSON of the programs.
inline nanobind::str to_str(std::string_view text) {
  return nanobind::steal<nanobind::str>(
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
}

/// A str as UTF-8. Throws the UnicodeEncodeError of Python for half of a surrogate pair.
inline std::string to_utf8(nanobind::handle text) {
  Py_ssize_t size = 0;
  const char* bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (bytes == nullptr) throw nanobind::python_error();
  return {bytes, static_cast<size_t>(size)};
}

inline std::vector<std::string> all_to_utf8(const nanobind::list& texts) {
  std::vector<std::string> all;
  all.reserve(texts.size());
  for (const nanobind::handle text : texts) all.push_back(to_utf8(text));
  return all;
}

inline nanobind::list to_list(const std::vector<std::string>& texts) {
  nanobind::list all;
  for (const std::string& text : texts) all.append(to_str(text));
  return all;
}

}  // namespace ventris::python
