"""The gRPC door of the referee."""
