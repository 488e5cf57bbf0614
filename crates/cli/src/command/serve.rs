//! `halfmove serve`: archives in the browser, and for programs by HTTP.

#[cfg(feature = "sql")]
mod queries;

use crate::args::{Named, Serve};
use crate::interrupt::Interrupt;
use crate::output::{self, Advised, counted};
use crate::{Done, archive};
use anyhow::{Context, anyhow, bail};
use halfmove_server::{Answered, Archives, Options};
use std::io::IsTerminal;
use std::net::{SocketAddr, TcpListener};
use std::process::{Command, Stdio};
use std::sync::Arc;

pub(crate) fn run(args: Serve) -> anyhow::Result<Done> {
    let is_local = args.listen.ip().is_loopback();
    if !is_local && args.token.is_none() {
        let error = anyhow!(
            "--listen {}: other machines can reach this address, so it needs --token",
            args.listen
        );
        return Err(Advised::new(error, "for this machine alone: --listen 127.0.0.1:9002").into());
    }
    let (mut archives, mut files) = (Vec::new(), Vec::new());
    for Named { name, path, is_renamed } in &args.archives {
        if *is_renamed {
            let text = "to name it: NAME=PATH";
            output::note(format_args!("{}: served as {name} ({text})", path.display()));
        }
        if archives.iter().any(|(known, _)| known == name) {
            bail!("two archives are named {name}: name one of them with NAME=PATH");
        }
        if archive::is_file(path) {
            files.push(name);
        }
        archives.push((name.clone(), archive::open_with_cache(path, args.cache as u64)?));
    }
    let interrupt = Interrupt::begin().context("cannot listen to signals")?;
    let listener = TcpListener::bind(args.listen).map_err(|error| {
        let hint = match error.kind() {
            std::io::ErrorKind::AddrInUse => "another port: --listen 127.0.0.1:0 picks a free one",
            _ => "the default is --listen 127.0.0.1:9002",
        };
        let error = anyhow::Error::new(error).context(format!("cannot listen on {}", args.listen));
        anyhow::Error::from(Advised::new(error, hint))
    })?;
    let address = listener.local_addr()?;
    let mut options = Options::default();
    (options.hosts, options.cors, options.token) = (args.host, args.cors, args.token.clone());
    (options.changeable, options.metrics) = (args.changeable, args.metrics);
    #[cfg(not(feature = "sql"))]
    if args.sql {
        return Err(crate::condition::without_sql("--sql"));
    }
    #[cfg(feature = "sql")]
    let threads = args.sql.then(queries::runtime).transpose().context("cannot start threads")?;
    #[cfg(feature = "sql")]
    if let Some(threads) = &threads {
        options.sql = Some(Arc::new(queries::Engine(threads.handle().clone())));
    }
    options.log = args.log.then(|| Arc::new(log) as halfmove_server::Log);
    let games = archives.iter().map(|(_, archive)| archive.len()).sum();
    let names: Vec<&str> = archives.iter().map(|(name, _)| name.as_str()).collect();
    let url = url(address, args.token.as_deref());
    output::line(format_args!("{} ({}) at {url}", names.join(", "), counted(games, "game")))?;
    output::note("Ctrl-C ends the server");
    // Changes to the games of a file would be lost when the file changes.
    let archives =
        files.iter().fold(Archives::new(archives), |archives, name| archives.with_read_only(name));
    if !args.no_open {
        open(&url);
    }
    halfmove_server::run(listener, archives, options, || interrupt.check().is_some())
        .context("the server cannot run")?;
    Ok(Done::Found)
}

/// The address for a browser.
fn url(address: SocketAddr, token: Option<&str>) -> String {
    let host = match address.ip().is_unspecified() {
        true => format!("localhost:{}", address.port()),
        false => address.to_string(),
    };
    token.map_or_else(|| format!("http://{host}/"), |token| format!("http://{host}/?token={token}"))
}

/// Prints a line for a request.
fn log(answered: &Answered) {
    let Answered { method, target, status, time, .. } = answered;
    output::note(format_args!("{status} {method} {target} {:.1} ms", time.as_secs_f64() * 1000.0));
}

/// Opens the browser, if the terminal is interactive and there is a display.
fn open(url: &str) {
    let program = match std::env::consts::OS {
        "macos" => "open",
        "windows" => "explorer",
        _ if ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some()) => {
            "xdg-open"
        }
        _ => return,
    };
    if !std::io::stdout().is_terminal() {
        return;
    }
    let mut command = Command::new(program);
    command.arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // The address is on the screen.
    if let Ok(mut browser) = command.spawn() {
        std::thread::spawn(move || browser.wait());
    }
}
