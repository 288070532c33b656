ventris_test(faults WHOLE
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/corruption_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/faults.cpp
    ${CMAKE_CURRENT_LIST_DIR}/save_test.cpp
  LINKS ventris_run)
