import fc from 'fast-check';
import { pageFacts } from './page-facts';

const head = (content: string) => `<!doctype html><html><head>${content}</head><body>x</body></html>`;
const OG = '<meta property="og:title" content="A &amp; B"><meta property="og:description" content="Words">';

describe('what a page says about itself', () => {
  it.each([
    [head(OG), { title: 'A & B', description: 'Words' }],
    [head(`<title>Old</title>${OG}`), { title: 'A & B', description: 'Words' }],
    [
      head('<title> Old\n title </title><meta name="Description" content="d">'),
      { title: 'Old title', description: 'd' },
    ],
    [head('<meta name="twitter:title" content="T">'), { title: 'T', description: '' }],
    [
      head('<meta property="og:title" content="1"><meta property="og:title" content="2">'),
      { title: '1', description: '' },
    ],
    ['<title>no head', { title: 'no head', description: '' }],
    [head('<title>&lt;b&gt;</title>'), { title: '<b>', description: '' }],
    [head('<title><b>bold</b></title>'), { title: '<b>bold</b>', description: '' }],
    [head('<script>"<title>x</title>"</script><title>y</title>'), { title: 'y', description: '' }],
    [head('<!-- <title>x</title> --><title>y</title>'), { title: 'y', description: '' }],
    [head('<title>a\u202eb\u0000</title>'), { title: 'ab', description: '' }],
  ])('is found in %j', (html, facts) => expect(pageFacts(html)).toEqual(facts));

  it.each([
    '',
    'text',
    '\0\0',
    head(''),
    head('<title> </title>'),
    '<body><title>late</title></body>',
    head(`x</head>${OG}`),
  ])('is nothing in %j', (html) => expect(pageFacts(html)).toBeNull());

  it('is shortened', () => {
    const { title = '', description = '' } =
      pageFacts(head(`<title>${'😀'.repeat(1_000)}</title><meta name="description" content="${'x'.repeat(1_000)}">`)) ??
      {};
    expect([[...title].length, description.length]).toEqual([200, 400]);
    expect([title.endsWith('😀…'), description.endsWith('x…')]).toEqual([true, true]);
  });

  it('is one line of bounded length, whatever the page is', () => {
    const part = fc.constantFrom(
      '<title>',
      '</title>',
      '<meta property="og:title" content="',
      '">',
      '<head>',
      '<!--',
      'x',
    );
    const page = fc.array(fc.oneof(part, fc.string({ unit: 'binary', maxLength: 20 })), { maxLength: 30 });
    fc.assert(
      fc.property(page, (parts) => {
        const facts = pageFacts(parts.join(''));
        expect(facts?.title ?? 'x').toMatch(/^[^\p{C}]{1,400}$/u);
        expect(facts?.description ?? '').toMatch(/^[^\p{C}]{0,800}$/u);
      }),
      { numRuns: 100 },
    );
  });
});
