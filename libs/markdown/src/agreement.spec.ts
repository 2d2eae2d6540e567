import fc from 'fast-check';
import { names, PIECES } from './spec-support/examples';
import { adversarialText } from './spec-support/adversarial-inputs';
import { inspect } from './inspect';
import type { NameLookup, UserReference } from './names';
import { references } from './references';
import { render } from './render';

const text = fc.oneof(
  { weight: 3, arbitrary: fc.array(fc.constantFrom(...PIECES), { maxLength: 30 }).map((pieces) => pieces.join('')) },
  { weight: 1, arbitrary: adversarialText },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
);

/** The numbers in the matches of a pattern, ascending, each once. */
function idsIn(html: string, pattern: RegExp): number[] {
  return [...new Set([...html.matchAll(pattern)].map(([, id]) => Number(id)))].sort((a, b) => a - b);
}

test('the facts of a text and its HTML mention the same users', () => {
  fc.assert(
    fc.property(text, (content) => {
      const { mentions } = inspect(content, names);
      const html = render(content, names);
      expect(idsIn(html, /<span class="user-mention" data-user-id="(\d+)"/g)).toEqual(mentions.userIds);
      expect(idsIn(html, /<span class="user-mention silent" data-user-id="(\d+)"/g)).toEqual(mentions.silentUserIds);
      expect(idsIn(html, /<span class="user-group-mention" data-user-group-id="(\d+)"/g)).toEqual(mentions.groupIds);
      expect(html.includes('<span class="user-mention channel-wildcard-mention"')).toBe(mentions.channelWildcard);
      expect(html.includes('<span class="topic-mention"')).toBe(mentions.topicWildcard);
    }),
    { numRuns: 1_000 },
  );
});

test('the facts about links and images agree with the HTML', () => {
  fc.assert(
    fc.property(text, (content) => {
      const facts = inspect(content, names);
      const html = render(content, names);
      expect(/<a /.test(html.replaceAll('<div class="message_inline_image"><a ', ''))).toBe(facts.hasLink);
      expect(html.includes('/user_uploads/2/ab/r/a.png"')).toBe(facts.attachmentPaths.includes('2/ab/r/a.png'));
      expect(content.startsWith('/me ') && /^<p>(?:(?!<\/p>).)*<\/p>$/s.test(html)).toBe(facts.isMeMessage);
    }),
    { numRuns: 1_000 },
  );
});

test('every name that is looked up was announced by the references', () => {
  fc.assert(
    fc.property(text, fc.boolean(), (content, exists) => {
      const asked = {
        users: [] as UserReference[],
        groups: [] as string[],
        channels: [] as string[],
        topics: [] as string[],
        emoji: [] as string[],
      };
      const curious: NameLookup = {
        user: (reference) => (asked.users.push(reference), exists ? { id: 1, fullName: 'A' } : undefined),
        group: (name) => (asked.groups.push(name), exists ? { id: 1, name } : undefined),
        channel: (name) => (asked.channels.push(name), exists ? { id: 1, name } : undefined),
        topicMessageId: (_channelId, topic) => (asked.topics.push(topic), 1),
        emoji: (name) => (asked.emoji.push(name), exists ? { code: '1f642' } : undefined),
      };
      render(content, curious);
      inspect(content, curious);
      const announced = references(content);
      expect(announced.users).toEqual(expect.arrayContaining(asked.users));
      expect(announced.groups).toEqual(expect.arrayContaining(asked.groups));
      expect(announced.channels).toEqual(expect.arrayContaining(asked.channels));
      expect(announced.topics.map(({ topic }) => topic)).toEqual(expect.arrayContaining(asked.topics));
      expect(announced.emoji).toEqual(expect.arrayContaining(asked.emoji));
    }),
    { numRuns: 1_000 },
  );
});

test('the same text gives the same HTML and the same facts', () => {
  fc.assert(
    fc.property(text, (content) => {
      expect(render(content, names)).toBe(render(content, names));
      expect(inspect(content, names)).toEqual(inspect(content, names));
    }),
    { numRuns: 300 },
  );
});
