import { GroupFacts, groupAggregate, joinGroups } from '@annals/groups';
import { Joining, OpenLinks } from '@annals/invitations';
import { Kernel, systemActor } from '@annals/kernel';
import type { RealmId, UserId } from '@annals/kernel/domain';
import { Rejected } from '@annals/kernel/domain';
import { runAsVisitor } from '@annals/realm';
import type { EnteredPassword } from '@annals/users';
import { Avatars } from '@annals/users';
import { Injectable } from '@nestjs/common';
import type { LdapDirectory } from '../../domain/ldap/directory';
import type { DirectoryPerson } from '../../domain/ldap/person';
import { reject } from '../../domain/ldap/rejections';
import { DirectoryAway } from './directory-away';
import { DirectoryLinks } from './directory-links';
import { pictureDigest, readPerson } from './directory-people';

/** Opens accounts of people of a directory at their first login, as the directory describes them. */
@Injectable()
export class DirectoryJoining {
  constructor(
    private readonly kernel: Kernel,
    private readonly joining: Joining,
    private readonly invitations: OpenLinks,
    private readonly groups: GroupFacts,
    private readonly avatars: Avatars,
    private readonly links: DirectoryLinks,
  ) {}

  /** @throws Rejected when the person may not join, or the directory gives no answer */
  async join({ realmId, origin, invitation }: EnteredPassword, directory: LdapDirectory, dn: string): Promise<UserId> {
    const person = await this.read(directory, dn);
    const { email, fullName, role, subject } = person;
    const userId = await this.kernel.ids.next(realmId, 'user');
    await runAsVisitor(this.kernel.work, { realmId, origin }, async (work) => {
      const right = await this.invitations.rightOf(work, email, invitation ?? null);
      const newcomer = { userId, email, fullName, password: null, isPresent: true, role };
      await this.joining.join(work, newcomer, right.invitationId);
      await this.invitations.complete(work, right, userId);
      await this.links.link(work, userId, { directory: directory.name, subject });
      const groups = await this.groupsNamed(realmId, person.userGroups);
      // The invitation may have given some of them.
      const states = await work.readAll(groupAggregate, groups);
      await joinGroups(
        work,
        userId,
        groups.filter((_, n) => !states[n]?.members.has(userId)),
      );
    });
    await this.takePicture(realmId, userId, directory, person);
    return userId;
  }

  private async read(directory: LdapDirectory, dn: string): Promise<DirectoryPerson> {
    try {
      const person = await readPerson(directory, dn);
      if (person) return person;
    } catch (error) {
      if (!(error instanceof DirectoryAway)) throw error;
    }
    throw reject.directoryAway();
  }

  private async groupsNamed(realmId: RealmId, names: ReadonlySet<string>) {
    if (names.size === 0) return [];
    const groups = [...(await this.groups.of(realmId)).values()];
    return groups
      .filter(({ name, systemName, isDeactivated }) => names.has(name) && systemName === null && !isDeactivated)
      .map(({ groupId }) => groupId);
  }

  /** A picture that cannot be used does not keep anybody from logging in. */
  private async takePicture(
    realmId: RealmId,
    userId: UserId,
    { name: directory }: LdapDirectory,
    { picture }: DirectoryPerson,
  ): Promise<void> {
    if (picture === null) return;
    const by = systemActor(realmId);
    const digest = pictureDigest(picture);
    try {
      await this.avatars.keptFor({ realmId, userId }, picture, (file) =>
        this.kernel.work.run(by, async (work) => {
          await this.links.pictureTaken(work, userId, { directory, digest });
          return this.avatars.givenTo(work, userId, file);
        }),
      );
    } catch (error) {
      const reason = error instanceof Rejected ? error.message : 'it could not be stored';
      this.kernel.options.log.warn({ realmId, directory, reason }, 'the picture of a directory could not be taken');
    }
  }
}
