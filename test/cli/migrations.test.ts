/**
 * A migration says whether it expands or contracts, and one that expands takes nothing from processes of
 * the release before, which run on beside it during an upgrade.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import test from 'ava';
import { Client } from 'pg';
import { Contracting, Expanding } from '../../db/connection/migration-kinds.ts';
import { migrate } from '../../db/connection/migrate.ts';
import { MIGRATIONS, migrationsIn } from '../../db/connection/schema-version.ts';
import { catalogueOf, takenAway } from '../support/catalogue.ts';
import { testDatabase } from '../support/database.ts';
import { administer } from '../support/template.ts';

/** The last one of before migrations said what they are. */
const LAST_SILENT = '0272-kept-answers';
const all = migrationsIn(MIGRATIONS);
const telling = all.filter((name) => name > LAST_SILENT);

type Kind = 'expands' | 'contracts' | 'says neither';

async function kindOf(name: string): Promise<Kind> {
  const exported = Object.values(
    (await import(pathToFileURL(join(MIGRATIONS, `${name}.ts`)).href)) as object,
  );
  const is = (kind: typeof Expanding | typeof Contracting): boolean =>
    exported.some((each) => typeof each === 'function' && each.prototype instanceof kind);
  return is(Expanding) ? 'expands' : is(Contracting) ? 'contracts' : 'says neither';
}

test('a migration says whether it expands or contracts, and what a contraction still serves', async (t) => {
  t.true(telling.length > 0);
  for (const name of telling) {
    const kind = await kindOf(name);
    t.not(kind, 'says neither', `${name}: export class X extends Expanding, or Contracting`);
    if (kind !== 'contracts') continue;
    const exported = (await import(pathToFileURL(join(MIGRATIONS, `${name}.ts`)).href)) as Record<
      string,
      typeof Contracting
    >;
    const [servesFrom = ''] = Object.values(exported).map((each) => each.servesFrom);
    t.true(all.includes(servesFrom) && servesFrom < name, `${name} serves from ${servesFrom}`);
  }
});

test('a migration that expands takes nothing from the release before it', async (t) => {
  const { ownerUrl } = await testDatabase(t);
  await administer(ownerUrl, 'drop schema public cascade', 'create schema public');
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  t.teardown(() => client.end());
  await migrate(ownerUrl, MIGRATIONS, { upTo: LAST_SILENT });
  let before = await catalogueOf(client);
  for (const upTo of telling) {
    await migrate(ownerUrl, MIGRATIONS, { upTo });
    const after = await catalogueOf(client);
    if ((await kindOf(upTo)) === 'expands') t.deepEqual(takenAway(before, after), [], upTo);
    before = after;
  }
});

const changes: readonly (readonly [sql: string, taken: readonly string[]])[] = [
  ['create table gadget (id bigint primary key)', []],
  ['alter table tenant add column colour text', []],
  [`alter table tenant add column colour text not null default 'red'`, []],
  ['alter table tenant add column colour text check (colour <> name)', []],
  ['create index tenant_colour on tenant (name)', []],
  ['drop table service_pause', ['service_pause is gone']],
  ['drop function tenant_by_host(text)', ['tenant_by_host(text) is gone']],
  [
    'alter table tenant rename column name to title',
    ['tenant.name is gone', 'tenant.title is new, and an insert cannot leave it out'],
  ],
  [
    'alter table tenant alter column name type varchar(90)',
    ['tenant.name was text and is character varying(90)'],
  ],
  [
    'alter table outbox alter column last_error set not null',
    [
      'outbox.last_error may no longer be null',
      'an insert can no longer leave out outbox.last_error',
    ],
  ],
  [
    'alter table outbox alter column attempts drop default',
    ['an insert can no longer leave out outbox.attempts'],
  ],
  [
    'alter table outbox add column colour text not null',
    ['outbox.colour is new, and an insert cannot leave it out'],
  ],
  ['revoke insert on outbox from sundial_app', ['sundial_app may insert outbox no longer']],
  [
    'alter table tenant add constraint short check (length(name) < 50)',
    ['tenant short is new, of columns that were there: CHECK ((length(name) < 50))'],
  ],
  [
    'create unique index one_name on tenant (name)',
    [
      'tenant one_name is new, of columns that were there: CREATE UNIQUE INDEX one_name ON public.tenant USING btree (name)',
    ],
  ],
];

test('what a migration takes away is found', async (t) => {
  const { ownerUrl } = await testDatabase(t);
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  t.teardown(() => client.end());
  const before = await catalogueOf(client);
  for (const [sql, taken] of changes) {
    await client.query('begin');
    await client.query(sql);
    const found = takenAway(before, await catalogueOf(client));
    await client.query('rollback');
    // Rights on what is gone are gone as well.
    t.deepEqual(
      found.filter((each) => taken.includes(each) || !/ may .* no longer$/.test(each)),
      taken,
      sql,
    );
  }
  const kinds = (list: string): string =>
    `alter table outbox drop constraint outbox_kind_check,
       add constraint outbox_kind_check check (kind in (${list}))`;
  const definition = before.constraints.get('outbox outbox_kind_check')?.definition ?? '';
  const known = [...definition.matchAll(/'([^']*)'/g)].map(([word]) => word);
  t.true(known.length > 3, definition);
  for (const [list, taken] of [
    [[...known, `'gadget'`], []],
    [known.slice(1), [`outbox outbox_kind_check no longer takes ${known[0]?.slice(1, -1)}`]],
  ] as const) {
    await client.query('begin');
    await client.query(kinds(list.join(', ')));
    t.deepEqual(takenAway(before, await catalogueOf(client)), taken);
    await client.query('rollback');
  }
});
