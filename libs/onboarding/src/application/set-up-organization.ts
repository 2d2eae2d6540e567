import { systemActor } from '@annals/kernel';
import type { Kernel, Work } from '@annals/kernel';
import type { ChannelId, RealmId, Recorded, UserId } from '@annals/kernel/domain';
import { Role, SYSTEM_GROUPS, allowed, fold, isOwner } from '@annals/kernel/domain';
import { SubscriptionEffects, channelAggregate, firstChannel } from '@annals/channels';
import { createSystemGroups, groupAggregate } from '@annals/groups';
import type { SystemGroups } from '@annals/realm';
import {
  ServerAddress,
  claimHost,
  claimSubdomain,
  createRealm,
  findRealmInLog,
  mailDomain,
  realmAggregate,
} from '@annals/realm';
import type { Account, AccountEvent, NewAccount } from '@annals/users';
import {
  ApiKeys,
  MailedTokens,
  Passwords,
  giveResetLink,
  isActive,
  issueKey,
  openAccount,
  setPassword,
  systemBot,
  userAggregate,
} from '@annals/users';
import { randomUUID } from 'node:crypto';
import { SUBDOMAIN } from './operator';

export interface OrganizationInput {
  /** Name of the organization, at most 40 characters. */
  readonly organization: string;
  readonly ownerEmail: string;
  /** Left out: the owner has no password and uses the key. */
  readonly ownerPassword?: string | undefined;
  /** Whether the owner gets a link to choose a password. */
  readonly linksOwner?: boolean;
  /** 32 letters and digits. Left out: a random one is created. */
  readonly ownerApiKey?: string | undefined;
  /** Address of the server. Its host is the domain of bots' emails. */
  readonly url: string;
  /** Its subdomain of the server's host. Left out: the one of the server's own address. */
  readonly subdomain?: string;
  /** Host names of its own. */
  readonly hosts?: readonly string[];
}

interface OrganizationReport {
  /** False if there was one already, which did not change. */
  readonly created: boolean;
  readonly ownerEmail: string;
  /** The owner's key. Null for an organization that existed and whose owner has another key than the requested one. */
  readonly apiKey: string | null;
  /** Token of the owner's link to choose a password. Null without one. */
  readonly resetToken: string | null;
}

const SET_UP_LOCK = 7_218_502;

/** Number of accounts that are read at once. */
const ACCOUNTS_PAGE = 500;

const FIRST_CHANNEL = { name: 'general', description: 'For everything that concerns everybody.' };

/**
 * Creates the server's first organization in one append: its settings, system groups, owner, notification bot and first
 * channel. Does nothing when it exists. Of several processes that try at once one creates it. A caller that chose the
 * key and ended before the report may ask again with the same key.
 *
 * An existing organization is found in the log: the read models of this release may not have been built yet.
 */
export async function setUpOrganization(kernel: Kernel, input: OrganizationInput): Promise<OrganizationReport> {
  const lock = await kernel.database.pool.connect();
  try {
    await lock.query('SELECT pg_advisory_lock($1)', [SET_UP_LOCK]);
    const realmId = await findRealmInLog(kernel, SUBDOMAIN);
    return realmId === undefined
      ? await createOrganization(kernel, input)
      : await report(kernel, realmId, input.ownerApiKey);
  } finally {
    await lock.query('SELECT pg_advisory_unlock($1)', [SET_UP_LOCK]).catch(() => undefined);
    lock.release();
  }
}

/**
 * Creates an organization beside others.
 *
 * @throws Rejected BAD_REQUEST for a subdomain or a host name that another one has
 */
export async function createOrganization(kernel: Kernel, input: OrganizationInput): Promise<OrganizationReport> {
  const [keys, tokens] = [new ApiKeys(kernel), new MailedTokens(kernel)];
  const ids = await takeIds(kernel);
  const { owner, realmId } = ids;
  const apiKey = input.ownerApiKey ?? keys.random();
  const password =
    input.ownerPassword === undefined ? null : await new Passwords(kernel).secretOf(owner, input.ownerPassword);
  const requestId = randomUUID();
  const open = async (work: Work) => {
    await openRealm(work, ids, input);
    await claimAddresses(kernel, work, input);
    if (password) {
      await work.decide(userAggregate, owner, setPassword);
      work.secret(password);
    }
    if (input.linksOwner === true) await giveResetLink(work, tokens, owner, requestId);
    await keys.issue(work, owner, apiKey, issueKey);
    await work.decide(channelAggregate, ids.channel, () => [firstChannel(ids.channel, FIRST_CHANNEL, ids.groups)]);
    const subscription = { channelId: ids.channel, people: [owner], color: null, isNew: true };
    await new SubscriptionEffects(kernel).subscribe(work, [subscription]);
  };
  await kernel.work.run(systemActor(realmId), open, { opensRealm: true });
  const resetToken = (await tokens.of(realmId, 'password-reset', owner)) ?? null;
  return { created: true, ownerEmail: input.ownerEmail, apiKey, resetToken };
}

