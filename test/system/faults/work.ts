/** All that a worker does: its activities, each called as the engine would, and passes of its loops. */
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import {
  createActivities,
  createBillingActivities,
  createGatewayActivities,
  createMailActivities,
  createTaxActivities,
} from '../../../activities/activities.ts';
import { createCallbackActivities } from '../../../activities/callbacks.ts';
import {
  createImportActivities,
  createPasswordActivities,
  createReportActivities,
} from '../../../activities/imports.ts';
import { eventXml } from '../../../api/resources/callbacks/documents.ts';
import type { Database } from '../../../db/connection/database.ts';
import { chainPass } from '../../../operations/access/audit-chain.ts';
import { headsPass } from '../../../operations/access/audit-heads.ts';
import { billApart } from '../../../operations/billing/apart.ts';
import type { Dependencies } from '../../../operations/context/context.ts';
import { sequencerPass } from '../../../operations/events/sequencer.ts';
import { figuresPass } from '../../../operations/figures/loop.ts';
import {
  keepEventDocuments,
  readEventViews,
  viewOfDocument,
} from '../../../operations/feed/event-views.ts';
import { numberedHooks } from '../../../operations/feed/numbered-hooks.ts';
import { relayPass } from '../../../operations/outbox/relay.ts';
import { removalsPass } from '../../../operations/payment-methods/removals.ts';
import { takeOverPass } from '../../../operations/processes/builds.ts';
import { importFilesPass } from '../../../operations/processes/import-files.ts';
import { retentionPass } from '../../../operations/processes/retention.ts';
import { supervisionPass } from '../../../operations/processes/supervision.ts';
import { suspectsPass } from '../../../operations/processes/suspects.ts';
import { oldPartiesPass } from '../../../operations/processes/old-parties.ts';
import { usageDaysPass } from '../../../operations/processes/usage-days.ts';
import { newWatch } from '../../../operations/processes/watch.ts';
import { drawInvoice } from '../../../providers/invoice-documents/pdf/drawing.ts';
import { renderApart } from '../../../providers/mail/render-apart.ts';
import { createVault } from '../../../providers/vault.ts';
import { SECRET_KEY } from '../../support/tenants.ts';
import type { FaultyPorts, Ports } from './ports.ts';

export type Work = ReturnType<typeof workOf>;
export type WorkName = keyof Work;

/** Failures are what the walk is for. */
const logger = new DefaultLogger('ERROR');

/** Nudges stay in the outbox. */
const dispatch = (): void => undefined;

/** With what worlds hand it. */
export function dependenciesOf(plain: Dependencies, { taxProvider, storage }: Ports) {
  const keepDocuments = keepEventDocuments;
  const taxed = { ...plain, keepDocuments, taxProviderOf: () => Promise.resolve(taxProvider) };
  // In this process: nothing here is fatal.
  const apart = { bill: (tenant: number, id: number) => billApart(taxed, tenant, id) };
  return { ...taxed, apart, storage };
}

type AllDependencies = ReturnType<typeof dependenciesOf>;

function activitiesOf(dependencies: AllDependencies, ports: Ports) {
  const { gateways, engine, mailer, openLine, hash } = ports;
  const vault = createVault(SECRET_KEY);
  const options = { billingLanes: 1, lanesFrom: 1, dispatch, gateways, cachedWorkflows: 1 };
  const sending = { mailer, host: 'billing.example', render: renderApart, drawInvoice };
  const posting = { xmlOf: eventXml, readViews: readEventViews, viewOfDocument, openLine };
  return {
    ...createActivities(dependencies, engine, options),
    ...createBillingActivities(dependencies, options),
    ...createGatewayActivities(dependencies, gateways, { gateway: 'sandbox', dispatch }),
    ...createMailActivities(dependencies, { ...sending, originOf: (label) => `https://${label}` }),
    ...createTaxActivities(dependencies),
    ...createCallbackActivities(dependencies, { ...posting, vault, allowPrivate: true }),
    ...createImportActivities(dependencies, { vault, dispatch }),
    ...createReportActivities(dependencies),
    ...createPasswordActivities(dependencies, { vault, hashing: { hash, stop: dispatch } }),
  };
}

function passesOf(dependencies: AllDependencies, { engine, gateways }: Ports, relayDb: Database) {
  const onError = (error: unknown): never => {
    throw error;
  };
  const keepHead = (): Promise<void> => Promise.resolve();
  const rest = { onError, hooks: numberedHooks, keepHead };
  const by = { dependencies, relayDb, engine, gateways, dispatch, ...rest };
  return {
    relayPass: () => relayPass(by),
    sequencerPass: () => sequencerPass(by),
    chainPass: () => chainPass(by),
    headsPass: () => headsPass(by),
    suspectsPass: () => suspectsPass(by),
    retentionPass: () => retentionPass(by),
    usageDaysPass: () => usageDaysPass(by),
    oldPartiesPass: () => oldPartiesPass(by),
    importFilesPass: () => importFilesPass(by),
    removalsPass: () => removalsPass(by),
    supervisionPass: () => supervisionPass({ ...by, isPaced: false }, newWatch('walk')),
    figuresPass: () => figuresPass(by, { key: 'walk', holder: 'walk', seconds: 60 }),
    takeOverPass: () => takeOverPass({ ...by, buildId: 'own', isAlone: false }),
  };
}

type Called<Activities extends object> = {
  readonly [Name in keyof Activities]: Activities[Name] extends (input: infer Input) => infer Result
    ? (input: Input) => Result
    : never;
};

/** @param relayDb has the role sundial_relay */
export function workOf(
  dependencies: AllDependencies,
  { ports, activity }: Pick<FaultyPorts, 'ports' | 'activity'>,
  relayDb: Database,
) {
  const activities = activitiesOf(dependencies, ports);
  // The engine may not hear that an activity is done: that is one of the faults of the ports.
  const heard = Object.entries(activities).map(([name, run]) => [
    name,
    (input: never) =>
      activity<unknown>(name, () => new MockActivityEnvironment({}, { logger }).run(run, input)),
  ]);
  const called = Object.fromEntries(heard) as Called<typeof activities>;
  return { ...called, ...passesOf(dependencies, ports, relayDb) };
}
