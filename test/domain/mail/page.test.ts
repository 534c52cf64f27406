/** The words, dates and amounts of mails in each language. */
import test from 'ava';
import {
  copyAddresses,
  isMailAddress,
  listedCopies,
  pauseMinutes,
} from '../../../domain/mail/kinds.ts';
import { mailPage, type MailPage } from '../../../domain/mail/page.ts';
import type { MailSubject } from '../../../domain/mail/source.ts';
import { messages } from '../../../messages/messages.ts';
import { invoice, newInvoice, notice, order, overdue, payment, sourceOf } from './samples.ts';

/** Intl separates with blanks that do not break. */
const plain = (text: string | undefined): string => (text ?? '').replaceAll(/[\u00a0\u202f]/g, ' ');
const factsOf = ({ facts }: MailPage): string[] =>
  facts.map(({ label, value }) => plain(`${label}: ${value}`));

const invoices: readonly [locale: string | null, subject: string, sentence: string][] = [
  ['en_US', 'Invoice 1001 from Demo & Co', 'Please pay €1,234.50 by January 31, 2027.'],
  ['en_GB', 'Invoice 1001 from Demo & Co', 'Please pay €1,234.50 by 31 January 2027.'],
  ['de_AT', 'Rechnung 1001 von Demo & Co', 'Bitte zahlen Sie € 1.234,50 bis zum 31. Jänner 2027.'],
  [
    'fr_FR',
    'Facture 1001 de Demo & Co',
    'Merci de régler 1 234,50 € au plus tard le 31 janvier 2027.',
  ],
  [
    'es_ES',
    'Factura 1001 de Demo & Co',
    'Le rogamos que pague 1234,50 € antes del 31 de enero de 2027, inclusive.',
  ],
  // English words, and the formats of the customer's own country.
  ['it_IT', 'Invoice 1001 from Demo & Co', 'Please pay 1234,50 € by 31 gennaio 2027.'],
  // Without a locale: that of the tenant's country.
  [null, 'Rechnung 1001 von Demo & Co', 'Bitte zahlen Sie 1.234,50 € bis zum 31. Januar 2027.'],
];

for (const [locale, subject, sentence] of invoices) {
  test(`the mail of an invoice for the locale ${locale}`, (t) => {
    const page = mailPage(sourceOf(newInvoice, { locale }), messages);
    t.is(page.subject, subject);
    t.is(plain(page.paragraphs[1]), sentence);
  });
}

test('an invoice that autopay will charge names the day, and one without open amount asks for nothing', (t) => {
  const automatic = { ...invoice, autopayOn: '2027-01-15', isPaidByPlan: false, creditLeft: null };
  const page = mailPage(
    sourceOf({ kind: 'newInvoice', invoice: automatic }, { locale: 'en_US' }),
    messages,
  );
  t.is(
    page.paragraphs[1],
    'We will charge €1,234.50 to your payment method on file on January 15, 2027.',
  );
  const paid = { ...automatic, outstandingBalance: '0' };
  const done = mailPage(
    sourceOf({ kind: 'newInvoice', invoice: paid }, { locale: 'en_US' }),
    messages,
  );
  t.is(done.paragraphs[1], 'Nothing is left to pay of it.');
  t.is(done.values['openAmount'], '€0.00');
});

const renewals: readonly [locale: string, subject: string, lead: string, payment: string][] = [
  [
    'en_US',
    'Your order 1007 renews on January 31, 2028',
    'Your order 1007: Gold internet renews for another term on January 31, 2028.',
    'We will charge the invoice to your payment method on file.',
  ],
  [
    'de_DE',
    'Ihr Auftrag 1007 verlängert sich am 31. Januar 2028',
    'Ihr Auftrag 1007: Gold internet verlängert sich am 31. Januar 2028 um eine weitere Laufzeit.',
    'Wir ziehen die Rechnung über Ihre hinterlegte Zahlungsart ein.',
  ],
  [
    'fr_FR',
    'Votre commande 1007 est renouvelée le 31 janvier 2028',
    'Votre commande 1007 : Gold internet est renouvelée pour une nouvelle période le 31 janvier 2028.',
    'Nous prélèverons la facture sur votre moyen de paiement enregistré.',
  ],
  [
    'es_ES',
    'Su pedido 1007 se renueva el 31 de enero de 2028',
    'Su pedido 1007: Gold internet se renueva por otro periodo el 31 de enero de 2028.',
    'Cargaremos la factura a su forma de pago registrada.',
  ],
];

