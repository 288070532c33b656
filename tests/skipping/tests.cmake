ventris_test(skipping WHOLE SOURCES ${CMAKE_CURRENT_LIST_DIR}/skipping_test.cpp LINKS ventris_core)
