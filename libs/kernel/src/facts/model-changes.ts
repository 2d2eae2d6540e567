import type { Position, RealmId, Recorded } from '../domain/index';
import type { Projection } from '../projections/definition/define';
import { tablesIn } from '../projections/definition/view-tables';
import type { Tail } from './tail';

/**
 * Which read models the events of each organization changed, as this process received them. Which events those are follows from
 * the handlers of the read models, so none can be forgotten.
 */
export class ModelChanges {
  private readonly modelOf = new Map<string, string>();
  private readonly changedBy = new Map<string, string[]>();
  private readonly realms = new Map<RealmId, KnownChanges>();

  /** @param projections of all contexts; background read models do not change with the log, so nothing is known of them */
  constructor(tail: Tail, projections: readonly Projection[]) {
    for (const { name, lifecycle, tables, handlers } of projections) {
      if (lifecycle !== 'inline') continue;
      for (const table of Object.keys(tables)) this.modelOf.set(table, name);
      for (const type of handlers.keys()) this.changedBy.set(type, [...(this.changedBy.get(type) ?? []), name]);
    }
    tail.listen((realmId, events) => this.receive(realmId, events));
  }

  /** The changes known since events were last skipped. Another object means that events were skipped. */
  of(realmId: RealmId): KnownChanges {
    const known = this.realms.get(realmId) ?? new KnownChanges();
    this.realms.set(realmId, known);
    return known;
  }

  /** The inline read models that the text of a query names; null if it names a table of which nothing is known. */
  modelsIn(text: string): readonly string[] | null {
    const models = tablesIn(text).map((table) => this.modelOf.get(table));
    const known = models.flatMap((model) => model ?? []);
    return known.length === models.length ? known : null;
  }

  private receive(realmId: RealmId, events: readonly Recorded[] | null): void {
    if (!events) {
      this.realms.delete(realmId);
      return;
    }
    const known = this.of(realmId);
    for (const { type, position } of events) known.note(this.changedBy.get(type) ?? [], position);
  }
}

/** Position of the last event that changed each read model of one organization. */
export class KnownChanges {
  private readonly last = new Map<string, Position>();

  note(models: readonly string[], position: Position): void {
    for (const model of models) this.last.set(model, position);
  }

  /**
   * Whether some read models have the same rows at two positions. The process has received the events up to both, and all events
   * after the object was made.
   */
  areSame(models: Iterable<string>, one: Position, other: Position): boolean {
    const earlier = Math.min(one, other);
    if (one === other) return true;
    for (const model of models) if ((this.last.get(model) ?? 0) > earlier) return false;
    return true;
  }
}
