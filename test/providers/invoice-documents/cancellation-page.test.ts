/** The document of a cancellation: the invoice reversed, in each language. */
import test from 'ava';
import { cancellationOf } from '../../../domain/invoices/cancellation.ts';
import { invoicePage } from '../../../domain/invoices/page.ts';
import { messages } from '../../../messages/messages.ts';
import { sourceOf } from './samples.ts';

const cancellations = [
  // locale, title, recipient, facts, sum, the fact of the invoice
  [
    'en_US',
    'Cancellation note 1002',
    'Credit to',
    ['Cancellation number', 'Cancellation date', 'Cancels invoice'],
    'This cancellation',
    'Cancelled by',
  ],
  [
    'de_DE',
    'Stornorechnung 1002',
    'Gutschrift an',
    ['Stornonummer', 'Stornodatum', 'Storniert Rechnung'],
    'Diese Stornorechnung',
    'Storniert durch',
  ],
  [
    'fr_FR',
    'Avoir d’annulation 1002',
    'Crédité à',
    ['Numéro d’annulation', 'Date d’annulation', 'Annule la facture'],
    'Cette annulation',
    'Annulée par',
  ],
  [
    'es_ES',
    'Nota de anulación 1002',
    'Acreditar a',
    ['Número de anulación', 'Fecha de anulación', 'Anula la factura'],
    'Esta anulación',
    'Anulada por',
  ],
] as const;

for (const [locale, title, recipient, facts, sum, by] of cancellations) {
  test(`a cancellation is the invoice reversed for ${locale}, which names it`, (t) => {
    const source = sourceOf({
      customer: { locale, extCustomerRef: null },
      invoice: {
        status: 'Cancelled',
        outstandingBalance: '0.00',
        billingStartDate: null,
        notes: 'Thank you',
        cancellationNumber: '1002',
        dateCancelled: '2027-02-03',
      },
      sender: { bankAccount: { note: 'in cash' } },
      settlements: [
        { date: '2027-01-05', kind: 'Credit', method: null, invoiceNumber: null, amount: '5' },
      ],
    });
    const own = invoicePage(source, messages);
    t.is(own.stamp?.kind, 'cancelled');
    t.regex(own.facts.find(({ label }) => label === by)?.value ?? '', /^1002 .*2027$/);
    const cancellation = cancellationOf(source);
    if (cancellation === undefined) return t.fail();
    const page = invoicePage(cancellation, messages);
    t.is(page.title, title);
    t.is(page.kind, 'cancellation');
    t.is(page.recipientLabel, recipient);
    t.deepEqual(
      page.facts.map(({ label }) => label),
      facts,
    );
    t.regex(page.facts[2]?.value ?? '', /^1001 .*2027$/);
    t.is(page.stamp, null);
    t.deepEqual([page.notes, page.foot], [[], []]);
    t.deepEqual(
      page.summary.map(({ label, isTotal }) => [label, isTotal]),
      [[sum, true]],
    );
    const amounts = page.lines[0]?.charges.map(({ quantity, amount }) => [quantity, amount.at(0)]);
    t.deepEqual(amounts, [
      ['-1', '-'],
      ['-1', '-'],
    ]);
  });
}

test('an invoice that stands, or is only stamped, has no document of a cancellation', (t) => {
  t.is(cancellationOf(sourceOf()), undefined);
  const stamped = {
    status: 'Cancelled',
    dateCancelled: '2027-02-03',
    cancellationNumber: null,
  } as const;
  t.is(cancellationOf(sourceOf({ invoice: stamped })), undefined);
});

test('a cancellation runs as its invoice does where names are written from right to left', (t) => {
  const source = sourceOf({
    customer: { locale: 'ar_EG', name: 'شركة النيل' },
    invoice: { cancellationNumber: '1002', dateCancelled: '2027-02-03' },
  });
  const cancellation = cancellationOf(source);
  if (cancellation === undefined) return t.fail();
  const page = invoicePage(cancellation, messages);
  t.is(page.language, 'en');
  t.is(page.recipient.name, 'شركة النيل');
  t.is(page.facts[2]?.value, '1001 of ١ يناير ٢٠٢٧');
});
