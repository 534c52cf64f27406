/** Finds certificates whose key is another one's, before anything is started with them. */

import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';

type Environment = Readonly<Record<string, string | undefined>>;

type Pair = readonly [cert: string, key: string];

/** A file, or the text itself: names of variables that hold one of a pair. */
const certificatePairs: readonly Pair[] = [
  ['TLS_CERT', 'TLS_KEY'],
  ['TEMPORAL_TLS_CLIENT_CERT_PATH', 'TEMPORAL_TLS_CLIENT_KEY_PATH'],
  ['TEMPORAL_TLS_CLIENT_CERT_DATA', 'TEMPORAL_TLS_CLIENT_KEY_DATA'],
];

/** Certificates and keys that do not fit together. */
export function certificateMistakesOf(env: Environment): readonly string[] {
  const mistakes: string[] = certificatePairs.flatMap((pair) => certificateMistakes(env, pair));
  const has = (name: string): boolean => Boolean(env[name]);
  for (const what of ['CLIENT_CERT', 'CLIENT_KEY', 'SERVER_CA_CERT']) {
    const [path, data] = [`TEMPORAL_TLS_${what}_PATH`, `TEMPORAL_TLS_${what}_DATA`];
    if (has(path) && has(data)) mistakes.push(`${path} and ${data} are not given together`);
  }
  return mistakes;
}

function certificateMistakes(env: Environment, [certName, keyName]: Pair): string[] {
  const [cert, key] = [env[certName], env[keyName]];
  if (!cert && !key) return [];
  if (!cert || !key) return [`${certName} and ${keyName} are given together or not at all`];
  const isData = certName.endsWith('_DATA');
  try {
    const parts = [cert, key].map((each) => (isData ? each : readFileSync(each, 'utf8')));
    const [certText = '', keyText = ''] = parts;
    const certificate = read(() => new X509Certificate(certText), `${certName} has no certificate`);
    const own = read(
      () => createPrivateKey(keyText),
      `${keyName} has no private key without a password`,
    );
    if (certificate.checkPrivateKey(own)) return [];
    return [`${keyName} is not the key of the certificate in ${certName}`];
  } catch (error) {
    // Files that are not there have their mistake already.
    return error instanceof Unreadable ? [error.message] : [];
  }
}

class Unreadable extends Error {}

function read<Result>(parse: () => Result, mistake: string): Result {
  try {
    return parse();
  } catch {
    throw new Unreadable(`${mistake}; it takes PEM`);
  }
}
