ventris_test(data
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/batch_plan_test.cpp ${CMAKE_CURRENT_LIST_DIR}/cache_file_test.cpp ${CMAKE_CURRENT_LIST_DIR}/change_examples_test.cpp
          ${CMAKE_CURRENT_LIST_DIR}/corpus_cache_test.cpp ${CMAKE_CURRENT_LIST_DIR}/corpus_forms_test.cpp ${CMAKE_CURRENT_LIST_DIR}/corpus_reader_test.cpp
          ${CMAKE_CURRENT_LIST_DIR}/corpus_test.cpp ${CMAKE_CURRENT_LIST_DIR}/documents_test.cpp
          ${CMAKE_CURRENT_LIST_DIR}/epoch_order_test.cpp ${CMAKE_CURRENT_LIST_DIR}/masked_batches_test.cpp
          ${CMAKE_CURRENT_LIST_DIR}/labelled_batches_test.cpp ${CMAKE_CURRENT_LIST_DIR}/labels_test.cpp
          ${CMAKE_CURRENT_LIST_DIR}/length_survey_test.cpp
          ${CMAKE_CURRENT_LIST_DIR}/line_blocks_test.cpp
          ${CMAKE_CURRENT_LIST_DIR}/pair_context_test.cpp ${CMAKE_CURRENT_LIST_DIR}/pair_lines_test.cpp ${CMAKE_CURRENT_LIST_DIR}/pair_store_test.cpp ${CMAKE_CURRENT_LIST_DIR}/spool_test.cpp
          ${CMAKE_CURRENT_LIST_DIR}/subword_sampler_test.cpp ${CMAKE_CURRENT_LIST_DIR}/token_links_test.cpp
          ${CMAKE_CURRENT_LIST_DIR}/prefetcher_test.cpp ${CMAKE_CURRENT_LIST_DIR}/pair_modifier_test.cpp
  LINKS ventris_data ZLIB::ZLIB)
