/** A process whose event loop runs for some seconds, or blocks. */
import { setTimeout as sleep } from 'node:timers/promises';
import { guardEventLoop } from '../../../operations/processes/standstill.ts';

guardEventLoop(2);
const [, , how] = process.argv;
if (how === 'stands') for (;;);
else await sleep(6_000);
