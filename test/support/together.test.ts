/** The files of this folder in one process. */
import { together } from '../support/together.ts';

await together(import.meta.dirname);
