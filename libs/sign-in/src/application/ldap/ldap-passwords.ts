import { Kernel, lastUsed } from '@annals/kernel';
import type { RealmId, UserId } from '@annals/kernel/domain';
import { runAsVisitor } from '@annals/realm';
import type { EnteredPassword } from '@annals/users';
import { PasswordCheck, PasswordChecks, UserFacts, isActive, isSameEmail, userAggregate } from '@annals/users';
import type { OnModuleInit } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import type { LdapDirectory } from '../../domain/ldap/directory';
import { canonicalName, directoryName } from '../../domain/ldap/directory';
import type { LdapEntry } from '../../domain/ldap/entry';
import type { DirectoryPerson } from '../../domain/ldap/person';
import { personOf } from '../../domain/ldap/person';
import { reject } from '../../domain/ldap/rejections';
import { DirectoryAway } from './directory-away';
import { DirectoryJoining } from './directory-joining';
import { DirectoryLinks } from './directory-links';
import { OfferedDirectories } from './offered-directories';
import type { PasswordAnswer } from './password-answer';
import { askDirectory, askDirectoryAbout } from './password-answer';

/** Most names of people that are remembered. Callers choose them. */
const MAX_NAMES = 10_000;

/** Passwords of a directory log people in (decision 72). */
@Injectable()
export class LdapPasswords extends PasswordCheck implements OnModuleInit {
  override readonly method = 'LDAP';
  /** The account that a name meant in the directory, or the email of a person without one. */
  private readonly named = lastUsed<UserId | string>(MAX_NAMES);

  constructor(
    private readonly kernel: Kernel,
    private readonly checks: PasswordChecks,
    private readonly directories: OfferedDirectories,
    private readonly links: DirectoryLinks,
    private readonly users: UserFacts,
    private readonly joining: DirectoryJoining,
  ) {
    super();
  }

  onModuleInit(): void {
    if (this.directories.all.length > 0) this.checks.register(this);
  }

  /**
   * The account that belongs to the entry, or has its email, or a new one.
   *
   * @throws Rejected when the directory gives no answer, the entry is deactivated, the account belongs to another one, or the
   *   person may not join
   */
  override async accountOf(entered: EnteredPassword): Promise<UserId | null> {
    const directory = await this.directories.of(entered.realmId);
    if (!directory) return null;
    const { username, password } = entered;
    const answer = await this.ask(entered.realmId, directory, () => askDirectory(directory, username, password));
    if (answer.kind === 'wrong' && answer.entry) await this.remember(entered, directory, answer.entry);
    if (answer.kind !== 'right') return null;
    const person = this.personWith(answer.entry, entered.realmId, directory);
    return (await this.known(entered, directory, person)) ?? this.joining.join(entered, directory, person.dn);
  }

  override async meant(realmId: RealmId, username: string): Promise<UserId | string | null> {
    const directory = await this.directories.of(realmId);
    const typed = directory && directoryName(username, directory);
    if (!directory || typed == null) return null;
    const name = canonicalName(typed);
    const known = this.named.get(`${realmId} ${name}`);
    if (typeof known === 'number') return known;
    const email = known ?? (directory.emailDomain === null ? name : `${typed}@${directory.emailDomain}`);
    return (await this.users.idByEmail(realmId, email)) ?? canonicalName(email);
  }

  override async hasPasswordOf(realmId: RealmId, userId: UserId): Promise<boolean> {
    const directory = await this.directories.of(realmId);
    return directory !== null && (await this.links.subjectOf(realmId, userId, directory.name)) !== null;
  }

  /** @throws Rejected when the directory gives no answer, or the entry cannot be used or is deactivated */
  override async isPasswordOf(realmId: RealmId, userId: UserId, password: string): Promise<boolean> {
    const directory = await this.directories.of(realmId);
    const subject = directory && (await this.links.subjectOf(realmId, userId, directory.name));
    if (directory === null || subject === null) return false;
    const answer = await this.ask(realmId, directory, () => askDirectoryAbout(directory, subject, password));
    if (answer.kind !== 'right') return false;
    this.personWith(answer.entry, realmId, directory);
    return true;
  }

  /** The person of an entry with the right password, who may log in. */
  private personWith(entry: LdapEntry, realmId: RealmId, directory: LdapDirectory): DirectoryPerson {
    const person = personOf(entry, directory);
    if ('reason' in person) {
      this.warn(realmId, directory, `${person.dn} cannot log in: ${person.reason}`);
      throw reject.entryUnusable();
    }
    if (person.isDeactivated) throw reject.accountDeactivated();
    return person;
  }

  /** A directory may find a person by several names. Guesses of all of them count together from the second one on. */
  private async remember(
    { realmId, username }: EnteredPassword,
    directory: LdapDirectory,
    entry: LdapEntry,
  ): Promise<void> {
    const person = personOf(entry, directory);
    const account = await this.links.accountOf(realmId, { directory: directory.name, subject: person.subject });
    const named = account ?? ('reason' in person ? null : person.email);
    if (named !== null) this.named.set(`${realmId} ${canonicalName(directoryName(username, directory) ?? '')}`, named);
  }

  private async ask(
    realmId: RealmId,
    directory: LdapDirectory,
    question: () => Promise<PasswordAnswer>,
  ): Promise<PasswordAnswer> {
    try {
      const answer = await question();
      if (answer.kind === 'ambiguous') this.warn(realmId, directory, 'several entries have one name');
      return answer;
    } catch (error) {
      if (!(error instanceof DirectoryAway)) throw error;
      this.warn(realmId, directory, error.message);
      throw reject.directoryAway();
    }
  }

  /** Null if nobody has an account yet. */
  private async known(
    { realmId, origin }: EnteredPassword,
    directory: LdapDirectory,
    { subject, email }: Pick<DirectoryPerson, 'subject' | 'email'>,
  ): Promise<UserId | null> {
    const entry = { directory: directory.name, subject };
    return runAsVisitor(this.kernel.work, { realmId, origin }, async (work) => {
      const linked = await this.links.accountOf(realmId, entry);
      const userId = linked ?? (await this.users.idByEmail(realmId, email)) ?? null;
      if (userId === null) return null;
      const account = await work.read(userAggregate, userId);
      if (!account || account.botType !== null || account.isSystemBot) throw reject.otherEntry();
      if (linked === null && !isSameEmail(account.email ?? '', email)) throw reject.emailLooksAlike();
      if (!isActive(account)) throw reject.accountDeactivated();
      if (linked !== null) return linked;
      if (!(await this.links.mayLink(work, userId, entry))) throw reject.otherEntry();
      await this.links.link(work, userId, entry);
      return userId;
    });
  }

  /** For the operator. The text has no password. */
  private warn(realmId: RealmId, { name: directory }: LdapDirectory, reason: string): void {
    this.kernel.options.log.warn({ realmId, directory, reason }, 'a directory could not log somebody in');
  }
}
