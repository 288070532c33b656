ventris_test(apps_average LABEL e2e SOURCES ${CMAKE_CURRENT_LIST_DIR}/average_test.cpp LINKS ventris_model)
add_dependencies(test_apps_average ventris-average)
