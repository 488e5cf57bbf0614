//! The types that may be sent to other threads, and shared with them. The compiler checks this.

use halfmove_archive::scan::Scan;
use halfmove_archive::{Archive, CancelToken, Games, Importer, PgnTexts, Remover};

const fn is_send<T: Send>() {}
const fn is_sync<T: Sync>() {}

const _: () = {
    is_send::<Archive>();
    is_sync::<Archive>();
    is_send::<Remover>();
    is_sync::<Remover>();
    is_send::<CancelToken>();
    is_sync::<CancelToken>();
    is_send::<Scan>();
    is_sync::<Scan>();
    // These have a single owner, so they need not be shared.
    is_send::<Importer>();
    is_send::<Games>();
    is_send::<PgnTexts>();
};
