import { Eraser } from '@annals/kernel';
import type { FileId } from '@annals/kernel/domain';
import { DAY_MS } from '@annals/kernel/domain';
import { MakeThumbnails } from '../../../libs/files/src/application/make-thumbnails';
import { AwaitedImages } from '../../../libs/files/src/read/awaited-images';
import { StreamClient } from '../../support/events/stream-client';
import { digestsBegun } from '../../support/mail/missed';
import { readOutbox } from '../../support/mail/outbox';
import { picture } from '../../support/requests/pictures';
import { SERVER_ENV } from '../../support/server/organizations';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';
import { changesIn } from '../../support/separation/changes-in';
import { twinsOf } from '../../support/separation/history';
import { inBoth } from '../../support/separation/in-both';
import { quiet } from '../../support/separation/quiet';
import { recordStatements } from '../../support/separation/statements';
import type { Twin } from '../../support/separation/twin';
import { unboundStatements } from '../../support/separation/unbound';

const statements = recordStatements();
const lines: string[] = [];
let server: TestServer;
let ours: Twin;
let theirs: Twin;
beforeAll(async () => {
  const env = { ...SERVER_ENV, ANNALS_MAIL_PATTERN: '%s@in.example.com' };
  server = await startTestServer({ env, log: { write: (line) => void lines.push(line) } });
  [ours, theirs] = await twinsOf(server);
});
afterAll(async () => {
  statements.end();
  await server.close();
});

const NEWEST = { anchor: 'newest', num_before: 200, num_after: 0 };
const twins = () =>
  [
    [ours, theirs],
    [theirs, ours],
  ] as const;

describe('what a client waits for', () => {
  it('comes from its own organization only: a poll, a stream, a consumer', async () => {
    const mine = ours.caller('owner');
    const queue = await mine.register({ fetch_event_types: [] });
    const { queue_id } = await mine.register({ fetch_event_types: [] });
    const stream = await StreamClient.open(mine, { queue_id });
    const poll = mine.poll(queue.queue_id, queue.last_event_id);
    for (const twin of [theirs, ours]) {
      const { word, ids } = twin;
      await twin.did('owner', 'POST', '/typing', { op: 'start', type: 'direct', to: [ids['ann']] });
      await twin.did('ann', 'POST', '/typing', { op: 'start', type: 'direct', to: [ids['owner']] });
      const message = { type: 'channel', to: ids['channel'], topic: word, content: `awaited ${word}` };
      await twin.did('owner', 'POST', '/messages', message);
    }
    const first = [await poll, await stream.events(2)];
    stream.close();
    expect(theirs.isIn(JSON.stringify(first))).toBe(false);
    const received = JSON.stringify(await mine.events(queue));
    expect([received.includes(`awaited ${ours.word}`), theirs.isIn(received)]).toEqual([true, false]);
    const pulled = await ours.did('owner', 'GET', `/feed/consumers/${ours.word}/events`, { limit: 1_000 });
    const texts = JSON.stringify(pulled);
    expect([texts.includes('messages.MessageSent'), theirs.isIn(texts)]).toEqual([true, false]);
  });
});

/** The path of a file or an image below another prefix. */
const below = (prefix: string, url = '') => `${prefix}/${url.replace(/^.*\/user_uploads\//, '')}`;

describe('an uploaded image', () => {
  it('gets its thumbnails, and no image with the same id does', async () => {
    const bytes = await picture('png');
    const id = await inBoth([ours, theirs], async (twin) => {
      const file = { name: `${twin.word}.png`, bytes };
      twin.names['photo'] = String((await twin.did('owner', 'POST', '/user_uploads', { file }))['url']);
      const { attachments } = await twin.did('owner', 'GET', '/attachments');
      return Math.max(...(attachments as { id: number }[]).map((one) => one.id));
    });
    const image = await server.part(AwaitedImages).next(ours.id, (id - 1) as FileId);
    if (image?.fileId !== id) throw new Error('the image awaits no thumbnails');
    const made = () => server.part(MakeThumbnails).of(image);
    expect(await changesIn(theirs, made)).toEqual({});
    const has = async (twin: Twin) =>
      (await twin.did('owner', 'GET', below('/thumbnail/status', twin.names['photo'])))['has_thumbnail'];
    expect([await has(ours), await has(theirs)]).toEqual([true, false]);
    await server.makeThumbnails();
    expect(await has(theirs)).toBe(true);
  });
});

