import type { ClientBase } from 'pg';
import type { EventDefinition } from '../domain/index';
import type { FileKind } from '../files/referenced-files';
import type { Migration } from '../database/migration';
import type { Guard } from '../log/append/append';
import type { KnownBeside } from '../log/verify/known-positions';
import type { Projection } from '../projections/definition/define';
import type { QueueDeclaration } from '../queues/queue-declaration';
import type { Feed, Presenter } from './feed-definition';
import type { RegisterBlock } from './register-block';

/** What a context brings to the kernel: everything that must be known before the first event is written or read. */
export interface ContextDefinition {
  readonly name: string;
  readonly events: readonly EventDefinition[];
  readonly guards: readonly Guard[];
  readonly projections: readonly Projection[];
  readonly feeds: readonly Feed[];
  readonly presenters: readonly Presenter[];
  /** Its parts of the state that `POST /register` answers. */
  readonly registerBlocks: readonly RegisterBlock[];
  /** Tables that are not derived from the log. */
  readonly migrations: readonly Migration[];
  /** What its events name and the `FileStore` keeps. */
  readonly bytes: readonly FileKind[];
  /** Its job queues. */
  readonly queues: readonly QueueDeclaration[];
  /**
   * Lets go of what it keeps beside the log and speaks of positions, after a restore took some back. Runs while all
   * writers wait; says in a few words what it did.
   */
  readonly restored: ((client: ClientBase) => Promise<string>) | null;
  /** The newest position that it keeps beside the log, so that a log that ends before it is found out; a few indexed looks. */
  readonly known: KnownBeside | null;
  /** Tables of its migrations that a backup leaves out, because a restore gives up what they hold. */
  readonly transient: readonly string[];
  /** Event types that no projection and no feed listens to, with the reason why that is right. */
  readonly unheard: Readonly<Record<string, string>>;
}

/** Declares a context; what it does not have is left out. */
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
    unheard: {},
    ...declaration,
  };
}

/**
 * Checks what no single context can see: every event type is projected, fed or said to be unheard; no projection, feed
 * or guard is named twice; nobody listens to an event that does not exist.
 *
 * @throws Error naming the first thing that is wrong
 */
export function checkContexts(contexts: readonly ContextDefinition[]): void {
  const types = new Set(contexts.flatMap((context) => context.events.map((event) => event.type)));
  const heard = new Set<string>();
  for (const { name, projections, feeds } of contexts) {
    for (const { handlers } of projections) for (const type of handlers.keys()) heard.add(type);
    for (const { translations } of feeds) for (const type of translations.keys()) heard.add(type);
    for (const type of heard) if (!types.has(type)) throw new Error(`${name} listens to unregistered event ${type}`);
  }
  for (const { events, unheard } of contexts) {
    for (const { type } of events) {
      if (heard.has(type) === type in unheard) {
        throw new Error(
          type in unheard
            ? `event ${type} is said to be unheard, but somebody listens`
            : `nobody listens to event ${type}`,
        );
      }
    }
  }
  unique(
    'projection',
    contexts.flatMap((context) => context.projections.map((projection) => projection.name)),
  );
  unique(
    'table',
    contexts.flatMap((context) => context.projections.flatMap((projection) => Object.keys(projection.tables))),
  );
  unique(
    'guard',
    contexts.flatMap((context) => context.guards.map((guard) => guard.name)),
  );
  unique(
    'feed',
    contexts.flatMap((context) => context.feeds.map((feed) => feed.name)),
  );
  unique(
    'fetch key',
    contexts.flatMap((context) => context.registerBlocks.flatMap((block) => block.keys)),
  );
  unique(
    'job queue',
    contexts.flatMap((context) => context.queues.map((queue) => queue.name)),
  );
  unique(
    'kind of bytes',
    contexts.flatMap((context) => context.bytes.map((kind) => kind.name)),
  );
  unique(
    'presenter',
    contexts.flatMap((context) => context.presenters.map((presenter) => presenter.type)),
  );
}

function unique(kind: string, names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`${kind} ${twice} is declared twice`);
}
