/** The tokens of addresses under which the API takes and gives files. */
import test from 'ava';
import { tokenSigner } from '../../../providers/storage/folder.ts';
import { StorageError, type FileName } from '../../../providers/storage/storage.ts';

const secretKey = 'a secret key of 32 characters or more';
const beganAt = Date.UTC(2027, 0, 1);
const name: FileName = { tenantId: 7, batchId: 2101, kind: 'upload' };

function kindOf(work: () => unknown): string {
  try {
    work();
    return 'none';
  } catch (error) {
    return error instanceof StorageError ? error.kind : String(error);
  }
}

test('a token says which file it opens, for what, and until when', (t) => {
  const { sign, verify } = tokenSigner(secretKey, () => beganAt);
  const token = sign(name);
  // 2027-01-01 00:30:00 UTC.
  t.regex(token, /^upload\.7\.2101\.1798763400\.[\w-]{43}$/);
  const opened = { ...name, replaces: null };
  t.deepEqual(verify(token, { tenantId: 7, kind: 'upload' }), opened);
  t.false(token.includes(secretKey));
  const replacing = sign(name, '1a-2b-3c');
  t.deepEqual(verify(replacing, { tenantId: 7, kind: 'upload' }), {
    ...opened,
    replaces: '1a-2b-3c',
  });
  const forged = replacing.replace('1a-2b-3c', '1a-2b-3d');
  t.throws(() => verify(forged, { tenantId: 7, kind: 'upload' }), { message: /forged/ });
});

test('a token is valid for 30 minutes, and then expired and not forged', (t) => {
  let now = beganAt;
  const { sign, verify } = tokenSigner(secretKey, () => now);
  const token = sign(name);
  const opened = () => verify(token, name);
  now = beganAt + 30 * 60_000 - 1;
  t.is(kindOf(opened), 'none');
  now = beganAt + 30 * 60_000;
  t.is(kindOf(opened), 'expired');
  t.is(
    kindOf(() => verify(token, { ...name, kind: 'result' })),
    'forged',
  );
});

test('whoever changes a token, or has it for another purpose or tenant, has a forged one', (t) => {
  const { sign, verify } = tokenSigner(secretKey, () => beganAt);
  const token = sign(name);
  const [kind, tenant, batch, until, signature = ''] = token.split('.');
  for (const changed of [
    '',
    'upload',
    token.slice(0, -1),
    `${token}A`,
    `${token}\n`,
    [kind, tenant, batch, until].join('.'),
    [kind, tenant, batch, until, ''].join('.'),
    ['result', tenant, batch, until, signature].join('.'),
    [kind, '8', batch, until, signature].join('.'),
    [kind, tenant, '2102', until, signature].join('.'),
    [kind, tenant, '02101', until, signature].join('.'),
    [kind, tenant, batch, String(Number(until) + 1), signature].join('.'),
    [kind, tenant, batch, until, `A${signature.slice(1)}`].join('.'),
  ]) {
    const expected = changed.startsWith('result') ? ({ ...name, kind: 'result' } as const) : name;
    const isSame = changed === token;
    t.is(
      kindOf(() => verify(changed, expected)),
      isSame ? 'none' : 'forged',
      changed,
    );
  }
  t.is(
    kindOf(() => verify(token, { ...name, tenantId: 8 })),
    'forged',
  );
  t.is(
    kindOf(() => verify(token, { ...name, kind: 'result' })),
    'forged',
  );
});

test('another SECRET_KEY makes another signature', (t) => {
  const token = tokenSigner(`${secretKey}!`, () => beganAt).sign(name);
  t.is(
    kindOf(() => tokenSigner(secretKey, () => beganAt).verify(token, name)),
    'forged',
  );
});
