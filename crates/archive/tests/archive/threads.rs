//! What may be sent to other threads, and shared with them: this is checked when it is compiled.

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
    // These are used by whoever owns them: there is nothing to share.
    is_send::<Importer>();
    is_send::<Games>();
    is_send::<PgnTexts>();
};
