# The Python package of the build folder. scripts/python.sh runs the same tests with the wheel.
if(TARGET ventris_python)
  set(backend "")
  if(VENTRIS_LEARNING)
    set(backend $<TARGET_FILE:ventris_backend_library>)
  endif()
  add_test(NAME python COMMAND ${Python_EXECUTABLE} -m unittest discover -s ${CMAKE_CURRENT_LIST_DIR})
  set_tests_properties(python PROPERTIES LABELS e2e TIMEOUT 900 COST 60 ENVIRONMENT
    "PYTHONPATH=${CMAKE_BINARY_DIR}/python;PYTHONDONTWRITEBYTECODE=1;VENTRIS_PROGRAMS=${CMAKE_RUNTIME_OUTPUT_DIRECTORY};VENTRIS_TEST_BACKEND=${backend}")
  add_test(NAME python_wheel COMMAND ${PROJECT_SOURCE_DIR}/scripts/python.sh --test
    --build ${CMAKE_BINARY_DIR} --python ${Python_EXECUTABLE} --programs ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
  set_tests_properties(python_wheel PROPERTIES LABELS e2e TIMEOUT 1800 SKIP_RETURN_CODE 77 COST 100)
else()
  add_test(NAME python COMMAND ${CMAKE_COMMAND} -E echo "The Python package was not built: nanobind is missing.")
  set_tests_properties(python PROPERTIES LABELS e2e SKIP_REGULAR_EXPRESSION "was not built")
endif()
