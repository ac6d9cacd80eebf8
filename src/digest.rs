//! A number that stands for some bytes.

/// 64 bits of FNV-1a: two that are equal come, as good as certainly, from the same bytes. No defence against those who
/// mean ill.
pub(crate) fn digest(bytes: impl IntoIterator<Item = u8>) -> u64 {
    bytes.into_iter().fold(0xcbf2_9ce4_8422_2325, |digest, byte| {
        (digest ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
