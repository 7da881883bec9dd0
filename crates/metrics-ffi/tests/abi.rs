//! The C ABI as C uses it: raw pointers in, a status out, the same numbers as the Rust crate.

use std::ffi::{c_char, CStr};
use std::ptr::{null, null_mut};

use logit_audit_metrics_ffi::*;
use metrics::{Row, ALL_CODES};

const NO_REQUEST: la_row_request = la_row_request {
    group_ids: null(),
    group_offsets: null(),
    groups: 0,
    targets: null(),
    top_k: 0,
};

const NO_ROW_COLUMNS: la_row_columns = la_row_columns {
    logsumexp: null_mut(),
    entropy: null_mut(),
    masses: null_mut(),
    target_logprob: null_mut(),
    target_rank: null_mut(),
    top_k_ids: null_mut(),
    top_k_probs: null_mut(),
};

const NO_PAIR_COLUMNS: la_pair_columns = la_pair_columns {
    jsd: null_mut(),
    kl_pq: null_mut(),
    kl_qp: null_mut(),
    total_variation: null_mut(),
    union_size: null_mut(),
    partial: null_mut(),
    lower: null_mut(),
    upper: null_mut(),
};

const OK: la_status = status(LA_OK, -1, -1);

const fn status(code: la_code, row: i64, column: i64) -> la_status {
    la_status { code, row, column }
}

fn rows(
    logits: &[f32],
    vocab: usize,
    request: &la_row_request,
    mut out: la_row_columns,
) -> la_status {
    let rows = logits.len().checked_div(vocab).unwrap_or(0);
    // SAFETY: every pointer in these tests comes from an array of the length that the structures describe.
    unsafe { la_row_metrics(logits.as_ptr(), rows, vocab, request, &mut out) }
}

fn name(code: la_code) -> &'static str {
    // SAFETY: the function returns static C strings.
    let name = unsafe { CStr::from_ptr(la_code_name(code)) };
    name.to_str().expect("ASCII")
}

fn message(status: la_status) -> String {
    let mut buffer = [0 as c_char; 256];
    // SAFETY: the buffer is as long as said.
    let length = unsafe { la_status_message(status, buffer.as_mut_ptr(), buffer.len()) };
    assert!(length < buffer.len());
    // SAFETY: the message fits, with its NUL.
    let text = unsafe { CStr::from_ptr(buffer.as_ptr()) };
    text.to_str().expect("ASCII").to_owned()
}

#[test]
fn codes_have_the_names_of_the_other_languages() {
    let names: Vec<&str> = (LA_BAD_ARGUMENT..=LA_ALL_MASKED).map(name).collect();
    for code in ALL_CODES {
        assert!(names.contains(&code.as_str()), "{code}");
    }
    assert_eq!(
        (name(LA_OK), name(LA_PANIC), name(-5)),
        ("ok", "internal", "internal")
    );
}

#[test]
fn rows_are_those_of_the_crate() {
    let logits = [1.0, 2.0, 3.0, 3.0, f32::NEG_INFINITY, 0.5];
    let (ids, offsets, targets) = ([0, 2, 1], [0usize, 2, 3], [2, -1]);
    let request = la_row_request {
        group_ids: ids.as_ptr(),
        group_offsets: offsets.as_ptr(),
        groups: 2,
        targets: targets.as_ptr(),
        top_k: 5,
    };
    let (mut logsumexp, mut entropy, mut masses) = ([0.0; 2], [0.0; 2], [0.0; 4]);
    let (mut logprob, mut rank) = ([0.0; 2], [0; 2]);
    let (mut top_ids, mut top_probs) = ([0; 6], [0.0; 6]);
    let out = la_row_columns {
        logsumexp: logsumexp.as_mut_ptr(),
        entropy: entropy.as_mut_ptr(),
        masses: masses.as_mut_ptr(),
        target_logprob: logprob.as_mut_ptr(),
        target_rank: rank.as_mut_ptr(),
        top_k_ids: top_ids.as_mut_ptr(),
        top_k_probs: top_probs.as_mut_ptr(),
    };
    // SAFETY: the request's pointers come from arrays as it describes.
    assert_eq!(unsafe { la_validate_groups(&request, 3) }, OK);
    assert_eq!(rows(&logits, 3, &request, out), OK);
    for (i, z) in logits.chunks(3).enumerate() {
        let row = Row::new(z).expect("valid");
        assert_eq!((logsumexp[i], entropy[i]), (row.logsumexp(), row.entropy()));
        assert_eq!(Ok(masses[2 * i]), row.mass(&[0, 2]));
        assert_eq!(Ok(masses[2 * i + 1]), row.mass(&[1]));
    }
    assert_eq!((rank, logprob[1].is_nan()), ([1, 0], true));
    assert_eq!(top_ids, [2, 1, 0, 0, 2, 1]);
    // A mass comes from the vector kernels and a single probability does not: both are good to 1e-6.
    assert!((top_probs[0] + top_probs[2] - masses[0]).abs() < 1e-6);
    assert_eq!(top_probs[5], 0.0);
}

