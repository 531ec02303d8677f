fn main() -> std::process::ExitCode {
    landfall::harness::run(&landfall::harness::Corpus::at("landing"))
}
