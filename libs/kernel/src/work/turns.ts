/** An account or an organization as an owner: `12:345` or `12`. */
const OF_ORGANIZATION = /^(\d+)(?::\d+)?$/;

type Begin = () => void;

/**
 * Lets one at a time work, in turns. They alternate between organizations, and between the owners in each of them, so that an
 * organization of many people has no more turns than another.
 */
export class Turns {
  /** Who waits, by organization and owner. The first keys are those of the next one. */
  private readonly waiting = new Map<string, Map<string, Begin[]>>();
  private isTaken = false;

  /**
   * Takes the turn. It ends with `pass`.
   *
   * @param owner for example an account. What it does waits for each other
   * @returns what resolves when it is the turn of the caller. Undefined if it is already
   */
  take(owner: string): Promise<void> | undefined {
    if (this.isTaken) return new Promise((resolve) => this.add(owner, resolve));
    this.isTaken = true;
    return undefined;
  }

  /** Ends the turn: the next one begins. */
  pass(): void {
    const [next] = this.waiting;
    if (!next) {
      this.isTaken = false;
      return;
    }
    const [organization, owners] = next;
    // Whoever had a turn goes to the end.
    this.waiting.delete(organization);
    const begin = takeFirst(owners);
    if (owners.size > 0) this.waiting.set(organization, owners);
    begin?.();
  }

  private add(owner: string, begin: Begin): void {
    const organization = OF_ORGANIZATION.exec(owner)?.[1] ?? owner;
    const owners = this.waiting.get(organization) ?? new Map<string, Begin[]>();
    this.waiting.set(organization, owners);
    const own = owners.get(owner);
    if (own) own.push(begin);
    else owners.set(owner, [begin]);
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
