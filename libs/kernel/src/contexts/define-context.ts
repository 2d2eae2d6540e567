import type { ClientBase } from 'pg';
import type { EventDefinition } from '../domain/index';
import type { FileKind } from '../files/referenced-files';
import type { Migration } from '../database/migration';
import type { Guard } from '../log/append/append';
import type { KnownBeside } from '../log/verify/known-positions';
import type { Projection } from '../projections/definition/define';
import type { QueueDeclaration } from '../queues/queue-declaration';
import type { EventDescription } from './event-description';
import type { Feed, Presenter } from './feed-definition';
import type { RegisterBlock } from './register-block';

/** The parts of a context that the kernel must know before the first event is written or read. */
export interface ContextDefinition {
  readonly name: string;
  readonly events: readonly EventDefinition[];
  readonly guards: readonly Guard[];
  readonly projections: readonly Projection[];
  readonly feeds: readonly Feed[];
  readonly presenters: readonly Presenter[];
  /** Its parts of the answer to `POST /register`. */
  readonly registerBlocks: readonly RegisterBlock[];
  /** Migrations of tables that are not derived from the log. */
  readonly migrations: readonly Migration[];
  /** Bytes that its events refer to and the `FileStore` stores. */
  readonly bytes: readonly FileKind[];
  /** Its job queues. */
  readonly queues: readonly QueueDeclaration[];
  /**
   * Discards state beside the log that refers to positions beyond its end, after a restore. Runs while all writers
   * wait. Returns a short description.
   */
  readonly restored: ((client: ClientBase) => Promise<string>) | null;
  /**
   * The newest position in its state beside the log, which shows whether the log ends before it. At most a few indexed
   * reads.
   */
  readonly known: KnownBeside | null;
  /** Tables of its migrations that a backup leaves out, because a restore discards their rows. */
  readonly transient: readonly string[];
  /** The descriptions of its events in the audit trail. */
  readonly descriptions: readonly EventDescription[];
  /** Event types that it has no projection and no feed for, each with the reason. */
  readonly unhandled: Readonly<Record<string, string>>;
}

/** Declares a context. Missing parts are left out. */
export function defineContext(
  declaration: Pick<ContextDefinition, 'name'> & Partial<ContextDefinition>,
): ContextDefinition {
  return {
    events: [],
    guards: [],
    projections: [],
    feeds: [],
    presenters: [],
    registerBlocks: [],
    migrations: [],
    bytes: [],
    queues: [],
    restored: null,
    known: null,
    transient: [],
    descriptions: [],
    unhandled: {},
    ...declaration,
  };
}

/**
 * Checks the rules that concern several contexts: every event type has a projection or a feed, or is declared as having
 * none; names of projections, feeds and guards are unique; all handled event types exist.
 *
 * @throws Error naming the first violation
 */
export function checkContexts(contexts: readonly ContextDefinition[]): void {
  checkHandlers(contexts);
  for (const [kind, namesOf] of Object.entries(UNIQUE)) {
    const names = contexts.flatMap(namesOf);
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined) throw new Error(`${kind} ${twice} is declared twice`);
  }
}

function checkHandlers(contexts: readonly ContextDefinition[]): void {
  const types = new Set(contexts.flatMap((context) => context.events.map((event) => event.type)));
  const handled = new Set<string>();
  for (const context of contexts) {
    for (const type of handledBy(context)) {
      if (!types.has(type)) throw new Error(`${context.name} handles unregistered event ${type}`);
      handled.add(type);
    }
  }
  for (const context of contexts) {
    const own = handledBy(context);
    for (const { type } of context.events) {
      const isDeclared = type in context.unhandled;
      // Another context may handle it, which is not always there.
      if (isDeclared && own.has(type)) throw new Error(`event ${type} is declared as unhandled, and handled`);
      if (!isDeclared && !handled.has(type)) throw new Error(`event ${type} is not handled`);
    }
  }
}

/** The types of events that a context has a handler for. */
const handledBy = ({ projections, feeds }: ContextDefinition): ReadonlySet<string> =>
  new Set([
    ...projections.flatMap(({ handlers }) => [...handlers.keys()]),
    ...feeds.flatMap(({ translations }) => [...translations.keys()]),
  ]);

/** Kinds of names that are unique among all contexts. */
const UNIQUE: Readonly<Record<string, (context: ContextDefinition) => readonly string[]>> = {
  projection: ({ projections }) => projections.map(({ name }) => name),
  table: ({ projections }) => projections.flatMap(({ tables }) => Object.keys(tables)),
  guard: ({ guards }) => guards.map(({ name }) => name),
  feed: ({ feeds }) => feeds.map(({ name }) => name),
  'fetch key': ({ registerBlocks }) => registerBlocks.flatMap(({ keys }) => keys),
  'job queue': ({ queues }) => queues.map(({ name }) => name),
  'kind of bytes': ({ bytes }) => bytes.map(({ name }) => name),
  presenter: ({ presenters }) => presenters.map(({ type }) => type),
};
