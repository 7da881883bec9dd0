//! A list of the likeliest tokens of one row, and what it says about the others.

use crate::error::{ErrorCode, MetricsError, Result};

/// What sums of a few dozen `f64` in [0, 1] may be off by. Bounds are moved outwards by it.
pub(crate) const ROUNDING: f64 = 1e-14;
/// A list may sum to more than 1 by so much: its writer rounded its numbers.
const OVER_ONE: f64 = 1e-6;

/// Two numbers between which a third one lies for certain.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// It is not below this.
    pub lower: f64,
    /// It is not above this.
    pub upper: f64,
}

/// The listed tokens of one row, checked.
///
/// A key is what a token is known by in other lists and in groups: an id, or a number that stands for a text.
#[derive(Debug, Clone)]
pub struct ListedRow<'a> {
    keys: &'a [i32],
    log_probs: &'a [f64],
    /// No token that is not listed has more.
    pub(super) most: f64,
    /// What all of those share.
    pub(super) rest: Bounds,
    pub(super) error: f64,
}

impl<'a> ListedRow<'a> {
    /// Checks a list. `most_unlisted` is a log-probability that no unlisted token exceeds: of the K likeliest tokens, that
    /// of the K-th; infinite (or any number above 0) where nothing is known. `error` is by how much each log-probability may
    /// be off, in nats.
    ///
    /// # Errors
    /// `length_mismatch` for as many keys as there are not log-probabilities; `not_finite` for NaN; `bad_argument` for a
    /// log-probability above 0, a key that is listed twice, probabilities that sum to more than 1, an error below 0.
    pub fn new(
        keys: &'a [i32],
        log_probs: &'a [f64],
        most_unlisted: f64,
        error: f64,
    ) -> Result<Self> {
        crate::shape::same_length("keys", keys.len(), log_probs.len())?;
        check_error(error)?;
        if most_unlisted.is_nan() {
            return Err(fault(
                ErrorCode::NotFinite,
                "the most of an unlisted token is NaN",
                "pass a log-probability, or infinity where none is known",
            ));
        }
        for (column, (&key, &log_prob)) in keys.iter().zip(log_probs).enumerate() {
            check_log_prob(log_prob, error).map_err(|fault| fault.at_column(column))?;
            if keys[..column].contains(&key) {
                return Err(fault(
                    ErrorCode::BadArgument,
                    "a token is listed twice",
                    "list each token once",
                )
                .at_column(column)
                .with_id(key));
            }
        }
        let least: f64 = log_probs.iter().map(|&z| (z - error).exp()).sum();
        let sum: f64 = log_probs.iter().map(|&z| (z + error).exp()).sum();
        if least > 1.0 + OVER_ONE {
            return Err(fault(
                ErrorCode::BadArgument,
                "the listed probabilities sum to more than 1",
                "pass natural logarithms of probabilities of one distribution",
            ));
        }
        let rest = Bounds {
            lower: (1.0 - sum - ROUNDING).max(0.0),
            upper: (1.0 - least + ROUNDING).clamp(0.0, 1.0),
        };
        let most = if most_unlisted > 0.0 {
            rest.upper
        } else {
            (most_unlisted + error).exp().min(rest.upper)
        };
        Ok(Self {
            keys,
            log_probs,
            most,
            rest,
            error,
        })
    }

    /// The probability that all unlisted tokens have together.
    pub fn rest(&self) -> Bounds {
        self.rest
    }

    /// A probability that no single unlisted token exceeds.
    pub fn most_unlisted(&self) -> f64 {
        self.most
    }

    pub(super) fn tokens(&self) -> impl Iterator<Item = (i32, f64)> + '_ {
        self.keys
            .iter()
            .copied()
            .zip(self.log_probs.iter().copied())
    }

    pub(super) fn log_prob(&self, key: i32) -> Option<f64> {
        self.tokens().find(|&(own, _)| own == key).map(|(_, z)| z)
    }
}

fn fault(code: ErrorCode, what: &'static str, remedy: &'static str) -> MetricsError {
    MetricsError::new(code, what, remedy)
}

fn check_error(error: f64) -> Result<()> {
    if (0.0..=1.0).contains(&error) {
        return Ok(());
    }
    Err(MetricsError::new(
        ErrorCode::BadArgument,
        format!("an error of {error} in log-probabilities"),
        "pass nats, from 0 to 1",
    )
    .in_input("error"))
}

fn check_log_prob(log_prob: f64, error: f64) -> Result<()> {
    if log_prob.is_nan() {
        return Err(fault(
            ErrorCode::NotFinite,
            "a log-probability is NaN",
            "pass -inf for a probability of 0",
        ));
    }
    if log_prob > error + OVER_ONE {
        return Err(fault(
            ErrorCode::BadArgument,
            "a log-probability is above 0",
            "pass natural logarithms of probabilities",
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of tokens 0, 1, ... with these probabilities.
    fn rest_and_most(p: &[f64], most_unlisted: f64, error: f64) -> (Bounds, f64) {
        let keys: Vec<i32> = (0..p.len() as i32).collect();
        let z: Vec<f64> = p.iter().map(|p| p.ln()).collect();
        let row = ListedRow::new(&keys, &z, most_unlisted.ln(), error).unwrap();
        (row.rest(), row.most_unlisted())
    }

    #[test]
    fn what_is_left_is_known_and_so_is_the_most_of_one_token() {
        let (rest, most) = rest_and_most(&[0.5, 0.25], 0.25, 0.0);
        assert!((rest.lower - 0.25).abs() < 1e-12 && (rest.upper - 0.25).abs() < 1e-12);
        assert!((most - 0.25).abs() < 1e-12);
        let (_, most) = rest_and_most(&[0.5], f64::INFINITY, 0.0);
        assert!((most - 0.5).abs() < 1e-12);
        // The most of a token is no more than what all have.
        let (_, most) = rest_and_most(&[0.5, 0.5], 0.5, 0.0);
        assert!(most <= 2.0 * ROUNDING);
    }

    #[test]
    fn an_error_of_the_list_widens_what_is_known() {
        let (rest, most) = rest_and_most(&[0.4], 0.4, 0.1);
        assert!(rest.lower < 0.56 && rest.upper > 0.63 && most > 0.44);
    }

    #[test]
    fn what_is_no_list_is_refused_by_its_place() {
        let refused = |keys: &[i32], z: &[f64], error| {
            let fault = ListedRow::new(keys, z, 0.0, error).unwrap_err();
            (fault.code(), fault.column())
        };
        assert_eq!(refused(&[1], &[], 0.0), ("length_mismatch", None));
        assert_eq!(
            refused(&[1, 2], &[-1.0, f64::NAN], 0.0),
            ("not_finite", Some(1))
        );
        assert_eq!(
            refused(&[1, 2], &[-1.0, 0.5], 0.0),
            ("bad_argument", Some(1))
        );
        assert_eq!(
            refused(&[3, 3], &[-1.0, -1.0], 0.0),
            ("bad_argument", Some(1))
        );
        assert_eq!(refused(&[1, 2], &[-0.1, -0.1], 0.0), ("bad_argument", None));
        assert_eq!(refused(&[1], &[-0.1], -1.0), ("bad_argument", None));
    }
}
