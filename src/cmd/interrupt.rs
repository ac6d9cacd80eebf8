//! Ctrl-C and its like: what is unfinished is taken away, and the program ends at once.

use std::sync::Arc;

use toolscan::Error;
use toolscan::table::Place;

/// From now on SIGINT (Ctrl-C) and SIGTERM clean `place` up and end the program with the exit code 130 or 143, whatever
/// its threads wait for. Where there are no signals, the next run cleans up.
///
/// # Errors
///
/// When the system does not let signals be caught.
#[cfg(unix)]
pub(crate) fn clean_up_on_signals(place: &Arc<Place>) -> Result<(), Error> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    let place = Arc::clone(place);
    let refused = |cause| Error::io("catch signals", "this process", cause);
    let mut signals = Signals::new([SIGINT, SIGTERM]).map_err(refused)?;
    let wait = move || {
        if let Some(signal) = signals.forever().next() {
            let was_at_work = place.abandon_for_good();
            super::say(if was_at_work {
                "\ntoolscan: stopped; no table was written, and earlier ones are as they were\n"
            } else {
                "\ntoolscan: stopped\n"
            });
            signal_hook::low_level::exit(128 + signal);
        }
    };
    let started = std::thread::Builder::new().name("signals".to_owned()).spawn(wait);
    started.map(drop).map_err(refused)
}

#[cfg(not(unix))]
pub(crate) fn clean_up_on_signals(_: &Arc<Place>) -> Result<(), Error> {
    Ok(())
}
