import type { ClientBase, Pool } from 'pg';
import { Overloaded } from '../../log/errors';
import type { Generation } from '../checkpoints/checkpoints';
import type { Projection } from '../definition/define';
import type { ProjectionRow } from '../versions/projection-store';
import { PROJECTION_COLUMNS, liveGeneration, rowsByName } from '../versions/projection-store';

/** A read model of this code that is live beside another version, so this code brings it to the head of the log itself. */
export interface SideBySideModel extends Generation {
  readonly definition: Projection;
}

/** The live read models of one edition. */
export interface Live {
  /** Changes with the set of live read models. */
  readonly edition: number;
  /** Why this code must neither read nor write; null while all its inline read models are live. */
  readonly lacking: string | null;
  /** Inline read models that processes of another version do not write. */
  readonly sideBySide: readonly SideBySideModel[];
}

const LIVE = `SELECT i.read_models AS edition, ${PROJECTION_COLUMNS} FROM installation AS i LEFT JOIN projections ON true`;

/**
 * The read models that are live, as a process knows them. They change under the lock of all heads, together with the
 * edition. Each read of heads returns the edition, so an unchanged edition means that nothing has changed.
 */
export class LiveModels {
  /** Resolves with the reason when the versions of this code are no longer live. The process must be replaced then. */
  readonly retired: Promise<string>;
  private readonly inline: readonly Projection[];
  private known: Live | null = null;
  private newest = 0;
  private wasLive = false;
  private retire: (reason: string) => void = () => undefined;

  constructor(
    private readonly pool: Pool,
    declared: readonly Projection[],
  ) {
    this.inline = declared.filter(({ lifecycle }) => lifecycle === 'inline');
    this.retired = new Promise((resolve) => (this.retire = resolve));
  }

  /** The edition in which everything that this code writes is live and no other version is; null if there is none. */
  get alone(): number | null {
    const { known, newest } = this;
    return known?.edition === newest && known.lacking === null && known.sideBySide.length === 0 ? newest : null;
  }

  /** Records the edition that a read of the database returned. */
  note(edition: number): void {
    this.newest = Math.max(this.newest, edition);
  }

  /**
   * The read models that are live in the newest known edition, or in the edition that a transaction sees.
   * @param client reads from its snapshot, with the edition that the snapshot has
   * @throws Overloaded if this code must not continue with it
   */
  async now(client: Pool | ClientBase = this.pool, edition = this.newest): Promise<Live> {
    const live = await this.seen(client, edition);
    if (live.lacking === null) {
      this.wasLive = true;
      return live;
    }
    if (this.wasLive && live.edition >= this.newest) this.retire(live.lacking);
    throw new Overloaded(live.lacking);
  }

  /** The same for callers that continue although a read model of this code is not live. */
  async seen(client: Pool | ClientBase, edition: number): Promise<Live> {
    return this.known?.edition === edition && edition > 0 ? this.known : this.read(client);
  }

  private async read(client: Pool | ClientBase): Promise<Live> {
    const { rows } = await client.query<ProjectionRow & { edition: number }>({ name: 'live-models', text: LIVE });
    const live = liveOf(rows[0]?.edition ?? 0, rowsByName(rows), this.inline);
    this.note(live.edition);
    if (live.edition === this.newest) this.known = live;
    return live;
  }
}

function liveOf(edition: number, rows: ReadonlyMap<string, ProjectionRow>, inline: readonly Projection[]): Live {
  const sideBySide: SideBySideModel[] = [];
  let lacking: string | null = null;
  for (const definition of inline) {
    const row = rows.get(definition.name);
    const generation = liveGeneration(row, definition);
    if (generation === null) lacking ??= whyNot(row, definition);
    else if (row?.sideBySide) sideBySide.push({ projection: definition.name, generation, definition });
  }
  const known = new Set(inline.map(({ name }) => name));
  const unknown = [...rows.values()].find(
    ({ name, lifecycle, version, sideBySide }) =>
      lifecycle === 'inline' && version !== null && !sideBySide && !known.has(name),
  );
  if (unknown) lacking ??= `read model ${unknown.name} is live, this process does not know it`;
  return { edition, lacking, sideBySide };
}

const whyNot = (row: ProjectionRow | undefined, { name, version }: Projection): string =>
  `read model ${name} is live in version ${row?.version ?? 'none'}, this process writes version ${version}`;
