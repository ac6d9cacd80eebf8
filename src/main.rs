//! toolscan on the command line: parse the arguments, carry out one command, turn its result into an exit code.

use std::process::ExitCode;

use clap::Parser;

mod cli;
mod cmd;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let cli = cli::Cli::parse();
    cli.color.apply();
    match cmd::run(cli.command) {
        Ok(code) => code,
        Err(error) => {
            cmd::complain(&error);
            ExitCode::from(error.exit_code())
        }
    }
}
