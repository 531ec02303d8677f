//! `postgres-suite`: a private PostgreSQL server for as long as the ledger's tests over it run.
//!
//! The cluster lies in a temporary folder and listens on a socket there, on no address; whoever can enter the
//! folder is trusted. PostgreSQL refuses to run as root, so root hands the folder to the user `postgres` that the package
//! brings. The server is stopped and its folder removed however the tests end.

use std::error::Error;
use std::path::{Path, PathBuf};
use xshell::{Shell, cmd};

/// The variable that tells the tests where the server is.
const VARIABLE: &str = "LANDFALL_TEST_POSTGRES";

/// Starts a server, runs the tests, stops it.
pub(crate) fn run(shell: &Shell) -> Result<String, Box<dyn Error>> {
    let server = Server::start(shell)?;
    let _variable = shell.push_env(VARIABLE, &server.said);
    // With the explorer's tests, which need a feature too and reach nothing but loopback: one build for both.
    cmd!(shell, "cargo test --package landfall --features explore,postgres --test explore_http --test explore_loop --test ledger").run()?;
    Ok("postgres-suite: the explorer's tests passed, and the ledger's over memory, a file and a server".to_owned())
}

/// The same, from the repository's root.
pub(crate) fn of(root: &Path) -> Result<String, Box<dyn Error>> {
    let shell = Shell::new()?;
    shell.change_dir(root);
    run(&shell)
}

/// A running server.
struct Server<'s> {
    shell: &'s Shell,
    folder: PathBuf,
    programs: PathBuf,
    /// How one connects to it.
    said: String,
}

impl<'s> Server<'s> {
    fn start(shell: &'s Shell) -> Result<Self, Box<dyn Error>> {
        let programs = programs(shell)?;
        // The path of a socket has no more than some hundred bytes.
        let folder = PathBuf::from(cmd!(shell, "mktemp -d /tmp/landfall-pg-XXXXXX").quiet().read()?);
        let shown = folder.display().to_string().replace('/', "%2F");
        let said = format!("postgres:///postgres?host={shown}&user=landfall");
        let server = Self { shell, folder, programs, said };
        if is_root(shell)? {
            let folder = &server.folder;
            cmd!(shell, "chown postgres {folder}").quiet().run()?;
        }
        let (data, log) = (server.folder.join("data"), server.folder.join("log"));
        // A server for tests may lose all of it with the machine; a killed writer is another matter.
        server.run(
            "initdb",
            &["--no-sync", "--auth-local=trust", "--auth-host=reject", "--username=landfall", "--encoding=UTF8", "--locale=C", "-D"],
            &data,
        )?;
        let options = format!("-c listen_addresses= -c unix_socket_directories={} -c fsync=off", server.folder.display());
        let log = log.display().to_string();
        server.run("pg_ctl", &["--wait", "--silent", "--log", &log, "-o", &options, "start", "-D"], &data)?;
        Ok(server)
    }

    fn run(&self, program: &str, arguments: &[&str], data: &Path) -> Result<(), Box<dyn Error>> {
        let (shell, program) = (self.shell, self.programs.join(program));
        let _folder = shell.push_dir(&self.folder);
        let command = if is_root(shell)? {
            cmd!(shell, "setpriv --reuid=postgres --regid=postgres --clear-groups {program} {arguments...} {data}")
        } else {
            cmd!(shell, "{program} {arguments...} {data}")
        };
        Ok(command.quiet().ignore_stdout().run()?)
    }
}

impl Drop for Server<'_> {
    fn drop(&mut self) {
        // What never started cannot be stopped.
        if self.folder.join("data/postmaster.pid").exists() {
            let stopped = self.run("pg_ctl", &["--wait", "--silent", "--mode", "immediate", "stop", "-D"], &self.folder.join("data"));
            if let Err(error) = stopped {
                eprintln!("the server in {} could not be stopped: {error}", self.folder.display());
                return;
            }
        }
        let _ = self.shell.remove_path(&self.folder);
    }
}

fn is_root(shell: &Shell) -> Result<bool, Box<dyn Error>> {
    Ok(cmd!(shell, "id -u").quiet().read()? == "0")
}

/// The folder of the server's programs, the newest: Debian keeps them apart from those of users.
fn programs(shell: &Shell) -> Result<PathBuf, Box<dyn Error>> {
    let versions = shell.read_dir("/usr/lib/postgresql").unwrap_or_default();
    let debian = versions.into_iter().map(|version| version.join("bin")).filter(|folder| folder.join("initdb").exists()).max();
    let configured = || cmd!(shell, "pg_config --bindir").quiet().ignore_stderr().read().ok().map(PathBuf::from);
    debian
        .or_else(configured)
        .filter(|folder| folder.join("initdb").exists())
        .ok_or_else(|| "no PostgreSQL server is installed (Debian: apt-get install postgresql)".into())
}
