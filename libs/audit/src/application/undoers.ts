import { UndoArchiving, UndoUnsubscribing } from '@annals/channels';
import { UndoGroupDeactivation, UndoMembers } from '@annals/groups';
import type { Undoer } from '@annals/kernel';
import { UndoDeletion, UndoMove } from '@annals/messages';
import { UndoDeactivation } from '@annals/onboarding';
import { Injectable } from '@nestjs/common';

/** What can undo acts, by the types of their events. Each context has its own. */
@Injectable()
export class Undoers {
  private readonly byType: ReadonlyMap<string, Undoer>;

  constructor(
    archiving: UndoArchiving,
    unsubscribing: UndoUnsubscribing,
    members: UndoMembers,
    groups: UndoGroupDeactivation,
    accounts: UndoDeactivation,
    moves: UndoMove,
    deletions: UndoDeletion,
  ) {
    const all: readonly Undoer[] = [archiving, unsubscribing, members, groups, accounts, moves, deletions];
    this.byType = new Map(all.flatMap((undoer) => undoer.types.map((type) => [type, undoer] as const)));
  }

  /** Undefined for an act that cannot be undone. */
  of(type: string): Undoer | undefined {
    return this.byType.get(type);
  }
}
