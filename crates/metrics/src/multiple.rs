//! Corrections for many tests at once: p-values adjusted so that each may be held against the level one had in mind.

use crate::error::{ErrorCode, MetricsError, Result};

/// Holm's step-down adjustment (Holm 1979), in the order of the input: it bounds the probability of any false alarm,
/// whatever the dependence between the tests.
///
/// # Errors
/// `not_finite` for a p-value that is NaN, `bad_argument` for one outside [0, 1], both with its index as the row.
pub fn holm(p_values: &[f64]) -> Result<Vec<f64>> {
    let (m, ascending) = (p_values.len(), ascending(p_values)?);
    let mut adjusted = vec![0.0; m];
    let mut at_least = 0.0f64;
    for (rank, &index) in ascending.iter().enumerate() {
        at_least = at_least.max(((m - rank) as f64 * p_values[index]).min(1.0));
        adjusted[index] = at_least;
    }
    Ok(adjusted)
}

/// The step-up adjustment of Benjamini and Hochberg (1995), in the order of the input: it bounds the expected share of false
/// alarms among the alarms, for tests that are independent or positively dependent.
///
/// # Errors
/// Those of [`holm`].
pub fn benjamini_hochberg(p_values: &[f64]) -> Result<Vec<f64>> {
    let (m, ascending) = (p_values.len(), ascending(p_values)?);
    let mut adjusted = vec![0.0; m];
    let mut at_most = 1.0f64;
    for (rank, &index) in ascending.iter().enumerate().rev() {
        at_most = at_most.min(m as f64 / (rank + 1) as f64 * p_values[index]);
        adjusted[index] = at_most;
    }
    Ok(adjusted)
}

/// The indices of valid p-values, the smallest first.
fn ascending(p_values: &[f64]) -> Result<Vec<usize>> {
    if let Some(index) = p_values.iter().position(|p| !(0.0..=1.0).contains(p)) {
        let p = p_values[index];
        let code = if p.is_nan() {
            ErrorCode::NotFinite
        } else {
            ErrorCode::BadArgument
        };
        return Err(MetricsError::new(
            code,
            format!("a p-value of {p}"),
            "pass p-values from 0 to 1, and leave out tests that gave none",
        )
        .in_input("pValues")
        .at_row(index));
    }
    let mut indices: Vec<usize> = (0..p_values.len()).collect();
    indices.sort_by(|&i, &j| p_values[i].total_cmp(&p_values[j]));
    Ok(indices)
}
