/** How English say what an answer is. */
import type { Language } from './language.ts';

export const ENGLISH: Readonly<Record<string, Language>> = {
  en: {
    answer: 'answer(?: (?:to|for) [^.:=\\n]{1,60}?)?',
    is: 'is|was|would be|will be|should be|must be|equals|comes to',
    not: "not|isn't|wasn't|aren't|won't be|can't|cannot be|couldn't|shouldn't|wouldn't|doesn't|never|nor|neither|cannot|rather than|instead of|other than|except|anything but",
    filler:
      'be|been|equal to|equals|is|the|an?|that|exactly|simply|really|actually|possibly|number|answer|answer is|it is|to be',
    notBehind:
      "(?:is|was|are|seems|looks|(?:would|must|has to|may|might) be) (?:clearly |simply |also )?(?:wrong|incorrect|false|impossible|a mistake|an error|not (?:correct|right|true|possible|the)|too (?:big|large|high|small|low))|(?:is|was)n't (?:correct|right|true|the)|(?:cannot|can't) be",
    doubt:
      "doubt|(?:do|did|does|would|could|can) ?n[o']t (?:really )?(?:think|believe|know|say|claim|agree|assume|conclude)|cannot (?:say|claim|confirm|conclude)|can't (?:say|claim|confirm|conclude)|(?:not|n't) (?:sure|certain|true|clear|correct to say|the case)|(?:wrong|false|incorrect|a mistake|an error) (?:to (?:say|think|assume|claim|answer|conclude|give|choose)|that)|(?:wrong|incorrect|false|tempting|mistaken) (?:answer|guess|result|solution)|deny|denies|disagree|unlikely (?:that|to be)|(?:some|many|others|people|students|you|one|they) (?:people |students |might |may |could |would )*(?:say|think|claim|believe|argue|guess)|(?:might|may|could) (?:also |well )?be",
    if: 'if|suppose|supposing|assuming|assume|unless|whether|were',
    or: 'or|or else|or maybe|or perhaps|or possibly',
    but: 'but|rather|instead|however|yet|so|therefore|thus|hence',
    because:
      'because|since|due to|given that|as(?= (?:the|it|he|she|we|there|they|this|that|each|one|all|\\d))',
    question:
      'q|question|user|human|problem|exercise|example|instruction|input|student|next question|new question',
    note: 'note|notes|explanation|reasoning|remark|comment|p\\.?s\\.?|disclaimer|check|verification|justification|why',
    minus: 'minus|negative',
  },
};
