import type { RealmByHost } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import type { WebRequest } from '../request';
import { hostOf } from '../request';
import { RequestSlots } from './request-slots';

/** Of one organization, if the operator has set nothing else. */
const AT_ONCE = 32;
/** Organizations that may use all their slots at once. */
const FULL_ORGANIZATIONS = 4;
/** Longer than a request of a busy server takes, in ms. */
const LAPSE_MS = 250;
/** The organization of a host may be the one of so long ago (ms). Nothing but the queue of the request depends on it. */
const MAX_AGE_MS = 60_000;

/**
 * Lets so many requests of an organization be in progress in this process, and the others of it wait. So an
 * organization that sends many delays itself, and no other one.
 */
export class OrganizationSlots {
  private readonly slots: RequestSlots<RealmId>;

  /**
   * @param atOnce of one organization (`ANNALS_REQUESTS_AT_ONCE`)
   * @param lapseMs after this time a request no longer counts, because it waits for something else
   */
  constructor(
    private readonly realms: RealmByHost,
    atOnce = AT_ONCE,
    lapseMs = LAPSE_MS,
  ) {
    this.slots = new RequestSlots({ ofOne: atOnce, inAll: atOnce * FULL_ORGANIZATIONS, lapseMs });
  }

  /** Resolves when the request may begin. A request whose organization is not found is refused by the steps after. */
  async take(request: WebRequest): Promise<void> {
    const search = { maxAgeMs: MAX_AGE_MS, isDeactivatedToo: true };
    const realmId = await this.realms.realmOf(hostOf(request), search).catch(() => undefined);
    if (realmId !== undefined) request.slot = await this.slots.take(realmId);
  }
}
