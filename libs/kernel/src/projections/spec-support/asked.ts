import type { Instant, Position, RealmId, Recorded } from '../../domain/index';
import { defineEvent, t } from '../../domain/index';

/** An event that says itself what a projection shall do: lets a spec play any sequence of operations. */
export const Asked = defineEvent('spec.Asked', { data: t.Array(t.Unknown()) });

/** A stored `Asked`; every one is an append of its own unless a command is named. */
export function asked(realm: number, position: number, operations: readonly unknown[], command?: string): Recorded {
  return recorded(Asked.type, realm, position, operations, command);
}

export function recorded(type: string, realm: number, position: number, data: unknown, command?: string): Recorded {
  return {
    type,
    data,
    sealed: null,
    realmId: realm as RealmId,
    position: position as Position,
    stream: `asked-${position}`,
    version: 1,
    at: (1_750_000_000_000 + position) as Instant,
    actorId: null,
    commandId: command ?? `command-${position}`,
    correlation: `command-${position}`,
    causation: null,
    client: 'spec',
  };
}
