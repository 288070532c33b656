ventris_test(events
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/event_file_test.cpp ${CMAKE_CURRENT_LIST_DIR}/record_test.cpp
  LINKS ventris_events)
# TensorBoard's own reader, where it is installed.
if(python_with_packages AND VENTRIS_LEARNING)
  add_test(NAME events_tensorboard
    COMMAND ${python_with_packages} ${CMAKE_CURRENT_LIST_DIR}/tensorboard_test.py $<TARGET_FILE:ventris-train>)
  set_tests_properties(events_tensorboard PROPERTIES LABELS e2e TIMEOUT 300 SKIP_RETURN_CODE 77)
endif()
