import type { Actor, RealmId } from '@annals/kernel/domain';
import type { Destination } from '@annals/messages';
import type { MailPurpose } from '../domain/automatic-mail';
import type { AddressOptions } from './address-parts';

/** Where a mail belongs, and who speaks. */
export interface MailTarget {
  readonly realmId: RealmId;
  readonly purpose: MailPurpose;
  /** Whose rights decide. */
  readonly rights: Actor;
  /** Who sends the message. Null for the bot of the gateway. */
  readonly sender: Actor | null;
  readonly to: Destination;
  /** What the address is for, however it is written. */
  readonly name: string;
  readonly options: AddressOptions;
}
