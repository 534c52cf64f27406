/** The last words of a start: where everything is, and a first request to try. */

import { lookup } from 'node:dns/promises';
import type { Config } from '../../config.ts';
import type { Addresses } from './parts.ts';

/** In tenants/demo.yaml. */
const SAMPLE = { tenant: 'demo', credentials: 'api@demo:demo-secret' };

export async function welcome(config: Config, addresses: Addresses): Promise<string> {
  const lines = ['', `API              ${addresses.api}/rest`];
  if (addresses.temporalUi) lines.push(`Temporal Web UI  ${addresses.temporalUi}`);
  lines.push(`Data             ${config.dataDir}`, '');
  if (addresses.sampleFailure !== undefined) {
    lines.push('tenants/demo.yaml was not applied:', addresses.sampleFailure);
  } else if (takesCredentials(config)) {
    lines.push(`Tenant ${SAMPLE.tenant} is ready. Try:`, '', `  ${await curl(config, addresses)}`);
  } else {
    lines.push(`Tenant ${SAMPLE.tenant} is ready. HOST is not a loopback address, so credentials`);
    lines.push('are taken over TLS only: set TLS_CERT and TLS_KEY, or TRUST_PROXY behind a proxy.');
  }
  return [...lines, '', 'Ctrl-C stops everything.'].join('\n');
}

function takesCredentials({ tls, host }: Config): boolean {
  return tls !== undefined || host === 'localhost' || host === '::1' || host.startsWith('127.');
}

/** As it works when pasted: not every system's resolver knows the names below localhost. */
async function curl(config: Config, { port }: Addresses): Promise<string> {
  const host = `${SAMPLE.tenant}.${config.baseDomain}`;
  const known = await lookup(host).then(
    () => true,
    () => false,
  );
  const listening = ['0.0.0.0', '::', 'localhost'].includes(config.host)
    ? '127.0.0.1'
    : config.host;
  const resolve = known ? '' : ` --resolve ${host}:${port}:${listening}`;
  const url = `${config.tls ? 'https' : 'http'}://${host}:${port}/rest/plans`;
  return `curl${resolve} -u ${SAMPLE.credentials} ${url}`;
}
