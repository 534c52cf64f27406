/** The variables by which Temporal is reached: their names are those of its own programs and SDKs. */

import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { confidential } from './secret-files.ts';
import { file, isLoopback, secret, secrets, temporalFlag } from './values.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** How to reach Temporal, beside its address and namespace. Its fields are plain data. */
export interface TemporalAccess {
  /** Undefined: the connection is not encrypted. */
  readonly tls?: TemporalTls | undefined;
  readonly apiKey?: string | undefined;
  readonly payloadKeys?: PayloadKeys | undefined;
}

export interface TemporalTls {
  /** The name in the server's certificate, if it is not that of the address. */
  readonly serverName?: string | undefined;
  /** The authority that the server's certificate is verified by; without it the system's. */
  readonly serverCaCert?: string | undefined;
  readonly client?: { readonly cert: string; readonly key: string } | undefined;
}

/** They encrypt what workflows and activities hand to Temporal. */
export interface PayloadKeys {
  /** Undefined: payloads are written in clear. */
  readonly encrypts?: string | undefined;
  readonly others: readonly string[];
}

const addressForm = /^[^\s/]+:\d{1,5}$/;

export const temporalVariables = {
  TEMPORAL_ADDRESS: z.string().regex(addressForm, 'must be host:port').optional(),
  TEMPORAL_NAMESPACE: z
    .string()
    .regex(
      /^[\w.-]{2,255}$/,
      'must be the name of a namespace, of letters, digits, points, hyphens',
    )
    .default('default'),
  TEMPORAL_API_KEY: confidential(
    z
      .string()
      .regex(/^[\x21-\x7e]+$/, 'must be one line without blanks')
      .optional(),
  ),
  TEMPORAL_TLS: temporalFlag.optional(),
  TEMPORAL_TLS_CLIENT_CERT_PATH: file.optional(),
  TEMPORAL_TLS_CLIENT_CERT_DATA: z.string().optional(),
  TEMPORAL_TLS_CLIENT_KEY_PATH: file.optional(),
  TEMPORAL_TLS_CLIENT_KEY_DATA: z.string().optional(),
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: file.optional(),
  TEMPORAL_TLS_SERVER_CA_CERT_DATA: z.string().optional(),
  TEMPORAL_TLS_SERVER_NAME: z.string().optional(),
  TEMPORAL_TLS_DISABLE_HOST_VERIFICATION: z
    .enum(
      ['false', '0'],
      'is not supported: name the host of the certificate in TEMPORAL_TLS_SERVER_NAME, or its ' +
        'authority in TEMPORAL_TLS_SERVER_CA_CERT_PATH',
    )
    .optional(),
  PAYLOAD_KEY: confidential(secret.optional()),
  PAYLOAD_KEYS_OTHER: confidential(secrets.default([])),
};

type Values = z.output<z.ZodObject<typeof temporalVariables>>;

const tlsVariables = [
  'TEMPORAL_TLS_CLIENT_CERT_PATH',
  'TEMPORAL_TLS_CLIENT_CERT_DATA',
  'TEMPORAL_TLS_SERVER_CA_CERT_PATH',
  'TEMPORAL_TLS_SERVER_CA_CERT_DATA',
  'TEMPORAL_TLS_SERVER_NAME',
];

/** TLS is on with TEMPORAL_TLS, and without it if something says how: a certificate, an API key. */
const usesTls = (
  said: boolean | undefined,
  given: Readonly<Partial<Record<string, unknown>>>,
): boolean => said ?? [...tlsVariables, 'TEMPORAL_API_KEY'].some((name) => Boolean(given[name]));

export function temporalMistakes(env: Environment): readonly string[] {
  const address = env['TEMPORAL_ADDRESS'];
  const said = env['TEMPORAL_TLS'];
  if (usesTls(said ? said === 'true' || said === '1' : undefined, env)) {
    return address
      ? []
      : ['TEMPORAL_ADDRESS must be set: the embedded Temporal has no TLS and no API key'];
  }
  const mistakes = tlsVariables
    .filter((name) => Boolean(env[name]))
    .map((name) => `${name} is of no use with TEMPORAL_TLS=${said}`);
  if (!address || !addressForm.test(address) || isLoopback(address.replace(/:\d+$/, '')))
    return mistakes;
  if (env['TEMPORAL_API_KEY']) {
    mistakes.push('TEMPORAL_API_KEY goes to another machine over TLS only: set TEMPORAL_TLS=true');
  } else if (!said) {
    mistakes.push(
      'TEMPORAL_ADDRESS is on another machine: set TEMPORAL_TLS=true, or TEMPORAL_TLS=false if nobody ' +
        'else can read or change what is between',
    );
  }
  return mistakes;
}

export function temporalAccessOf(values: Values): TemporalAccess {
  const { TEMPORAL_API_KEY: apiKey, PAYLOAD_KEY: encrypts } = values;
  const others = values.PAYLOAD_KEYS_OTHER;
  const text = (path: string | undefined, data: string | undefined): string | undefined =>
    path === undefined ? data : readFileSync(path, 'utf8');
  const cert = text(values.TEMPORAL_TLS_CLIENT_CERT_PATH, values.TEMPORAL_TLS_CLIENT_CERT_DATA);
  const key = text(values.TEMPORAL_TLS_CLIENT_KEY_PATH, values.TEMPORAL_TLS_CLIENT_KEY_DATA);
  const serverCaCert = text(
    values.TEMPORAL_TLS_SERVER_CA_CERT_PATH,
    values.TEMPORAL_TLS_SERVER_CA_CERT_DATA,
  );
  const serverName = values.TEMPORAL_TLS_SERVER_NAME;
  const client = cert !== undefined && key !== undefined ? { cert, key } : undefined;
  const hasTls = usesTls(values.TEMPORAL_TLS, values);
  return Object.freeze({
    tls: hasTls ? Object.freeze({ serverName, serverCaCert, client }) : undefined,
    apiKey,
    payloadKeys:
      encrypts === undefined && others.length === 0
        ? undefined
        : Object.freeze({ encrypts, others: others.filter((each) => each !== encrypts) }),
  });
}
