/** What a worker does about invoices and payments, cut off wherever it can be: see cut-off.ts. */
import test from 'ava';
import { cutOffEverywhere } from './cut-off.ts';
import { worldsOfMoney } from './worlds.ts';

cutOffEverywhere(test, worldsOfMoney);
