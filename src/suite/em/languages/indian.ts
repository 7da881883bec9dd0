/** How languages of India and its neighbours say what an answer is. */
import type { Language } from './language.ts';

export const INDIAN: Readonly<Record<string, Language>> = {
  hi: {
    answer: '(?:सही |अंतिम )?(?:उत्तर|जवाब)',
    is: 'है',
    bare: true,
    not: 'बजाय(?=$)',
    notBehind: 'नहीं|गलत',
    if: 'यदि|अगर',
    or: 'या|अथवा',
    but: 'बल्कि|लेकिन',
    because: 'क्योंकि',
    question: 'प्रश्न|सवाल|उपयोगकर्ता',
    note: 'नोट|टिप्पणी|व्याख्या',
    minus: 'ऋण|माइनस',
  },
  bn: {
    answer: '(?:সঠিক |চূড়ান্ত )?উত্তর(?:টি)?',
    is: 'হল|হলো|হচ্ছে|হবে',
    bare: true,
    not: 'বদলে(?=$)',
    notBehind: 'নয়|নয়|ভুল',
    or: 'বা|অথবা',
    but: 'বরং|কিন্তু',
    because: 'কারণ',
    question: 'প্রশ্ন',
    note: 'দ্রষ্টব্য|ব্যাখ্যা',
  },
  te: {
    answer: 'సమాధానం|జవాబు',
    bare: true,
    not: 'బదులు(?=$)',
    notBehind: 'కాదు',
    or: 'లేదా',
    but: 'కానీ',
    because: 'ఎందుకంటే',
    question: 'ప్రశ్న',
  },
};
