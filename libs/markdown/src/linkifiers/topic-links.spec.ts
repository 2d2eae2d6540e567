import { LinkifierSet, NO_LINKIFIERS } from './linkifier-set';
import { topicLinks } from './topic-links';

const TICKET = { pattern: '#(?P<id>[0-9]+)', urlTemplate: 'https://t.example/{id}' };
const WORD = { pattern: 'fix #(?P<id>[0-9]+)', urlTemplate: 'https://fixes.example/{id}' };

describe('links in the name of a topic', () => {
  test.each([
    ['#444', [['#444', 'https://t.example/444']]],
    [
      'why #1 and #2?',
      [
        ['#1', 'https://t.example/1'],
        ['#2', 'https://t.example/2'],
      ],
    ],
    ['a#1 #2z', []],
    ['', []],
  ])('are what linkifiers match: %j', (topic, links) => {
    expect(topicLinks(topic, new LinkifierSet([TICKET])).map(({ text, url }) => [text, url])).toEqual(links);
  });

  it('belong to the first linkifier that matches', () => {
    const urls = (...linkifiers: (typeof TICKET)[]) =>
      topicLinks('fix #1', new LinkifierSet(linkifiers)).map(({ url }) => url);
    expect(urls(TICKET, WORD)).toEqual(['https://t.example/1']);
    expect(urls(WORD, TICKET)).toEqual(['https://fixes.example/1']);
  });

  test.each([
    ['see https://example.com/a, please', [['https://example.com/a', 'https://example.com/a']]],
    ['Do you like example.com?', [['example.com', 'https://example.com']]],
    ['https://example.com: down', [['https://example.com', 'https://example.com']]],
    ['README.md of ann@example.com', []],
    ['no link', []],
  ])('are also bare URLs: %j', (topic, links) => {
    for (const linkifiers of [NO_LINKIFIERS, new LinkifierSet([TICKET])]) {
      expect(topicLinks(topic, linkifiers).map(({ text, url }) => [text, url])).toEqual(links);
    }
  });

  it('are in the order of the name', () => {
    const texts = topicLinks('example.com #1 example.org', new LinkifierSet([TICKET])).map(({ text }) => text);
    expect(texts).toEqual(['example.com', '#1', 'example.org']);
  });
});
