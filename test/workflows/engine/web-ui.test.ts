/** The real Temporal Web UI shows encrypted payloads once it has the address of the codec server. */
import test from 'ava';
import { loadConfig } from '../../../config.ts';
import { temporalBinary } from '../../../providers/temporal/binary.ts';
import { payloadCodec } from '../../../providers/temporal/codec.ts';
import { startCodecServer } from '../../../providers/temporal/codec-server.ts';
import { connectTemporal, workflowClient } from '../../../providers/temporal/connect.ts';
import { startTemporal } from '../../../providers/temporal/server.ts';
import { hasBrowser, openBrowser } from '../../system/pages/window.ts';
import { testFolder } from '../../support/folder.ts';
import { isLong } from '../../support/random.ts';
import { patient } from '../../support/temporal.ts';

/** It takes a Temporal of its own and a browser. */
const browsing = isLong && hasBrowser ? test : test.skip;
const { signal } = new AbortController();
const { temporalCliPath: cliPath, searchPath, cacheDir } = loadConfig();
const password = 'a-password-of-people';

browsing('the Web UI shows what is encrypted, to people who know the password', async (t) => {
  const binary = await temporalBinary({ cliPath, searchPath, cacheDir, signal, onProgress: t.log });
  const folder = testFolder(t);
  const temporal = await startTemporal({
    binary,
    folder,
    inMemory: true,
    namespace: 'default',
    signal,
  });
  t.teardown(() => temporal.stop());
  const { address, uiUrl = '' } = temporal;
  const payloadKeys = { encrypts: 'the key of payloads, of 32 or more characters', others: [] };
  const listening = { port: 0, host: '127.0.0.1', origins: [uiUrl], password };
  const codec = await startCodecServer({ ...listening, codec: payloadCodec(payloadKeys) });
  t.teardown(() => codec.stop());
  const server = { address, namespace: 'default', access: { payloadKeys } };
  const connection = await connectTemporal(server, patient);
  t.teardown(() => connection.close());
  await workflowClient(connection, server).start('subscription', {
    workflowId: 'order/demo/17',
    taskQueue: 'nobody',
    args: [{ title: 'An order of Ada Lovelace' }],
  });

  const browser = await openBrowser();
  t.teardown(() => browser.close());
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    httpCredentials: { username: 'anna', password, origin: codec.url },
  });
  const page = await context.newPage();
  // Where people give the password, which the browser then has.
  t.is((await page.goto(codec.url))?.status(), 200);
  await page.goto(`${uiUrl}/namespaces/default/workflows/${encodeURIComponent('order/demo/17')}`);
  await page.getByText('encryption-key-id').first().waitFor();
  t.is(await page.getByText('Ada Lovelace').count(), 0);
  await page.getByRole('button', { name: 'Configure Codec Server' }).click();
  await page.getByPlaceholder('Paste your endpoint here').fill(codec.url);
  await page.getByText('Include cross-origin credentials').click();
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.reload();
  await page.getByText('An order of Ada Lovelace').first().waitFor();
  t.is(await page.getByText('encryption-key-id').count(), 0);
});
