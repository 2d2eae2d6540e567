import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { checkDescriptions, descriptionsOf } from '@annals/kernel';
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

const LIBS = join(__dirname, '../../libs');
/** How people open an account who were not added by somebody. */
const JOINING = ['Join', 'FinishSignOn', 'JoinBySignOn', 'DirectoryJoining'];
/** What LDAP and SCIM do with accounts. */
const DIRECTORIES = ['DirectorySync', 'ChangeScimUser'];
/** Keys without a password of this server. */
const KEYS = ['FinishSignOn', 'JoinBySignOn', 'LogInByToken', 'DevLogIn'];

describe('the commands of event types', () => {
  const descriptions = [...descriptionsOf(contexts).values()];

  it('are in the sources', () => {
    const sources = readdirSync(LIBS, { recursive: true, encoding: 'utf8' }).filter((file) =>
      /\/src\/.*\.ts$/.test(file),
    );
    const declared = new Set(
      sources.flatMap((file) =>
        [...readFileSync(join(LIBS, file), 'utf8').matchAll(/(?:class|function\*?) (\w+)/g)].map(([, name]) => name),
      ),
    );
    const named = descriptions.flatMap(({ commands }) => commands).filter((name) => !name.startsWith('annals '));
    expect(named.filter((name) => !declared.has(name))).toEqual([]);
  });

  it.each<[string, readonly string[]]>([
    ['users.AccountCreated', [...JOINING, 'CreateScimUser']],
    ['channels.Subscribed', [...JOINING, 'CreateScimUser']],
    ['users.FullNameChanged', DIRECTORIES],
    ['users.AddressChanged', ['ChangeScimUser']],
    ['users.RoleChanged', DIRECTORIES],
    ['users.Deactivated', [...DIRECTORIES, 'RemoveScimUser']],
    ['users.Reactivated', [...DIRECTORIES, 'CreateScimUser']],
    ['users.PasswordSet', ['Join', 'CreateScimUser', 'ChangeScimUser']],
    ['users.ApiKeyIssued', KEYS],
    ['users.SessionBegan', ['Join', 'FinishSignOn', 'JoinBySignOn', 'DesktopLogIn']],
    ['push.RegistrationEnded', [...DIRECTORIES, 'RemoveScimUser', 'ResetPassword']],
    ['groups.MembersAdded', [...JOINING, 'DirectorySync', 'CreateScimGroup', 'ChangeScimGroup']],
  ])('of %s are also those of sign-on and directories', (type, some) => {
    const commands = descriptions.find((one) => one.type === type)?.commands;
    expect(commands).toEqual(expect.arrayContaining([...some]));
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
