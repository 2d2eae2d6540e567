import type { Instant, Position } from '@annals/kernel/domain';
import { DAY_MS } from '@annals/kernel/domain';

/** So long a link in a mail is of use. */
const LINK_MS = DAY_MS;

/** When somebody asked for a link. */
export interface AskedLink {
  readonly at: Instant;
  readonly position: Position;
}

/** When somebody uses a link. */
export interface LinkUse {
  readonly now: Instant;
  /** The last reactivation of the organization. Older links are of no use again. Null if there was none. */
  readonly reactivation: AskedLink | null;
}

/** Whether a link is of use: it was neither used nor is it too old. @param link null for one that was used */
export const isUsable = <Link extends AskedLink>(link: Link | null, { now, reactivation }: LinkUse): link is Link =>
  link !== null && now - link.at < LINK_MS && (reactivation === null || link.position > reactivation.position);
