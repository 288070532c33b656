ventris_test(data
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/batches_test.cpp ${CMAKE_CURRENT_LIST_DIR}/corpus_test.cpp
          ${CMAKE_CURRENT_LIST_DIR}/prefetcher_test.cpp
  LINKS ventris_data ZLIB::ZLIB)
