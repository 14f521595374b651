// Command tools makes the Go stubs of proto files, as protoc would, without needing protoc.
//
// usage: go run . PROTO_DIR OUT_DIR FILE…
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/bufbuild/protocompile"
	"github.com/bufbuild/protocompile/protoutil"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/pluginpb"
)

const (
	home = "euchrebot/internal/pb"
	// The parameter of both plugins: files lie under the module, which the proto files do not name.
	layout = "module=" + home
	// What the gRPC library brings along need not be made again.
	statusFile    = "google/rpc/status.proto"
	statusPackage = "google.golang.org/genproto/googleapis/rpc/status"
)

func main() {
	if len(os.Args) < 4 {
		fmt.Fprintln(os.Stderr, "usage: go run . PROTO_DIR OUT_DIR FILE…")
		os.Exit(2)
	}
	if err := generate(os.Args[1], os.Args[2], os.Args[3:]); err != nil {
		fmt.Fprintln(os.Stderr, "stubs:", err)
		os.Exit(1)
	}
}

func generate(source, out string, names []string) error {
	compiler := protocompile.Compiler{
		Resolver: protocompile.WithStandardImports(
			&protocompile.SourceResolver{ImportPaths: []string{source}},
		),
		SourceInfoMode: protocompile.SourceInfoStandard,
	}
	files, err := compiler.Compile(context.Background(), names...)
	if err != nil {
		return err
	}
	request := &pluginpb.CodeGeneratorRequest{FileToGenerate: names}
	parameter := layout
	seen := map[string]bool{}
	var add func(file protoreflect.FileDescriptor)
	add = func(file protoreflect.FileDescriptor) {
		if seen[file.Path()] {
			return
		}
		seen[file.Path()] = true
		for i := range file.Imports().Len() {
			add(file.Imports().Get(i).FileDescriptor)
		}
		request.ProtoFile = append(request.ProtoFile, protoutil.ProtoFromFileDescriptor(file))
		parameter += ",M" + file.Path() + "=" + importPath(file)
	}
	for _, file := range files {
		add(file)
	}
	request.Parameter = proto.String(parameter)
	for _, plugin := range []string{"protoc-gen-go", "protoc-gen-go-grpc"} {
		if err := run(plugin, request, out); err != nil {
			return fmt.Errorf("%s: %w", plugin, err)
		}
	}
	return nil
}

// importPath is the Go package of a proto file.
func importPath(file protoreflect.FileDescriptor) string {
	options, _ := file.Options().(*descriptorpb.FileOptions)
	switch {
	case options.GetGoPackage() != "":
		return options.GetGoPackage()
	case file.Path() == statusFile:
		return statusPackage
	default:
		names := strings.Split(string(file.Package()), ".")
		return home + "/" + strings.Join(names[max(0, len(names)-2):], "")
	}
}

// run hands the request to a plugin and writes the files that it answers with.
func run(plugin string, request *pluginpb.CodeGeneratorRequest, out string) error {
	input, err := proto.Marshal(request)
	if err != nil {
		return err
	}
	command := exec.Command("go", "tool", plugin)
	command.Stdin, command.Stderr = bytes.NewReader(input), os.Stderr
	output, err := command.Output()
	if err != nil {
		return err
	}
	var response pluginpb.CodeGeneratorResponse
	if err := proto.Unmarshal(output, &response); err != nil {
		return err
	}
	if response.Error != nil {
		return errors.New(response.GetError())
	}
	for _, file := range response.GetFile() {
		place := filepath.Join(out, filepath.FromSlash(file.GetName()))
		if err := os.MkdirAll(filepath.Dir(place), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(place, []byte(file.GetContent()), 0o644); err != nil {
			return err
		}
	}
	return nil
}