for (const [locale, subject, lead, payment] of renewals) {
  test(`the mail of a renewal for the locale ${locale}`, (t) => {
    const page = mailPage(sourceOf({ kind: 'renewalNotice', notice }, { locale }), messages);
    t.is(page.subject, subject);
    t.deepEqual(page.paragraphs.map(plain), [lead, payment]);
  });
}

for (const [locale, subject] of [
  ['en_US', 'The trial of your order 1007 ends: it is charged from January 31, 2028'],
  ['de_DE', 'Die Testphase Ihres Auftrags 1007 endet: ab 31. Januar 2028 ist er kostenpflichtig'],
  [
    'fr_FR',
    'L’essai de votre commande 1007 se termine : elle est payante à partir du 31 janvier 2028',
  ],
  ['es_ES', 'La prueba de su pedido 1007 termina: se cobra desde el 31 de enero de 2028'],
] as const) {
  test(`the mail of an ending trial for the locale ${locale}`, (t) => {
    const page = mailPage(sourceOf({ kind: 'trialEnding', notice }, { locale }), messages);
    t.is(plain(page.subject), subject);
  });
}

for (const [locale, subject] of [
  ['en_US', 'New prices of your order 1007 from January 31, 2028'],
  ['de_DE', 'Neue Preise Ihres Auftrags 1007 ab 31. Januar 2028'],
  ['fr_FR', 'Nouveaux prix de votre commande 1007 à partir du 31 janvier 2028'],
  ['es_ES', 'Nuevos precios de su pedido 1007 desde el 31 de enero de 2028'],
] as const) {
  test(`the mail of new prices for the locale ${locale}`, (t) => {
    const prices = { before: '29.95', after: '34.95', currency: 'EUR' };
    const source = sourceOf({ kind: 'priceChange', notice, prices }, { locale });
    t.is(mailPage(source, messages).subject, subject);
  });
}

test('a mail of a renewal shows the first invoice from then on, where one is known', (t) => {
  const page = mailPage(sourceOf({ kind: 'renewalNotice', notice }, { locale: 'en_US' }), messages);
  t.deepEqual(factsOf(page), [
    'Order: 1007',
    'Plan: Gold internet',
    'Renews on: January 31, 2028',
    'Next invoice on: January 31, 2028',
    'Amount of the next invoice: €29.95',
    'Payment method: Visa - *****1111',
  ]);
  const sparse = { ...notice, nextInvoice: null, method: null, isAutoPay: false };
  const other = mailPage(
    sourceOf({ kind: 'renewalNotice', notice: sparse }, { locale: 'en_US' }),
    messages,
  );
  t.deepEqual(factsOf(other), [
    'Order: 1007',
    'Plan: Gold internet',
    'Renews on: January 31, 2028',
  ]);
  t.is(other.paragraphs[1], 'You will receive an invoice.');
});

test('an invoice that a payment plan collects asks for no payment', (t) => {
  const collected = { ...invoice, autopayOn: null, isPaidByPlan: true, creditLeft: null };
  const page = mailPage(
    sourceOf({ kind: 'newInvoice', invoice: collected }, { locale: 'en_US' }),
    messages,
  );
  t.is(page.paragraphs[1], 'The installments of your payment plan pay €1,234.50.');
});

test('a credit note is named so, and is never due', (t) => {
  const nothing = { currentAmountDue: '-20', outstandingBalance: '0' };
  const credit = { ...invoice, ...nothing, autopayOn: null, isPaidByPlan: false, creditLeft: '5' };
  const page = mailPage(
    sourceOf({ kind: 'newInvoice', invoice: credit }, { locale: 'en_US' }),
    messages,
  );
  t.is(page.subject, 'Credit note 1001 from Demo & Co');
  t.deepEqual(factsOf(page), [
    'Credit note number: 1001',
    'Credit note date: January 1, 2027',
    'This credit note: -€20.00',
    'Left as credit: €5.00',
  ]);
});

