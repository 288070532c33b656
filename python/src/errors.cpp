#include "errors.h"

#include <nanobind/nanobind.h>

#include <exception>

#include "core/error.h"

namespace ventris::python {
namespace {

namespace nb = nanobind;

void raise(const char* type, const Error& error) {
  const nb::object kind = nb::module_::import_("ventris.errors").attr(type);
  PyErr_SetString(kind.ptr(), error.what());
}

void translate(const std::exception_ptr& pointer, void* /*unused*/) {
  try {
    std::rethrow_exception(pointer);
  } catch (const ConfigError& error) {
    raise("ConfigError", error);
  } catch (const DataError& error) {
    raise("DataError", error);
  } catch (const ModelError& error) {
    raise("ModelError", error);
  } catch (const Error& error) {
    raise("Error", error);
  }
}

}  // namespace

void register_errors() { nb::register_exception_translator(translate); }

}  // namespace ventris::python
