"""Generated protobuf stubs; made by `make proto`, never edited."""