test('the mail of an order omits dates that it does not have', (t) => {
  const page = mailPage(sourceOf({ kind: 'newOrder', order }, { locale: 'en_US' }), messages);
  t.is(page.subject, 'Your order 1007');
  t.deepEqual(factsOf(page), [
    'Order: 1007',
    'Plan: Gold internet',
    'Starts on: January 31, 2027',
    'Next invoice on: February 28, 2027',
  ]);
  t.is(page.values['endDate'], null);
  const free = { ...order, trialEndDate: '2027-02-13', nextBillableDate: '2027-02-14' };
  const trial = mailPage(
    sourceOf({ kind: 'newOrder', order: free }, { locale: 'de_DE' }),
    messages,
  );
  t.deepEqual(factsOf(trial).slice(2), [
    'Beginn: 31. Januar 2027',
    'Kostenlos bis: 13. Februar 2027',
    'Nächste Rechnung am: 14. Februar 2027',
  ]);
});

test('the mail of a payment lists the invoices that it paid', (t) => {
  const page = mailPage(
    sourceOf({ kind: 'paymentReceived', payment }, { locale: 'en_US' }),
    messages,
  );
  t.is(page.subject, 'Your payment of €100.00');
  t.like(page.table, { columns: ['Invoice', 'Amount'], rows: [['1001', '€100.00']] });
  const unapplied = { ...payment, invoices: [] };
  const bare = mailPage(sourceOf({ kind: 'paymentReceived', payment: unapplied }), messages);
  t.is(bare.table, null);
  t.is(bare.paragraphs.length, 1);
});

test('a failed payment asks the customer to check the method', (t) => {
  const page = mailPage(
    sourceOf({ kind: 'paymentFailed', payment }, { locale: 'en_US' }),
    messages,
  );
  t.is(page.subject, 'Your payment of €100.00 failed');
  t.is(page.paragraphs[1], 'Please check the payment method, or pay in another way.');
});

test('a reminder sums the overdue invoices of each currency, and says what the status means', (t) => {
  const page = mailPage(sourceOf(overdue, { locale: 'en_US' }), messages);
  t.is(page.subject, 'Payment reminder: €1,235.00 overdue');
  t.deepEqual(page.table?.rows[0], ['1001', 'January 31, 2027', '€1,234.50']);
  t.is(page.remarks[0], 'Your service is suspended until they are paid.');
  const dollars = { ...invoice, currency: 'USD', outstandingBalance: '7' };
  const both = { ...overdue, status: 'Overdue1', invoices: [invoice, dollars] } as const;
  const mixed = mailPage(sourceOf(both, { locale: 'en_US' }), messages);
  t.is(mixed.subject, 'Payment reminder: €1,234.50, $7.00 overdue');
  t.is(mixed.remarks.length, 1);
});

const resets: readonly [locale: string, subject: string, label: string][] = [
  ['en_US', 'Your password at Demo & Co', 'User name'],
  ['de_DE', 'Ihr Passwort bei Demo & Co', 'Benutzername'],
  ['fr_FR', 'Votre mot de passe chez Demo & Co', 'Nom d’utilisateur'],
  ['es_ES', 'Su contraseña de Demo & Co', 'Nombre de usuario'],
];

for (const [locale, subject, label] of resets) {
  test(`the mail of a forgotten password for the locale ${locale}`, (t) => {
    const resetAddress = 'https://demo.example.com/widget/reset/q3V0bm';
    const reset = { kind: 'passwordReset', username: 'ada', resetAddress } as const;
    const page = mailPage(sourceOf(reset, { locale }), messages);
    t.is(page.subject, subject);
    t.is(factsOf(page)[0], `${label}: ada`);
    t.is(page.values['resetAddress'], resetAddress);
    t.regex(page.paragraphs[1] ?? '', /30/);
  });
}

const changed: readonly [locale: string, subject: string, greeting: string][] = [
  ['en_US', 'Your e-mail addresses at Demo & Co', 'Hello,'],
  ['de_DE', 'Ihre E-Mail-Adressen bei Demo & Co', 'Guten Tag,'],
  ['fr_FR', 'Vos adresses e-mail chez Demo & Co', 'Bonjour,'],
  ['es_ES', 'Sus direcciones de correo en Demo & Co', 'Hola:'],
];

for (const [locale, subject, greeting] of changed) {
  test(`the mail to an address that was changed, without a name, for the locale ${locale}`, (t) => {
    const customer = { name: '', billingContact: null };
    const page = mailPage(sourceOf({ kind: 'contactChanged' }, { locale, customer }), messages);
    t.is(page.subject, subject);
    t.is(page.greeting, greeting);
    t.is(page.paragraphs.length, 2);
    t.is(page.remarks.length, 1);
  });
}

