/** All worlds. `test/architecture/faults.test.ts` names the activities and passes that are in none. */
import { billing } from './worlds/billing.ts';
import { deliveries } from './worlds/deliveries.ts';
import { imports } from './worlds/imports.ts';
import { loops } from './worlds/loops.ts';
import { payments } from './worlds/payments.ts';
import { signups } from './worlds/signups.ts';
import type { World } from './world.ts';

export const worldsOfMoney: readonly World[] = [...billing, ...payments];

export const worldsOfPasses: readonly World[] = [...signups, ...imports, ...deliveries, ...loops];

export const worlds: readonly World[] = [...worldsOfMoney, ...worldsOfPasses];
