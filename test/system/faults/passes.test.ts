/** What else a worker does, cut off wherever it can be: see cut-off.ts. */
import test from 'ava';
import { cutOffEverywhere } from './cut-off.ts';
import { worldsOfPasses } from './worlds.ts';

cutOffEverywhere(test, worldsOfPasses);
