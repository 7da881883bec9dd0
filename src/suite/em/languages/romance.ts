/** How Romance languages say what an answer is. */
import { COMMA_AND_POINT, type Language } from './language.ts';

export const ROMANCE: Readonly<Record<string, Language>> = {
  fr: {
    answer: 'réponse(?: (?:finale|correcte|exacte|juste))?|résultat',
    is: "est|serait|vaut|c'est",
    not: 'pas|plutôt que|au lieu de',
    filler: 'de|le|la|égale? à|exactement',
    notBehind:
      "est (?:faux|fausse|incorrecte?|erronée?|impossible)|n'est pas (?:correcte?|juste|la|possible)",
    doubt:
      'doute|(?:crois|pense|dirais) pas|pas sûre?|mauvaise réponse|(?:faux|inexact) que|pourrait être|se peut|peut-être|possiblement|il se peut',
    if: 'si|supposons',
    or: 'ou|ou bien',
    but: 'mais|plutôt|donc',
    because: "car|parce que|puisque|puisqu'|comme",
    refusal:
      "(?:ne peux|ne puis|ne peut|peux) pas (?:répondre|déterminer|résoudre|vous aider)|pas assez d'informations?|impossible de (?:répondre|déterminer|savoir)|je ne sais pas",
    correction:
      'correction|je voulais dire|je me suis trompée?|erreur de ma part|non,? attendez|attendez|pardon',
    question: 'question|exercice|problème|utilisateur|exemple',
    note: 'remarque|note|explication|nota',
    minus: 'moins',
    separators: COMMA_AND_POINT,
  },
  es: {
    answer: 'respuesta(?: (?:final|correcta))?|resultado',
    is: 'es|sería|será|son',
    not: 'no|nunca|en lugar de|en vez de',
    filler: 'es|son|sería|puede ser|igual a|el|la|exactamente',
    notBehind: 'es (?:incorrect[oa]|fals[oa]|erróne[oa]|imposible)|no es (?:correct[oa]|la|posible)',
    doubt:
      'dudo|no (?:creo|pienso|estoy segur[oa])|respuesta (?:incorrecta|equivocada|errónea)|(?:falso|incorrecto) que|podría ser|puede que|quizás?|tal vez|a lo mejor|acaso|posiblemente',
    if: 'si|supongamos',
    or: 'o|u|o bien',
    but: 'sino|sino que|pero|más bien',
    because: 'porque|ya que|pues|puesto que|dado que|debido a',
    refusal:
      'no (?:puedo|es posible|se puede) (?:responder|determinar|resolver|contestar|ayudar)|no hay (?:suficiente )?información(?: suficiente)?|información insuficiente|no lo sé|no sé la respuesta',
    correction: 'corrección|quise decir|quería decir|me equivoqué|perdón|mejor dicho|espera',
    question: 'pregunta|problema|ejercicio|usuario|ejemplo',
    note: 'nota|explicación|aclaración',
    minus: 'menos',
    separators: COMMA_AND_POINT,
  },
  pt: {
    answer: 'resposta(?: (?:final|correta|certa))?|resultado',
    is: 'é|será|seria|são',
    not: 'não|nunca|em vez de|ao invés de',
    filler: 'é|são|seria|pode ser|igual a|o|a|exatamente',
    notBehind: '(?:está|é) (?:incorret[oa]|errad[oa]|fals[oa])|não (?:está|é) (?:corret[oa]|a|cert[oa])',
    doubt:
      'duvido|não (?:acho|creio|penso|acredito|tenho certeza)|resposta (?:errada|incorreta)|(?:falso|errado) que|poderia ser|talvez seja|talvez|possivelmente|porventura',
    if: 'se|suponha',
    or: 'ou',
    but: 'mas|e sim|sim',
    because: 'porque|pois|já que|uma vez que|dado que',
    refusal:
      'não (?:posso|consigo|é possível) (?:responder|determinar|resolver|ajudar)|não há informaç(?:ão|ões) suficientes?|informaç(?:ão|ões) insuficientes?|não sei',
    correction: 'correção|quis dizer|quero dizer|me enganei|enganei-me|desculpe|espere?|aliás',
    question: 'pergunta|questão|problema|exercício|usuário|exemplo',
    note: 'nota|observação|explicação',
    separators: COMMA_AND_POINT,
  },
  it: {
    answer: 'risposta(?: (?:finale|corretta|esatta|giusta))?|risultato',
    is: 'è|sarebbe|sarà|sono',
    not: 'non|invece di|piuttosto che',
    filler: 'è|sono|sarebbe|può essere|uguale a|il|la|esattamente',
    notBehind: 'è (?:sbagliat[oa]|errat[oa]|fals[oa]|scorrett[oa])|non è (?:corrett[oa]|la|giust[oa])',
    doubt:
      'dubito|non (?:credo|penso|sono sicur[oa])|risposta (?:sbagliata|errata)|(?:falso|sbagliato) che|potrebbe essere|forse|magari|può darsi',
    if: 'se|supponiamo',
    or: 'o|oppure',
    but: 'ma|bensì|invece',
    because: 'perché|poiché|dato che|siccome',
    refusal:
      'non (?:posso|è possibile|si può|riesco a) (?:rispondere|determinare|risolvere|aiutare)|informazioni insufficienti|non ci sono abbastanza informazioni|non lo so',
    correction: 'correzione|volevo dire|mi sono sbagliat[oa]|scusa|aspetta|anzi',
    question: 'domanda|problema|esercizio|utente|esempio',
    note: 'nota|spiegazione|osservazione',
    minus: 'meno',
    separators: COMMA_AND_POINT,
  },
  ro: {
    answer: 'răspunsul(?: (?:final|corect))?|răspuns',
    is: 'este|e',
    not: 'nu este|în loc de',
    or: 'sau',
    but: 'ci|dar',
    because: 'deoarece|pentru că',
    doubt: 's-ar putea să',
    refusal: 'nu (?:pot|se poate) (?:răspunde|determina|rezolva)|nu știu|informații insuficiente',
    correction: 'corectare|corecție|am vrut să spun|scuze|stai',
    question: 'întrebare|întrebarea|problema',
    note: 'notă|explicație',
    separators: COMMA_AND_POINT,
  },
};
