/** What applying makes of the hosted pages and the self-service profiles of a tenant file: rows. */
import test from 'ava';
import { bench, smallest, spoiled, type Bench, type Draft } from './support.ts';

const site: Draft = {
  ...smallest,
  hostedPages: { allowedOrigins: ['https://www.tiny.example', 'http://localhost:3000'] },
  selfServiceProfiles: [
    { id: 'DEFAULT' },
    {
      id: 'FULL',
      showStatements: 'false',
      allowProfileEdit: 'true',
      editOrderOptions: ['Upgrade', 'Cancel'],
      pdfMode: 'true',
    },
  ],
};

async function origins({ in: inLabel }: Bench, label = 'tiny'): Promise<unknown[]> {
  const rows = await inLabel(label, (tx) =>
    tx.query<{ origin: string }>('select origin from allowed_origin order by origin'),
  );
  return rows.map(({ origin }) => origin);
}

/** The switches in the order of the format. */
async function profiles({ in: inLabel }: Bench): Promise<unknown[]> {
  const rows = await inLabel('tiny', (tx) =>
    tx.query<{ row: string }>(
      `select concat_ws(' ', profile_id, show_navigation_bar, show_statements, show_payments,
         allow_payments, allow_profile_edit, edit_order_options::text, pdf_mode) as row
       from self_service_profile order by profile_id`,
    ),
  );
  return rows.map(({ row }) => row);
}

test('the origins and profiles of a file are rows, and nothing is not in force', async (t) => {
  const tried = await bench(t);
  const applied = await tried.apply(JSON.stringify(site));
  t.deepEqual(applied.isValid && applied.notInForce, []);
  t.deepEqual(await origins(tried), ['http://localhost:3000', 'https://www.tiny.example']);
  t.deepEqual(await profiles(tried), [
    'DEFAULT t t t t f {} f',
    'FULL t f t t t {Upgrade,Cancel} t',
  ]);
});

test('a file applied again changes nothing; another tenant has rows of its own', async (t) => {
  const tried = await bench(t);
  await tried.changes(site);
  t.deepEqual(await tried.changes(site), []);
  await tried.changes({ ...smallest, tenant: 'other', hostedPages: site['hostedPages'] });
  await tried.changes(smallest);
  t.deepEqual(await origins(tried), []);
  t.deepEqual(await origins(tried, 'other'), ['http://localhost:3000', 'https://www.tiny.example']);
});

test('what is gone from the file is gone from the rows, what is changed or new is there', async (t) => {
  const tried = await bench(t);
  await tried.changes(site);
  const changed = spoiled(site, {
    'hostedPages.allowedOrigins[1]': 'https://new.tiny.example',
    'selfServiceProfiles[0].id': 'OTHER',
    'selfServiceProfiles[1].editOrderOptions': undefined,
  });
  t.deepEqual(await tried.changes(changed), [
    'selfServiceProfile OTHER: created',
    'selfServiceProfile FULL: changed',
    'selfServiceProfile DEFAULT: removed',
    'hostedPages: changed',
  ]);
  t.deepEqual(await origins(tried), ['https://new.tiny.example', 'https://www.tiny.example']);
  t.deepEqual(await profiles(tried), ['FULL t f t t t {} t', 'OTHER t t t t f {} f']);
  t.deepEqual(await tried.changes(smallest), [
    'selfServiceProfile OTHER: removed',
    'selfServiceProfile FULL: removed',
    'hostedPages: changed',
  ]);
  t.deepEqual(await origins(tried), []);
  t.deepEqual(await profiles(tried), []);
  t.deepEqual((await tried.changes(site)).length, 3);
  t.is((await profiles(tried)).length, 2);
});
