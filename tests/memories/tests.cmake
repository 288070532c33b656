ventris_test(memories
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/memory_file_test.cpp ${CMAKE_CURRENT_LIST_DIR}/tmx_reader_test.cpp
  LINKS ventris_memories ZLIB::ZLIB)
