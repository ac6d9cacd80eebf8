//! Findings of one completion, of which only so many of one code are kept.

use std::collections::BTreeMap;

use crate::diagnostic::{Code, Diagnostic, FINDINGS_OF_ONE_CODE};

/// Findings on their way; capped as the scan caps its own.
#[derive(Clone, Debug, Default)]
pub(super) struct Capped {
    counts: BTreeMap<Code, usize>,
    kept: Vec<Diagnostic>,
}

impl Capped {
    /// Counts one more of `code`, and says whether it is to be kept.
    pub(super) fn count(&mut self, code: Code) -> bool {
        let count = self.counts.entry(code).or_default();
        *count += 1;
        *count <= FINDINGS_OF_ONE_CODE
    }

    /// Keeps a finding that was counted.
    pub(super) fn keep(&mut self, finding: Diagnostic) {
        self.kept.push(finding);
    }

    /// The findings, and how often each overflown code was really found. Behind the findings stands one more for
    /// each of these codes that says how many were left out.
    pub(super) fn finish(mut self) -> (Vec<Diagnostic>, Vec<(Code, usize)>) {
        let overflow: Vec<_> = self
            .counts
            .into_iter()
            .filter(|&(_, count)| count > FINDINGS_OF_ONE_CODE)
            .collect();
        for &(code, count) in &overflow {
            let last = self.kept.iter().rfind(|finding| finding.code == code);
            let left_out = last.map(|last| last.left_out(count - FINDINGS_OF_ONE_CODE));
            self.kept.extend(left_out);
        }
        (self.kept, overflow)
    }
}
