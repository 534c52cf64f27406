/** Entry: puts the Temporal CLI into the cache, as the first start of a server would. */

import { loadConfig } from '../../config.ts';
import { temporalBinary } from '../../providers/temporal/binary.ts';

const { temporalAddress, temporalCliPath: cliPath, searchPath, cacheDir } = loadConfig();
if (temporalAddress === undefined) {
  const onProgress = (line: string): void => console.log(line);
  const { signal } = new AbortController();
  console.log(await temporalBinary({ cliPath, searchPath, cacheDir, signal, onProgress }));
}
