import type { ClientBase, Pool } from 'pg';
import { Overloaded } from '../../log/errors';
import type { Generation } from '../checkpoints/checkpoints';
import type { Projection } from '../definition/define';
import type { ProjectionRow } from '../versions/projection-store';
import { PROJECTION_COLUMNS, liveGeneration, rowsByName } from '../versions/projection-store';

/** A read model of this code that is live beside another version of it, and has to be kept up with the log. */
export interface KeptUp extends Generation {
  readonly definition: Projection;
}

/** What is live, as of one edition. */
export interface Live {
  /** Changes whenever what is live does. */
  readonly edition: number;
  /** Why this code must neither read nor write; null while all its inline read models are live. */
  readonly lacking: string | null;
  /** Inline read models that processes of another version do not write. */
  readonly keptUp: readonly KeptUp[];
}

const LIVE = `SELECT i.read_models AS edition, ${PROJECTION_COLUMNS} FROM installation AS i LEFT JOIN projections ON true`;

/**
 * What a process knows of the read models that are live. They change under the lock of all heads, and with them the
 * edition, which every look at heads brings along: to find it where it was is to know that nothing has changed.
 */
export class LiveModels {
  /** Resolves with the reason when what this code wrote is live no more: whoever runs this process has to replace it. */
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

  /** The edition under which all that this code writes is live, and nobody writes another version; null when it is not so. */
  get alone(): number | null {
    const { known, newest } = this;
    return known?.edition === newest && known.lacking === null && known.keptUp.length === 0 ? newest : null;
  }

  /** An edition was seen in the database. */
  note(edition: number): void {
    this.newest = Math.max(this.newest, edition);
  }

  /**
   * What is live in the edition that was seen last, or that a transaction sees.
   * @param client whose snapshot counts, with the edition it sees
   * @throws Overloaded when this code must not go on with it
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

  /** The same, for those who go on with what is live of this code although something is lacking. */
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
  const keptUp: KeptUp[] = [];
  let lacking: string | null = null;
  for (const definition of inline) {
    const row = rows.get(definition.name);
    const generation = liveGeneration(row, definition);
    if (generation === null) lacking ??= whyNot(row, definition);
    else if (row?.sideBySide) keptUp.push({ projection: definition.name, generation, definition });
  }
  const known = new Set(inline.map(({ name }) => name));
  const unknown = [...rows.values()].find(
    ({ name, lifecycle, version, sideBySide }) =>
      lifecycle === 'inline' && version !== null && !sideBySide && !known.has(name),
  );
  if (unknown) lacking ??= `read model ${unknown.name} is live, this process does not know it`;
  return { edition, lacking, keptUp };
}

const whyNot = (row: ProjectionRow | undefined, { name, version }: Projection): string =>
  `read model ${name} is live in version ${row?.version ?? 'none'}, this process writes version ${version}`;
