/** `indent=true` puts one element on a line, in answers and errors, with the same content. */
import test from 'ava';
import { parseXml } from '../../../api/xml/parse.ts';
import { indentXml } from '../../../api/xml/indent.ts';
import { refused, startTenantApi } from '../tenant-api.ts';

test('each element is on its own line, with its text beside its tags', async (t) => {
  const document =
    '<?xml version="1.0" encoding="UTF-8"?>\n<a id="1"><b note="x &gt; y > z">1 2\n3</b><c/><d><e></e></d></a>';
  t.is(
    await indentXml(document),
    [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<a id="1">',
      '  <b note="x &gt; y > z">1 2\n3</b>',
      '  <c/>',
      '  <d>',
      '    <e></e>',
      '  </d>',
      '</a>',
      '',
    ].join('\n'),
  );
});

test('any answer can be indented, including refusals', async (t) => {
  const api = await startTenantApi();
  const ada = '<billingContact><firstName>Ada</firstName></billingContact>';
  await api.post('/customers', `<customer>${ada}</customer>`);
  const [plain, indented] = [await api.get('/customers'), await api.get('/customers?indent=true')];
  t.is(plain.body.split('\n').length, 2);
  t.true(indented.body.includes('\n      <firstName>Ada</firstName>\n'), indented.body);
  t.deepEqual(
    parseXml(indented.body.replaceAll(/\n */g, '')),
    parseXml(plain.body.replace('\n', '')),
  );
  t.is((await api.get('/customers?indent=false')).body, plain.body);
  refused(t, await api.get('/customers?indent=maybe'), 400, 'query.invalid indent');
  const unknown = await api.get('/nothing?indent=true');
  t.is(unknown.status, 404);
  t.regex(unknown.body, /\n {2}<error/);
});
