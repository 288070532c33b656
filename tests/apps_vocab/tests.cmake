ventris_test(apps_vocab LABEL e2e SOURCES ${CMAKE_CURRENT_LIST_DIR}/vocab_test.cpp LINKS ventris_text)
add_dependencies(test_apps_vocab ventris-vocab)
