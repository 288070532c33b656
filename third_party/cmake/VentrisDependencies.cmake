# Every library we use, and how it is found. third_party/README.md says why each is here and under which licence.
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(CLI11 2.1 REQUIRED)
find_package(fmt 9 REQUIRED)
find_package(spdlog 1.10 REQUIRED)
find_package(ZLIB REQUIRED)
find_package(ICU 67 REQUIRED COMPONENTS uc)
pkg_check_modules(SENTENCEPIECE REQUIRED IMPORTED_TARGET sentencepiece)
pkg_check_modules(HIGHWAY REQUIRED IMPORTED_TARGET libhwy)
pkg_check_modules(LIBZIP REQUIRED IMPORTED_TARGET libzip)
add_library(ventris_sentencepiece INTERFACE)
target_link_libraries(ventris_sentencepiece INTERFACE PkgConfig::SENTENCEPIECE)
# libsentencepiece and libc10 both export FLAGS_minloglevel, of 32 and of 4 bytes, and a process has only one: that of
# the library that comes first. SentencePiece's constructor in LibTorch's 4 bytes destroys their neighbours (a mutex:
# jit::Method hangs), so its library has to be the first. LibTorch reads the variable only when it is asked to
# configure its logging, which never happens here.
target_link_options(ventris_sentencepiece INTERFACE
  "LINKER:--push-state,--no-as-needed" ${SENTENCEPIECE_LINK_LIBRARIES} "LINKER:--pop-state")
if(VENTRIS_LEARNING)
  # No symbol of it is asked for by name: it takes malloc's place.
  pkg_check_modules(JEMALLOC REQUIRED IMPORTED_TARGET jemalloc)
  add_library(ventris_jemalloc INTERFACE)
  target_link_options(ventris_jemalloc INTERFACE
    "SHELL:-Wl,--push-state,--no-as-needed ${JEMALLOC_LINK_LIBRARIES} -Wl,--pop-state")
endif()
if(VENTRIS_TESTS)
  find_package(GTest 1.12 REQUIRED)
  find_library(VENTRIS_RAPIDCHECK rapidcheck REQUIRED)
endif()
if(VENTRIS_LEARNING)
  include(FindLibTorch)
  include(FindGloo)
  # The object file is never used: it exists so that the header is compiled once for all.
  file(WRITE ${CMAKE_BINARY_DIR}/torch_header.cpp "// carries the precompiled torch header\n")
  add_library(ventris_torch_header OBJECT ${CMAKE_BINARY_DIR}/torch_header.cpp)
  target_link_libraries(ventris_torch_header PUBLIC ventris_torch PRIVATE ventris_flags)
  target_compile_options(ventris_torch_header PRIVATE -fpch-preprocess)
  target_precompile_headers(ventris_torch_header PRIVATE <torch/torch.h>)
endif()
