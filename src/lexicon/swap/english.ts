/** Lists of English words that say how "her" and "his" are used, where parts of speech do not: see use.ts. */

export const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** What no possessive stands before, whatever the tagger makes of it. */
export const NEVER_OWNED = words(
  'a an the this that these those my your our their its no some any each every another enough more less both to alone too how why what who whom whose which when where whether if because as than there here again instead anyway anymore',
);
export const POSSESSIVES = words('my your his her its our their');
/** Words that open a clause: a pronoun right behind them is no object, for nothing governs it. */
export const CLAUSE_OPENERS = words('because while when whenever if although though since where whether');
/** Behind a verb and its object: "picked her up", "sent her away". */
export const PARTICLES = words('up down out off over away around through aside apart along in on');

/** Verbs that say what the person does or is: "helped her move", "kept her safe". */
export const CAUSING = words('let make help have see hear watch feel keep prove');
/** Verbs with which the person does something too, but that take a phrase of hers as well: "asked her boss a thing". */
export const ASKING = words('ask hope want wish');
/** Verbs that hand something over to the person: "gave her advice". */
export const GIVING = words(
  'give tell ask offer send show pay sell teach provide bring buy lend hand feed grant owe wish promise award deny refuse guarantee allow assign wire cost spare serve forgive pour text',
);
/** What is handed over without an article, and is the giver's or nobody's: "gave her money". */
export const HANDED = words(
  'access advice antibiotics asylum bail birthday breakfast candy cash chocolate chocolates citizenship coffee compensation compliments courage credit custody damages details dinner directions documents dozens drinks encouragement entry evidence feedback flowers food gifts goods guidance half heaps hope hundreds information instructions loads lots luck lunch math milk millions money news orders permission plenty presents prize proof questions reassurance refuge roses shelter soup suggestions supper sweets tea thanks thousands time tips tons trouble water wine',
);
export const PAYING = words('charge pay owe cost fine give offer lend send');
export const CURRENCY = words(
  'dollar dollars euro euros pound pounds cent cents rupees yen bucks percent $ €',
);
/** Verbs that say how long something takes the person: "took her two hours". */
export const LASTING = words('take cost save give buy');
export const TIME_UNITS = words(
  'second seconds minute minutes hour hours day days week weeks month months year years decades',
);
/** Verbs of going, whose "home" is where to: "drove her home". */
export const MOVING = words(
  'drive take send bring follow walk see escort carry call fly get lead guide accompany chase rush ride march invite',
);
/** Nouns that say when: "told her tomorrow". */
export const WHEN = words(
  'today tomorrow yesterday tonight monday tuesday wednesday thursday friday saturday sunday',
);
/** Behind "last" and "next": "saw her last week". */
export const PERIODS = words(
  'night week weekend month year spring summer autumn winter monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december',
);
/** Verbs whose "last year" is the person's own. */
export const SPENDING = words('spend enjoy waste finish begin start celebrate use begrudge');
export const NAMING = words('call name nickname');
/** Before a name in a clause of its own: "told her Anna was late". */
export const SAYING = words('tell show promise remind warn inform assure convince persuade');

/** Verbs that make the person something: "elected her president". */
export const APPOINTING = words('make elect appoint name crown vote proclaim declare');
export const ROLES = words(
  'ambassador captain ceo chair chairman chairperson chairwoman champion chancellor chief coach commander deputy director editor foreman forewoman governor guardian head headmistress headmaster heir judge king leader manager mayor minister partner president principal queen secretary sheriff spokesperson spokesman spokeswoman supervisor treasurer trustee valedictorian',
);
/** Verbs with which one sees what the person does: "saw her dancing". */
export const PERCEIVING = words(
  'see watch hear feel catch find spot notice keep leave have get remember imagine picture smell observe film discover',
);
export const ING_NOUNS = words(
  'belongings blessing building ceiling clothing darling drawing dressing earring earrings evening feeling feelings handwriting hearing housing king lodging lodgings meeting morning offspring painting paintings reading ring rings savings sibling siblings sling spring stocking stockings string surroundings thing things training understanding upbringing wedding wing wings writing',
);
/** Verbs behind which an adjective is what the person is: "wants her fit". */
export const STATING = words(
  'make want keep get have leave find drive need like prefer set turn render consider let think believe deem prove see call',
);
export const PREDICATES = words(
  'alive alone angry asleep awake bankrupt better blind breathless broke busy calm cold comfortable crazy dead deaf dizzy drunk early exhausted faint famous fit free fresh gone guilty happy healthy homeless hostage hungry ill innocent lame late lonely mad mute naked nervous pale paralysed paralyzed penniless poor powerless pregnant prisoner proud quiet ready responsible rich right sad safe sick silent single sober speechless still stranded thirsty unable unconscious waiting warm welcome well wet wide-awake worse wrong',
);
/** Nouns that are verbs behind "let her": "let her talk". */
export const DOINGS = words(
  'act answer bathe blink blush borrow breathe change choose chuckle climb collapse cook cough crawl cry cut dance dive draw drink drive eat enter escape exercise fall fight finish flee flinch frown gamble giggle go graduate grin hurry keep kneel knit know laugh leap leave march move order paint panic park pass pay play practice practise protest rebel rehearse rent rest return ride run scream share shiver shower shudder sign sing skate sleep smile smirk sneeze snore sob speak squirm start stay stop stretch struggle study stumble surrender swear sweat swim talk travel tremble trip try undress use visit vomit vote wait wake walk weep whisper win wince wonder work yawn yell',
);
/** Of these, such as are verbs behind "made her" and "saw her" too. */
export const ACTS = words(
  'act bathe blink blush chuckle climb collapse cook cough crawl cry dance dive draw drive exercise fall fight flee flinch frown gamble giggle graduate grin hurry kneel knit laugh leap leave march paint panic pay practise rebel rehearse rest ride run scream shiver shudder sign sing skate sleep smile smirk sneeze snore sob speak squirm stop stretch struggle stumble surrender swear swim talk travel tremble trip undress vomit wait wake walk weep whisper wince wonder yawn yell',
);
/** Such as are verbs behind "made her", and nouns behind "saw her". */
export const FORCED = words('sweat vote work');
/** Verbs among those of {@link CAUSING} with which nobody acts: "kept her vote secret". */
export const HOLDING = words('keep prove');
/** Adjectives to the tagger that are nouns where a possessive is before and no noun behind: "beat her rival". */
export const NOUN_ADJECTIVES = words(
  'equal elder elders favorite favourite future individual junior manual musical native novel opponent past patient present professional rival senior superior superiors utmost',
);
/** Verbs of "did her best". */
export const TRYING = words('do try give look perform play wear');
