//! Generates the messages and the client from the protos at the top of the repository.

use std::error::Error;

const PROTOS: &str = "../../proto";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed={PROTOS}");
    let described = protox::compile(
        ["euchre/referee/v1/play.proto", "euchre/referee/v1/lobby.proto"],
        [PROTOS],
    )?;
    tonic_prost_build::configure()
        .build_server(false)
        .build_transport(false)
        .compile_well_known_types(true)
        .include_file("protos.rs")
        .compile_fds(described)?;
    Ok(())
}
