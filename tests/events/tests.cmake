ventris_test(events
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/event_file_test.cpp ${CMAKE_CURRENT_LIST_DIR}/record_test.cpp
  LINKS ventris_events)
# TensorBoard's own reader, where it is installed: by scripts/setup.sh --test-tools, or for the usual Python.
find_package(Python3 3.10 COMPONENTS Interpreter)
find_program(VENTRIS_TEST_PYTHON python PATHS ${PROJECT_SOURCE_DIR}/.venv-test/bin NO_DEFAULT_PATH)
if(VENTRIS_TEST_PYTHON)
  set(python ${VENTRIS_TEST_PYTHON})
else()
  set(python ${Python3_EXECUTABLE})
endif()
if(python AND VENTRIS_LEARNING)
  add_test(NAME events_tensorboard
    COMMAND ${python} ${CMAKE_CURRENT_LIST_DIR}/tensorboard_test.py $<TARGET_FILE:ventris-train>)
  set_tests_properties(events_tensorboard PROPERTIES LABELS e2e TIMEOUT 300 SKIP_RETURN_CODE 77)
endif()
