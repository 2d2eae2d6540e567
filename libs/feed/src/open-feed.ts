import type { RealmId } from '@annals/kernel/domain';
import type { CurrentBlock, Kernel } from '@annals/kernel';
import type { AudienceRules } from './delivery/audience/audience-rules';
import { ClientEventRows } from './delivery/reading/client-event-rows';
import { ClientEvents } from './delivery/reading/client-events';
import { Dispatcher } from './delivery/dispatcher';
import { SignalCursors } from './delivery/polls/signal-cursors';
import { SignalBuffer } from './delivery/polls/signal-buffer';
import { LogPages } from './delivery/reading/log-pages';
import { Presentation } from './delivery/presentation';
import { Slots } from './delivery/reading/slots';
import { QueueActivity } from './queues/queue-activity';
import { QueueRows } from './queues/queue-rows';
import type { RegisterFeatures } from './register/register';
import { Register } from './register/register';
import { Checkpoints } from './translation/checkpoints';
import { TRANSLATION_QUEUE } from './translation/translation';
import { Translations } from './translation/translations';

/** Queues far behind that are served at once. Each uses a connection of the pool. */
const CATCHING_UP = 4;
const TICK_MS = 1_000;
const ACTIVITY_MS = 60_000;

export interface FeedOptions {
  readonly rules: AudienceRules;
  /** Canonical address of an organization. */
  readonly addressOf: (realmId: RealmId) => Promise<string>;
  /** The features that the server allows its organizations. */
  readonly features: RegisterFeatures;
  /** `zulip_version`, `zulip_merge_base` and `zulip_feature_level`. */
  readonly version: Readonly<Record<string, unknown>>;
  /** The name of the empty topic for old clients. */
  readonly emptyTopic: string;
  /** The parts of `POST /register` that do not follow from the log. */
  readonly currentBlocks: readonly CurrentBlock[];
}

/** Queues and polls of one process, with the two timers that serve all of them. */
export class FeedServer {
  private readonly timers: NodeJS.Timeout[] = [];

  constructor(
    private readonly kernel: Kernel,
    readonly register: Register,
    readonly dispatcher: Dispatcher,
    private readonly translations: Pick<Translations, 'isStored'>,
  ) {}

  /** Starts the timers, and requests translation by a worker when this process writes events that need it. */
  async start(): Promise<void> {
    const { kernel, dispatcher } = this;
    if (!kernel.isPast) await this.requestTranslations();
    this.timers.push(
      setInterval(() => void dispatcher.tick().catch((error: unknown) => this.failed(error)), TICK_MS),
      setInterval(() => void dispatcher.writeActivity().catch((error: unknown) => this.failed(error)), ACTIVITY_MS),
    );
  }

  /** Answers every waiting poll. */
  async stop(): Promise<void> {
    for (const timer of this.timers) clearInterval(timer);
    await this.dispatcher.close();
  }

  private async requestTranslations(): Promise<void> {
    const { kernel } = this;
    const queues = await kernel.queues();
    kernel.onCommitted((realmId, head, events) => {
      if (!events.some((event) => this.translations.isStored(event))) return;
      kernel.wakeUps.publish('urgent', realmId, head);
      void queues.wake(TRANSLATION_QUEUE, realmId, head);
    });
  }

  private failed(error: unknown): void {
    this.kernel.options.log.warn({ err: error }, 'the upkeep of queues failed; trying again');
  }
}

/** Creates what one process needs to open queues and to answer their polls. */
export function openFeed(kernel: Kernel, { rules, emptyTopic, ...registering }: FeedOptions): FeedServer {
  const { clock } = kernel;
  const { log, contexts } = kernel.options;
  const { pool } = kernel.database;
  const queues = new QueueRows(pool);
  const presenters = contexts.flatMap((context) => context.presenters);
  const blocks = contexts.flatMap((context) => context.registerBlocks);
  const signals = new SignalBuffer(clock);
  const signalCursors = new SignalCursors(signals);
  const pages = new LogPages(kernel.tail, kernel.events);
  const translations = new Translations(contexts);
  const dispatcher = new Dispatcher({
    kernel,
    clock,
    log,
    queues,
    activity: new QueueActivity(queues),
    checkpoints: new Checkpoints(pool),
    pages,
    clientEvents: new ClientEvents(pages, new ClientEventRows(pool), translations, kernel.registry),
    presentation: new Presentation(
      presenters,
      rules,
      emptyTopic,
      registering.addressOf,
      pool,
      kernel.events,
      log,
      kernel.keepUp,
    ),
    signals,
    signalCursors,
    slots: new Slots(CATCHING_UP),
  });
  const register = new Register({ ...registering, kernel, clock, queues, signalCursors, blocks });
  return new FeedServer(kernel, register, dispatcher, translations);
}
