//! Archives for tests, and requests to them.

use axum::Router;
use axum::body::Body;
use axum::http::{Request, Response, StatusCode};
use halfmove_archive::{Archive, Importer};
use halfmove_server::{Archives, Options, app};
use serde_json::Value;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use tower::ServiceExt as _;

/// A file of the repository's test data.
pub(crate) fn testdata(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(name)
}

/// Games with everything that a game can have.
pub(crate) const CLUB: &str = r#"[Event "Rated blitz game"]
[Site "Club"]
[Date "2021.03.05"]
[White "Tal, Mikhail"]
[Black "Botvinnik, Mikhail"]
[Result "1-0"]
[WhiteElo "2700"]
[BlackElo "2720"]
[TimeControl "180+2"]

{hello} 1. e4 {[%clk 0:02:58] [%eval 0.3] [%cal Gg1f3] [%csl Ra4] best} e5 $1 (1... c5 {sharp} 2. Nf3
(2. c3 d5)) 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O Nf6 1-0

[Event "Casual rapid game"]
[Site "Club"]
[Date "2021.05.??"]
[White "Botvinnik, Mikhail"]
[Black "Tal, Mikhail"]
[Result "1/2-1/2"]
[WhiteElo "2720"]
[BlackElo "1900"]
[TimeControl "900+10"]

1. d4 d5 2. c4 e6 1/2-1/2

[Event "<script>alert(1)</script>"]
[Site "?"]
[Date "2020.??.??"]
[White "\"><img src=x onerror=alert(1)>"]
[Black "Tal, Mikhail"]
[Result "0-1"]

1. e4 {<b>bold</b>} c5 0-1

[Event "Makruk"]
[Variant "makruk"]
[White "Somchai"]
[Black "Somsak"]
[Date "2022.01.01"]
[Result "1-0"]

1. e4 d5 2. exd5 exd5 1-0

"#;

/// A folder with an archive.
pub(crate) struct Club {
    pub(crate) folder: TempDir,
}

impl Club {
    pub(crate) fn new() -> Self {
        Self::of(CLUB)
    }

    pub(crate) fn of(text: &str) -> Self {
        let club = Self { folder: tempfile::tempdir().unwrap() };
        club.import(text);
        club
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join("club")
    }

    /// Adds games, as another program would.
    pub(crate) fn import(&self, text: &str) {
        let mut importer = Importer::open(self.path()).unwrap();
        importer.read_pgn([Ok(std::io::Cursor::new(text.to_owned()))], &mut ()).unwrap();
        importer.commit().unwrap();
    }

    pub(crate) fn archive(&self) -> Archive {
        Archive::open(self.path()).unwrap()
    }

    pub(crate) fn archives(&self) -> Archives {
        Archives::new([("club".to_owned(), self.archive())])
    }

    pub(crate) fn app(&self) -> Router {
        app(self.archives(), Options::default())
    }
}

/// A request to this machine.
pub(crate) fn get(target: &str) -> Request<Body> {
    Request::get(target).header("host", "127.0.0.1:9002").body(Body::empty()).unwrap()
}

pub(crate) async fn send(app: &Router, request: Request<Body>) -> Response<Body> {
    app.clone().oneshot(request).await.unwrap()
}

/// The status and the text of a response; for Arrow, only the parts that are text.
pub(crate) async fn text(app: &Router, request: Request<Body>) -> (StatusCode, String) {
    let response = send(app, request).await;
    let status = response.status();
    let body = axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap();
    (status, String::from_utf8_lossy(&body).into_owned())
}

/// The JSON of a successful response.
pub(crate) async fn json(app: &Router, target: &str) -> Value {
    let (status, text) = text(app, get(target)).await;
    assert_eq!(status, StatusCode::OK, "{target}: {text}");
    serde_json::from_str(&text).unwrap()
}

/// The problem in the response to a request.
pub(crate) async fn problem(app: &Router, target: &str) -> Value {
    let response = send(app, get(target)).await;
    let kind = response.headers()["content-type"].to_str().unwrap().to_owned();
    assert_eq!(kind, "application/problem+json", "{target}");
    let status = response.status();
    let body = axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap();
    let problem: Value = serde_json::from_slice(&body).unwrap();
    assert_eq!(problem["status"], status.as_u16());
    problem
}

/// Runs an asynchronous test.
pub(crate) fn block_on(test: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    runtime.unwrap().block_on(test);
}
