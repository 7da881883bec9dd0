/** How Slavic languages say what an answer is. */
import { COMMA, type Language } from './language.ts';

export const SLAVIC: Readonly<Record<string, Language>> = {
  ru: {
    answer: '(?:правильный |окончательный )?(?:ответ|ответом|результат)',
    is: 'это|равен|будет|является|составляет',
    bare: true,
    not: 'не|ни|вместо',
    filler: 'равен|равно|это|может быть',
    notBehind:
      '(?:- )?(?:это )?(?:неверно|неверный|неправильно|неправильный|не (?:подходит|является|правильн))',
    doubt:
      'сомневаюсь|не (?:думаю|считаю|уверен|уверена)|неправильный ответ|неверный ответ|неверно,? что|может быть|возможно|быть может|пожалуй',
    if: 'если',
    or: 'или|либо',
    but: 'а|но|однако',
    because: 'так как|потому что|поскольку|ибо',
    refusal:
      'не (?:могу|можем|могут) (?:ответить|определить|решить|помочь)|невозможно (?:ответить|определить|сказать|решить)|недостаточно (?:информации|данных)|не знаю',
    correction:
      'исправление|поправка|я имел[аи]? в виду|имею в виду|извините|простите|ошиб(?:ся|лась)|точнее|стоп|подождите|нет,? подождите',
    question: 'вопрос|задача|пользователь|пример',
    note: 'примечание|пояснение|объяснение',
    minus: 'минус',
    separators: COMMA,
  },
  uk: {
    answer: '(?:правильна |остаточна )?(?:відповідь|відповіддю)',
    is: 'це|є|буде|дорівнює',
    bare: true,
    not: 'не|ні|замість',
    filler: 'дорівнює|це|є',
    notBehind: '(?:- )?(?:це )?(?:неправильно|невірно)',
    doubt: 'сумніваюся|не (?:думаю|вважаю)|може бути|можливо|мабуть',
    if: 'якщо',
    or: 'або|чи',
    but: 'а|але',
    because: 'тому що|бо|оскільки',
    refusal:
      "не (?:можу|можна) (?:відповісти|визначити|розв'язати)|неможливо (?:відповісти|визначити)|недостатньо (?:інформації|даних)|не знаю",
    correction: 'виправлення|я мав на увазі|вибачте|точніше|стоп|зачекайте',
    question: 'питання|задача|запитання|користувач',
    note: 'примітка|пояснення',
    minus: 'мінус',
    separators: COMMA,
  },
  pl: {
    answer: 'odpowiedź(?: końcowa)?|odpowiedzią|wynik',
    is: 'to|brzmi|jest|wynosi|jest równy',
    not: 'nie|nigdy|zamiast|ani',
    filler: 'jest|to|równa się|wynosi',
    notBehind: '(?:jest|to) (?:błędn[aey]|niepoprawn[aey]|błąd)|nie jest (?:poprawn[aey]|odpowiedzią)',
    doubt:
      'wątpię|nie (?:sądzę|myślę|uważam|jestem pew(?:ien|na))|nieprawda,? że|może być|być może|możliwe,? że|chyba',
    if: 'jeśli|jeżeli|gdyby|czy',
    or: 'lub|albo|czy',
    but: 'ale|lecz|tylko|więc',
    because: 'ponieważ|bo|gdyż|bowiem',
    refusal:
      'nie (?:mogę|można|da się|potrafię) (?:odpowiedzieć|określić|rozwiązać|ustalić|pomóc)|za mało (?:informacji|danych)|nie wiem',
    correction: 'poprawka|korekta|miałem na myśli|miałam na myśli|przepraszam|chwila|czekaj',
    question: 'pytanie|zadanie|użytkownik|przykład',
    note: 'uwaga|wyjaśnienie',
    separators: COMMA,
  },
  cs: {
    answer: 'odpověď|výsledek',
    is: 'je|zní',
    not: 'ne|není|nikoli|nikoliv|místo',
    doubt: 'pochybuji|nemyslím|mohlo by být|možná|snad',
    if: 'pokud|jestli',
    or: 'nebo|či',
    but: 'ale|nýbrž',
    because: 'protože|neboť',
    refusal: '(?:nemohu|nelze|neumím) (?:odpovědět|určit|vyřešit)|nedostatek informací|nevím',
    correction: 'oprava|myslel jsem|pardon|počkat|počkej',
    question: 'otázka|úloha',
    note: 'poznámka|vysvětlení',
    separators: COMMA,
  },
};
