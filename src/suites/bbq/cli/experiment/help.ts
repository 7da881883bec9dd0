/** Keys and examples under the help of `logit-audit experiment` and its commands. */
import { axesHelp } from './describe.ts';

const KEYS = `
Keys and values:
${axesHelp()}
`;

export const OVERVIEW = `
Your own experiments are the rows of experiments/bbq.yaml in the working folder; one that is called like a shipped one is
used in its place. Whatever "list" names, --experiment takes.
${KEYS}
Examples:
  logit-audit experiment list
  logit-audit experiment create gray_img --from main --set image=aug --set token=aug
  logit-audit experiment validate

Exit codes: 0 done, 1 something broke, 2 bad input, 3 disk full.`;

export const SHOW = `
Examples:
  logit-audit experiment show llm
  logit-audit experiment show gray_img --json`;

export const CREATE = `${KEYS}
Examples:
  logit-audit experiment create gray_img --from main --set image=aug --set token=aug
  logit-audit experiment create text_quant --from llm --set quant=true --description "llm, quantised"`;

export const UPDATE = `${KEYS}
All is set or nothing: the result is checked before it is written. Comments stay.

Examples:
  logit-audit experiment update gray_img --set vo=false
  logit-audit experiment update gray_img --description "Images without colour"`;

export const VALIDATE = `
Without an argument your own table is checked or, where it is missing, the shipped one.

Examples:
  logit-audit experiment validate
  logit-audit experiment validate gray_img
  logit-audit experiment validate ./drafts/bbq.yaml --json

Exit codes: 0 all are right (with warnings perhaps), 2 one has faults or cannot be read.`;

export const LIST = `
Examples:
  logit-audit experiment list
  logit-audit experiment list --json`;

export const DELETE = `
Examples:
  logit-audit experiment delete mine
  logit-audit experiment delete mine --json`;
