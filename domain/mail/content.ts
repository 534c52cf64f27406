/** The parts of a mail's content, and what puts them into words. */
import type { IsoDate } from '../calendar/calendar.ts';
import type { Decimal } from '../money/money.ts';
import type { InvoiceWords, MailWords, MethodWords } from '../text/messages.ts';

export interface MailFact {
  /** Its name in `values`. */
  readonly name: string;
  readonly label: string;
  readonly value: string;
}

export interface MailTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Where the invoices are paid. */
  readonly payLabel: string;
  /** Of each row; null where nothing is paid. */
  readonly payAddresses: readonly (string | null)[];
}

export interface Wording {
  readonly words: InvoiceWords;
  readonly own: MailWords;
  readonly methods: MethodWords;
  /** The tenant's name. */
  readonly sender: string;
  readonly date: (date: IsoDate) => string;
  readonly amount: (amount: Decimal, currency: string) => string;
  /** In the time zone. */
  readonly instant: (instant: Date, timezone: string) => string;
}

export type Fact = Omit<MailFact, 'value'> & { readonly value: string | null };
/** What depends on the kind of a mail. */
export interface Content {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  readonly facts: readonly Fact[];
  readonly table: MailTable | null;
  readonly remarks: readonly string[];
}