interface Ids {
  readonly realmId: RealmId;
  readonly owner: UserId;
  readonly bot: UserId;
  readonly channel: ChannelId;
  readonly groups: SystemGroups;
}

async function takeIds({ ids }: Kernel): Promise<Ids> {
  const realmId = await ids.nextRealm();
  const groupIds = await ids.take(realmId, 'group', SYSTEM_GROUPS.length);
  const groups = Object.fromEntries(SYSTEM_GROUPS.map((name, n) => [name, groupIds[n]])) as unknown as SystemGroups;
  return {
    realmId,
    groups,
    owner: await ids.next(realmId, 'user'),
    bot: await ids.next(realmId, 'user'),
    channel: await ids.next(realmId, 'channel'),
  };
}

async function openRealm(work: Work, ids: Ids, input: OrganizationInput): Promise<void> {
  const realm = {
    subdomain: input.subdomain ?? SUBDOMAIN,
    uuid: randomUUID(),
    name: input.organization,
    systemGroups: ids.groups,
    notificationBotId: ids.bot,
  };
  await work.decide(realmAggregate, 'realm', (state) => createRealm(state, realm));
  for (const group of createSystemGroups(ids.groups)) {
    await work.decide(groupAggregate, group.data.groupId, () => [group]);
  }
  const unused = { address: allowed, emailTaken: false, nameTaken: false };
  for (const account of [ownerAccount(ids.owner, input), botAccount(ids.bot, input)]) {
    await work.decide(userAggregate, account.userId, (state) => openAccount(state, account, unused));
  }
}

async function claimAddresses(kernel: Kernel, work: Work, { subdomain, hosts = [], url }: OrganizationInput) {
  if (subdomain !== undefined && subdomain !== SUBDOMAIN) await claimSubdomain(kernel, work, subdomain);
  for (const host of hosts) await claimHost(kernel, new ServerAddress(url), work, host);
}

/** Only the first owner has the special permissions (contract/permissions.md section 1). */
const ownerAccount = (userId: UserId, { ownerEmail }: OrganizationInput): NewAccount => ({
  userId,
  email: ownerEmail,
  fullName: 'Owner',
  role: Role.owner,
  botType: null,
  botOwnerId: null,
  isSystemBot: false,
  awaitsFirstLogin: false,
  canCreateUsers: true,
  canChangeUserEmails: true,
});

const botAccount = (userId: UserId, { url, subdomain = SUBDOMAIN }: OrganizationInput): NewAccount => {
  const domain = mailDomain(new ServerAddress(url).urlOf(subdomain));
  return systemBot({ userId, email: `notification-bot@${domain}`, fullName: 'Notification Bot' });
};

async function report(kernel: Kernel, realmId: RealmId, key: string | undefined): Promise<OrganizationReport> {
  const owner = await firstOwner(kernel, realmId);
  const isTheirs = key !== undefined && (await new ApiKeys(kernel).accepts(realmId, owner, key));
  return { created: false, ownerEmail: owner.email, apiKey: isTheirs ? key : null, resetToken: null };
}

/** The active owner with the lowest id among people. */
async function firstOwner(kernel: Kernel, realmId: RealmId): Promise<Account & { readonly email: string }> {
  const last = await kernel.ids.bound(realmId, 'user');
  for (let first = 1; first <= last; first += ACCOUNTS_PAGE) {
    const ids = Array.from({ length: ACCOUNTS_PAGE }, (_, n) => (first + n) as UserId);
    const streams = ids.map((id) => userAggregate.stream(id));
    const histories = await kernel.events.streams(realmId, streams);
    for (const stream of streams) {
      const account = fold(userAggregate, (histories.get(stream) ?? []) as readonly Recorded<AccountEvent>[]);
      if (account && isOwner(account) && isActive(account) && account.botType === null && account.email !== null)
        return { ...account, email: account.email };
    }
  }
  throw new Error(`realm ${realmId} has no owner`);
}
