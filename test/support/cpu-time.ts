/** The CPU time of a process with the processes that it started. */
import { readFileSync } from 'node:fs';

/** Linux counts here in hundredths of a second, whatever the kernel's own clock. */
const TICKS_PER_SECOND = 100;

/** Seconds of this process and, on Linux, of those processes that it started and that have ended. */
export function cpuSeconds(): number {
  const ticks = ticksOfLinux();
  if (ticks !== undefined) return ticks / TICKS_PER_SECOND;
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  return (userCPUTime + systemCPUTime) / 1e6;
}

/** `utime`, `stime`, `cutime` and `cstime` of proc(5); undefined on other systems. */
function ticksOfLinux(): number | undefined {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    // The name before it may contain blanks.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  } catch {
    return undefined;
  }
}
