/** The formats of a page that shows several currencies. */
import { formatsOf, type Formats } from '../../../../domain/invoices/formats.ts';

/** By currency. */
export type FormatsFor = (currency: string) => Formats;

/** They are slow to make, so each is made once. */
export function formatsIn(locale: string): FormatsFor {
  const known = new Map<string, Formats>();
  return (currency) => {
    const formats = known.get(currency) ?? formatsOf(locale, currency);
    known.set(currency, formats);
    return formats;
  };
}
