ventris_test(tree SOURCES ${CMAKE_CURRENT_LIST_DIR}/arrows_test.cpp LINKS ventris_core)
