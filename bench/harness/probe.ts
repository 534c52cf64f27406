/**
 * Loaded into a measured process before its entry: prints the CPU time of its main thread between
 * two turns of the event loop, if it was long.
 */
import { writeSync } from 'node:fs';

const TICK_MS = 2;
/** Shorter times are not printed. */
const NOTABLE_CPU_MS = 5;
const STANDARD_OUTPUT = 1;

let before = process.threadCpuUsage();
const timer = setInterval(() => {
  const { user, system } = process.threadCpuUsage(before);
  before = process.threadCpuUsage();
  const heldMs = (user + system) / 1_000;
  if (heldMs >= NOTABLE_CPU_MS) writeSync(STANDARD_OUTPUT, `${JSON.stringify({ heldMs })}\n`);
}, TICK_MS);
timer.unref();
