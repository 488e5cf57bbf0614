//! Runs and measures programs.

use anyhow::{Context, bail, ensure};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use wait4::Wait4;

/// The cost of one run.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) wall: Duration,
    /// User and system time of the process and of its awaited children.
    pub(crate) cpu: Duration,
    /// The peak memory. It includes the memory of this process when it started the other.
    pub(crate) peak_bytes: u64,
    pub(crate) stdout: Vec<u8>,
}

/// Runs a command to its end. Any exit status but 0 is an error, since a program that found nothing or stopped early
/// has not done the job.
pub(crate) fn run(words: &[String]) -> anyhow::Result<Run> {
    run_with(words, "")
}

/// The same, with a short text to read.
pub(crate) fn run_with(words: &[String], input: &str) -> anyhow::Result<Run> {
    let [program, arguments @ ..] = words else { bail!("an empty command") };
    let clock = Instant::now();
    let mut child = start(program, arguments, Stdio::piped(), Stdio::null())?;
    if let Some(mut pipe) = child.stdin.take() {
        // A program that does not read may have ended already; its output is checked.
        let _ = pipe.write_all(input.as_bytes());
    }
    end(words, child, clock)
}

/// Runs a command that replies to its input, until a line begins with a word; then its input is closed.
pub(crate) fn converse(words: &[String], input: &str, until: &str) -> anyhow::Result<Run> {
    let [program, arguments @ ..] = words else { bail!("an empty command") };
    let clock = Instant::now();
    let mut child = start(program, arguments, Stdio::piped(), Stdio::null())?;
    let mut pipe = child.stdin.take().context("there is no pipe")?;
    let mut output = BufReader::new(child.stdout.take().context("there is no pipe")?);
    pipe.write_all(input.as_bytes())?;
    let mut stdout = Vec::new();
    loop {
        let begin = stdout.len();
        ensure!(
            output.read_until(b'\n', &mut stdout)? > 0,
            "{} ends before it says {until}",
            words.join(" ")
        );
        if stdout[begin..].starts_with(until.as_bytes()) {
            break;
        }
    }
    drop(pipe);
    output.read_to_end(&mut stdout)?;
    Ok(Run { stdout, ..end(words, child, clock)? })
}

/// Runs a command that reads the output of another one. Only the reader is measured, from the time when the other
/// prints a line to stderr to signal that it is ready.
pub(crate) fn run_behind(source: &[String], words: &[String]) -> anyhow::Result<Run> {
    let [program, arguments @ ..] = source else { bail!("an empty command") };
    let mut source = start(program, arguments, Stdio::null(), Stdio::piped())?;
    let pipe = source.stdout.take().context("there is no pipe")?;
    let mut told = BufReader::new(source.stderr.take().context("there is no pipe")?);
    let mut ready = String::new();
    told.read_line(&mut ready)?;
    let [program, arguments @ ..] = words else { bail!("an empty command") };
    let clock = Instant::now();
    let child = start(program, arguments, pipe.into(), Stdio::null())?;
    let run = end(words, child, clock);
    told.read_to_string(&mut ready)?;
    let status = source.wait()?;
    let run = run?;
    ensure!(status.success(), "what {} reads ended with {status}: {ready}", words.join(" "));
    Ok(run)
}

fn start(
    program: &str,
    arguments: &[String],
    stdin: Stdio,
    stderr: Stdio,
) -> anyhow::Result<Child> {
    Command::new(program)
        .args(arguments)
        .stdin(stdin)
        .stdout(Stdio::piped())
        .stderr(stderr)
        .spawn()
        .with_context(|| format!("starting {program}"))
}

/// Waits for the end of a command.
fn end(words: &[String], mut child: Child, clock: Instant) -> anyhow::Result<Run> {
    let mut stdout = Vec::new();
    if let Some(pipe) = &mut child.stdout {
        pipe.read_to_end(&mut stdout)?;
    }
    let used = child.wait4()?;
    let wall = clock.elapsed();
    if !used.status.success() {
        bail!("{} ended with {}", words.join(" "), used.status);
    }
    let cpu = used.rusage.utime + used.rusage.stime;
    Ok(Run { wall, cpu, peak_bytes: used.rusage.maxrss, stdout })
}

