//! The page, as it is built into the program.

use crate::support::{Club, block_on, get, send, text};
use axum::http::StatusCode;
use flate2::read::GzDecoder;
use std::io::Read as _;
use std::path::Path;

/// The page is the one of the folder, and each of its files arrives compressed, with a tag that saves sending it again.
#[test]
fn the_page_is_served() {
    block_on(async {
        let club = Club::new();
        let app = club.app();
        let response = send(&app, get("/")).await;
        assert_eq!(response.status(), StatusCode::OK);
        assert!(response.headers()["content-type"].to_str().unwrap().starts_with("text/html"));
        let (_, page) = text(&app, get("/")).await;
        let built = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/dist/index.html");
        let built = std::fs::read_to_string(built).expect("the page that is committed");
        assert_eq!(page, built);
        let files: Vec<&str> = page
            .split(['"', '\''])
            .filter(|text| text.starts_with("/assets/") || text.ends_with(".svg"))
            .collect();
        assert!(files.len() >= 2, "{page}");
        for file in files {
            let (_, plain) = text(&app, get(file)).await;
            let mut request = get(file);
            request.headers_mut().insert("accept-encoding", "br, gzip;q=0.9".parse().unwrap());
            let response = send(&app, request).await;
            let headers = response.headers().clone();
            if file.starts_with("/assets/") {
                assert!(headers["cache-control"].to_str().unwrap().contains("immutable"), "{file}");
                assert_eq!(headers["content-encoding"], "gzip", "{file}");
            }
            let body = axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap();
            if headers.contains_key("content-encoding") {
                let mut unpacked = String::new();
                GzDecoder::new(&body[..]).read_to_string(&mut unpacked).unwrap();
                assert_eq!(unpacked, plain, "{file}");
            }
            let mut again = get(file);
            again.headers_mut().insert("accept-encoding", "gzip".parse().unwrap());
            again.headers_mut().insert("if-none-match", headers["etag"].clone());
            assert_eq!(send(&app, again).await.status(), StatusCode::NOT_MODIFIED, "{file}");
        }
    });
}
