ventris_test(apps_classify LABEL e2e SOURCES ${CMAKE_CURRENT_LIST_DIR}/classify_test.cpp LINKS ventris_model)
add_dependencies(test_apps_classify ventris-classify)
