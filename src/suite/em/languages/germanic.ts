/** How Germanic languages but English say what an answer is. */
import { COMMA_AND_POINT, type Language } from './language.ts';

export const GERMANIC: Readonly<Record<string, Language>> = {
  de: {
    answer: 'antwort|endergebnis|ergebnis|lösung',
    is: 'ist|lautet|wäre|beträgt',
    not: 'nicht|kein|keine|niemals|statt|anstatt|anstelle von|weder',
    filler: 'die|der|das|etwa|gleich|genau',
    notBehind:
      '(?:ist|wäre|war) (?:falsch|nicht (?:richtig|korrekt|die|möglich)|unmöglich|zu (?:groß|klein))',
    doubt:
      'bezweifle|zweifle|(?:glaube|denke|meine) (?:ich )?nicht|nicht sicher|falsche (?:antwort|lösung)|(?:falsch|unwahr),? dass|könnte',
    if: 'wenn|falls|ob|angenommen',
    or: 'oder',
    but: 'sondern|aber|stattdessen|also|daher',
    because: 'weil|denn|da(?= )',
    question: 'frage|aufgabe|nächste frage|benutzer|nutzer|beispiel',
    note: 'hinweis|anmerkung|erklärung|bemerkung|begründung',
    separators: COMMA_AND_POINT,
  },
  nl: {
    answer: '(?:eind)?antwoord|uitkomst',
    is: 'is|luidt|zou zijn',
    not: 'niet|geen|nooit|in plaats van',
    filler: 'de|het|gelijk aan|precies',
    notBehind: 'is (?:fout|onjuist|verkeerd|niet (?:juist|correct|goed|het))',
    doubt: 'betwijfel|(?:denk|geloof) (?:ik )?niet|niet zeker|zou kunnen',
    if: 'als|stel|of(?= het antwoord)',
    or: 'of',
    but: 'maar|dus',
    because: 'omdat|want|aangezien',
    question: 'vraag|opgave|gebruiker|voorbeeld',
    note: 'opmerking|uitleg|toelichting|noot',
    minus: 'min',
    separators: COMMA_AND_POINT,
  },
  sv: {
    answer: 'svaret|svar|resultatet',
    is: 'är|blir|er|blir',
    not: 'inte|ikke|istället för|i stedet for',
    doubt: 'tvivlar|tror inte|tror ikke|kan vara',
    if: 'om|hvis',
    or: 'eller',
    but: 'utan|men',
    because: 'eftersom|för att|fordi',
    question: 'fråga|spørgsmål|spørsmål|uppgift|opgave',
    note: 'obs|notera|förklaring|forklaring',
    separators: COMMA_AND_POINT,
  },
};
