import type { Kernel, RegisterSnapshot } from '@annals/kernel';
import type { ClientBase } from 'pg';

/** A snapshot that records which read models a block read from it. */
export interface TrackedSnapshot {
  readonly snapshot: RegisterSnapshot;
  /** The read models that were read; null if the answer follows from something else too, such as the time. */
  models(): ReadonlySet<string> | null;
}

/** A snapshot that records what is read from it. */
export function tracked(snapshot: RegisterSnapshot, changes: Pick<Kernel['changes'], 'modelsIn'>): TrackedSnapshot {
  const models = new Set<string>();
  let isKeepable = true;
  const note = (query: unknown) => {
    const text = textOf(query);
    const named = text === undefined ? null : changes.modelsIn(text);
    if (named === null) isKeepable = false;
    for (const model of named ?? []) models.add(model);
  };
  const { client, realmId, position, memory } = snapshot;
  const query = (...sent: Parameters<ClientBase['query']>) => {
    note(sent[0]);
    return client.query(...sent);
  };
  return {
    snapshot: {
      client: Object.create(client, { query: { value: query } }) as ClientBase,
      realmId,
      position,
      memory,
      get at() {
        isKeepable = false;
        return snapshot.at;
      },
    },
    models: () => (isKeepable ? models : null),
  };
}

/** The text of a query; undefined for a query with its own protocol. */
function textOf(query: unknown): string | undefined {
  if (typeof query === 'string') return query;
  return (query as { readonly text?: string }).text;
}
