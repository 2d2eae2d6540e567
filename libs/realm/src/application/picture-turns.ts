import { Overloaded, Turns } from '@annals/kernel';
import type { RealmId, UserId } from '@annals/kernel/domain';
import { reject } from '../domain/rejections';

/** Pictures of one organization that are processed or wait. */
const OF_ORGANIZATION = 16;
/** Of all organizations. A picture has up to 5 MiB, so more would hold hundreds of MiB. */
const IN_ALL = 64;
/** Seconds after which a client may send a picture again. Most take less. */
const RETRY_AFTER = 1;

/** The account that sends a picture, or that gets it from another system. */
export interface PictureOwner {
  readonly realmId: RealmId;
  readonly userId: UserId;
}

/**
 * Lets the pictures of this process be processed one at a time. Organizations take turns, so a picture waits for at most
 * one of each other organization.
 */
export class PictureTurns {
  private readonly turns = new Turns();
  /** The organizations of the accounts whose pictures are processed or wait. */
  private readonly present = new Map<string, RealmId>();

  /**
   * @throws Rejected RATE_LIMIT_HIT while another picture of the account, or many of its organization, are not done yet
   * @throws Overloaded when too many of all organizations wait
   * @throws what the task throws; the next one runs all the same
   */
  async run<T>({ realmId, userId }: PictureOwner, task: () => Promise<T>): Promise<T> {
    const account = `${realmId}:${userId}`;
    this.ensureRoom(account, realmId);
    this.present.set(account, realmId);
    try {
      await this.turns.take(account);
      return await task();
    } finally {
      this.present.delete(account);
      this.turns.pass();
    }
  }

  private ensureRoom(account: string, realmId: RealmId): void {
    if (this.present.has(account)) throw reject.ownPictureFirst({ 'retry-after': RETRY_AFTER });
    const others = [...this.present.values()].filter((one) => one === realmId);
    if (others.length >= OF_ORGANIZATION) throw reject.tooManyPictures({ 'retry-after': RETRY_AFTER });
    if (this.present.size >= IN_ALL) throw new Overloaded('too many pictures wait to be processed');
  }
}
