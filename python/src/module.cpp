#include <nanobind/nanobind.h>

#include "core/process.h"
#include "errors.h"
#include "evaluate.h"
#include "files.h"
#include "interruptible.h"
#include "translator.h"

/// The part of the Python package `ventris` that is C++. ventris/*.py is what users import.
NB_MODULE(_core, module) {
  nanobind::set_leak_warnings(false);  // a daemon thread may hold a Translator until the process is gone
  nanobind::module_::import_("atexit").attr("register")(nanobind::cpp_function([] { ventris::python::end_calls(); }));
  module.attr("__version__") = ventris::core::version();
  ventris::python::register_errors();
  ventris::python::bind_translator(module);
  ventris::python::bind_evaluate(module);
  ventris::python::bind_tokenizer(module);
  ventris::python::bind_files(module);
}
