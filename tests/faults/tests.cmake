# Of the upper half only the checkpoint's own sources: they need no LibTorch, so that these run under the sanitizers, too.
ventris_test(faults WHOLE
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/corruption_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/faults.cpp
    ${CMAKE_CURRENT_LIST_DIR}/save_test.cpp
    ${PROJECT_SOURCE_DIR}/lib/training/checkpoint.cpp
    ${PROJECT_SOURCE_DIR}/lib/training/run_folder.cpp
  LINKS ventris_data ventris_events ventris_model ventris_report)
