import type { Kernel } from '@annals/kernel';
import type { BotType, ChannelId, UserId } from '@annals/kernel/domain';
import { Role } from '@annals/kernel/domain';
import { setUpOrganization } from '@annals/onboarding';
import { UNTRANSLATED_REFUSAL } from '@annals/web';
import type { CallerHome, Credentials, Params } from './caller';
import { Caller, granted } from './caller';
import { brokenLaws } from '../laws/laws';
import './passwords';
import { secrets } from '../laws/secrets';
import type { NamedText } from '../laws/secrets-law';
import { leaks, storedTexts } from '../laws/secrets-law';
import { settled } from './settled';

/** A user with their credentials. */
export class Person extends Caller {
  constructor(
    home: CallerHome,
    url: string,
    readonly id: UserId,
    readonly email: string,
    readonly key: string,
    /** Empty for bots, who have none. */
    readonly password: string,
  ) {
    super(home, url, { email, key });
  }
}

const OWNER = {
  email: 'owner@example.com',
  key: 'theKeyOfTheOwnerHas32Characters0',
  password: 'correct horse battery',
};

/** Makes what an operator makes before a server starts: the organization and its owner. */
export async function setUpTestOrganization(kernel: Kernel): Promise<void> {
  secrets.add('password', OWNER.password);
  secrets.add('key', OWNER.key);
  await kernel.store.ensureLive(kernel.projections);
  await setUpOrganization(kernel, {
    organization: 'Annals',
    ownerEmail: OWNER.email,
    ownerPassword: OWNER.password,
    ownerApiKey: OWNER.key,
    url: 'http://127.0.0.1',
  });
}

/** The first organization of a running server, with users that a spec creates over HTTP. */
export abstract class Organization implements CallerHome {
  private made = 0;
  private first: Person | null = null;

  constructor(
    /** A kernel beside those that serve: for reading the log, and for commands of the system. */
    readonly kernel: Kernel,
  ) {}

  /** Address that callers use. */
  abstract get url(): string;

  /** The user who set it up. */
  get owner(): Person {
    if (!this.first) throw new Error('the server has not started');
    return this.first;
  }

  /** Logs the owner in; the first thing that is done with a server. */
  async logOwnerIn(): Promise<void> {
    const { email, key, password } = OWNER;
    const { user_id: id } = granted(await this.as({ email, key }).get<{ user_id: UserId }>('/users/me'));
    this.first = new Person(this, this.url, id, email, key, password);
  }

  /** A number that was not used before, for names. */
  next(): number {
    return ++this.made;
  }

  as(credentials: Credentials): Caller {
    return new Caller(this, this.url, credentials);
  }

  /** A caller without a login. */
  get anonymous(): Caller {
    return new Caller(this, this.url);
  }

  /** A new account that has logged in. */
  async person({ role = 'member', name }: { role?: keyof typeof Role; name?: string } = {}): Promise<Person> {
    const n = this.next();
    const email = `person${n}@example.com`;
    const password = `the secret of person ${n}`;
    const account = { email, password, full_name: name ?? `Person ${n}` };
    const { user_id: id } = granted(await this.owner.post<{ user_id: UserId }>('/users', account));
    const login = { username: email, password };
    const { api_key: key } = granted(await this.anonymous.post<{ api_key: string }>('/fetch_api_key', login));
    if (role !== 'member') granted(await this.owner.patch(`/users/${id}`, { role: Role[role] }));
    return new Person(this, this.url, id, email, key, password);
  }

  /** A new bot of a user; an embedded one has a program, an outgoing webhook a URL. */
  async bot(
    owner: Caller,
    { name, type = 1, program, ...more }: { name?: string; type?: BotType; program?: string } & Params = {},
  ): Promise<Person> {
    const n = this.next();
    const bot = { full_name: name ?? `Bot ${n}`, short_name: `bot${n}`, bot_type: type };
    const request = { ...bot, ...(program !== undefined && { service_name: program }), ...more };
    const { user_id: id, api_key: key } = granted(
      await owner.post<{ user_id: UserId; api_key: string }>('/bots', request),
    );
    const { user } = granted(await owner.get<{ user: { email: string } }>(`/users/${id}`));
    return new Person(this, this.url, id, user.email, key, '');
  }

  /** A new channel; its creator alone is subscribed unless others are named. */
  async channel(
    by: Person,
    { name, subscribers = [by], ...more }: { name?: string; subscribers?: readonly Pick<Person, 'id'>[] } & Params = {},
  ): Promise<ChannelId> {
    const request = { name: name ?? `channel ${this.next()}`, subscribers: subscribers.map(({ id }) => id), ...more };
    return granted(await by.post<{ id: ChannelId }>('/channels/create', request)).id;
  }

  /** The same with its name, which is new unless it is given. */
  async namedChannel(
    by: Person,
    { name = `channel ${this.next()}`, ...request }: Parameters<Organization['channel']>[1] = {},
  ): Promise<{ readonly id: ChannelId; readonly name: string }> {
    return { name, id: await this.channel(by, { name, ...request }) };
  }

  /** Resolves when all client events so far can be delivered. */
  translated(): Promise<void> {
    return settled(this.kernel, 'stored_client_events');
  }

  /** Resolves when every follower of the log has reached its present head. */
  settled(): Promise<void> {
    return settled(this.kernel);
  }

  /** Its output so far beside its answers: logs and metrics. */
  protected get outputs(): readonly NamedText[] {
    return [];
  }

  /** Where its queues and counters are. */
  protected get redisUrl(): string | undefined {
    return undefined;
  }

  /** The secrets of this spec file that were found somewhere. */
  leaks(): Promise<string[]> {
    const { kernel, redisUrl, outputs } = this;
    return leaks({ kernel, redisUrl, outputs });
  }

  /** Where its database and its Redis have a text. Places that a process empties by itself within a minute count too. */
  async placesWith(text: string): Promise<string[]> {
    const { kernel, redisUrl } = this;
    return (await storedTexts({ kernel, redisUrl })).flatMap(([place, all]) => (all.includes(text) ? [place] : []));
  }

  /** @throws Error when a law does not hold of what happened here */
  async ensureLaws(): Promise<void> {
    const found = await this.leaks();
    if (found.length > 0) throw new Error(`secrets stand where they must not: ${JSON.stringify(found, null, 2)}`);
    const inEnglish = this.outputs.flatMap(([, text]) =>
      text.split('\n').filter((line) => line.includes(UNTRANSLATED_REFUSAL)),
    );
    if (inEnglish.length > 0) throw new Error(`refusals on pages declare no text (onPages): ${inEnglish.join('\n')}`);
    const broken = await brokenLaws(this.kernel);
    if (broken.length > 0) throw new Error(`laws do not hold of this log: ${JSON.stringify(broken, null, 2)}`);
  }
}