#[test]
fn pairs_are_measured_for_each_k() {
    let (a, b) = (
        [0.0, 1.0, 2.0, 5.0, 5.0, 5.0],
        [0.0, 1.0, 2.0, 4.0, 5.0, 6.0],
    );
    let ks = [3usize, 1];
    let (mut jsd, mut lower, mut union_size) = ([9.0; 2], [9.0; 4], [0; 4]);
    let mut out = la_pair_columns {
        jsd: jsd.as_mut_ptr(),
        lower: lower.as_mut_ptr(),
        union_size: union_size.as_mut_ptr(),
        ..NO_PAIR_COLUMNS
    };
    // SAFETY: every pointer comes from an array of the length that the call describes.
    let came = unsafe { la_pair_metrics(a.as_ptr(), b.as_ptr(), 2, 3, ks.as_ptr(), 2, &mut out) };
    assert_eq!(came, OK);
    assert!(jsd[0] == 0.0 && jsd[1] > 0.0);
    assert_eq!((lower[2], union_size), (jsd[1], [3, 1, 3, 2]));
}

#[test]
fn null_pointers_are_refused() {
    let logits = [1.0f32, 2.0];
    let bad = status(LA_BAD_ARGUMENT, -1, -1);
    let (mut out, mut pairs) = (NO_ROW_COLUMNS, NO_PAIR_COLUMNS);
    let z = logits.as_ptr();
    // SAFETY: NULL is what these functions check for; the other pointers are as described.
    unsafe {
        assert_eq!(la_row_metrics(null(), 1, 2, &NO_REQUEST, &mut out), bad);
        assert_eq!(la_row_metrics(z, 1, 2, null(), &mut out), bad);
        assert_eq!(la_row_metrics(z, 1, 2, &NO_REQUEST, null_mut()), bad);
        assert_eq!(la_row_metrics(z, usize::MAX, 2, &NO_REQUEST, &mut out), bad);
        assert_eq!(la_pair_metrics(z, null(), 1, 2, null(), 0, &mut pairs), bad);
        assert_eq!(la_pair_metrics(z, z, 1, 2, null(), 1, &mut pairs), bad);
        assert_eq!(la_pair_metrics(z, z, 1, 2, null(), 0, null_mut()), bad);
        assert_eq!(la_pair_metrics(z, z, 1, 2, null(), 0, &mut pairs), OK);
        assert_eq!(la_validate_groups(null(), 2), bad);
        let groups = la_row_request {
            groups: 1,
            ..NO_REQUEST
        };
        assert_eq!(la_validate_groups(&groups, 2), bad);
        assert!(la_status_message(bad, null_mut(), 0) > 0);
    }
}

#[test]
fn faults_name_their_place() {
    let none = NO_ROW_COLUMNS;
    let nan = rows(&[1.0, 2.0, 3.0, f32::NAN], 2, &NO_REQUEST, none);
    assert_eq!(nan, status(LA_NOT_FINITE, 1, 1));
    assert!(message(nan).ends_with("(row 1, column 1)"));
    assert_eq!(
        rows(&[f32::NEG_INFINITY], 1, &NO_REQUEST, none),
        status(LA_ALL_MASKED, 0, -1)
    );
    assert_eq!(rows(&[], 2, &NO_REQUEST, none).code, LA_EMPTY_INPUT);
    assert_eq!(rows(&[], 0, &NO_REQUEST, none).code, LA_EMPTY_INPUT);

    let (ids, offsets, crooked) = ([1, 1, 7], [0usize, 2, 3], [1usize, 2, 3]);
    let request = la_row_request {
        group_ids: ids.as_ptr(),
        group_offsets: offsets.as_ptr(),
        groups: 2,
        ..NO_REQUEST
    };
    let outside = rows(&[1.0, 2.0], 2, &request, none);
    assert_eq!(outside, status(LA_OUT_OF_RANGE, -1, 7));
    assert!(message(outside).ends_with("(token id 7)"));
    // SAFETY: the requests' pointers come from arrays as they describe.
    unsafe {
        let twice = la_validate_groups(&request, 8);
        assert_eq!(twice, status(LA_BAD_ARGUMENT, -1, 1));
        assert!(message(twice).ends_with("(token id 1)"));
        let crooked = la_row_request {
            group_offsets: crooked.as_ptr(),
            ..request
        };
        assert_eq!(la_validate_groups(&crooked, 8).code, LA_LENGTH_MISMATCH);
    }
}

#[test]
fn a_message_is_cut_to_its_buffer() {
    let whole = message(status(LA_ALL_MASKED, 4, -1));
    let mut buffer = [1 as c_char; 6];
    // SAFETY: the buffer is longer than said.
    let length = unsafe { la_status_message(status(LA_ALL_MASKED, 4, -1), buffer.as_mut_ptr(), 5) };
    assert_eq!(length, whole.len());
    assert_eq!(buffer[4..], [0, 1]);
    for code in LA_OK..=LA_PANIC + 1 {
        assert!(!message(status(code, -1, -1)).is_empty());
    }
}
