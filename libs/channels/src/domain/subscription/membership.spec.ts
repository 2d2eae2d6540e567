import type { ChannelId, UserId } from '@annals/kernel/domain';
import { normalColor } from './colors';
import type { OwnColors } from './membership';
import { ensureFew, subscribe } from './membership';

const [alice, bob] = [1, 2] as [UserId, UserId];
const [design, ops] = [7, 8] as [ChannelId, ChannelId];
const nobodyUsesColors = new Map<UserId, OwnColors>();
const using = (...colors: string[]): OwnColors => new Map(colors.map((color, n) => [(100 + n) as ChannelId, color]));

describe('subscribing', () => {
  it('is one event for each channel, for any number of users, and none for present subscribers', () => {
    const facts = subscribe(
      [
        {
          channelId: design,
          color: null,
          candidates: [
            { userId: alice, isSubscribed: false },
            { userId: bob, isSubscribed: true },
          ],
        },
        { channelId: ops, color: '#aabbcc', candidates: [{ userId: bob, isSubscribed: true }] },
      ],
      nobodyUsesColors,
    );
    expect(facts.map(({ data }) => [data.channelId, data.userIds])).toEqual([[design, [alice]]]);
  });

  it('gives each user unused colors, and gray when all are used', () => {
    const first = subscribe(
      [design, ops].map((channelId) => ({
        channelId,
        color: null,
        candidates: [{ userId: alice, isSubscribed: false }],
      })),
      nobodyUsesColors,
    ).flatMap(({ data }) => data.colors);
    expect(new Set(first).size).toBe(2);

    const used = new Set(first);
    let color = '';
    for (let n = 0; n < 40 && color !== '#c2c2c2'; n += 1) {
      const [fact] = subscribe(
        [{ channelId: design, color: null, candidates: [{ userId: alice, isSubscribed: false }] }],
        new Map([[alice, using(...used)]]),
      );
      color = fact?.data.colors[0] ?? '';
      expect(color === '#c2c2c2' || !used.has(color)).toBe(true);
      used.add(color);
    }
    expect(color).toBe('#c2c2c2');
  });

  it('uses a requested color', () => {
    const [fact] = subscribe(
      [{ channelId: design, color: '#123456', candidates: [{ userId: alice, isSubscribed: false }] }],
      new Map([[alice, using('#123456')]]),
    );
    expect(fact?.data.colors).toEqual(['#123456']);
  });

  it('restores the old color of a returning subscriber, whatever was requested', () => {
    const [fact] = subscribe(
      [
        {
          channelId: design,
          color: '#123456',
          candidates: [
            { userId: alice, isSubscribed: false },
            { userId: bob, isSubscribed: false },
          ],
        },
      ],
      new Map([[alice, new Map([[design, '#abcdef']])]]),
    );
    expect(fact?.data.colors).toEqual(['#abcdef', '#123456']);
  });
});

it.each([
  ['#AABBCC', '#aabbcc'],
  ['#abc', '#aabbcc'],
  ['#abcd', '#abcd00'],
  [' #c2c2c2 ', '#c2c2c2'],
  ['c2c2c2', undefined],
  ['#c2c2c2c', undefined],
  ['#ggg', undefined],
  ['#ab', undefined],
])('reads the color %s as %s', (text, color) => {
  expect(normalColor(text)).toBe(color);
});

it('is limited to 25,000 pairs of a user and a channel', () => {
  for (const [channels, people] of [
    [1, 25_000],
    [1_000, 25],
  ] as const) {
    expect(() => ensureFew(channels, people)).not.toThrow();
    expect(() => ensureFew(channels, people + 1)).toThrow('Too many people and channels at once.');
  }
});
