import { MailTokens, ReplyAddresses } from '@annals/email-notifications';
import type { Kernel } from '@annals/kernel';
import type { Actor, ChannelId, ConversationId, Instant, RealmId, TopicId, UserId } from '@annals/kernel/domain';
import { ManualClock } from '@annals/kernel/domain';
import { CHANNEL_WORDS, LONGEST_PART, MAX_LOCAL_PART, MailOptions, readReply } from '@annals/mail';
import { isEmail } from 'class-validator';
import fc from 'fast-check';
import { ChannelAddresses } from './channel-addresses';

const pool = { query: () => Promise.resolve({ rows: [{ value: Buffer.alloc(32, 7) }] }) };
const kernel = { database: { pool }, clock: new ManualClock(Date.UTC(2026, 0, 1) as Instant) } as unknown as Kernel;
const tokens = new MailTokens(kernel);
const optionsWith = (prefix: string) => new MailOptions('chat@example.com', null, '', `${prefix}%s@in.example.com`);

const id = fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 0x7fff_ffff }));
const prefix = fc.string({
  unit: fc.constantFrom('a', 'z', '0', '+', '-', '_'),
  maxLength: MAX_LOCAL_PART - LONGEST_PART,
});
const name = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.constantFrom(
    'Design & more',
    '日本語',
    'Café del Mar',
    'x'.repeat(60),
    'show-sender',
    'q',
    'c1',
    'abcdefghijklmnop',
  ),
);
const LETTERS = Object.keys(CHANNEL_WORDS) as (keyof typeof CHANNEL_WORDS)[];
const letters = fc.subarray(LETTERS);

/** What the words of an address ask for, as letters. */
const askedBy = (options: object): boolean[] => Object.values(options) as boolean[];
const asked = (some: readonly string[]): boolean[] => LETTERS.map((letter) => some.includes(letter));
const extended = (address: string, words: string): string => address.replace('@', `${words}@`);

describe('every address of a channel', () => {
  const channel = fc.record({ realmId: id, userId: id, channelId: id, name, senderId: fc.option(id) });

  it('is valid with all words as letters, and leads to its channel', async () => {
    await fc.assert(
      fc.asyncProperty(
        channel,
        prefix,
        letters,
        async ({ realmId, userId, channelId, name: named, senderId }, before, some) => {
          const options = optionsWith(before);
          const addresses = new ChannelAddresses(options, tokens);
          const by = { realmId, userId } as Actor;
          const given = await addresses.addressOf(
            by,
            { id: channelId as ChannelId, name: named },
            senderId as UserId | null,
          );
          const address = extended(given, some.length === 0 ? '' : `+${some.join('')}`);
          expect(isEmail(address)).toBe(true);
          const found = await addresses.resolve(options.partOf(address.toUpperCase()) ?? '');
          expect(found).toMatchObject({ realmId, channelId, creatorId: userId, senderId });
          expect(askedBy(found?.options ?? {})).toEqual(asked(some));
        },
      ),
      { numRuns: 50 },
    );
  });

  it('takes the words in full, and is valid with two of them unless its numbers are long', async () => {
    const addresses = new ChannelAddresses(optionsWith('chat+'), tokens);
    const few = { realmId: 1, userId: 35 } as Actor;
    await fc.assert(
      fc.asyncProperty(name, letters, fc.constantFrom('+', '.'), async (named, some, separator) => {
        const given = await addresses.addressOf(few, { id: 35 as ChannelId, name: named }, null);
        const address = extended(given, some.map((one) => `${separator}${CHANNEL_WORDS[one]}`).join(''));
        if (some.length <= 2) expect(isEmail(address)).toBe(true);
        const found = await addresses.resolve(optionsWith('chat+').partOf(address) ?? '');
        expect([found?.channelId, askedBy(found?.options ?? {})]).toEqual([35, asked(some)]);
      }),
      { numRuns: 50 },
    );
  });

  it('begins with the name, as far as there is room', async () => {
    const of = async (before: string, named: string) => {
      const by = { realmId: 1, userId: 9 } as Actor;
      return new ChannelAddresses(optionsWith(before), tokens).addressOf(by, { id: 2 as ChannelId, name: named }, null);
    };
    expect(await of('', 'Müller & Söhne')).toBe('muller-s.c1.2.9.0.n4yfem4o3nzp7tww@in.example.com');
    expect(await of('chat+', 'Müller & Söhne')).toBe('chat+mul.c1.2.9.0.n4yfem4o3nzp7tww@in.example.com');
    expect(await of('', '日本語')).toBe('c1.2.9.0.n4yfem4o3nzp7tww@in.example.com');
  });

  it('that was given earlier leads to its channel', async () => {
    const addresses = new ChannelAddresses(optionsWith(''), tokens);
    const former = 'design-more.c1.2.9.0.1.2f4xmwhjtip356tsulgn56ofue';
    const found = { realmId: 1, channelId: 2, creatorId: 9, senderId: null };
    expect(await addresses.resolve(`${former}+show-sender.include-quotes`)).toMatchObject(found);
    expect(await addresses.resolve(former.replace('design-more', 'show-sender'))).toMatchObject({
      ...found,
      options: { showsSender: false },
    });
    for (const wrong of [former.slice(0, -1), former.replace('c1.2', 'c1.3'), `${former}+hide-sender`, 'c1', '', '.']) {
      expect(await addresses.resolve(wrong)).toBeNull();
    }
  });
});

describe('every address for answers', () => {
  it('is valid, and leads to its conversation', async () => {
    await fc.assert(
      fc.asyncProperty(id, id, id, fc.boolean(), prefix, async (realm, user, conversation, isTopic, before) => {
        const options = optionsWith(before);
        const [realmId, userId] = [realm as RealmId, user as UserId];
        const of = isTopic ? { topicId: conversation as TopicId } : { conversationId: conversation as ConversationId };
        const address = (await new ReplyAddresses(kernel, options, tokens).of(realmId, userId, of)) ?? '';
        expect(isEmail(address)).toBe(true);
        const part = options.partOf(address.toUpperCase()) ?? '';
        const kind = isTopic ? 'topic' : 'direct';
        expect(readReply(part)).toMatchObject({ realmId, userId, kind, id: conversation });
        expect(await tokens.textOf(realmId, part)).not.toBeNull();
      }),
      { numRuns: 50 },
    );
  });

  it('that was given earlier is known', async () => {
    const former = 'r1.9.t5.tj12cw.jnrgwcjhus36bunwsgnejdolsa';
    expect(await tokens.textOf(1 as RealmId, former)).toBe('r1.9.t5.tj12cw');
    expect(readReply(former)).toMatchObject({ realmId: 1, userId: 9, kind: 'topic', id: 5 });
  });

  it('is left out if it would be too long', async () => {
    const addresses = new ReplyAddresses(kernel, optionsWith('x'.repeat(MAX_LOCAL_PART - LONGEST_PART)), tokens);
    const far = Number.MAX_SAFE_INTEGER;
    expect(await addresses.of(1 as RealmId, far as UserId, { topicId: far as TopicId })).toBeNull();
  });
});
