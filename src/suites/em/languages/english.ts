/** How English say what an answer is. */
import type { Language } from './language.ts';

export const ENGLISH: Readonly<Record<string, Language>> = {
  en: {
    answer: 'answers?(?: (?:to|for|of) [^.:=\\n]{1,60}?)?',
    is: 'is|was|would be|will be|should be|must be|equals|comes to|are|would come to|comes out to|turns out to be',
    not: "not|isn't|wasn't|aren't|won't be|can't|cannot be|couldn't|shouldn't|wouldn't|doesn't|never|nor|neither|cannot|rather than|as opposed to|instead of|other than|except|anything but|no longer",
    filler:
      'be|been|equal to|equals|is|the|an?|that|exactly|simply|really|actually|possibly|obviously|necessarily|quite|about|around|approximately|clearly|number|answer|answer is|it is|to be',
    notBehind:
      "(?:is|was|are|seems|looks|(?:would|must|has to|may|might) be) (?:clearly |simply |also )?(?:wrong|incorrect|false|impossible|a mistake|an error|not (?:correct|right|true|possible|the)|too (?:big|large|high|small|low))|(?:is|was)n't (?:correct|right|true|the)|(?:cannot|can't) be",
    doubt:
      "(?<!no |without |beyond (?:any )?)doubt|(?:do|did|does|would|could|can) ?n[o']t (?:really )?(?:think|believe|know|say|claim|agree|assume|conclude)|cannot (?:say|claim|confirm|conclude)|can't (?:say|claim|confirm|conclude)|(?:not|n't) (?:sure|certain|true|clear|correct to say|the case)|(?:wrong|false|incorrect|a mistake|an error) (?:to (?:say|think|assume|claim|answer|conclude|give|choose)|that)|(?:wrong|incorrect|false|tempting|mistaken) (?:answer|guess|result|solution)|deny|denies|disagree|unlikely (?:that|to be)|(?:some|many|others|people|students|you|one|they) (?:people |students |might |may |could |would )*(?:say|think|claim|believe|argue|guess)|(?:might|may|could) (?:also |well )?be|(?<!or )(?:perhaps|maybe)(?=,? ?\\p{L})|(?:nobody|no one) (?:would|could|should|can) (?:say|think|claim|guess)|mistake (?:is|would be) to (?:say|think|assume|answer)|for the sake of argument",
    if: 'if|suppose|supposing|assuming|assume|unless|whether|were|at first(?: glance| sight)?|initially|originally|at one point|until i noticed',
    or: 'or|or else|or maybe|or perhaps|or possibly',
    but: 'but|rather|instead|however|yet|so|therefore|thus|hence',
    because:
      'because|since|due to|given that|as(?= (?:the|it|he|she|we|there|they|this|that|each|one|all|\\d))',
    refusal:
      "(?:i|we)(?:'m| am| are)? (?:sorry,? )?(?:cannot|can't|can not|could not|couldn't|unable to|not able to|not in a position to|won't|will not) (?:\\w+ )?(?:answer|determine|solve|help|assist|provide|give|respond)|unable to (?:answer|determine|solve|help|provide|give)|(?:cannot|can't) be (?:answered|determined|solved|known)|as an? (?:ai|language model)|(?:(?:not|isn't|aren't|no|(?:do|does)(?:n't| not) (?:have|give|provide)) (?:\\w+ )?(?:enough|sufficient)|insufficient|missing) (?:information|data|details)|(?:impossible|not possible) to (?:answer|determine|say|tell|know)|(?:i|we) (?:do not|don't) (?:know|have (?:enough|access))(?= (?:the answer|how to|enough|access|any|sufficient|to)|[.,;!\\n]|$)|no idea",
    correction:
      'correction|actually,? no|scratch that|on second thoughts?|(?:my|i made an?|that was an?) (?:mistake|error|bad)|i (?:actually )?meant(?: to (?:say|write))?|make that|correcting myself|let me correct (?:that|this|myself)|corrected(?: answer)?(?=:)|strike that',
    question:
      'q|question|user|human|problem|exercise|example|task|instruction|input|student|next question|new question',
    note: 'note|notes|explanation|reasoning|remark|comment|p\\.?s\\.?|disclaimer|check|verification|justification|why',
    minus: 'minus|negative',
  },
};
