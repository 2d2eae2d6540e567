import type { TestKernel } from '../../../../test/support/server/kernel';
import { REALM, openTestKernel } from '../../../../test/support/server/kernel';
import { Kernel } from '@annals/kernel';
import type { BotType, UserId } from '@annals/kernel/domain';
import { Role, fact } from '@annals/kernel/domain';
import { AccountCreated, Deactivated } from '@annals/users';
import { CONTEXTS, OWNER_KEY, founding } from '../spec-support/organization';
import { setUpOrganization } from './set-up-organization';

describe('setting up an organization', () => {
  let test: TestKernel;
  beforeEach(async () => {
    test = await openTestKernel(CONTEXTS);
  });
  afterEach(() => test.close());

  const log = () => test.kernel.events.page(REALM, 0, 100);

  it('creates settings, groups, owner, bot and channel in one append', async () => {
    expect(await setUpOrganization(test.kernel, founding())).toEqual({
      created: true,
      ownerEmail: 'owner@example.com',
      apiKey: OWNER_KEY,
      resetToken: null,
    });
    const events = await log();
    expect(events.map(({ type }) => type)).toEqual([
      'realm.Created',
      ...Array.from({ length: 8 }, () => 'groups.SystemGroupCreated'),
      'users.AccountCreated',
      'users.AccountCreated',
      'users.PasswordSet',
      'users.ApiKeyIssued',
      'channels.ChannelCreated',
      'channels.Subscribed',
    ]);
    expect(new Set(events.map(({ commandId }) => commandId)).size).toBe(1);
  });

  it('gives the first owner the special permissions, and the server a bot', async () => {
    await setUpOrganization(test.kernel, founding());
    const [owner, bot] = await test.rows('users', 'user_id');
    expect(owner).toMatchObject({
      delivery_email: 'owner@example.com',
      role: 100,
      can_create_users: true,
      can_change_user_emails: true,
      is_system_bot: false,
    });
    expect(bot).toMatchObject({
      delivery_email: 'notification-bot@chat.example.com',
      is_system_bot: true,
      bot_type: 1,
    });
    const [realm] = await test.rows('realms', 'subdomain');
    expect(realm).toMatchObject({ notification_bot_id: bot?.['user_id'] });
  });

  it('begins with a channel for everybody, to which the owner is subscribed', async () => {
    await setUpOrganization(test.kernel, founding());
    const [channel] = await test.rows('channels', 'channel_id');
    expect(channel).toMatchObject({ name: 'general', is_default: true, invite_only: false });
    const [owner] = await test.rows('users', 'user_id');
    expect(await test.rows('memberships', 'user_id')).toMatchObject([
      { channel_id: channel?.['channel_id'], user_id: owner?.['user_id'], to_position: null },
    ]);
  });

  it('stores no secret in the log', async () => {
    await setUpOrganization(test.kernel, founding());
    const { rows } = await test.kernel.database.pool.query<{ everything: string }>(
      `SELECT coalesce(string_agg(e::text, ' '), '') AS everything FROM events e`,
    );
    const everything = rows[0]?.everything ?? '';
    expect(everything).toContain('owner@example.com');
    for (const secret of [OWNER_KEY, 'correct horse', 'argon2']) expect(everything).not.toContain(secret);
  });

  it('creates a key when none is given, and no password', async () => {
    const input = founding({ ownerApiKey: undefined, ownerPassword: undefined });
    const { apiKey } = await setUpOrganization(test.kernel, input);
    expect(apiKey).toMatch(/^[A-Za-z0-9]{32}$/);
    expect((await log()).map(({ type }) => type)).not.toContain('users.PasswordSet');
  });

  it('does not change an existing organization', async () => {
    await setUpOrganization(test.kernel, founding());
    const before = (await log()).length;
    const again = founding({ organization: 'Forest', ownerEmail: 'other@example.com', ownerApiKey: undefined });
    expect(await setUpOrganization(test.kernel, again)).toEqual({
      created: false,
      ownerEmail: 'owner@example.com',
      apiKey: null,
      resetToken: null,
    });
    expect(await log()).toHaveLength(before);
  });

  it('reports for an existing organization whether the key is that of its owner', async () => {
    await setUpOrganization(test.kernel, founding());
    const before = (await log()).length;
    const askWith = async (ownerApiKey?: string) =>
      (await setUpOrganization(test.kernel, founding({ ownerApiKey }))).apiKey;
    expect(await askWith(OWNER_KEY)).toBe(OWNER_KEY);
    expect(await askWith('x'.repeat(32))).toBeNull();
    expect(await askWith()).toBeNull();
    expect(await log()).toHaveLength(before);
  });

  it('reports an existing organization before the read models of a newer release were built', async () => {
    await setUpOrganization(test.kernel, founding());
    const contexts = CONTEXTS.map((context) => ({
      ...context,
      projections: context.projections.map((model) => ({ ...model, version: model.version + 1 })),
    }));
    const newer = await Kernel.open({ ...test.kernel.options, contexts, poolSize: 2 });
    try {
      expect(await newer.store.ensureLive(newer.projections)).not.toEqual([]);
      const report = { created: false, ownerEmail: 'owner@example.com', apiKey: OWNER_KEY, resetToken: null };
      expect(await setUpOrganization(newer, founding())).toEqual(report);
    } finally {
      await newer.close();
    }
  });

  it('reports the first owner who is active, and is no bot', async () => {
    await setUpOrganization(test.kernel, founding());
    const [first] = await test.rows('users', 'user_id');
    const ids = await test.kernel.ids.take(REALM, 'user', 600);
    const account = { isSystemBot: false, awaitsFirstLogin: false, canCreateUsers: false, canChangeUserEmails: false };
    const opened = (userId: UserId, botType: BotType | null) => {
      const data = { userId, role: Role.owner, botType, botOwnerId: null, ...account };
      return fact(AccountCreated, data, { email: `owner${userId}@example.com`, fullName: `Owner ${userId}` });
    };
    const [bot, second] = [ids[0] as UserId, ids[599] as UserId];
    await test.state([`user-${bot}`, opened(bot, 1)], [`user-${second}`, opened(second, null)]);
    const ownerEmail = async () => (await setUpOrganization(test.kernel, founding())).ownerEmail;
    expect(await ownerEmail()).toBe('owner@example.com');
    const left = { userId: first?.['user_id'] as UserId, role: Role.owner, botOwnerId: null };
    await test.state([`user-${left.userId}`, fact(Deactivated, left)]);
    expect(await ownerEmail()).toBe(`owner${second}@example.com`);
  });

  it('is done once when several processes try at the same time', async () => {
    const others = await Promise.all([1, 2].map(() => Kernel.open({ ...test.kernel.options, poolSize: 2 })));
    try {
      const reports = await Promise.all(
        [test.kernel, ...others].map((kernel) => setUpOrganization(kernel, founding())),
      );
      expect(reports.map(({ created }) => created).sort()).toEqual([false, false, true]);
      const { rows } = await test.kernel.database.pool.query('SELECT realm_id FROM realm_heads');
      expect(rows).toHaveLength(1);
    } finally {
      for (const kernel of others) await kernel.close();
    }
  });
});
