/** Examples under the help of `logit-audit scale` and its commands. */

export const OVERVIEW = `
Your own scales are scales/NAME.yaml in the working folder; one that is called like a shipped one is used in its place.
Wherever a scale is asked for, a name does, or the path of a YAML or JSON file (./my.yaml).

Examples:
  logit-audit scale list
  logit-audit scale create mine --from prca-24
  logit-audit scale update mine --set bands.low.upTo=12
  logit-audit scale validate mine
  logit-audit run scale --scale mine --model model.gguf --participants participants.csv --out runs/mine

Exit codes: 0 done, 1 something broke, 2 bad input, 3 disk full. How a scale is written: docs/scales.md.`;

export const SHOW = `
Examples:
  logit-audit scale show prca-24 > my.yaml
  logit-audit scale show prca-24 --schema > answer.json
  logit-audit scale show prca-24 --json | jq .subscales`;

const KEYS = `
KEY is names between dots; an entry of a list goes by its name, or by its place from 0: bands.low.upTo,
responses.0.labels. VALUE is read as in the file: 12, true, [group, meetings]. All is done or nothing: the result is
checked before it is written. Comments stay.
`;

export const CREATE = `${KEYS}
Examples:
  logit-audit scale create mine --from prca-24
  logit-audit scale create prca-24 --from prca-24 --set "asked=[group, meetings, interpersonal, public_speaking]"
  logit-audit scale create burnout --from ./drafts/burnout.yaml --title "Burnout, short form"`;

export const UPDATE = `${KEYS}
What is taken out goes first.

Examples:
  logit-audit scale update mine --set bands.low.upTo=12 --set bands.high.from=25
  logit-audit scale update mine --set "responses.4.labels=[strongly agree, agree strongly]"
  logit-audit scale update mine --unset tiers.v3_voice`;

export const VALIDATE = `
Examples:
  logit-audit scale validate mine
  logit-audit scale validate scales/*.yaml --json

Exit codes: 0 all are right (with warnings perhaps), 2 one has faults or cannot be read.`;

export const LIST = `
Examples:
  logit-audit scale list
  logit-audit scale list --json`;

export const DELETE = `
Examples:
  logit-audit scale delete mine
  logit-audit scale delete mine --json`;
