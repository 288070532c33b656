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

/// A str as UTF-8. Throws the UnicodeEncodeError of Python for half of a surrogate pair, and TypeError for no str.
inline std::string to_utf8(nanobind::handle text) {
  if (!PyUnicode_Check(text.ptr())) throw nanobind::type_error("expected a str");
  Py_ssize_t size = 0;
  const char* bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (bytes == nullptr) throw nanobind::python_error();
  return {bytes, static_cast<size_t>(size)};
}

/// A list of str as UTF-8. Throws TypeError for anything else, and as to_utf8() does.
inline std::vector<std::string> all_to_utf8(nanobind::handle texts) {
  if (!PyList_Check(texts.ptr())) throw nanobind::type_error("expected a list of str");
  std::vector<std::string> all;
  for (const nanobind::handle text : nanobind::borrow<nanobind::list>(texts)) all.push_back(to_utf8(text));
  return all;
}

inline nanobind::list to_list(const std::vector<std::string>& texts) {
  nanobind::list all;
  for (const std::string& text : texts) all.append(to_str(text));
  return all;
}

/// The bytes of a path as os.fsencode() gives them: of a str (in which a surrogate may stand for a byte that is not
/// UTF-8), bytes, or an os.PathLike. Throws TypeError for anything else, and ValueError for a null character.
inline std::string to_path(nanobind::handle path) {
  PyObject* bytes = nullptr;
  if (PyUnicode_FSConverter(path.ptr(), &bytes) == 0) throw nanobind::python_error();
  const auto owned = nanobind::steal<nanobind::bytes>(bytes);
  return {owned.c_str(), owned.size()};
}

}  // namespace ventris::python
