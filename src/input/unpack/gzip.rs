//! gzip: members one behind the other, and zeros behind the last, with which tapes and some shippers fill up.

use std::io::{self, BufRead};

use flate2::bufread::GzDecoder;

use super::members::{Member, Members};

pub(super) fn decoder<R: BufRead>(packed: R) -> Members<R, GzDecoder<R>> {
    Members::new(packed)
}

impl<R: BufRead> Member<R> for GzDecoder<R> {
    fn open(mut packed: R) -> io::Result<Option<Self>> {
        loop {
            let bytes = packed.fill_buf()?;
            let zeros = bytes.iter().take_while(|&&byte| byte == 0).count();
            if zeros < bytes.len() || bytes.is_empty() {
                let ended = bytes.is_empty();
                packed.consume(zeros);
                return Ok((!ended).then(|| Self::new(packed)));
            }
            packed.consume(zeros);
        }
    }

    fn close(self) -> io::Result<R> {
        Ok(self.into_inner())
    }
}
