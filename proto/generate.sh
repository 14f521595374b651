#!/usr/bin/env bash
# Makes the Python stubs of our proto files: of all, or of those in the folders named.
# usage: generate.sh PYTHON OUT_DIR PACKAGE [FOLDER...]   where PACKAGE is the dotted home of OUT_DIR
# protoc writes absolute imports of its virtual paths; one substitution moves them to their home.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
python=$1 out=$2 package=$3
shift 3
[ $# -gt 0 ] || set -- euchre
rm -rf "$out/euchre"
mkdir -p "$out"
cd "$here"
mapfile -t files < <(find "$@" -name '*.proto' | sort)
cd - >/dev/null
"$python" -m grpc_tools.protoc -I "$here" --python_out="$out" --pyi_out="$out" --grpc_python_out="$out" "${files[@]}"
find "$out/euchre" -name '*.py' -o -name '*.pyi' | while read -r file; do
  sed -i -E "s/^from euchre\./from $package.euchre./" "$file"
done
find "$out/euchre" -type d -exec touch {}/__init__.py \;
