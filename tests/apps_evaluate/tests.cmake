ventris_test(apps_evaluate LABEL e2e SOURCES ${CMAKE_CURRENT_LIST_DIR}/evaluate_test.cpp LINKS ventris_text)
add_dependencies(test_apps_evaluate ventris-evaluate)
