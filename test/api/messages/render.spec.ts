import { granted } from '../../support/server/caller';
import { idOf, messageSeen, send } from '../../support/requests/messages';
import { startWithUsers } from '../../support/server/start-with-users';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let member: Person;
beforeAll(async () => ({ server, owner, member } = await startWithUsers()));
afterAll(() => server.close());

const render = (by: Person, content?: string) => by.post<{ rendered: string }>('/messages/render', { content });
const rendered = async (by: Person, content: string) => granted(await render(by, content)).rendered;

describe('POST /messages/render', () => {
  it('returns HTML', async () => {
    const { status, body } = await render(owner, '**foo**');
    expect({ status, body }).toEqual({
      status: 200,
      body: { result: 'success', msg: '', rendered: '<p><strong>foo</strong></p>' },
    });
  });

  it('returns what a message with the text shows', async () => {
    const { name } = await server.namedChannel(owner);
    for (const content of [`@**Mia** in #**${name}**, @_*role:members*`, 'x'.repeat(10_001), '\n\n  a\n\nb \n']) {
      const message = await messageSeen(owner, await idOf(send(owner, { to: 'general', content })));
      expect(await rendered(owner, content)).toBe(message['content']);
    }
  });

  it('shows a system group by the name that users read', async () => {
    expect(await rendered(owner, '@_*role:fullmembers*')).toMatch(
      /silent" data-user-group-id="\d+">Full members<\/span>/,
    );
  });

  it('resolves names as the actor sees them', async () => {
    const { id, name } = await server.namedChannel(owner, { invite_only: true });
    expect(await rendered(owner, `#**${name}**`)).toContain(`data-stream-id="${id}"`);
    expect(await rendered(member, `#**${name}**`)).toBe(`<p>#<strong>${name}</strong></p>`);
  });

  it('knows the names of Zulip for emoji, in messages as in previews', async () => {
    const span = (name: string, code: string) =>
      `<span aria-label="${name}" class="emoji emoji-${code}" role="img" title="${name}">:${name}:</span>`;
    const content = ':cat: :happy: :zōri: :germany: 🐈';
    const html = `<p>${span('cat', '1f408')} ${span('happy', '1f600')} ${span('zōri', '1fa74')} :germany: ${span('cat', '1f408')}</p>`;
    expect(await rendered(owner, content)).toBe(html);
    const id = await idOf(send(owner, { to: 'general', content }));
    expect((await messageSeen(member, id))['content']).toBe(html);
    granted(await owner.patch(`/messages/${id}`, { content: ':cat:' }));
    expect((await messageSeen(member, id))['content']).toBe(`<p>${span('cat', '1f408')}</p>`);
  });

  it('highlights code and typesets formulas, in messages as in previews', async () => {
    const content = '```py\nx = 1\n```\n$$a_1$$ $$\\no$$';
    const html = await rendered(owner, content);
    expect(html).toMatch(
      /^<div class="codehilite" data-code-language="Python"><pre><span><\/span><code><span class="n">x<\/span> <span class="o">=<\/span> <span class="mi">1<\/span>\n<\/code><\/pre><\/div>\n<p><span class="katex"><span class="katex-mathml"><math .*<annotation encoding="application\/x-tex">a_1<\/annotation>.*<span class="katex-html" aria-hidden="true">.*<\/span> <span class="tex-error">\$\$\\no\$\$<\/span><\/p>$/s,
    );
    const id = await idOf(send(owner, { to: 'general', content }));
    expect((await messageSeen(member, id))['content']).toBe(html);
  });

  it('translates emoticons for users who choose so, and a stored message does not change', async () => {
    const writer = await server.person();
    const emoji = (name: string, code: string) =>
      `<span aria-label="${name}" class="emoji emoji-${code}" role="img" title="${name}">:${name}:</span>`;
    const content = 'well :) <3';
    const plain = '<p>well :) &lt;3</p>';
    const translated = `<p>well ${emoji('smile', '1f642')} ${emoji('heart', '2764')}</p>`;
    const sent = (by: Person) => idOf(send(by, { to: 'general', content }));
    const before = await sent(writer);
    granted(await writer.patch('/settings', { translate_emoticons: true }));
    expect([await rendered(writer, content), await rendered(owner, content)]).toEqual([translated, plain]);
    const after = await sent(writer);
    granted(await writer.patch('/settings', { translate_emoticons: false }));
    const shown = async (id: number) => (await messageSeen(owner, id))['content'];
    expect([await shown(before), await shown(after), await shown(await sent(writer))]).toEqual([
      plain,
      translated,
      plain,
    ]);
  });

  it('accepts a blank text', async () => {
    expect(await rendered(owner, ' \n')).toBe('');
  });

  it('stores nothing and refuses what a message may not contain', async () => {
    const newest = () => idOf(send(owner, { to: 'general' }));
    const before = await newest();
    await rendered(owner, '@**Mia** @**all**');
    expect(await render(owner)).toMatchObject({ status: 400, body: { code: 'REQUEST_VARIABLE_MISSING' } });
    expect(await render(owner, 'a\u0000b')).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
    expect(await newest()).toBe(before + 1);
  });
});
