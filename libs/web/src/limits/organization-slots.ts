import type { RealmByHost } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import type { WebRequest } from '../request';
import { hostOf } from '../request';
import type { SlotLimits } from './request-slots';
import { RequestSlots } from './request-slots';

/** Of one organization, if the operator has set nothing else. */
const AT_ONCE = 12;
/** Organizations that may use all their slots at once. */
const FULL_ORGANIZATIONS = 10;
/**
 * Without a request of another organization for so long (ms), one that is alone on its server is not limited. Clients that
 * listen ask again within 90 s, so no organization that somebody uses counts as absent.
 */
const ALONE_MS = 120_000;
/** Longer than a request of a busy server takes, in ms. */
const LAPSE_MS = 250;
/** The organization of a host may be the one of so long ago (ms). Nothing but the queue of the request depends on it. */
const MAX_AGE_MS = 60_000;

/**
 * Lets so many requests of an organization be in progress in this process, and the others of it wait. So an
 * organization that sends many delays itself, and no other one. One that is alone may use all slots.
 */
export class OrganizationSlots {
  private readonly slots: RequestSlots<RealmId>;

  constructor(
    private readonly realms: RealmByHost,
    limits: Partial<SlotLimits> = {},
  ) {
    const { ofOne = AT_ONCE } = limits;
    const inAll = ofOne * FULL_ORGANIZATIONS;
    this.slots = new RequestSlots({ ofOne, inAll, aloneMs: ALONE_MS, lapseMs: LAPSE_MS, ...limits });
  }

  /** How many requests of this process have a slot, and how many wait for one: of all organizations, and of each. */
  get figures(): Pick<RequestSlots<RealmId>, 'inProgress' | 'waiting' | 'ofOwners'> {
    return this.slots;
  }

  /** Resolves when the request may begin. A request whose organization is not found is refused by the steps after. */
  async take(request: WebRequest): Promise<void> {
    const search = { maxAgeMs: MAX_AGE_MS, isDeactivatedToo: true };
    const realmId = await this.realms.realmOf(hostOf(request), search).catch(() => undefined);
    if (realmId !== undefined) request.slot = await this.slots.take(realmId);
  }
}
