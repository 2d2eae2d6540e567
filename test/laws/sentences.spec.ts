import { readFileSync } from 'node:fs';
import { checkDescriptions } from '@annals/kernel';
import { contexts } from '../../apps/shared/src/contexts';
import { SENTENCES, sentencesOf } from '../golden/sentences';
import { startGoldenServer } from '../golden/golden-server';
import { everythingHappens } from '../golden/scenario';
import { EventChecks } from '../support/consumers/event-checks';
import { ReferenceBouncer } from '../support/push/bouncer';
import { granted } from '../support/server/caller';
import type { TestServer } from '../support/server/server';

describe('sentences of the audit trail', () => {
  it('exist for every event type', () => {
    expect(() => checkDescriptions(contexts)).not.toThrow();
  });
});

describe('the sentences about a log in which everything happens', () => {
  let bouncer: ReferenceBouncer;
  let server: TestServer;

  beforeAll(async () => {
    bouncer = await ReferenceBouncer.start();
    server = await startGoldenServer(bouncer);
    await everythingHappens(server, bouncer);
  });

  afterAll(async () => {
    await server.end();
    await bouncer.stop();
  });

  /** `npm run golden` writes the file. */
  it('are those that somebody has read', async () => {
    expect(await sentencesOf(server.kernel)).toBe(readFileSync(SENTENCES, 'utf8'));
  });

  it('are of events that consumers get as CloudEvents, which fit their schemas', async () => {
    const { owner } = server;
    const audit = { direct_members: [owner.id], direct_subgroups: [] };
    granted(await owner.patch('/realm', { can_audit_content_group: { new: audit } }));
    const checks = new EventChecks(owner);
    const events = await checks.all('everything', { view: 'domain', words: true });
    const types = new Set(contexts.flatMap((context) => context.events.map(({ type }) => type)));
    expect([...types].filter((type) => !events.some((event) => event.type.startsWith(`annals.${type}.v`)))).toEqual([]);
    expect((await checks.all('clients', { view: 'client' })).length).toBeGreaterThan(100);
  });
});
