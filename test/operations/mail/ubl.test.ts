/** Mails of new invoices with the electronic invoice beside the PDF. */
import test, { type ExecutionContext } from 'ava';
import type { WorkLine } from '../../../operations/context/work-log.ts';
import { openSmtp } from '../../../providers/mail/smtp.ts';
import { openInbox } from '../../providers/mail/inbox.ts';
import { sharedDatabase } from '../support/books.ts';
import { openPost } from './post.ts';

const db = await sharedDatabase();

const seller = {
  address: { street1: 'Ring 1', city: 'Wien', zip: '1010', countryCode: 'AT' },
  taxId: 'ATU13585627',
  electronicAddress: '9915:seller',
};

const documents = { cancellation: 'document' };

/** A tenant whose mails bring electronic invoices, or not. */
async function serve(t: ExecutionContext, ubl: boolean | undefined) {
  const inbox = await openInbox();
  const mailer = openSmtp(inbox.url);
  t.teardown(async () => {
    mailer.close();
    await inbox.close();
  });
  const notifications = {
    from: 'billing@demo.example',
    enabled: ['newInvoice', 'newCreditNote'],
    ...(ubl === undefined ? {} : { ubl }),
  };
  const post = await openPost(db, { file: { ...seller, documents, notifications } });
  const lines: WorkLine[] = [];
  Object.assign(post.books.dependencies, { onWork: (line: WorkLine) => lines.push(line) });
  return { inbox, post, lines, pass: () => post.pass(mailer) };
}

type Served = Awaited<ReturnType<typeof serve>>;

/** Mails an invoice to a customer with what electronic invoices need of it, or without. */
async function mailed({ post, pass }: Served, electronicAddress: string | null): Promise<void> {
  const customerId = await post.customer();
  await post.sql(
    `update customer set electronic_address = $2, buyer_reference = 'R-1' where id = $1`,
    [customerId, electronicAddress],
  );
  await post.sql(`update contact set country_code = 'AT' where customer_id = $1`, [customerId]);
  await post.books.order({ customerId, contractCode: 'P' }, { generateInvoice: true });
  await post.number();
  await pass();
}

const filesOf = ({ inbox }: Served): (string | undefined)[] =>
  (inbox.mails.at(-1)?.attachments ?? []).map(({ filename }) => filename);

const missingOf = ({ post }: Served) =>
  post.sql<{ withoutUbl: string[] | null }>('select without_ubl from mail order by id');

test('with notifications.ubl a mail brings the electronic invoice beside the PDF', async (t) => {
  const served = await serve(t, true);
  await mailed(served, '9915:buyer');
  t.deepEqual(filesOf(served), ['invoice-1001.pdf', '1001.xml']);
  const xml = served.inbox.mails[0]?.attachments[1];
  t.is(xml?.contentType, 'application/xml');
  t.regex(xml?.content.toString() ?? '', /<cbc:EndpointID schemeID="9915">buyer</);
  t.deepEqual(await missingOf(served), [{ withoutUbl: null }]);
  t.false('withoutUbl' in (served.lines.find(({ work }) => work === 'mail') ?? {}));
  // The first that is given out is the mail's, and is kept.
  t.is((await served.post.sql('select from ubl_supplement')).length, 1);
});

test('what lacks something brings the PDF alone; the row of the mail and a log line say what', async (t) => {
  const served = await serve(t, true);
  await mailed(served, null);
  t.deepEqual(filesOf(served), ['invoice-1001.pdf']);
  const missing = ['customer/electronicAddress'];
  t.deepEqual(await missingOf(served), [{ withoutUbl: missing }]);
  t.deepEqual(
    served.lines.filter(({ work }) => work === 'mail').map(({ withoutUbl }) => withoutUbl),
    [missing],
  );
  t.is((await served.post.sql('select from ubl_supplement')).length, 0);
});

test('without notifications.ubl a mail brings the PDF alone, and says nothing', async (t) => {
  const served = await serve(t, undefined);
  await mailed(served, '9915:buyer');
  t.deepEqual(filesOf(served), ['invoice-1001.pdf']);
  t.deepEqual(await missingOf(served), [{ withoutUbl: null }]);
});

test('a cancellation is mailed as a credit note, with its own documents', async (t) => {
  const served = await serve(t, true);
  await mailed(served, '9915:buyer');
  await served.post.books.cancelInvoice(1001);
  await served.post.number();
  await served.pass();
  t.deepEqual(await served.post.sql('select kind, state from mail order by id'), [
    { kind: 'newInvoice', state: 'sent' },
    { kind: 'newCreditNote', state: 'sent' },
  ]);
  t.deepEqual(filesOf(served), ['cancellation-1002.pdf', '1002.xml']);
  const mail = served.inbox.mails.at(-1);
  t.is(mail?.subject, 'Cancellation of invoice 1001 from Test tenant');
  t.regex(
    mail?.text ?? '',
    /Your invoice 1001 is cancelled\. The cancellation note 1002 of January 15, 2027 is attached\..*Cancels invoice:? +1001 of January 15, 2027.*This cancellation:? +-\$10\.00/s,
  );
  t.notRegex(mail?.text ?? '', /Still due|Due date/);
  const xml = mail?.attachments[1]?.content.toString() ?? '';
  t.regex(xml, /<cbc:ID>1002<.*<cac:BillingReference>.*<cbc:ID>1001<.*PayableAmount[^>]*>10\.00</s);
  t.deepEqual((await served.post.books.audit()).faults, []);
});
