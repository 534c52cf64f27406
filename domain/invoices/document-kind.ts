/** What a document for people is, and what it calls itself. */
import type { InvoiceWords } from '../text/messages.ts';

export type DocumentKind = 'invoice' | 'creditNote' | 'cancellation';

/** The names of a document and of what every one of its kind has. */
export interface DocumentNames {
  readonly title: string;
  readonly number: string;
  readonly date: string;
  /** Of its amount. */
  readonly amount: string;
}

/** @example namesOf(words, 'creditNote').title // 'Gutschrift' in German */
export function namesOf(words: InvoiceWords, kind: DocumentKind): DocumentNames {
  switch (kind) {
    case 'invoice': {
      const { invoice: title, invoiceNumber: number, invoiceDate: date, thisInvoice } = words;
      return { title, number, date, amount: thisInvoice };
    }
    case 'creditNote': {
      const { creditNote: title, creditNoteNumber: number, creditNoteDate: date } = words;
      return { title, number, date, amount: words.thisCreditNote };
    }
    case 'cancellation': {
      const { cancellation: title, cancellationNumber: number, cancellationDate: date } = words;
      return { title, number, date, amount: words.thisCancellation };
    }
  }
}
