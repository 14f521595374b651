#!/bin/sh
# Names the Debian packages that are missing here, one a line: to build the bots with the word
# `build`, else to lint and test them too.
set -eu
tool() { command -v "$1" >/dev/null || echo "$2"; }
tool make make
tool c++ g++
tool cmake cmake
tool protoc protobuf-compiler
tool grpc_cpp_plugin protobuf-compiler-grpc
[ "${1:-all}" = build ] || tool clang-format clang-format

compiler='cat'
command -v c++ >/dev/null && compiler='c++ -std=c++20 -E -P -x c++ -'
header() { printf '#if !__has_include(<%s>)\n%s\n#endif\n' "$1" "$2"; }
{
  [ "$compiler" = cat ] || printf '#if defined(__cplusplus) && __cplusplus < 202002L\ng++-12\n#endif\n'
  header grpcpp/grpcpp.h libgrpc++-dev
  header google/protobuf/message.h libprotobuf-dev
  header openssl/evp.h libssl-dev
  header CLI/App.hpp libcli11-dev
  header nlohmann/json.hpp nlohmann-json3-dev
  [ "${1:-all}" = build ] || header gtest/gtest.h libgtest-dev
} | $compiler | grep -v '^#' | tr -d ' ' || true
