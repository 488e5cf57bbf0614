//! The middleware of every route: access checks, and the headers of every response.

use std::net::IpAddr;
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State as Extract};
use axum::http::header::{
    AUTHORIZATION, CACHE_CONTROL, CONTENT_SECURITY_POLICY, COOKIE, HOST, LOCATION, REFERRER_POLICY,
    SET_COOKIE, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::options::{Answered, Options};
use crate::problem::Problem;
use crate::state::State;

/// The headers of every response. The page may load only its own files, and must not be framed by other pages.
const HEADERS: [(HeaderName, &str); 6] = [
    (
        CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; \
         connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (X_FRAME_OPTIONS, "DENY"),
    (REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// The name of the cookie that holds the token.
const TOKEN: &str = "halfmove_token";

/// Checks, handles and counts a request.
pub(crate) async fn guard(
    Extract(state): Extract<State>,
    request: Request,
    next: Next,
) -> Response {
    let begun = Instant::now();
    let options = &state.options;
    let method = request.method().to_string();
    let target = without_token(request.uri());
    let route = request.extensions().get::<MatchedPath>();
    let route = route.map_or_else(|| "page".to_owned(), |route| route.as_str().to_owned());
    let mut response = match admitted(options, &request) {
        Ok(None) => next.run(request).await,
        Ok(Some(response)) => response,
        Err(problem) => problem.into_response(),
    };
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        // With CORS, pages of other sites may also embed responses.
        if options.cors && name.as_str() == "cross-origin-resource-policy" {
            continue;
        }
        headers.insert(name, HeaderValue::from_static(value));
    }
    // Responses depend on the state of the archive.
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-cache"));
    let (status, time) = (response.status().as_u16(), begun.elapsed());
    if options.metrics {
        state.metrics.count(&route, status, time);
    }
    if let Some(log) = &options.log {
        log(&Answered { method, target, status, time });
    }
    response
}

/// Checks that a request is permitted; some are redirected.
fn admitted(options: &Options, request: &Request) -> Result<Option<Response>, Problem> {
    let Some(token) = &options.token else {
        return check_host(options, request.headers()).map(|()| None);
    };
    if carries(request.headers(), token) {
        return Ok(None);
    }
    let mut values = form_urlencoded::parse(request.uri().query().unwrap_or_default().as_bytes());
    let given = values.find(|(name, _)| name == "token").map(|(_, value)| value.into_owned());
    match given {
        Some(given) if is_equal(given.as_bytes(), token.as_bytes()) => {
            // Redirects to the address without the token, so that the token is not visible on the screen or to
            // the next page.
            let cookie = format!("{TOKEN}={token}; Path=/; HttpOnly; SameSite=Strict");
            let redirect =
                (StatusCode::SEE_OTHER, [(LOCATION, "/".to_owned()), (SET_COOKIE, cookie)]);
            Ok(Some(redirect.into_response()))
        }
        _ => Err(Problem::new(StatusCode::FORBIDDEN, "this server needs a token")
            .with_hint("open the address that it printed, or send Authorization: Bearer TOKEN")),
    }
}

/// Rejects requests that are addressed to another host, since they may come from a page of that host (DNS
/// rebinding).
fn check_host(options: &Options, headers: &HeaderMap) -> Result<(), Problem> {
    let host = headers.get(HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let name = match host.rfind(':') {
        Some(colon) if !host.ends_with(']') => &host[..colon],
        _ => host,
    };
    // A numeric address is not the name of another site, so it cannot have been rebound to this machine.
    let address = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    let is_local = match address {
        Ok(address) => address.to_canonical().is_loopback(),
        Err(_) => name.trim_end_matches('.').eq_ignore_ascii_case("localhost"),
    };
    if is_local || options.hosts.iter().any(|known| known.eq_ignore_ascii_case(name)) {
        return Ok(());
    }
    let shown: String = host.chars().take(100).collect();
    let detail = format!("Host: \"{shown}\" is not a name of this server");
    Err(Problem::new(StatusCode::FORBIDDEN, detail)
        .with_hint("ask localhost, or start the server with --host NAME"))
}

/// Returns true if a request carries the token.
fn carries(headers: &HeaderMap, token: &str) -> bool {
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let bearer = text(AUTHORIZATION).and_then(|value| {
        let (scheme, token) = value.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
    });
    let cookies = text(COOKIE).into_iter().flat_map(|value| value.split(';'));
    let mut cookies = cookies.filter_map(|cookie| cookie.trim().split_once('='));
    let cookie = cookies.find(|(name, _)| *name == TOKEN).map(|(_, value)| value);
    bearer.into_iter().chain(cookie).any(|given| is_equal(given.as_bytes(), token.as_bytes()))
}

/// Compares in constant time.
fn is_equal(one: &[u8], other: &[u8]) -> bool {
    one.len() == other.len() && one.iter().zip(other).fold(0, |all, (a, b)| all | (a ^ b)) == 0
}

/// The path and the query for the log, without a token.
fn without_token(uri: &axum::http::Uri) -> String {
    match uri.query() {
        Some(query) if query.contains("token") => format!("{}?…", uri.path()),
        Some(query) => format!("{}?{query}", uri.path()),
        None => uri.path().to_owned(),
    }
}
