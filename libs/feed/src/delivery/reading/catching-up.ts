import { UnknownEventType } from '@annals/kernel';
import type { Position, RealmId } from '@annals/kernel/domain';
import type { StoredClientEvent } from '../../translation/client-event';
import type { ClientEvents, ClientEventPage, Stop } from './client-events';
import type { LogPages } from './log-pages';
import type { Poll } from '../polls/poll';
import type { Slots } from './slots';
import type { Window } from './window';
import { reject } from '../../domain/rejections';

interface Parts {
  readonly pages: Pick<LogPages, 'boundary'>;
  readonly events: Pick<ClientEvents, 'between'>;
  /** How many polls catch up at once, of all realms of a process. */
  readonly slots: Slots;
}

/** The feed of the realm, as far as polls that are behind need it. */
interface Ahead {
  readonly window: Pick<Window, 'from' | 'position'>;
  /** How often a checkpoint of the translation was received. */
  checkpoints(): number;
  serve(polls: readonly Poll[], events: readonly StoredClientEvent[], through: Position): Promise<void>;
  /**
   * Whether another poll has already received what follows a position. Such polls must not wait for one that has not.
   */
  areBeyond(position: Position): boolean;
  logStop(stop: Stop): void;
  goBackTo(page: ClientEventPage, checkpoints: number): void;
  /** A poll has caught up. */
  arrived(): void;
}

/** The polls of one realm that are behind the window. Each reads the log itself, page by page. */
export class CatchingUp {
  private readonly polls = new Set<Poll>();
  private readonly left = new WeakSet<Poll>();

  constructor(
    private readonly realmId: RealmId,
    private readonly parts: Parts,
    private readonly ahead: Ahead,
  ) {}

  has(poll: Poll): boolean {
    return this.polls.has(poll) || this.left.has(poll);
  }

  /**
   * Whether the poll is at an event that only processes of a newer release can translate. Its client continues there.
   */
  isLeftToNewer(poll: Poll): boolean {
    return this.left.has(poll);
  }

  /** Brings a poll up to the window, beside the others. */
  begin(poll: Poll): void {
    this.polls.add(poll);
    void this.parts.slots
      .run(() => this.read(poll))
      .catch((error: Error) => poll.refuse(error))
      .finally(() => {
        this.polls.delete(poll);
        if (poll.isOpen) this.ahead.arrived();
      });
  }

  private async read(poll: Poll): Promise<void> {
    const { parts, ahead, realmId } = this;
    let from = await parts.pages.boundary(realmId, poll.cursor.seen);
    while (poll.isOpen && poll.cursor.seen < ahead.window.from) {
      const checkpoints = ahead.checkpoints();
      const page = await parts.events.between(realmId, from, ahead.window.position);
      if (page.isGone) {
        poll.refuse(reject.badQueueId(poll.queue.id));
        return;
      }
      await ahead.serve([poll], page.events, page.through);
      if (page.stop?.error && ahead.areBeyond(page.through)) {
        ahead.logStop(page.stop);
        this.stopAt(page.stop.error, poll);
        return;
      }
      if (page.stop) ahead.goBackTo(page, checkpoints);
      from = page.through;
    }
  }

  private stopAt(error: Error, poll: Poll): void {
    if (error instanceof UnknownEventType) this.left.add(poll);
    else poll.refuse(reject.badQueueId(poll.queue.id));
  }
}
