ventris_test(apps_fill LABEL e2e SOURCES ${CMAKE_CURRENT_LIST_DIR}/fill_test.cpp LINKS ventris_model)
add_dependencies(test_apps_fill ventris-fill)
