//! What may be sent to other threads, and shared with them: this is checked when it is compiled.

use halfmove_archive::{Answer, Archive, Importer, Remover};

const fn is_send<T: Send>() {}
const fn is_sync<T: Sync>() {}

const _: () = {
    is_send::<Archive>();
    is_sync::<Archive>();
    is_send::<Remover>();
    is_sync::<Remover>();
    // These are used by whoever owns them: there is nothing to share.
    is_send::<Importer>();
    is_send::<Answer>();
};
