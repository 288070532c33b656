# Finds nanobind, and the Python that it is installed in: the one given as Python_EXECUTABLE, the active one, or that of
# .venv. Sets nanobind_FOUND; if it is not found, nanobind_missing says what to do.
set(nanobind_FOUND FALSE)
set(nanobind_missing "nanobind was not found. Run scripts/setup.sh --test-tools, or: python3 -m pip install nanobind")
set(pythons python3 ${PROJECT_SOURCE_DIR}/.venv/bin/python)
if(Python_EXECUTABLE)
  set(pythons ${Python_EXECUTABLE})
endif()
foreach(python ${pythons})
  execute_process(COMMAND ${python} -c "import nanobind, sys; print(sys.executable, nanobind.cmake_dir(), sep=';')"
    OUTPUT_VARIABLE found ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(found AND NOT nanobind_FOUND)
    list(GET found 0 python_of_nanobind)
    list(GET found 1 nanobind_folder)
    set(Python_EXECUTABLE ${python_of_nanobind} CACHE FILEPATH "")
    find_package(Python 3.10 COMPONENTS Interpreter Development.Module
      OPTIONAL_COMPONENTS Development.SABIModule)
    if(Python_Development.Module_FOUND)
      find_package(nanobind CONFIG PATHS ${nanobind_folder} NO_DEFAULT_PATH)
    else()
      set(nanobind_missing "the headers of ${python_of_nanobind} were not found. On Debian: apt-get install python3-dev")
    endif()
  endif()
endforeach()
