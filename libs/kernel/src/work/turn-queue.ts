/** An account or an organization as an owner: `12:345` or `12`. */
const OF_ORGANIZATION = /^(\d+)(?::\d+)?$/;

/**
 * What waits for its turn. Turns alternate between organizations, and between the owners in each of them, so that an
 * organization of many people has no more turns than another.
 */
export class TurnQueue<Item> {
  /** By organization and owner. The first keys are those of the next item. */
  private readonly waiting = new Map<string, Map<string, Item[]>>();

  /** @param owner for example an account. Its items wait for each other */
  add(owner: string, item: Item): void {
    const organization = OF_ORGANIZATION.exec(owner)?.[1] ?? owner;
    const owners = this.waiting.get(organization) ?? new Map<string, Item[]>();
    this.waiting.set(organization, owners);
    const own = owners.get(owner);
    if (own) own.push(item);
    else owners.set(owner, [item]);
  }

  /** @returns the item whose turn it is, which waits no longer. Undefined if none waits */
  take(): Item | undefined {
    const [next] = this.waiting;
    if (!next) return undefined;
    const [organization, owners] = next;
    // Whoever had a turn goes to the end.
    this.waiting.delete(organization);
    const item = takeFirst(owners);
    if (owners.size > 0) this.waiting.set(organization, owners);
    return item;
  }
}

/** Takes the first item of the first owner, who goes behind the others. */
function takeFirst<Item>(owners: Map<string, Item[]>): Item | undefined {
  const [first] = owners;
  if (!first) return undefined;
  const [owner, [item, ...others]] = first;
  owners.delete(owner);
  if (others.length > 0) owners.set(owner, others);
  return item;
}