test('the greeting names the person, else the customer', (t) => {
  t.is(
    mailPage(sourceOf(newInvoice, { locale: 'en_US' }), messages).greeting,
    'Dear Ada Lovelace,',
  );
  const nobody = { customer: { billingContact: null }, locale: 'en_US' };
  t.is(mailPage(sourceOf(newInvoice, nobody), messages).greeting, 'Dear Analytical Engines Ltd,');
});

const addresses: readonly [string, boolean][] = [
  ['ada@example.com', true],
  ['ada+bills@mail.example.com', true],
  ['münchen@bücher.example', true],
  ['ada@example.com, bob@example.com', false],
  ['ada@example.com,bob@example.com', false],
  ['Ada <ada@example.com>', false],
  ['ada@example.com\r\nBcc: bob@example.com', false],
  ['ada@example.com\u0000', false],
  ['ada', false],
  ['@example.com', false],
  ['a@b@c.example', false],
  [`${'a'.repeat(65)}@example.com`, false],
  [`${'a'.repeat(250)}@b.zz`, false],
  [`a@${'b.'.repeat(126)}zz`, false],
  [`a@${'b'.repeat(64)}.zz`, false],
  ['ada@mailhost', true],
  ["o'neil_2/x=y@example.co", true],
  ['<a@b.zz>', false],
  ['a(comment)@b.zz', false],
  ['a@(comment)b.zz', false],
  ['a@b.zz (Ada)', false],
  ['"a b"@b.zz', false],
  ['a@[127.0.0.1]', false],
  ['a@[IPv6:::1]', false],
  ['a@127.0.0.1', false],
  ['.a@b.zz', false],
  ['a.@b.zz', false],
  ['a..b@c.zz', false],
  ['a@b..zz', false],
  ['a@.b.zz', false],
  ['a@b.zz.', false],
  ['a@-b.zz', false],
  ['a@b-.zz', false],
  ['a@b_c.zz', false],
  ['a%40b.zz', false],
  ['a\u0085b@c.zz', false],
];

for (const [address, isOne] of addresses) {
  test(`${JSON.stringify(address)} is ${isOne ? 'an' : 'no'} address of one mailbox`, (t) => {
    t.is(isMailAddress(address), isOne);
  });
}

test('the pause after an attempt doubles up to four hours', (t) => {
  t.deepEqual([1, 2, 3, 8, 9, 50].map(pauseMinutes), [1, 2, 4, 128, 240, 240]);
});

test('a list of copies has up to five addresses, with commas between them', (t) => {
  t.deepEqual(copyAddresses(' ada@b.zz,bob@b.zz ,\tcy@b.zz'), ['ada@b.zz', 'bob@b.zz', 'cy@b.zz']);
  t.is(listedCopies(' ada@b.zz,bob@b.zz'), 'ada@b.zz, bob@b.zz');
  const addresses = Array.from({ length: 6 }, (_, index) => `a${index}@b.zz`);
  t.is(copyAddresses(addresses.slice(0, 5).join())?.length, 5);
  for (const none of [addresses.join(), '', 'ada@b.zz,', 'ada@b.zz;bob@b.zz', 'Ada <ada@b.zz>']) {
    t.is(copyAddresses(none), null, none);
  }
});

test('what is open has the address of the page that pays it; in a reminder each row has one', (t) => {
  const shown = (subject: MailSubject): MailPage =>
    mailPage(sourceOf(subject, { locale: 'en_US' }), messages);
  const payAddress = 'https://demo.example/pay/q3V0bm';
  const open: MailSubject = {
    kind: 'newInvoice',
    invoice: { ...invoice, payAddress, autopayOn: null, isPaidByPlan: false, creditLeft: null },
  };
  const mail = shown(open);
  t.is(mail.values['payAddress'], payAddress);
  t.deepEqual(mail.facts.at(-1), { name: 'payAddress', label: 'Pay online', value: payAddress });
  t.is(shown(newInvoice).values['payAddress'], null);
  t.false(shown(newInvoice).facts.some(({ name }) => name === 'payAddress'));
  const failed: MailSubject = { kind: 'paymentFailed', payment: { ...payment, payAddress } };
  t.is(shown(failed).values['payAddress'], payAddress);
  const reminder = shown({
    kind: 'customerOverdue',
    status: 'Overdue1',
    invoices: [{ ...invoice, payAddress }, invoice],
  });
  t.deepEqual(reminder.table?.payAddresses, [payAddress, null]);
  t.is(reminder.table?.payLabel, 'Pay');
});
