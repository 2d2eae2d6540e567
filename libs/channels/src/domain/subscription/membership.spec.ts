import type { ChannelId, UserId } from '@annals/kernel/domain';
import { normalColor } from './colors';
import type { OwnColors } from './membership';
import { ensureFew, subscribe } from './membership';

const [alice, bob] = [1, 2] as [UserId, UserId];
const [design, ops] = [7, 8] as [ChannelId, ChannelId];
const nobodyUsesColors = new Map<UserId, OwnColors>();
const using = (...colors: string[]): OwnColors => new Map(colors.map((color, n) => [(100 + n) as ChannelId, color]));

describe('subscribing', () => {
  it('is one fact per channel, whatever the number of people, and none for those who are in it', () => {
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

  it('gives each person colours they do not use yet, and grey when all are used', () => {
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

  it('keeps a colour that was asked for', () => {
    const [fact] = subscribe(
      [{ channelId: design, color: '#123456', candidates: [{ userId: alice, isSubscribed: false }] }],
      new Map([[alice, using('#123456')]]),
    );
    expect(fact?.data.colors).toEqual(['#123456']);
  });

  it('gives who returns the old colour, whatever was asked for', () => {
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
])('reads the colour %s as %s', (text, color) => {
  expect(normalColor(text)).toBe(color);
});

it('is about 25,000 pairs of a person and a channel at most', () => {
  for (const [channels, people] of [
    [1, 25_000],
    [1_000, 25],
  ] as const) {
    expect(() => ensureFew(channels, people)).not.toThrow();
    expect(() => ensureFew(channels, people + 1)).toThrow('Too many people and channels at once.');
  }
});