/// The first number in a text, with commas between its thousands or without.
pub(crate) fn first_number(text: &[u8]) -> Option<u64> {
    let begin = text.iter().position(u8::is_ascii_digit)?;
    let digits = text[begin..].iter().filter(|byte| **byte != b',');
    let digits = digits.take_while(|byte| byte.is_ascii_digit());
    digits
        .map(|byte| u64::from(byte - b'0'))
        .try_fold(0_u64, |number, digit| number.checked_mul(10)?.checked_add(digit))
}

/// All numbers in a text, without commas between their thousands.
pub(crate) fn numbers(text: &[u8]) -> Vec<u64> {
    let text = String::from_utf8_lossy(text);
    let words = text.split(|char: char| !char.is_ascii_digit()).filter(|word| !word.is_empty());
    words.filter_map(|word| word.parse().ok()).collect()
}

/// The first line that a command prints, on stdout or stderr; `None` if it cannot be run.
pub(crate) fn first_line(words: &[String]) -> Option<String> {
    let output = Command::new(words.first()?).args(&words[1..]).output().ok()?;
    let text = if output.stdout.is_empty() { output.stderr } else { output.stdout };
    let text = String::from_utf8_lossy(&text).into_owned();
    text.lines().map(str::trim).find(|line| !line.is_empty()).map(str::to_owned)
}

/// The path of a program, from the folders of `PATH` and Debian's folder of games.
pub(crate) fn find(program: &str) -> Option<String> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let mut folders = std::env::split_paths(&folders).collect::<Vec<_>>();
    folders.push("/usr/games".into());
    let found = folders.into_iter().map(|folder| folder.join(program)).find(|path| path.is_file());
    found.map(|path| path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::{converse, first_number, numbers, run, run_behind};

    #[test]
    fn a_failure_has_no_time() {
        let run =
            |status: &str| run(&["sh", "-c", &format!("echo 1; exit {status}")].map(str::to_owned));
        assert!(run("0").is_ok_and(|run| run.stdout == b"1\n"));
        for status in ["1", "2", "124"] {
            assert!(run(status).is_err(), "{status}");
        }
    }

    #[test]
    fn one_reads_what_another_prints() -> anyhow::Result<()> {
        let words = |script: &str| ["sh", "-c", script].map(str::to_owned);
        let keep = "cat; kept=$(head -c 30000000 /dev/zero | tr '\\0' x); echo ${#kept}";
        let run = run_behind(&words("echo ready >&2; echo 7; echo 8"), &words(keep))?;
        assert_eq!(run.stdout, b"7\n8\n30000000\n");
        assert!(run.peak_bytes > 30_000_000, "it keeps what it reads: {}", run.peak_bytes);
        assert!(run_behind(&words("exit 3"), &words("cat")).is_err());
        assert!(run_behind(&words("echo 7"), &words("exit 3")).is_err());
        Ok(())
    }

    #[test]
    fn an_answer_ends_the_input() -> anyhow::Result<()> {
        let words = |script: &str| ["sh", "-c", script].map(str::to_owned);
        let run =
            converse(&words("read x; echo $x; echo bestmove; cat; echo end"), "go\n", "best")?;
        assert_eq!(run.stdout, b"go\nbestmove\nend\n");
        assert!(converse(&words("read x; echo $x"), "go\n", "best").is_err());
        Ok(())
    }

    #[test]
    fn numbers_are_found() {
        assert_eq!(first_number(b"145,716 games of 3"), Some(145_716));
        assert_eq!(first_number(b"{\"white\":51460,\"draws\":1}"), Some(51_460));
        assert_eq!(first_number(b"none"), None);
        assert_eq!(numbers(b"145716 games, 11264836 half-moves\n"), [145_716, 11_264_836]);
        assert_eq!(numbers(b"count,sum\n145716,11264836\n"), [145_716, 11_264_836]);
    }
}
