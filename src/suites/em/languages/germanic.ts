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
      'bezweifle|zweifle|(?:glaube|denke|meine) (?:ich )?nicht|nicht sicher|falsche (?:antwort|lösung)|(?:falsch|unwahr),? dass|könnte|vielleicht|möglicherweise|eventuell',
    if: 'wenn|falls|ob|angenommen',
    or: 'oder',
    but: 'sondern|aber|stattdessen|also|daher',
    because: 'weil|denn|da(?= )',
    refusal:
      'kann ich nicht|(?:ich )?kann (?:die|diese|das|dir|ihnen) (?:\\p{L}+ ){0,4}nicht (?:beantworten|lösen|sagen|helfen|bestimmen)|(?:nicht genug(?:end)?|nicht genügend|zu wenige?|keine ausreichenden) (?:informationen|angaben|daten)|lässt sich nicht (?:bestimmen|beantworten|sagen)|weiß ich nicht|ich weiß es nicht',
    correction: 'korrektur|ich meinte|mein fehler|besser gesagt|moment',
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
    doubt: 'betwijfel|(?:denk|geloof) (?:ik )?niet|niet zeker|zou kunnen|misschien|wellicht',
    if: 'als|stel|of(?= het antwoord)',
    // Not "of", which English has in "12 of 15".
    or: 'ofwel|oftewel',
    but: 'maar|dus',
    because: 'omdat|want|aangezien',
    refusal:
      'kan (?:ik )?(?:deze|de|dit|die) (?:\\p{L}+ ){0,3}niet (?:beantwoorden|bepalen|oplossen)|niet genoeg informatie|ik weet het niet',
    correction: 'correctie|ik bedoelde|ik bedoel|mijn fout|wacht',
    question: 'vraag|opgave|gebruiker|voorbeeld',
    note: 'opmerking|uitleg|toelichting|noot',
    minus: 'min',
    separators: COMMA_AND_POINT,
  },
  sv: {
    answer: 'svaret|svar|resultatet',
    is: 'är|blir|er|blir',
    not: 'inte|ikke|istället för|i stedet for',
    doubt: 'tvivlar|tror inte|tror ikke|kan vara|kanske|måske|kanskje',
    if: 'om|hvis',
    or: 'eller',
    but: 'utan|men',
    because: 'eftersom|för att|fordi',
    refusal: 'kan inte (?:svara|avgöra)|kan ikke (?:svare|afgøre|avgjøre)|vet inte|ved ikke|vet ikke',
    correction: 'rättelse|rettelse|jag menade|jeg mente|vänta|vent',
    question: 'fråga|spørgsmål|spørsmål|uppgift|opgave',
    note: 'obs|notera|förklaring|forklaring',
    separators: COMMA_AND_POINT,
  },
};
