import type { Kernel } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';

/** Events that are read at once. */
const PAGE = 1_000;

/**
 * What the trail of a log relies on: the kind of everything that an event is about is known of its type, and the id is
 * where the stored data of such events have it, unless it is the position or 0, or the type refers to other events by distance.
 */
export async function unfoundSubjects({ events, registry }: Kernel, realmId: RealmId): Promise<object[]> {
  const unfound: object[] = [];
  for (let after = 0; ;) {
    const page = await events.storedPage(realmId, after, PAGE);
    for (const stored of page) {
      if (!registry.knows(stored.type)) continue;
      const definition = registry.definition(stored.type);
      for (const [kind, id] of definition.subjects(registry.decode(stored).data, stored.position)) {
        const isThere =
          id === stored.position ||
          id === 0 ||
          definition.references.length > 0 ||
          registry.textsAbout([kind, id]).some((text) => stored.dataText.includes(text));
        if (isThere && registry.kindsOf(stored.type).includes(kind)) continue;
        unfound.push({ position: stored.position, type: stored.type, unfound: `${kind}:${id}` });
      }
    }
    const last = page.at(-1);
    if (!last) return unfound;
    after = last.position;
  }
}
