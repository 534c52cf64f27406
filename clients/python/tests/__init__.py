"""The tests need a running system: `npm test -- test/clients/python.test.ts` starts one for them."""
