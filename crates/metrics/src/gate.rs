//! Which steps of a text count: the gate of the gated means.
//!
//! Trigger A, at a step where a top-K candidate is a word of interest, opens that step and the `steps_after` after it.
//! Trigger B, at a step where an occupation word and a pronoun or name both lie in the last `window` tokens (the step's
//! own included), opens the `steps_after` steps after it.

use crate::error::{ErrorCode, MetricsError, Result};
use crate::shape;

/// What is known of each step, as 0 or 1, and the two lengths of the definition.
#[derive(Debug, Clone, Copy)]
pub struct GateRequest<'a> {
    /// One a step: is a top-K candidate in one of the token groups?
    pub top_k_hits: &'a [u8],
    /// One a step: is the step's token an occupation word?
    pub occupation: &'a [u8],
    /// One a step: is the step's token a pronoun or a name?
    pub pronoun_or_name: &'a [u8],
    /// How many tokens, the step's own included, trigger B looks back over; 1 or more.
    pub window: usize,
    /// How many steps after its own a trigger opens.
    pub steps_after: usize,
}

/// The gate of each step of a text, and what opened it.
#[derive(Debug, Clone, PartialEq)]
pub struct Gate {
    /// One a step: 1 where the step counts.
    pub gate: Vec<u8>,
    /// Steps with trigger A.
    pub top_k_triggers: usize,
    /// Steps with trigger B.
    pub window_triggers: usize,
    /// The share of steps that count, in [0, 1].
    pub coverage: f64,
}

/// Computes the gate of a text.
///
/// # Errors
/// `empty_input` for no steps, `length_mismatch` when the three inputs differ in length, `bad_argument` for an entry
/// that is neither 0 nor 1 (with the step as the row) and for a window of 0.
pub fn gate(request: &GateRequest<'_>) -> Result<Gate> {
    check(request)?;
    let steps = request.top_k_hits.len();
    let mut gate = vec![0; steps];
    let (mut top_k_triggers, mut window_triggers) = (0, 0);
    let (mut occupation, mut pronoun_or_name) = (None, None);
    // The first step that no trigger so far has opened.
    let mut open_until = 0;
    for (step, open) in gate.iter_mut().enumerate() {
        if request.occupation[step] == 1 {
            occupation = Some(step);
        }
        if request.pronoun_or_name[step] == 1 {
            pronoun_or_name = Some(step);
        }
        let in_window = |last: Option<usize>| last.is_some_and(|at| step - at < request.window);
        let opens_until = step.saturating_add(request.steps_after).saturating_add(1);
        let hit = request.top_k_hits[step] == 1;
        *open = u8::from(hit || step < open_until);
        if hit {
            top_k_triggers += 1;
            open_until = opens_until;
        }
        if in_window(occupation) && in_window(pronoun_or_name) {
            window_triggers += 1;
            open_until = opens_until;
        }
    }
    let open = gate.iter().filter(|&&open| open == 1).count();
    Ok(Gate {
        gate,
        top_k_triggers,
        window_triggers,
        coverage: open as f64 / steps as f64,
    })
}

fn check(request: &GateRequest<'_>) -> Result<()> {
    let steps = request.top_k_hits.len();
    if steps == 0 {
        return Err(MetricsError::new(
            ErrorCode::EmptyInput,
            "a gate over 0 steps",
            "pass at least one step",
        ));
    }
    if request.window == 0 {
        return Err(MetricsError::new(
            ErrorCode::BadArgument,
            "a gate with a window of 0 tokens",
            "pass a window of 1 token or more; the step's own token counts",
        ));
    }
    for (name, flags) in [
        ("topKHits", request.top_k_hits),
        ("occupation", request.occupation),
        ("pronounOrName", request.pronoun_or_name),
    ] {
        shape::same_length(name, flags.len(), steps)?;
        if let Some(step) = flags.iter().position(|&flag| flag > 1) {
            return Err(MetricsError::new(
                ErrorCode::BadArgument,
                format!("a flag of {}", flags[step]),
                "flags are 0 or 1",
            )
            .in_input(name)
            .at_row(step));
        }
    }
    Ok(())
}
