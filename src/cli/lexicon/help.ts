/** Examples under the help of `logit-audit lexicon` and its commands. */

export const OVERVIEW = `
Your own lexicons are lexicons/NAME.yaml in the working folder; one that is called like a shipped one is used in its
place. Wherever a lexicon is asked for, these do: a name, the path of a YAML or JSON file (./my.yaml), or word lists
with one word a line (female=en_female.txt,male=en_male.txt).

Examples:
  logit-audit lexicon list
  logit-audit lexicon create mine --from gender-en
  logit-audit lexicon update mine --add-words female=actress --add-words male=actor
  logit-audit lexicon map mine --model model.gguf

Exit codes: 0 done, 1 something broke, 2 bad input, 3 disk full.`;

export const SHOW = `
Examples:
  logit-audit lexicon show gender-en > my.yaml
  logit-audit lexicon show gender-en --json | jq .groups`;

export const CREATE = `
A word list has one word a line, in UTF-8; blank lines and lines that begin with # are skipped.

Examples:
  logit-audit lexicon create mine --from gender-en
  logit-audit lexicon create wino --group female=en_female.txt --group male=en_male.txt --language en
  logit-audit lexicon create age --words old=old,elderly --words young=young,youthful --language en`;

export const UPDATE = `
What goes is taken out first, and all is done or nothing: the result is checked before it is written. Comments stay.

Examples:
  logit-audit lexicon update mine --add-words female=actress --add-words male=actor --add-pair female:actress,male:actor:noun
  logit-audit lexicon update mine --add-group nonbinary=words.txt --remove-words male=sir,Mr.
  logit-audit lexicon update mine --remove-pair female:mum,male:dad --description "Without British words"`;

export const VALIDATE = `
Examples:
  logit-audit lexicon validate mine
  logit-audit lexicon validate lexicons/*.yaml --json

Exit codes: 0 all are right (with warnings perhaps), 2 one has faults or cannot be read.`;

export const MAP = `
Only the model's vocabulary is used; it is opened on the CPU. The JSON is what a run writes as lexicon.json.

Examples:
  logit-audit lexicon map gender-en --model model.gguf
  logit-audit lexicon map female=en_female.txt,male=en_male.txt --model model.gguf --policy skip
  logit-audit lexicon map mine --model model.gguf --groups-out groups.json`;

export const LIST = `
Examples:
  logit-audit lexicon list
  logit-audit lexicon list --json`;

export const DELETE = `
Examples:
  logit-audit lexicon delete mine
  logit-audit lexicon delete mine --json`;
