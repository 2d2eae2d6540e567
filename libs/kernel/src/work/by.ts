import { randomUUID } from 'node:crypto';
import type { Actor, Origin, RealmId } from '../domain/index';

/** The system itself as the actor, for example for a job that delivers what is due. */
export interface SystemActor {
  readonly realmId: RealmId;
  readonly userId: null;
  readonly origin: Origin;
}

/** The server itself as the actor, for one act. */
export const systemActor = (realmId: RealmId): SystemActor => ({
  realmId,
  userId: null,
  origin: { client: 'annals', correlation: randomUUID(), address: null },
});

export type By = Actor | SystemActor;

/** Reads an actor again before an append is retried. The context that owns accounts provides it. */
export abstract class Actors {
  /** @throws Rejected when the account may no longer act */
  abstract refresh(actor: Actor): Promise<Actor>;
}

/** The `Actors` that a context registered. */
export class RegisteredActors extends Actors {
  private registered: Actors | null = null;

  register(actors: Actors): void {
    this.registered = actors;
  }

  override async refresh(actor: Actor): Promise<Actor> {
    if (!this.registered) throw new Error('no context registered how an actor is read again');
    return this.registered.refresh(actor);
  }
}

export interface RunOptions {
  /** Id of the event that caused this, as `realm:position`. */
  readonly causation?: string;
  /** The first append of a new organization. */
  readonly opensRealm?: boolean;
  /** Decides and stores nothing, so that guards are not checked. */
  readonly isDryRun?: boolean;
}
