/** What the help of `metrics` says besides its options. */

export const SUMMARY_HELP = `
Examples:
  logit-audit metrics row --logits logits.npy --groups groups.json --csv rows.csv
  logit-audit metrics pair --logits a.npy --other b.npy --csv pairs.csv
  logit-audit metrics row --help     columns, files, and how to save them from numpy or torch`;

export const ROW_EXAMPLES = `
Examples:
  logit-audit metrics row --logits logits.npy
  logit-audit metrics row --logits logits.npy --groups groups.json --csv rows.csv
  logit-audit metrics row --logits logits.npy --targets ids.npy --base 2 --json | jq .targetLogprob

Columns:
  row               from 0
  logsumexp         ln of the sum of exp of the logits
  entropy           of the whole distribution
  mass<Group>       probability of each group of --groups: "female" gives massFemale
  targetLogprob     with --targets: log-probability of the row's target; empty (null) for a row without one
  targetRank        with --targets: 1 + number of logits strictly larger than the target's
  topKIds           the likeliest tokens, likeliest first, the lower id first among equals
  topKProbs         their probabilities`;

export const PAIR_EXAMPLES = `
Examples:
  logit-audit metrics pair --logits a.npy --other b.npy
  logit-audit metrics pair --logits a.npy --other b.npy --top-k 50 --csv pairs.csv
  logit-audit metrics pair --logits a.npy --other b.npy --base 2 --json | jq .jsd

Columns:
  row               from 0
  jsd               Jensen-Shannon divergence, from 0 to ln 2 (1 with --base 2)
  klPQ, klQP        Kullback-Leibler divergences; "inf" where one side masks a token that the other does not
  totalVariation    from 0 to 1
  topKK ...         the divergence from the top K of both alone: topKK, topKUnionSize, topKPartial, and the bounds
                    topKLower and topKUpper, between which jsd lies; with --json in an object: .topK.lower
  mass<Group>       with --groups: probability of each group in P; mass<Group>Other in Q`;

export const NOTES = `

Logits: float32, float16 or float64 (rounded to float32), or with --dtype bfloat16 the bits of bfloat16 as uint16 or as
JAX saves them (V2); C order; either byte order. They are raw: not probabilities, nothing filtered; -inf masks a token, and NaN is an error. The
file is read as a stream and may be larger than memory. To save it:
  numpy          np.save("logits.npy", logits)
  torch          np.save("logits.npy", logits.detach().float().cpu().numpy())
  torch, bf16    np.save("logits.npy", logits.view(torch.uint16).cpu().numpy())   and --dtype bfloat16

Groups: {"female": [311, 358], "male": [281]}; ids of the model's tokenizer. A token may be in several groups.

Infinite values are the text inf or -inf in CSV and "inf" or "-inf" in JSON. In CSV lists are separated by spaces.
A fault in any row leaves no CSV file; lines that --json had printed before it stand.
Exit codes: 0 done, 1 a fault of this program or machine, 2 bad input, 3 disk full, 130 interrupted.`;
