import type { By, Work } from '@annals/kernel';
import { Kernel } from '@annals/kernel';
import type { UserId } from '@annals/kernel/domain';
import { Rejected } from '@annals/kernel/domain';
import { Reactivations } from '@annals/onboarding';
import { DirectoryLinks } from '@annals/sign-in';
import { AccountUpdates, DIRECTORY_RIGHTS, Deactivations, ProfileValues } from '@annals/users';
import { Injectable } from '@nestjs/common';
import type { DirectoryChange, Suspension } from '../../domain/ldap/directory-change';

/** How the parts of a run are carried out. */
export interface SyncRun {
  readonly directory: string;
  readonly by: By;
  /** Decides everything, and stores nothing. */
  readonly isDryRun: boolean;
}

/** The parts of a change that were made, and why the others were refused. */
export interface Applied {
  readonly made: DirectoryChange;
  readonly refusals: readonly string[];
}

/** One part of a change: its names in `DirectoryChange`, and how it is made in a unit of work. */
interface Part {
  readonly names: readonly (keyof DirectoryChange)[];
  readonly make: (work: Work) => Promise<unknown>;
}

/** Makes the changes of single accounts that a directory requires: everything but memberships and pictures. */
@Injectable()
export class AccountChanges {
  constructor(
    private readonly kernel: Kernel,
    private readonly links: DirectoryLinks,
    private readonly accounts: AccountUpdates,
    private readonly deactivations: Deactivations,
    private readonly reactivations: Reactivations,
    private readonly profiles: ProfileValues,
  ) {}

  /**
   * Makes all parts in one append. If one is refused, each part is made alone, so that the others are made.
   *
   * @param fieldOf the ids of profile fields by their names
   */
  async apply(change: DirectoryChange, fieldOf: ReadonlyMap<string, number>, options: SyncRun): Promise<Applied> {
    const parts = this.partsOf(change, fieldOf, options);
    if (parts.length === 0) return { made: change, refusals: [] };
    try {
      await this.run(parts, options);
      return { made: change, refusals: [] };
    } catch (error) {
      if (!(error instanceof Rejected)) throw error;
      return this.applyOneByOne(change, parts, options);
    }
  }

  private async applyOneByOne(change: DirectoryChange, parts: readonly Part[], options: SyncRun): Promise<Applied> {
    const refusals: string[] = [];
    let made = change;
    for (const part of parts) {
      try {
        await this.run([part], options);
      } catch (error) {
        if (!(error instanceof Rejected)) throw error;
        refusals.push(error.message);
        made = without(made, part.names);
      }
    }
    return { made, refusals };
  }

  private run(parts: readonly Part[], { by, isDryRun }: SyncRun): Promise<void> {
    return this.kernel.work.run(
      by,
      async (work) => {
        for (const { make } of parts) await make(work);
      },
      { isDryRun },
    );
  }

  private partsOf(change: DirectoryChange, fieldOf: ReadonlyMap<string, number>, { directory }: SyncRun): Part[] {
    const { userId, subject, suspended, isRestored, fullName, role, profile } = change;
    const parts: Part[] = [];
    const add = (names: Part['names'], make: Part['make']) => parts.push({ names, make });
    if (subject !== undefined) add(['subject'], (work) => this.links.link(work, userId, { directory, subject }));
    if (suspended) add(['suspended'], (work) => this.suspend(work, userId, { directory, reason: suspended }));
    if (isRestored) add(['isRestored'], (work) => this.reactivations.reactivate(work, userId, DIRECTORY_RIGHTS));
    if (fullName !== undefined) add(['fullName'], (work) => this.accounts.follow(work, userId, { fullName }));
    if (role !== undefined) add(['role'], (work) => this.accounts.follow(work, userId, { role }));
    if (profile.length > 0) {
      const values = profile.map(([name, value]) => ({ fieldId: fieldOf.get(name) ?? 0, value }));
      add(['profile'], (work) => this.profiles.fill(work, userId, values));
    }
    return parts;
  }

  /** The keys of the person end for good, so that none is valid again after a reactivation. */
  private async suspend(
    work: Work,
    userId: UserId,
    suspension: { readonly directory: string; readonly reason: Suspension },
  ): Promise<void> {
    await this.deactivations.deactivate(work, userId, DIRECTORY_RIGHTS);
    await this.deactivations.revokeKeys(work, userId);
    await this.links.suspended(work, userId, suspension);
  }
}

/** The change without these parts. */
function without(change: DirectoryChange, names: readonly (keyof DirectoryChange)[]): DirectoryChange {
  const { profile, ...others } = change;
  const rest = Object.fromEntries(Object.entries(others).filter(([name]) => !names.some((one) => one === name)));
  return { ...(rest as Omit<DirectoryChange, 'profile'>), profile: names.includes('profile') ? [] : profile };
}
