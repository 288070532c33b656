# Of the upper half only the checkpoint's own source: it needs no LibTorch, so that these run under the sanitizers, too.
ventris_test(faults WHOLE
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/corruption_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/faults.cpp
    ${CMAKE_CURRENT_LIST_DIR}/save_test.cpp
    ${PROJECT_SOURCE_DIR}/lib/training/checkpoint.cpp
  LINKS ventris_data ventris_model)
