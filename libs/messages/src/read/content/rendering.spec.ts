import { setImmediate } from 'node:timers/promises';
import { longWork } from '@annals/kernel';
import type { Position, RealmId } from '@annals/kernel/domain';
import { Renderings, htmlOf } from './rendering';
import type { Text } from './texts';

const REALM = 1 as RealmId;
const plans = { users: [], groups: [], channels: [{ written: 'Plans', channelId: 2, name: 'plans' }] };
const html = (content: string, names: object) =>
  htmlOf(REALM, { position: 10 as Position, content, names: JSON.stringify(names) }, true);
const link = (path: string, topic: string) =>
  `<p><a class="stream-topic" data-stream-id="2" href="/#narrow/channel/2-plans/topic/${path}">#plans &gt; ${topic}</a></p>`;

describe('a link to a topic', () => {
  it('contains the message that its author saw in the topic', () => {
    const topics = [{ channelId: 2, written: 'Lunch', messageId: 214 }];
    expect(html('#**Plans>Lunch**', { ...plans, topics })).toBe(link('Lunch/with/214', 'Lunch'));
    expect(html('#**Plans>dinner**', { ...plans, topics })).toBe(link('dinner', 'dinner'));
  });

  it('contains the name only, in texts without a recorded message', () => {
    expect(html('#**Plans>Lunch**', plans)).toBe(link('Lunch', 'Lunch'));
  });

  it('shows the display name of the empty topic', () => {
    const topics = [{ channelId: 2, written: '', messageId: 214 }];
    expect(html('#**Plans>**', { ...plans, topics })).toBe(link('/with/214', '<em>general chat</em>'));
  });
});

/** The texts that take longest to render, or have the longest HTML. */
const WORST = [
  ...[
    '😀',
    '$$a$$ ',
    `${'>'.repeat(21)} a\n\n`,
    '- - - - - - a\n',
    '# a\n',
    'a.co ',
    '⌚ ',
    ':+1:',
    '@**all** ',
    '[a](b)',
  ],
  ...['**a**', '"&<', '- a\n', '    a\n\nb\n\n', '~~~spoiler\n~~~\n', '```js\na\n```\n', '|a|b|\n', '@**', '[['],
];
const textOf = (asker: number, n: number): Text => {
  const content = `${asker} ${n} ${WORST[n % WORST.length]?.repeat(1_000) ?? ''}`.slice(0, 3_000);
  return { position: (1_000 * asker + n) as Position, content, names: null };
};

describe('the texts of one answer', () => {
  it('are rendered for at most three seconds, and stay cached', async () => {
    const run = jest.spyOn(longWork, 'run').mockImplementation(async (_, piece) => ({ result: piece(), took: 1_000 }));
    const rendered = new Renderings(REALM, true);
    for (const n of [1, 2, 3]) {
      expect(rendered.isSpent).toBe(false);
      await rendered.ahead(textOf(90, n), 'asker');
    }
    expect(rendered.isSpent).toBe(true);
    const again = textOf(91, 4);
    expect(await rendered.ahead(again, 'asker')).toBe(await rendered.ahead(again, 'asker'));
    expect(run).toHaveBeenCalledTimes(4);
    run.mockRestore();
  });
});

describe('rendering ahead', () => {
  it('pauses for other work, however many users request the slowest texts at once', async () => {
    let done = 0;
    let most = 0;
    let isOver = false;
    const watching = (async () => {
      for (let before = 0; !isOver; before = done) {
        await setImmediate();
        most = Math.max(most, done - before);
      }
    })();
    const asking = Array.from({ length: 15 }, async (_, asker) => {
      const rendered = new Renderings(1 as RealmId, true);
      for (let n = 0; n < 3; n++, done++) await rendered.ahead(textOf(asker, 3 * asker + n), `asker ${asker}`);
    });
    await Promise.all(asking);
    isOver = true;
    await watching;
    expect(done).toBe(45);
    // One after the other without pauses, it would be fifteen.
    expect(most).toBeLessThan(8);
  });
});

describe('names of Unicode emoji', () => {
  const cat = (code: string) =>
    `<p><span aria-label="cat" class="emoji emoji-${code}" role="img" title="cat">:cat:</span></p>`;

  it('keep their meaning in texts from before the names of Zulip', () => {
    expect(html(':cat:', plans)).toBe(cat('1f431'));
    expect(htmlOf(REALM, { position: 11 as Position, content: ':cat:', names: null }, true)).toBe(cat('1f431'));
    expect(html(':happy:', plans)).toBe('<p>:happy:</p>');
  });

  it('are those of Zulip in texts with the mark', () => {
    expect(html(':cat:', { ...plans, emojiTable: 1 })).toBe(cat('1f408'));
    expect(html(':germany:', { ...plans, emojiTable: 1 })).toBe('<p>:germany:</p>');
  });
});
