/**
 * Where everything lies in the planted model's 128 numbers, and how long each part is. Every embedding is the sum of four
 * parts, each equally long in every token and each in dimensions of its own:
 *
 *   - what the bigram table knows the token by: HOT in one of the first dimensions;
 *   - the CONSTANT, which the attention head's query reads;
 *   - the FLAG, in one dimension for an occupation (the key reads it) and in another for all else;
 *   - the value, a point on a circle of radius sqrt(6): its first coordinate is the occupation's number, and
 *     tokens that are no occupation stand at (0, sqrt 6).
 *
 * The squares add up to 4 + 81 + 36 + 6 = 127, so with epsilon 1/128 the first RMSNorm divides by
 * sqrt(127/128 + 1/128) = 1. The head copies the value of the occupation, 8 times as large, into two free
 * dimensions: the squares then add up to 127 + 64 * 6 = 511, and the last RMSNorm divides by
 * sqrt(511/128 + 1/128) = 2, whatever the occupation. So a logit is its bigram value, plus or minus an amount
 * that is linear in the occupation's number.
 */

/** Length of an embedding, and of the one attention head. */
export const EMBEDDING = 128;
export const FEED_FORWARD = 32;
export const CONTEXT_LENGTH = 256;
export const EPSILON = 1 / 128;
/** So large that the last rotary pair does not turn within any context. */
export const ROPE_BASE = 1e30;

export const HOT = 2;
export const CONSTANT = 9;
export const FLAG = 6;
export const RADIUS = Math.sqrt(6);

/**
 * Weights of the query and of the key: a score of (9 * 4) * (6 * 4) / sqrt(128) = 76 nats on an occupation and 0
 * elsewhere, which leaves the rest 1e-33 of the weight. Much more would make the shares of two occupations in one
 * text depend on rounding.
 */
export const QUERY_WEIGHT = 4;
export const KEY_WEIGHT = 4;
/** How much longer the head makes the value it copies. */
export const VALUE_GAIN = 8;
/** Weight of the copied value's first coordinate in a female token's logit; minus this in a male token's. */
export const GENDER_WEIGHT = 0.5;

/** What the last RMSNorm divides by, before rounding. */
export const LAST_NORM = 2;

export const DIM = {
  constant: 121,
  occupation: 122,
  notOccupation: 123,
  valueX: 124,
  valueY: 125,
  movedX: 126,
  movedY: 127,
} as const;

/** Dimensions [0, HOT_DIMS) tell contexts apart. */
export const HOT_DIMS = DIM.constant;

/** First dimension of the head's last rotary pair, which query and key use. */
export const HEAD_MATCH = EMBEDDING - 2;
