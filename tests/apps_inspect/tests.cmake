ventris_test(apps_inspect LABEL e2e SOURCES ${CMAKE_CURRENT_LIST_DIR}/inspect_test.cpp LINKS ventris_model)
add_dependencies(test_apps_inspect ventris-inspect)
