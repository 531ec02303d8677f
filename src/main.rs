//! The `landfall` binary; everything it does is in [`landfall::cli`].

fn main() -> std::process::ExitCode {
    landfall::cli::main()
}
