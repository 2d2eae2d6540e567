import type { Kernel, RegisterBlock, RegisterOptions } from '@annals/kernel';
import type { Actor, Instant, Position } from '@annals/kernel/domain';
import { ascending } from '@annals/kernel/domain';
import { EMPTY_BLOCKS } from './empty-blocks';
import type { BlockFields, WantedBlock } from './cached-blocks';
import { CachedBlocks } from './cached-blocks';
import { RecentlyUsed } from './recently-used';

/** A state that a client begins with, and the position of the last event in it. */
export interface StateAt {
  readonly position: Position;
  readonly fields: BlockFields;
}

/** The parameters of a state that are not in the log. */
export interface InitialStateRequest {
  readonly at: Instant;
  readonly options: Omit<RegisterOptions, 'keys'>;
  /** Whether the client fetches a key. */
  readonly wants: (key: string) => boolean;
}

/** The state that a client begins with: one block for some fetch keys each, all of one position. */
export class InitialState {
  private readonly memory = new RecentlyUsed();
  private readonly cached: CachedBlocks;
  private readonly owned: ReadonlySet<string>;
  /** By the first part. */
  private readonly joined = new WeakMap<
    BlockFields,
    { readonly parts: readonly BlockFields[]; readonly fields: BlockFields }
  >();

  constructor(
    private readonly kernel: Pick<Kernel, 'snapshot' | 'fence' | 'changes' | 'tail'>,
    private readonly blocks: readonly RegisterBlock[],
  ) {
    this.cached = new CachedBlocks(kernel);
    this.owned = new Set(blocks.flatMap(({ keys }) => keys));
  }

  /** For a user who has passed the fence. */
  async read(by: Actor, asked: InitialStateRequest): Promise<StateAt> {
    await this.kernel.fence.reached(by.realmId);
    const wanted = this.wanted(by, asked);
    return this.fromMemory(by, wanted) ?? this.onSnapshot(by, asked, wanted);
  }

  /** Empty blocks of the keys that no part of Annals provides. */
  nothingYet({ wants }: Pick<InitialStateRequest, 'wants'>): BlockFields {
    const fields: Record<string, unknown> = {};
    for (const [key, empty] of Object.entries(EMPTY_BLOCKS)) {
      if (!this.owned.has(key) && wants(key)) Object.assign(fields, empty);
    }
    return fields;
  }

  private wanted(by: Actor, { options, wants }: InitialStateRequest): WantedBlock[] {
    const groups = ascending(by.groups);
    const of = JSON.stringify([by.realmId, by.userId, by.version, by.role, by.botOwnerId, groups, options]);
    return this.blocks.flatMap((block, n) => {
      const keys = block.keys.filter(wants);
      return keys.length === 0
        ? []
        : { block, options: { ...options, keys: new Set(keys) }, key: `${n} ${keys.join()} ${of}` };
    });
  }

  /** Nothing else runs meanwhile, so all blocks are of the same position. */
  private fromMemory({ realmId }: Actor, wanted: readonly WantedBlock[]): StateAt | undefined {
    const position = this.cached.received(realmId);
    const parts: BlockFields[] = [];
    for (const one of wanted) {
      const cached = this.cached.at(realmId, position, one);
      if (!cached) return undefined;
      parts.push(cached);
    }
    return { position, fields: this.together(parts) };
  }

  private onSnapshot(by: Actor, { at }: InitialStateRequest, wanted: readonly WantedBlock[]): Promise<StateAt> {
    const { realmId } = by;
    const changes = this.kernel.changes.of(realmId);
    return this.kernel.snapshot(realmId, async (client, position) => {
      const snapshot = { client, realmId, position, at, memory: this.memory };
      const fields: Record<string, unknown> = {};
      for (const one of wanted) {
        const known = this.cached.at(realmId, position, one);
        Object.assign(fields, known ?? (await this.cached.read(one, snapshot, by, changes)));
      }
      return { position, fields };
    });
  }

  /** The fields of the same parts are put together once: they are some hundreds. */
  private together(parts: readonly BlockFields[]): BlockFields {
    const [first] = parts;
    const known = first && this.joined.get(first);
    if (known?.parts.length === parts.length && known.parts.every((part, n) => part === parts[n])) return known.fields;
    const fields = Object.assign({}, ...parts) as BlockFields;
    if (first) this.joined.set(first, { parts, fields });
    return fields;
  }
}
