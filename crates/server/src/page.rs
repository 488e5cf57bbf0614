//! The page: files that are part of the program, compressed once.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::sync::LazyLock;

use axum::http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY,
};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use axum::response::{Html, IntoResponse, Response};
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use rust_embed::RustEmbed;

use crate::problem::Problem;

/// The built page. Without it, the other routes still work.
#[derive(RustEmbed)]
#[folder = "../../web/dist"]
#[allow_missing = true]
struct Files;

/// A file, prepared for responses.
struct File {
    plain: Bytes,
    /// `None` if compression gains nothing.
    gzip: Option<Bytes>,
    tag: String,
    media: &'static str,
    /// True if its name has a hash of its content, so that it never changes.
    is_fixed: bool,
}

static FILES: LazyLock<BTreeMap<String, File>> = LazyLock::new(|| {
    let files = Files::iter().filter_map(|path| {
        let file = Files::get(&path)?;
        let hash = file.metadata.sha256_hash();
        let tag: String = hash.iter().take(12).map(|byte| format!("{byte:02x}")).collect();
        let plain = Bytes::from(file.data.into_owned());
        let gzip = compressed(&plain).filter(|gzip| gzip.len() < plain.len()).map(Bytes::from);
        let media = media(&path);
        let is_fixed = path.starts_with("assets/");
        Some((path.into_owned(), File { plain, gzip, tag, media, is_fixed }))
    });
    files.collect()
});

fn compressed(plain: &[u8]) -> Option<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(plain).ok()?;
    encoder.finish().ok()
}

fn media(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "json" | "webmanifest" => "application/json",
        "woff2" => "font/woff2",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

/// The response in place of the page in a program without it.
const WITHOUT: &str = "<!doctype html><html lang=\"en\"><title>halfmove</title><p>This program was built without the page. \
    Its interface is described in <a href=\"/api/openapi.json\">/api/openapi.json</a>.";

/// A file of the page, or the response for a path that does not exist. Only files of the table can be
/// requested.
pub(crate) async fn file(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    let path = if path.is_empty() { "index.html" } else { path };
    if method != Method::GET && method != Method::HEAD {
        let detail = format!("{} cannot be parameters with {method}", uri.path());
        return Problem::new(StatusCode::METHOD_NOT_ALLOWED, detail).into_response();
    }
    match FILES.get(path) {
        Some(file) => sent(file, &headers),
        None if path == "index.html" => Html(WITHOUT).into_response(),
        None => {
            let shown: String = uri.path().chars().take(200).collect();
            Problem::new(StatusCode::NOT_FOUND, format!("there is nothing at {shown}"))
                .with_hint("the routes are listed in /api/openapi.json")
                .into_response()
        }
    }
}

fn sent(file: &File, headers: &HeaderMap) -> Response {
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let takes_gzip = text(ACCEPT_ENCODING).is_some_and(|list| {
        let mut codings =
            list.split(',').map(|coding| coding.split(';').next().unwrap_or("").trim());
        codings.any(|coding| coding == "gzip")
    });
    let gzip = file.gzip.as_ref().filter(|_| takes_gzip);
    let tag = format!("\"{}{}\"", file.tag, if gzip.is_some() { "-gzip" } else { "" });
    let is_known = text(IF_NONE_MATCH).is_some_and(|known| known.contains(&tag));
    let cache = if file.is_fixed { "public, max-age=31536000, immutable" } else { "no-cache" };
    let mut response = match (is_known, gzip) {
        (true, _) => StatusCode::NOT_MODIFIED.into_response(),
        (false, Some(gzip)) => ([(CONTENT_ENCODING, "gzip")], gzip.clone()).into_response(),
        (false, None) => file.plain.clone().into_response(),
    };
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(file.media));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static(cache));
    headers.insert(VARY, HeaderValue::from_static("Accept-Encoding"));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        headers.insert(ETAG, tag);
    }
    response
}
