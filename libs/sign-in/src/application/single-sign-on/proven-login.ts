import type { Origin, RealmId } from '@annals/kernel/domain';
import type { ProvenPerson, SignOnTarget } from '../../domain/single-sign-on/flow';

/** The end of a login that another system proved. */
export interface ProvenLogin {
  readonly realmId: RealmId;
  readonly person: ProvenPerson;
  readonly to: SignOnTarget;
  readonly origin: Origin;
  /** Cookie of the session that the browser has. It ends. */
  readonly former: string | undefined;
}
