/** How a payment was made, in the words of a page, a mail or a document. */
import type { MethodWords } from './messages.ts';

/**
 * What the details of a method begin with is a brand, which stays, or a type, which has a word in
 * each language.
 *
 * @param method as `methodContext` writes it, or a type alone
 * @example methodText('Check - *****0042', german) // 'Scheck - *****0042'
 * @example methodText('Visa - *****1111', german) // 'Visa - *****1111'
 */
export function methodText(method: string, words: MethodWords): string {
  const [, name = '', end = ''] = /^(\w+)(?: - \**(.*))?$/.exec(method) ?? [];
  const type = name === CARD ? 'CreditCard' : name;
  if (!isType(type, words)) return method;
  return end === '' ? words[type] : `${words[type]} - *****${end}`;
}

/** What `methodContext` calls a card without a brand. */
const CARD = 'Card';

const isType = (name: string, words: MethodWords): name is keyof MethodWords =>
  Object.hasOwn(words, name);
