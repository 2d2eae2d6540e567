import type { Kernel } from '@annals/kernel';
import { ManualClock, Role } from '@annals/kernel/domain';
import type { Instant, RealmId } from '@annals/kernel/domain';
import { directoryAt } from '../../../../../test/support/ldap/directory-settings';
import { FakeDirectory } from '../../../../../test/support/ldap/fake-directory';
import type { FilledParts } from '../../read/ldap/filled-parts';
import type { AccountChanges } from './account-changes';
import { DirectorySync } from './directory-sync';
import type { LogRoom } from './log-room';
import type { MembershipChanges } from './membership-changes';
import type { PictureChanges } from './picture-changes';

const REALM = 1 as RealmId;
const MINUTE_MS = 60_000;
const NAMES = ['ada', 'bob', 'cyd'];

/** Accounts that have other names than their entries. */
const ROWS = NAMES.map((name, n) => ({
  ...{ userId: n + 1, email: `${name}@example.com`, fullName: 'another', role: Role.member, isActive: true },
  ...{ subject: `id:${name}`, pictureDigest: null, isSuspended: false },
}));

const entries = [
  { dn: 'cn=annals,dc=example,dc=com', password: 'login of the server', attributes: {} },
  ...NAMES.map((name) => ({
    dn: `uid=${name},ou=people,dc=example,dc=com`,
    attributes: { objectClass: ['person'], uid: [name], mail: [`${name}@example.com`], cn: [name], entryUUID: [name] },
  })),
];

let directory: FakeDirectory;
beforeAll(async () => {
  directory = await FakeDirectory.start(entries);
});
afterAll(() => directory.stop());

/** A run in which each change takes ten minutes. @param minutes that it may take */
async function runFor(minutes: number) {
  const clock = new ManualClock();
  const made: string[] = [];
  const apply = async (change: { readonly email: string }) => {
    clock.advance(10 * MINUTE_MS);
    made.push(change.email);
    return { made: change, refusals: [] };
  };
  const query = async () => ({ rows: ROWS });
  const kernel = {
    clock,
    fence: { reach: async () => undefined },
    database: { pool: { query } },
    work: { run: async () => undefined },
  } as unknown as Kernel;
  const sync = new DirectorySync(
    kernel,
    { of: async () => ({ groups: new Map(), fields: new Map(), problems: [] }) } as unknown as FilledParts,
    { apply } as unknown as AccountChanges,
    { apply: async () => [] } as unknown as MembershipChanges,
    {
      apply: async () => ({ taken: new Set(), problems: [], full: null, isCut: false }),
    } as unknown as PictureChanges,
    { refusal: async () => null } as unknown as LogRoom,
  );
  const until = (clock.now() + minutes * MINUTE_MS) as Instant;
  const wishes = { isDryRun: false, isForced: false, signal: new AbortController().signal, until };
  return { report: await sync.run(REALM, directoryAt(directory.url), wishes), made };
}

describe('a run that has a time', () => {
  it('ends with what it has done by then, and says so', async () => {
    const { report, made } = await runFor(15);
    expect(made).toEqual(['ada@example.com', 'bob@example.com']);
    expect(report).toMatchObject({
      outcome: 'failed',
      reason: 'it took longer than 30 minutes; the next run continues',
      counts: { renamed: 2 },
    });
  });

  it('does everything that there is to do in the time', async () => {
    const { report, made } = await runFor(30);
    expect(made).toHaveLength(3);
    expect(report).toMatchObject({ outcome: 'done', reason: null, counts: { renamed: 3 } });
  });
});
