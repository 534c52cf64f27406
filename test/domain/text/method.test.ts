/** How a payment was made, in four languages: a type has a word in each of them, and a brand stays. */
import test from 'ava';
import { methodText } from '../../../domain/text/method.ts';
import { methodContext, paymentMethodTypes } from '../../../domain/payments/allocation.ts';
import { languages } from '../../../domain/text/language.ts';
import { messages } from '../../../messages/messages.ts';

const table = [
  ['Visa - *****1111', 'Visa - *****1111', 'Visa - *****1111'],
  ['American Express - *****0005', 'American Express - *****0005', 'American Express - *****0005'],
  ['Cash', 'Bar', 'Efectivo'],
  ['Check', 'Scheck', 'Cheque'],
  ['Check - *****0042', 'Scheck - *****0042', 'Cheque - *****0042'],
  ['ACH - *****6789', 'Bankkonto - *****6789', 'Cuenta bancaria - *****6789'],
  ['Card - *****1111', 'Karte - *****1111', 'Tarjeta - *****1111'],
  ['CreditCard', 'Karte', 'Tarjeta'],
  ['Token - *****', 'Hinterlegte Karte oder hinterlegtes Konto', 'Tarjeta o cuenta guardada'],
] as const;

for (const [method, german, spanish] of table) {
  test(`${method} is ${german}`, (t) => {
    t.is(methodText(method, messages.de.method), german);
    t.is(methodText(method, messages.es.method), spanish);
  });
}

test('no type is written as the interface writes it', (t) => {
  const unlike = { Check: 'Check', Cash: 'Cash' } as const;
  for (const type of paymentMethodTypes) {
    const shown = methodContext({ type, brand: null, lastFour: '1111' });
    for (const language of languages) {
      const text = methodText(shown, messages[language].method);
      const isSame = language === 'en' && type in unlike;
      t.is(text.startsWith(type), isSame, `${language} ${text}`);
    }
  }
});
