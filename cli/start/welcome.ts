/** The last output of a start: the addresses of everything, and a first request to try. */

import { lookup } from 'node:dns/promises';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { MAIL_FOLDER } from '../../providers/mail/open-mailer.ts';
import { openStorage } from '../../providers/storage/open-storage.ts';
import type { Addresses } from './parts.ts';

/** In tenants/demo.yaml. */
const SAMPLE = { tenant: 'demo', credentials: 'api@demo:demo-secret' };

export async function welcome(config: Config, addresses: Addresses): Promise<string> {
  const reach = await reachOf(config, addresses.port);
  const lines = ['', `Documentation    ${reach.address}/docs`];
  if (addresses.temporalUi) lines.push(`Temporal Web UI  ${addresses.temporalUi}`);
  lines.push(`API              ${reach.tenantAddress}/rest`);
  if (reach.resolve !== '') lines.push(`                 (needs curl ${reach.resolve})`);
  lines.push(`Data             ${config.dataDir}`);
  lines.push(`Mails            ${mailsOf(config)}`);
  lines.push(`Files            ${await filesOf(config)}`, '');
  for (const [label, reason] of addresses.sampleFailures) {
    lines.push(`tenants/${label}.yaml was not applied:`, reason, '');
  }
  if (!takesCredentials(config)) {
    lines.push('HOST is not a loopback address, so the API takes credentials over TLS only:');
    lines.push('set TLS_CERT and TLS_KEY, or TRUST_PROXY behind a proxy.', '');
  } else if (!addresses.sampleFailures.has(SAMPLE.tenant)) {
    lines.push('The tenants demo and tour are ready, each on a test clock. A first call:', '');
    lines.push(`  ${firstCall(reach)}`, '');
    lines.push('Next, in a second terminal: npm run demo, or the walkthrough in README.md.', '');
  }
  return [...lines, 'Ctrl-C stops everything.'].join('\n');
}

function mailsOf({ smtpUrl, dataDir }: Config): string {
  if (smtpUrl !== undefined) return 'sent through SMTP_URL';
  return `written as .eml files to ${join(dataDir, MAIL_FOLDER)}, because SMTP_URL is not set`;
}

/** Where uploads and results are. */
async function filesOf(config: Config): Promise<string> {
  const storage = await openStorage(config, { secretKey: '', realNow: Date.now });
  const code = await storage.check();
  return code === null ? storage.place : `${storage.place}: nothing can be stored there (${code})`;
}

function takesCredentials({ tls, host }: Config): boolean {
  return tls !== undefined || host === 'localhost' || host === '::1' || host.startsWith('127.');
}

interface Reach {
  /** The API's address, for what needs no tenant. */
  readonly address: string;
  /** The address with the host name of the sample tenant. */
  readonly tenantAddress: string;
  /** The option that curl needs to find that host name; empty if it needs none. */
  readonly resolve: string;
}

/** Not every system resolves names below localhost. */
async function reachOf({ host, tls, baseDomain }: Config, port: number): Promise<Reach> {
  const ip = ['0.0.0.0', '::', 'localhost'].includes(host) ? '127.0.0.1' : host;
  const name = `${SAMPLE.tenant}.${baseDomain}`;
  const known = await lookup(name, { all: true }).catch(() => []);
  const isKnown = known.some(({ address }) => address === ip);
  const scheme = tls ? 'https' : 'http';
  return {
    address: `${scheme}://${ip.includes(':') ? `[${ip}]` : ip}:${port}`,
    tenantAddress: `${scheme}://${name}:${port}`,
    resolve: isKnown ? '' : `--resolve ${name}:${port}:${ip}`,
  };
}

function firstCall({ resolve, tenantAddress }: Reach): string {
  const options = [resolve, `-u ${SAMPLE.credentials}`].filter((option) => option !== '');
  return `curl ${options.join(' ')} '${tenantAddress}/rest/plans?indent=true'`;
}
