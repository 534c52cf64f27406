/** A tenant's transaction over one connection: statements sent without waiting, and how it ends. */
import test from 'ava';
import { inTenant, type Tx, type TxOptions } from '../../../db/connection/tenancy.ts';
import { openBooks, sharedDatabase } from '../support/books.ts';

const db = await sharedDatabase();
const books = await openBooks(db, { today: '2027-01-15' });

const within = <Result>(work: (tx: Tx) => Promise<Result>, options?: TxOptions) =>
  inTenant(db.app, books.tenantId, work, options);
const offering = (tx: Tx, sku: string) => ({
  text: 'insert into product_offering (tenant_id, sku, name) values ($1, $2, $2)',
  values: [tx.tenantId, sku],
});
const skus = () =>
  within(async (tx) => {
    const rows = await tx.query<{ sku: string }>('select sku from product_offering order by sku');
    return rows.map(({ sku }) => sku);
  });

test.serial('sent statements run in order and are committed with the rest', async (t) => {
  await within(async (tx) => {
    for (const sku of ['a', 'b']) {
      const { text, values } = offering(tx, sku);
      tx.send(text, values);
    }
  });
  t.deepEqual(await skus(), ['a', 'b']);
});

test.serial('a failed sent statement fails the transaction with its own error', async (t) => {
  const sendTwice = async (tx: Tx): Promise<void> => {
    for (const sku of ['c', 'a']) {
      const { text, values } = offering(tx, sku);
      tx.send(text, values);
    }
  };
  const unique = { code: '23505' };
  await t.throwsAsync(within(sendTwice), unique);
  // Also if the caller awaits a later statement, which is refused because of the first one.
  const asking = within(async (tx) => {
    await sendTwice(tx);
    await tx.query('select 1');
  });
  await t.throwsAsync(asking, unique);
  const finishing = within(async (tx) => {
    await sendTwice(tx);
    await tx.finish('select 1');
  });
  await t.throwsAsync(finishing, unique);
  t.deepEqual(await skus(), ['a', 'b']);
});

test.serial('what the server refuses because of an earlier failure does not hide it', async (t) => {
  const full = `do $$ begin raise 'no space left on device' using errcode = '53100'; end $$`;
  const isFull = { code: '53100' };
  // Both are on their way when the first one fails.
  const sending = within(async (tx) => {
    const asked = tx.query(full);
    tx.send('select 1');
    await asked;
  });
  await t.throwsAsync(sending, isFull);
  const byEntities = within(async (tx) => {
    // MikroORM sends it in a later turn.
    const asked = tx.em.execute(full.replace('raise', 'perform pg_sleep(0.1); raise'));
    await new Promise(setImmediate);
    tx.send('select 1');
    await asked;
  });
  await t.throwsAsync(byEntities, isFull);
  const swallowing = within(async (tx) => {
    await tx.query(full).catch(() => undefined);
  });
  await t.throwsAsync(swallowing, isFull);
  const goingOn = within(async (tx) => {
    await tx.query(full).catch(() => undefined);
    await tx.query('select 1');
  });
  await t.throwsAsync(goingOn, isFull);
  // The savepoint has undone the failure of the first statement, which is none of the second's.
  const again = within(async (tx) => {
    const { text, values } = offering(tx, 'a');
    await t.throwsAsync(tx.attempt(() => tx.query(text, values)));
    const asked = tx.query(full);
    tx.send('select 1');
    await asked;
  });
  await t.throwsAsync(again, isFull);
  t.deepEqual(await skus(), ['a', 'b']);
});

test.serial('the last statement commits, and nothing can follow it', async (t) => {
  const rows = await within(async (tx) => {
    const { text, values } = offering(tx, 'd');
    tx.send(text, values);
    return tx.finish('select count(*) as count from product_offering');
  });
  t.deepEqual(rows, [{ count: 3 }]);
  const more = within(async (tx) => {
    await tx.finish('select 1');
    await tx.query('select 2');
  });
  const tooLate = await t.throwsAsync(more, { name: 'FailedAfterCommitError' });
  t.regex(String(tooLate?.cause), /nothing follows/);
  const failing = within(async (tx) => {
    const { text, values } = offering(tx, 'e');
    tx.send(text, values);
    await tx.finish('select 1 / 0');
  });
  await t.throwsAsync(failing, { code: '22012' });
  t.deepEqual(await skus(), ['a', 'b', 'd']);
});

test.serial('a single read takes one round trip', async (t) => {
  const options = { readOnly: true, single: true };
  t.deepEqual(await within((tx) => tx.query('select 1 as one'), options), [{ one: 1 }]);
  const twice = within(async (tx) => {
    await tx.query('select 1');
    await tx.query('select 2');
  }, options);
  await t.throwsAsync(twice, { message: /nothing follows/ });
  await within(async () => undefined, options);
});

test.serial('a throwing attempt is rolled back, and the rest remains', async (t) => {
  await within(async (tx) => {
    const keep = offering(tx, 'f');
    tx.send(keep.text, keep.values);
    const attempt = tx.attempt(async () => {
      const lose = offering(tx, 'g');
      await tx.query(lose.text, lose.values);
      await tx.query(lose.text, lose.values);
    });
    await t.throwsAsync(attempt, { code: '23505' });
    const also = offering(tx, 'h');
    await tx.attempt(() => tx.query(also.text, also.values));
  });
  t.deepEqual(await skus(), ['a', 'b', 'd', 'f', 'h']);
});

test.serial(
  'an attempt within another one is rolled back alone, and with the outer one',
  async (t) => {
    const make = (tx: Tx, sku: string) => {
      const { text, values } = offering(tx, sku);
      tx.send(text, values);
    };
    const fails = (tx: Tx) => tx.attempt(() => tx.query('select 1 / 0'));
    await within(async (tx) => {
      await tx.attempt(async () => {
        make(tx, 'outer');
        await t.throwsAsync(fails(tx), { code: '22012' });
      });
      const undone = tx.attempt(async () => {
        make(tx, 'undone');
        await tx.attempt(async () => make(tx, 'undone too'));
        throw new Error('after the inner one');
      });
      await t.throwsAsync(undone, { message: 'after the inner one' });
    });
    t.deepEqual(
      (await skus()).filter((sku) => /outer|undone/.test(sku)),
      ['outer'],
    );
  },
);

test.serial(
  'after any failure the connections serve the next transaction, and keep no locks',
  async (t) => {
    await Promise.allSettled(
      Array.from({ length: 20 }, (_, n) =>
        within(async (tx) => {
          if (n % 2 === 0) tx.send('select 1 / 0');
          else await tx.query('select * from product_offering where sku = $1', ['a']);
          if (n % 3 === 0) throw new Error('given up');
        }),
      ),
    );
    t.deepEqual(await skus(), ['a', 'b', 'd', 'f', 'h', 'outer']);
    const { rows } = await db.app.pool.query<{ tenant: string }>(
      `select current_setting('app.tenant', true) as tenant`,
    );
    t.true(rows.every(({ tenant }) => !tenant));
  },
);
