/** Entry of `npm run codec`: decrypts payloads for the Temporal Web UI, until Ctrl-C or SIGTERM. */

import './node-version.ts';
import { runCommand, withCode } from './run-command.ts';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Config, ConfigError, loadConfig } from '../config.ts';
import { isLoopbackHost } from '../providers/callbacks/line.ts';
import { payloadCodec } from '../providers/temporal/codec.ts';
import { startCodecServer } from '../providers/temporal/codec-server.ts';

const HELP = `npm run codec

Answers the Temporal Web UI and CLI, which show and send payloads that PAYLOAD_KEY has encrypted. Set
its address in the Web UI (the glasses at the top right), or pass --codec-endpoint to the CLI.

  PAYLOAD_KEY, PAYLOAD_KEYS_OTHER  those of the workers
  CODEC_HOST, CODEC_PORT           where it listens: 127.0.0.1, 8234
  CODEC_ORIGINS                    origins of Web UIs: http://127.0.0.1:8233 http://localhost:8233
  CODEC_PASSWORD                   who asks has to give it; needed if CODEC_HOST is no loopback address
  TLS_CERT, TLS_KEY                its certificate; needed there, too, unless TRUST_PROXY is true
`;

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { help: { type: 'boolean', short: 'h' } } });
  if (values.help) return void process.stdout.write(HELP);
  const config = loadConfig();
  const { payloadKeys } = config.temporalAccess;
  const mistakes = mistakesOf(config);
  if (payloadKeys === undefined || mistakes.length > 0) throw new ConfigError(mistakes);
  const { codec, tls: files } = config;
  const tls = files && {
    cert: readFileSync(files.cert, 'utf8'),
    key: readFileSync(files.key, 'utf8'),
  };
  const server = await startCodecServer({ ...codec, codec: payloadCodec(payloadKeys), tls });
  process.stdout.write(`The codec server answers ${codec.origins.join(', ')} at ${server.url}\n`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => void server.stop());
  }
}

function mistakesOf({ codec, tls, trustProxy, temporalAccess }: Config): readonly string[] {
  const isHere = isLoopbackHost(codec.host);
  return [
    ...(temporalAccess.payloadKeys === undefined
      ? ['PAYLOAD_KEY must be set: that of the workers, without which payloads are readable']
      : []),
    ...(!isHere && codec.password === undefined
      ? ['CODEC_PASSWORD must be set: CODEC_HOST is no loopback address']
      : []),
    ...(!isHere && tls === undefined && !trustProxy
      ? ['TLS_CERT and TLS_KEY must be set, or TRUST_PROXY: CODEC_HOST is no loopback address']
      : []),
  ];
}

await runCommand(main, withCode(/^(EADDR|EACCES|ERR_PARSE_ARGS)/));
