import fc from 'fast-check';
import { unsafeParts } from '../spec-support/unsafe-html';
import { names } from '../spec-support/examples';
import { ADVERSARIAL_URLS, adversarialText, URL_PLACES } from '../spec-support/adversarial-inputs';
import { inspect } from '../inspect';
import { NO_NAMES } from '../names';
import type { NameLookup } from '../names';
import { references } from '../references';
import { render, renderDescription } from '../render';

/** Every name exists, and is shown as it was written. */
const obliging: NameLookup = {
  user: (reference) => ({ id: 1, fullName: reference.name ?? '<script>alert(1)</script>' }),
  group: (name) => ({ id: 1, name }),
  channel: (name) => ({ id: 1, name }),
  topicMessageId: () => 1,
  emoji: (name) => ({ src: `javascript:alert(${name})` }),
  linkedParts: (text) => (text.length < 4 ? [] : [{ begin: 1, end: 3, url: `javascript:${text}` }]),
  ownUrl: 'https://example.com',
  codeLanguage: '"><script>',
};

test('the check detects what it should', () => {
  expect(unsafeParts('<p><em>x</p></em>')).toEqual(['stray end of p', 'stray end of em']);
  expect(unsafeParts('<p>')).toEqual(['open p']);
  expect(unsafeParts('<span class="evil emoji" data-evil="1"></span>')).toEqual(['class evil', 'attribute data-evil']);
  expect(unsafeParts('<a href="java&#x09;script&colon;x"></a>')).toEqual(['link to java&#x09;script&colon;x']);
  expect(unsafeParts('<a href="//evil"></a><td style="color: red;"></td>')).toEqual([
    'link to //evil',
    'style color: red;',
  ]);
  expect(unsafeParts('<a href="/#narrow/x:y"></a><a href="https://a/?b:c"></a><a href="a/b:c"></a>')).toEqual([]);
});

test('no harmful text yields anything but our own markup, well formed', () => {
  fc.assert(
    fc.property(adversarialText, fc.constantFrom(names, NO_NAMES, obliging), (text, who) => {
      expect(unsafeParts(render(text, who, { realmUrl: 'https://example.com' }))).toEqual([]);
      expect(unsafeParts(renderDescription(text, who))).toEqual([]);
    }),
    { numRuns: 1_500 },
  );
});

test('every harmful text can be inspected', () => {
  fc.assert(
    fc.property(adversarialText, (text) => {
      const facts = inspect(text, obliging, { realmUrl: 'https://example.com' });
      expect(facts.hasAttachment).toBe(facts.attachmentPaths.length > 0);
      expect(facts.attachmentPaths.filter((path) => path.split(/[/\\]/).includes('..'))).toEqual([]);
      expect(Object.keys(references(text))).toEqual(['users', 'groups', 'channels', 'topics', 'emoji']);
    }),
    { numRuns: 500 },
  );
});

test.each(ADVERSARIAL_URLS)('%j is not a link', (url) => {
  for (const place of URL_PLACES) {
    const html = render(place(url), obliging, { realmUrl: 'https://example.com' });
    expect(unsafeParts(html)).toEqual([]);
    expect(unsafeParts(render(place(`https://example.com/${url}`), NO_NAMES))).toEqual([]);
  }
});