describe('what the server does later', () => {
  it('is done in each organization by itself, at the same time and with the same ids', async () => {
    for (const [twin] of twins()) {
      const { ids, word } = twin;
      await twin.did('owner', 'PATCH', '/realm', { digest_emails_enabled: true });
      const soon = { scheduled_delivery_timestamp: Math.floor(server.clock.now() / 1000) + 60 };
      const message = { type: 'channel', to: ids['channel'], topic: word, content: `@**Ann ${word}** later ${word}` };
      await twin.did('owner', 'POST', '/scheduled_messages', { ...message, ...soon });
      await twin.did('ann', 'POST', '/reminders', { message_id: ids['message'], note: `note ${word}`, ...soon });
    }
    await server.missedMailsMade();
    server.clock.advance(300_000);
    await server.deliverDue();
    await server.makeThumbnails();
    await server.previewLinks();
    await quiet(server);
    server.clock.advance(7 * DAY_MS);
    await server.deliverDue();
    await digestsBegun(server);
    await server.invitationsEnded();
    await quiet(server);
    for (const [twin, other] of twins()) {
      const seen = await Promise.all((['owner', 'ann'] as const).map((by) => twin.did(by, 'GET', '/messages', NEWEST)));
      const texts = JSON.stringify(seen);
      expect(texts).toContain(`later ${twin.word}`);
      expect(texts).toContain(`note ${twin.word}`);
      expect(other.isIn(texts)).toBe(false);
    }
  });

  it('writes mails with the words and addresses of one organization, each with an id of its own', async () => {
    const mails = await readOutbox(server.dataDir);
    expect(new Set(mails.map(({ messageId }) => messageId)).size).toBe(mails.length);
    for (const [twin, other] of twins()) {
      const own = mails.filter(({ to }) => twin.isIn(to));
      expect(own.length).toBeGreaterThan(4);
      expect(own.filter((mail) => other.isIn(JSON.stringify(mail)))).toEqual([]);
    }
  });

  it('erases in one organization, and nothing of the other', async () => {
    await quiet(server);
    await new Eraser(server.kernel, 0).sweep();
    const changed = await changesIn(theirs, async () => {
      const actions = { delete_profile: true, delete_public_channel_messages: true };
      await ours.did('owner', 'DELETE', `/users/${ours.ids['ann']}`, { actions });
      await quiet(server);
      await new Eraser(server.kernel, 0).sweep();
    });
    expect(changed).toEqual({});
    const texts = JSON.stringify(await theirs.did('ann', 'GET', '/messages', NEWEST));
    expect(texts).toContain(`secret ${theirs.word}`);
  });
});

describe('a file of a message', () => {
  it('is not read by a link of another organization, nor kept, nor made a picture there', async () => {
    const urls = ['upload', 'image'].flatMap((name) => {
      const url = (theirs.names[name] ?? '').replace('/api/v1', '');
      return [url, url.replace(`/${theirs.id}/`, `/${ours.id}/`)];
    });
    const told: string[] = [];
    const changed = await changesIn(theirs, async () => {
      const content = urls.map((url) => `[of others](${url})`).join(' ');
      const message = { type: 'channel', to: ours.ids['channel'], topic: ours.word, content };
      const { id } = await ours.did('owner', 'POST', '/messages', message);
      const shown = await ours.did('owner', 'GET', `/messages/${String(id)}`);
      expect(JSON.stringify(shown)).not.toContain('thumbnail');
      for (const url of urls)
        for (const path of [url, `/api/v1${url}`, `${below('/user_uploads/thumbnail', url)}/840x560.webp`]) {
          const { status, text } = await ours.ask('owner', 'GET', path);
          if (status < 400 || text.includes('the file of')) told.push(`${path}: ${status}`);
        }
    });
    expect([changed, told]).toEqual([{}, []]);
    expect(theirs.isIn(JSON.stringify(await ours.did('owner', 'GET', '/attachments')))).toBe(false);
  });
});

describe('a picture', () => {
  it('is not refused because somebody of another organization sends many', async () => {
    const file = { name: 'large.png', bytes: await picture('png', { width: 3_000, height: 3_000 }) };
    const many = Array.from({ length: 40 }, () => theirs.ask('ann', 'POST', '/api/v1/users/me/avatar', { file }));
    const icon = ours.ask('owner', 'POST', '/api/v1/realm/icon', { file });
    expect(await icon).toMatchObject({ status: 200 });
    const answers = await Promise.all(many);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.length).toBeLessThan(40);
    for (const { body, text } of refused) {
      expect(body).toMatchObject({ code: 'RATE_LIMIT_HIT', 'retry-after': 1 });
      expect(text).toContain('["retry-after","1"]');
    }
  });
});

describe('what the server does beside', () => {
  it('asks for rows with the organization in every statement, and logs no words', async () => {
    expect(await unboundStatements(server.kernel.database.pool, statements.texts)).toEqual([]);
    for (const { word } of [ours, theirs]) expect(lines.filter((line) => line.includes(word))).toEqual([]);
  });
});
