import { systemActor } from '@annals/kernel';
import type { Kernel } from '@annals/kernel';
import type { RealmId, Role, UserId } from '@annals/kernel/domain';
import { Rejected, isGuest } from '@annals/kernel/domain';
import { SubscriptionEffects } from '@annals/channels';
import { PASSWORD } from '@annals/realm';
import { NewAccounts, Passwords, ensureStrong } from '@annals/users';
import { NewPeople } from './new-people';

/** A user with an account on another server. */
export interface ImportedPerson {
  readonly email: string;
  readonly fullName: string;
  readonly role: Role;
  /** Left out: no password. The operator issues a key. */
  readonly password?: string | undefined;
}

/** The result for one of them. `refusal` is the reason why they have no account. */
export type Imported =
  | { readonly person: ImportedPerson; readonly userId: UserId }
  | { readonly person: ImportedPerson; readonly refusal: string };

/**
 * Imports users: each gets an account that is a stub until they log in (contract/users.md section 1), by the rules for
 * every account. There is one append for each, so that the import can be run again with the remaining ones: a user who
 * has an account already is refused.
 *
 * @param url address of the server
 */
export async function* importUsers(
  kernel: Kernel,
  { realmId, url }: { readonly realmId: RealmId; readonly url: string },
  people: readonly ImportedPerson[],
): AsyncGenerator<Imported> {
  const tools = {
    people: new NewPeople(kernel, NewAccounts.of(kernel, url), new SubscriptionEffects(kernel), NO_NOTICES),
    passwords: new Passwords(kernel),
  };
  for (const person of people) yield await importOne(kernel, realmId, person, tools);
}

/** People who are imported are not announced. */
const NO_NOTICES = { joined: async () => undefined };

interface Tools {
  readonly people: NewPeople;
  readonly passwords: Passwords;
}

async function importOne(kernel: Kernel, realmId: RealmId, person: ImportedPerson, tools: Tools): Promise<Imported> {
  try {
    return { person, userId: await open(kernel, realmId, person, tools) };
  } catch (error) {
    if (error instanceof Rejected) return { person, refusal: error.message };
    throw error;
  }
}

async function open(
  kernel: Kernel,
  realmId: RealmId,
  { email, fullName, role, password }: ImportedPerson,
  { people, passwords }: Tools,
): Promise<UserId> {
  if (password !== undefined) ensureStrong(password, PASSWORD, [email, fullName]);
  const userId = await kernel.ids.next(realmId, 'user');
  const person = {
    userId,
    email,
    fullName,
    role,
    password: password === undefined ? null : await passwords.secretOf(userId, password),
    channels: [],
    withDefaultChannels: !isGuest({ role }),
    groups: [],
    isImported: true,
  };
  await kernel.work.run(systemActor(realmId), (work) => people.add(work, person));
  return userId;
}
