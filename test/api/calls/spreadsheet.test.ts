/** A file of a list, opened by LibreOffice: what a person sees of it. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { startTenantApi } from '../tenant-api.ts';

const api = await startTenantApi();

/** Debian's. */
const office = '/usr/bin/soffice';
const run = promisify(execFile);

interface Cell {
  readonly type: string;
  readonly text: string;
}

/** The cells of each row as LibreOffice reads the file: commas, quotes, UTF-8. */
async function opened(csv: string): Promise<{ rows: Cell[][]; document: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'sundial-office-'));
  try {
    await writeFile(join(folder, 'file.csv'), csv);
    await run(office, [
      `-env:UserInstallation=file://${join(folder, 'profile')}`,
      '--headless',
      '--infilter=Text - txt - csv (StarCalc):44,34,76,1',
      '--convert-to',
      'fods',
      '--outdir',
      folder,
      join(folder, 'file.csv'),
    ]);
    const document = await readFile(join(folder, 'file.fods'), 'utf8');
    return { rows: rowsIn(document), document };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function rowsIn(document: string): Cell[][] {
  const rows = document.matchAll(/<table:table-row[^>]*>(.*?)<\/table:table-row>/gs);
  return [...rows].map(([, row = '']) =>
    [...row.matchAll(/<table:table-cell([^>]*?)(?:\/>|>(.*?)<\/table:table-cell>)/gs)].flatMap(
      ([, attributes = '', inner = '']) => {
        const [, type = ''] = /office:value-type="(\w+)"/.exec(attributes) ?? [];
        const [, times = '1'] = /table:number-columns-repeated="(\d+)"/.exec(attributes) ?? [];
        const lines = [...inner.matchAll(/<text:p>(.*?)<\/text:p>/gs)].map(([, line = '']) => line);
        const text = lines.join('\n').replaceAll('&quot;', '"').replaceAll('&apos;', "'");
        return Array.from({ length: Number(times) }, () => ({ type, text }));
      },
    ),
  );
}

const withOffice = existsSync(office) ? test : test.skip;

withOffice('a file opens with its letters, numbers and days, and without a formula', async (t) => {
  const own = await api.another();
  const customer = (ref: string, name: string) =>
    `<customer><extCustomerRef>${ref}</extCustomerRef><name>${name}</name><billingContact>
     <firstName>Zoë</firstName></billingContact></customer>`;
  await own.post('/customers', customer('C1', 'Müller, "Söhne" €'));
  await own.post('/customers', customer('C2', '=1+1'));
  await own.post(
    '/orders?extCustomerRef=C1&generateInvoice=true',
    '<subscriptionOrder><contractCode>GOLD</contractCode><notes>two\nlines</notes></subscriptionOrder>',
  );
  const customers = await opened((await own.get('/customers?format=csv')).body);
  const named = (of: { rows: Cell[][] }, row: number, column: string): Cell | undefined =>
    of.rows[row]?.[of.rows[0]?.findIndex(({ text }) => text === column) ?? -1];
  t.is(customers.rows[0]?.[0]?.text, 'id');
  t.is(named(customers, 1, 'name')?.text, 'Müller, "Söhne" €');
  t.is(named(customers, 1, 'firstName')?.text, 'Zoë');
  t.deepEqual(named(customers, 2, 'name'), { type: 'string', text: "'=1+1" });
  t.false(customers.document.includes('table:formula'));
  const orders = await opened((await own.get('/orders?format=csv')).body);
  t.is(named(orders, 1, 'notes')?.text, 'two\nlines');
  const lines = await opened((await own.get('/invoiceLines?format=csv')).body);
  t.deepEqual(named(lines, 2, 'amount'), { type: 'float', text: '29.95' });
  t.is(named(lines, 2, 'chargeDate')?.type, 'date');
});
