import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import specs from '@asyncapi/specs';
import Ajv from 'ajv';
import Ajv2020 from 'ajv/dist/2020';
import type { Golden } from '../../golden/golden';
import { GOLDEN } from '../../golden/golden';
import { Eraser } from '@annals/kernel';
import { ConsumerCaller } from '../../support/consumers/consumer-caller';
import { EventChecks } from '../../support/consumers/event-checks';
import { granted } from '../../support/server/caller';
import type { ServerWithUsers } from '../../support/server/start-with-users';
import { startWithUsers } from '../../support/server/start-with-users';

let users: ServerWithUsers;
beforeAll(async () => {
  users = await startWithUsers();
});
afterAll(() => users.server.close());

const document = async (path: string) => {
  const answer = await users.guest.raw(path);
  return { status: answer.status, type: answer.headers.get('content-type'), body: (await answer.json()) as object };
};

describe('the schema of an event', () => {
  it('is bare, public to every account, and names itself', async () => {
    const { status, type, body } = await document('/feed/schemas/messages.MessageSent.v2');
    expect([status, type]).toEqual([200, 'application/schema+json']);
    expect(body).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: `${users.server.url}/api/v1/feed/schemas/messages.MessageSent.v2`,
      required: ['facts', 'words'],
    });
    expect((await document('/feed/schemas/client.reaction.v1')).body).toMatchObject({ required: ['id', 'type'] });
  });

  it.each(['messages.MessageSent.v99', 'messages.MessageSent', 'client.nothing.v1', 'x'])(
    'is not there for %s',
    async (name) => {
      const { status, body } = await document(`/feed/schemas/${name}`);
      expect([status, body]).toMatchObject([404, { code: 'NOT_FOUND' }]);
    },
  );

  it('fits every event that was ever released, with its words and without', async () => {
    const files = readdirSync(GOLDEN).filter((name) => name.endsWith('.json'));
    const versions = new Map(files.map((name) => [name.replace(/\.v\d+\.json$/, ''), name.replace('.json', '')]));
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    for (const name of files) {
      const schema = versions.get(name.replace(/\.v\d+\.json$/, '')) ?? '';
      const known = ajv.getSchema(`${users.server.url}/api/v1/feed/schemas/${schema}`);
      const validate = known ?? ajv.compile((await document(`/feed/schemas/${schema}`)).body);
      const { data: facts, sealed: words } = (JSON.parse(readFileSync(join(GOLDEN, name), 'utf8')) as Golden).current;
      for (const data of [
        { facts, words },
        { facts, words: null },
      ])
        expect([name, validate(data), validate.errors]).toEqual([name, true, null]);
    }
  });
});

describe('the events of consumers', () => {
  it('of both views are CloudEvents for the official SDK, and fit their schemas', async () => {
    const { owner, server, member } = users;
    granted(await owner.patch('/realm', { can_audit_content_group: { new: users.groups.owners } }));
    await server.channel(owner, { name: 'room', subscribers: [owner, member] });
    const message = { type: 'channel', to: 'room', topic: 'plan', content: 'Hello' };
    const { id } = granted(await member.post<{ id: number }>('/messages', message));
    granted(await owner.post(`/messages/${id}/reactions`, { emoji_name: 'thumbs_up' }));
    const checks = new EventChecks(owner);
    const domain = await checks.all('domain', { view: 'domain', words: true });
    expect(new Set(domain.map((event) => event.id)).size).toBe(domain.length);
    expect(domain.length).toBeGreaterThan(30);
    const client = await checks.all('client', { view: 'client' });
    expect(client.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['annals.client.message.v1', 'annals.client.reaction.v1']),
    );
  });

  it('lose words that are erased, also those that were offered before with them', async () => {
    const { owner, server } = users;
    const eve = await server.person({ name: 'Eve Erased' });
    const wanted = { words: true, subjects: [`user:${eve.id}`], types: ['users.AccountCreated'], from: 'beginning' };
    const consumer = await ConsumerCaller.created(owner, 'erased', wanted);
    const [before] = await consumer.pull({ lease: 60 });
    expect(before).toMatchObject({ data: { words: { fullName: 'Eve Erased' } } });
    granted(await owner.delete(`/users/${eve.id}`, { actions: { delete_profile: true } }));
    await server.settled();
    await new Eraser(server.kernel, 0).sweep();
    server.clock.advance(60_000);
    const [after] = await consumer.pull();
    expect(after).toMatchObject({ id: before?.id, annalswords: 'erased', data: { words: null } });
    expect(after?.data).toMatchObject({ facts: (before?.data as { facts: object }).facts });
  });
});

describe('the AsyncAPI document', () => {
  it('fits the schema of AsyncAPI 3, and all of its references exist', async () => {
    const { status, body } = await document('/feed/asyncapi');
    expect(status).toBe(200);
    const ajv = new Ajv({ strict: false, validateFormats: false, logger: false });
    const validate = ajv.compile(specs.schemasWithoutId['3.0.0'] as object);
    expect([validate(body), validate.errors]).toEqual([true, null]);
    const refs = [...JSON.stringify(body).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path = '']) => path);
    expect(refs.length).toBeGreaterThan(300);
    const found = (path: string) =>
      path.split('/').reduce<unknown>((part, key) => (part as Record<string, unknown> | undefined)?.[key], body);
    expect(refs.filter((path) => found(path) === undefined)).toEqual([]);
  });
});
