#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "files.h"
#include "text.h"
#include "text/tokenizer.h"

namespace ventris::python {

namespace nb = nanobind;
using text::Tokenizer;

void bind_tokenizer(nb::module_& module) {
  nb::class_<Tokenizer>(module, "Tokenizer", "A SentencePiece model. Any number of threads may use it.")
      .def(
          "__init__",
          [](Tokenizer* self, const nb::object& path) { new (self) Tokenizer(Tokenizer::from_file(to_path(path))); },
          nb::arg("path"))
      .def(
          "encode", [](const Tokenizer& tokenizer, const nb::str& text) { return tokenizer.encode(to_utf8(text)); },
          nb::arg("text"))
      .def(
          "pieces",
          [](const Tokenizer& tokenizer, const nb::str& text) { return to_list(tokenizer.pieces(to_utf8(text))); },
          nb::arg("text"))
      .def(
          "sample",
          [](const Tokenizer& tokenizer, const nb::str& text, double alpha, uint64_t seed) {
            if (!std::isfinite(alpha) || alpha < 0) throw nb::value_error("alpha: expected a number of at least 0");
            return tokenizer.sample(to_utf8(text), alpha, seed);
          },
          nb::arg("text"), nb::arg("alpha"), nb::arg("seed"))
      .def(
          "decode",
          [](const Tokenizer& tokenizer, const std::vector<int32_t>& ids) { return to_str(tokenizer.decode(ids)); },
          nb::arg("ids"))
      .def(
          "piece", [](const Tokenizer& tokenizer, int32_t id) { return to_str(tokenizer.piece(id)); }, nb::arg("id"))
      .def("__len__", &Tokenizer::size);
}

}  // namespace ventris::python
