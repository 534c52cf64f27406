/** The test clock of a tenant: where it stands, and the way ahead. */
import { z } from 'zod';
import { advance, readTestClock } from '../../../operations/runs/test-clock.ts';
import type { TestClockView } from '../../../operations/runs/test-clock.ts';
import { route, writeRoute } from '../../calls/route.ts';
import type { Route } from '../../calls/route.ts';
import { testClockCodec } from './test-clock-schema.ts';
import { date } from '../../xml/types.ts';
import type { RouteDependencies } from '../../calls/services.ts';

export function testClockRoutes(dependencies: RouteDependencies): Route[] {
  return [
    route({
      method: 'GET',
      path: '/testClock',
      summary: 'Where the test clock stands',
      response: testClockCodec,
      handler: async ({ tenant }) => clockDocument(await readTestClock(dependencies, tenant.id)),
    }),
    writeRoute(dependencies, {
      method: 'POST',
      path: '/testClock',
      summary: 'Advance the test clock to 00:00 of a day, that day included',
      status: 202,
      query: z.object({ advanceTo: date() }),
      response: testClockCodec,
      handler: ({ query, write }) =>
        write(async (work) => clockDocument(await advance(work, query.advanceTo)), {
          clock: 'none',
        }),
    }),
  ];
}

/** Whole seconds: nothing ever happens between them on a test clock. */
function clockDocument({ now, ...clock }: TestClockView) {
  return { ...clock, now: now.toISOString().replace(/\.\d{3}Z$/, 'Z') };
}
