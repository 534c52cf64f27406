/** The files of this folder, in one process, and one property at a time: each keeps one core busy. */
import { together } from '../support/together.ts';

await together(import.meta.dirname, 1);
